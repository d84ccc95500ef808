// This device's own camera: opened, shown in a video, and its pictures as JPEG files. Which lens it takes is remembered.

import { Fault, faultOf } from "./live-faults.js";

const LENS_KEY = "hupai-lens";
const QUALITY = 0.85;
const FROZEN = 4000; // milliseconds without a new picture after which the camera has to be opened anew
const LOOK = 30;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The camera, shown in `video`; its pictures' longer side is at most `longSide` px. */
export function deviceCamera(video, longSide) {
  let stream = null;
  let last = null; // which picture was taken last
  let shown = 0; // how many the video has shown
  let lock = null; // keeps the screen on
  const canvas = document.createElement("canvas");

  const track = () => stream?.getVideoTracks()[0] ?? null;
  // The time of a live video may go on though its picture stands still, so that pictures are counted where they can be.
  const counts = "requestVideoFrameCallback" in video;
  const picture = () => (counts ? shown : video.currentTime);

  function count() {
    shown += 1;
    video.requestVideoFrameCallback(count);
  }
  if (counts) video.requestVideoFrameCallback(count);

  function close() {
    for (const one of stream?.getTracks() ?? []) one.stop();
    stream = null;
    video.srcObject = null;
    lock?.release();
    lock = null;
  }

  /** Throws a Fault where there is no camera to be had. */
  async function open() {
    close();
    const lens = localStorage.getItem(LENS_KEY);
    const which = lens ? { deviceId: { exact: lens } } : { facingMode: { ideal: "environment" } };
    const wanted = { ...which, width: { ideal: longSide }, height: { ideal: Math.round((longSide * 9) / 16) } };
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: wanted });
    } catch (error) {
      if (error.name === "OverconstrainedError" && lens) {
        localStorage.removeItem(LENS_KEY); // that lens is gone; another one will do
        return open();
      }
      throw faultOf(error);
    }
    last = counts ? shown : null;
    video.srcObject = stream;
    await video.play().catch(() => {}); // a picture that does not come is noticed when it is wanted
    lock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
    return undefined;
  }

  /** The next picture as {blob, width, height}; null where `wanted()` says no meanwhile. Throws a Fault. */
  async function shot(wanted = () => true) {
    const until = Date.now() + FROZEN;
    while (picture() === last || video.readyState < 2 || video.videoWidth === 0 || track()?.muted) {
      if (!wanted() || document.hidden) return null;
      if (track()?.readyState !== "live") throw new Fault("gone");
      if (Date.now() > until) throw new Fault("frozen");
      if (video.paused) video.play().catch(() => {});
      await pause(LOOK);
    }
    last = picture();
    const scale = Math.min(1, longSide / Math.max(video.videoWidth, video.videoHeight));
    const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)];
    Object.assign(canvas, { width, height });
    canvas.getContext("2d").drawImage(video, 0, 0, width, height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
    if (blob === null) throw new Fault("frozen");
    return { blob, width, height };
  }

  return {
    open,
    close,
    shot,
    isOpen: () => track()?.readyState === "live",
    /** The lenses that there are, {id, label}, and the one that is used. */
    async lenses() {
      const devices = await navigator.mediaDevices.enumerateDevices();
      const some = devices.filter(({ kind, deviceId }) => kind === "videoinput" && deviceId !== "");
      return { lenses: some.map(({ deviceId, label }) => ({ id: deviceId, label })), used: track()?.getSettings().deviceId };
    },
    /** Take another lens, once the camera is opened again. */
    chooseLens(id) {
      localStorage.setItem(LENS_KEY, id);
      close();
    },
  };
}
