// This device's own camera: shown as it is, and read frame by frame on the server. One frame is on its way at a time;
// those that come meanwhile are not sent at all.

import { send, sendJson } from "./api.js";
import { deviceCamera } from "./camera.js";
import { Fault, loop } from "./live-faults.js";

const LONG_SIDE = 1280;
const GAP = 60; // milliseconds between an answer and the next frame

/**
 * The camera, shown in `video`. `on.arrived(answer, shot)` gets what the server knows after a frame, and that frame
 * ({blob, width, height}); `on.failed(error, failures)` what went wrong, `on.opened()` that the lenses may be listed.
 */
export function phoneCamera(video, on) {
  let choice = null; // {rules, set}
  let key = null; // under which the server knows this phone
  let left = false; // the page is being left: whoever asks for a place now would keep it from others
  const camera = deviceCamera(video, LONG_SIDE);

  async function openSession() {
    key = (await sendJson("/api/live/phone", choice)).phone;
  }

  async function step(isMine) {
    if (!camera.isOpen()) {
      await camera.open();
      await on.opened();
      if (!isMine()) return camera.close();
    }
    if (left) return null;
    if (key === null) await openSession();
    const shot = await camera.shot(isMine);
    if (shot === null || left || !isMine()) return 0;
    const headers = { "Content-Type": "image/jpeg" };
    const answer = await send(`/api/live/phone/${key}/frame`, { body: shot.blob, headers });
    if (isMine()) on.arrived(answer, shot);
    return GAP;
  }

  const running = loop(step, (error, failures) => {
    if (error instanceof Fault) camera.close();
    if (error.code === "no_phone") key = null;
    on.failed(error, failures);
  }, camera.close);

  const leave = () => {
    if (key !== null) send(`/api/live/phone/${key}/close`, { keepalive: true }).catch(() => {});
    key = null;
  };
  window.addEventListener("pagehide", () => {
    left = true;
    leave();
  });
  window.addEventListener("pageshow", () => {
    left = false;
    running.wake();
  });
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
      camera.close();
    },
    wake: running.wake,
    /** Where the server takes something about this camera; null before it knows this phone. */
    path: (what) => (key === null ? null : `/api/live/phone/${key}/${what}`),
    lenses: camera.lenses,
    chooseLens(id) {
      camera.chooseLens(id);
      running.wake();
    },
  };
}
