// The camera of the machine that runs hupai, shown as pictures that are asked for one by one: whoever is slow sees
// fewer of them. All viewers see the same, with what any of them said of a tile.

import { askNews, sendJson } from "./api.js";
import { Fault, loop } from "./live-faults.js";

const GAP = 70; // milliseconds after a picture until the next is asked for
const NOTHING_NEW = 150;
const NOTHING_AT_ALL = 500; // while there is no picture to wait for
const STATES = { lost: "lost", ended: "ended" };

/**
 * The table's camera, drawn on the canvas `still`. `on.arrived(answer, shot)` gets what the server knows and its picture
 * ({blob, width, height}), `on.failed(error, failures)` what went wrong.
 */
export function tableCamera(still, on) {
  let choice = null;
  let asked = false; // whether the camera was asked for with this choice
  let have = 0;
  let quiet = NOTHING_NEW;

  async function show(jpeg) {
    const blob = new Blob([jpeg], { type: "image/jpeg" });
    const bitmap = await createImageBitmap(blob).catch(() => {
      throw new Fault("lost");
    });
    const { width, height } = bitmap;
    if (still.width !== width || still.height !== height) Object.assign(still, { width, height });
    still.getContext("2d").drawImage(bitmap, 0, 0);
    bitmap.close();
    return { blob, width, height };
  }

  async function step(isMine) {
    if (!asked) {
      await sendJson("/api/live/table", choice);
      asked = true;
      have = 0;
    }
    const news = await askNews(`/api/live/table?have=${have}`);
    if (news === null || !isMine()) return quiet;
    const { told, jpeg } = news;
    have = told.number;
    quiet = told.state === "live" ? NOTHING_NEW : NOTHING_AT_ALL;
    if (told.state === "resting") {
      asked = false; // nobody looked for a while, so that the camera was released
      return 0;
    }
    // What the camera saw before it was lost stands on the screen as it is.
    if (STATES[told.state]) throw new Fault(STATES[told.state], told.state === "lost");
    if (told.state !== "live" || jpeg.byteLength === 0) return quiet;
    const shot = await show(jpeg);
    if (isMine()) on.arrived(told, shot);
    return GAP;
  }

  const running = loop(step, (error, failures) => {
    // A film that has ended begins again, a server that was started again knows nothing of before.
    if (!(error instanceof Fault && error.passing)) asked = false;
    on.failed(error, failures);
  }, () => {});

  return {
    start(next) {
      choice = next;
      asked = false;
      running.start();
    },
    /** Another viewer has chosen for all. */
    adopt(next) {
      choice = next;
    },
    stop: running.stop,
    wake: running.wake,
    path: (what) => `/api/live/table/${what}`,
  };
}
