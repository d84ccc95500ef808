// This device's own camera: shown as it is, and read frame by frame on the server. One frame is on its way at a time;
// those that come meanwhile are not sent at all.

import { send, sendJson } from "./api.js";
import { Fault, faultOf, loop } from "./live-faults.js";

const LENS_KEY = "hupai-lens";
const LONG_SIDE = 1280;
const QUALITY = 0.85;
const GAP = 60; // milliseconds between an answer and the next frame
const FROZEN = 4000; // milliseconds without a new picture after which the camera is opened anew
const LOOK = 30;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * The camera, shown in `video`. `on.arrived(answer, shot)` gets what the server knows after a frame, and that frame
 * ({blob, width, height}); `on.failed(error, failures)` what went wrong, `on.opened()` that the lenses may be listed.
 */
export function phoneCamera(video, on) {
  let choice = null; // {rules, set}
  let key = null; // under which the server knows this phone
  let stream = null;
  let last = -1; // the time of the picture that was sent last
  let lock = null; // keeps the screen on
  const canvas = document.createElement("canvas");

  const track = () => stream?.getVideoTracks()[0] ?? null;

  function release() {
    for (const one of stream?.getTracks() ?? []) one.stop();
    stream = null;
    video.srcObject = null;
    lock?.release();
    lock = null;
  }

  async function openCamera() {
    const lens = localStorage.getItem(LENS_KEY);
    const which = lens ? { deviceId: { exact: lens } } : { facingMode: { ideal: "environment" } };
    const wanted = { ...which, width: { ideal: 1280 }, height: { ideal: 720 } };
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: wanted });
    } catch (error) {
      if (error.name === "OverconstrainedError" && lens) {
        localStorage.removeItem(LENS_KEY); // that lens is gone; another one will do
        return openCamera();
      }
      throw faultOf(error);
    }
    last = -1;
    video.srcObject = stream;
    await video.play().catch(() => {}); // a picture that does not come is noticed below
    lock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
    return on.opened();
  }

  async function openSession() {
    key = (await sendJson("/api/live/phone", choice)).phone;
  }

  /** The next picture of the camera as {blob, width, height}; null where nobody wants it any more. */
  async function nextShot(isMine) {
    const until = Date.now() + FROZEN;
    while (video.currentTime === last || video.readyState < 2 || video.videoWidth === 0 || track()?.muted) {
      if (!isMine() || document.hidden) return null;
      if (track()?.readyState !== "live") throw new Fault("gone");
      if (Date.now() > until) throw new Fault("frozen");
      if (video.paused) video.play().catch(() => {});
      await pause(LOOK);
    }
    last = video.currentTime;
    const scale = Math.min(1, LONG_SIDE / Math.max(video.videoWidth, video.videoHeight));
    const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)];
    Object.assign(canvas, { width, height });
    canvas.getContext("2d").drawImage(video, 0, 0, width, height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
    if (blob === null) throw new Fault("frozen");
    return { blob, width, height };
  }

  async function step(isMine) {
    if (track()?.readyState !== "live") {
      release();
      await openCamera();
      if (!isMine()) return release();
    }
    if (key === null) await openSession();
    const shot = await nextShot(isMine);
    if (shot === null || !isMine()) return 0;
    const headers = { "Content-Type": "image/jpeg" };
    const answer = await send(`/api/live/phone/${key}/frame`, { body: shot.blob, headers });
    if (isMine()) on.arrived(answer, shot);
    return GAP;
  }

  const running = loop(step, (error, failures) => {
    if (error instanceof Fault) release();
    if (error.code === "no_phone") key = null;
    on.failed(error, failures);
  }, release);

  const leave = () => {
    if (key !== null) send(`/api/live/phone/${key}/close`, { keepalive: true }).catch(() => {});
    key = null;
  };
  window.addEventListener("pagehide", leave);
  navigator.mediaDevices?.addEventListener?.("devicechange", running.wake);
  navigator.permissions?.query({ name: "camera" }).then((permission) => {
    permission.addEventListener("change", running.wake);
  }, () => {}); // not every browser knows this permission by name

  return {
    /** Look on, by {rules, set}; another choice begins anew. */
    start(next) {
      if (JSON.stringify(next) !== JSON.stringify(choice)) leave();
      choice = next;
      running.start();
    },
    stop() {
      running.stop();
      release();
    },
    wake: running.wake,
    /** Where the server takes something about this camera; null before it knows this phone. */
    path: (what) => (key === null ? null : `/api/live/phone/${key}/${what}`),
    /** The lenses that there are, {id, label}, and the one that is used. */
    async lenses() {
      const devices = await navigator.mediaDevices.enumerateDevices();
      const some = devices.filter(({ kind, deviceId }) => kind === "videoinput" && deviceId !== "");
      return { lenses: some.map(({ deviceId, label }) => ({ id: deviceId, label })), used: track()?.getSettings().deviceId };
    },
    chooseLens(id) {
      localStorage.setItem(LENS_KEY, id);
      release();
      running.wake();
    },
  };
}
