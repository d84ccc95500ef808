// The device's own camera on the calibration view: a preview and a shutter; each picture is taught as a photo is.

import { deviceCamera } from "./camera.js";
import { byId, el } from "./dom.js";
import { Fault, whyNoCamera } from "./live-faults.js";
import { word } from "./words.js";

const LONG_SIDE = 1920;

/** `taken(file)` gets each picture as a JPEG file, and is waited for before the next one. */
export function cameraPanel(taken) {
  const camera = deviceCamera(byId("film"), LONG_SIDE);
  let open = false;
  let fault = null; // why there is no picture
  let ready = false; // whether a picture would teach something now
  let taking = false;

  function draw() {
    byId("camera-open").hidden = open || whyNoCamera() !== null;
    byId("camera").hidden = !open;
    byId("shutter").disabled = !ready || taking;
    byId("camera-fault").textContent = fault === null ? "" : word(`fault.${fault}`);
  }

  /** Do something with the camera; a fault of it is told and ends with a closed camera, which the shutter opens anew. */
  async function attempt(act) {
    try {
      await act();
      fault = null;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      camera.close();
      fault = error.code;
    }
    draw();
  }

  async function drawLenses() {
    const { lenses, used } = await camera.lenses();
    byId("lens-choice").hidden = lenses.length < 2;
    byId("lens").replaceChildren(...lenses.map(({ id, label }, at) =>
      el("option", { value: id, selected: id === used, text: label || word("live.lens_number", { number: at + 1 }) })));
  }

  const start = () => attempt(async () => {
    await camera.open();
    if (!open || document.hidden) return camera.close();
    return drawLenses();
  });

  const shoot = () => attempt(async () => {
    if (!camera.isOpen()) await camera.open();
    const shot = await camera.shot(() => open);
    if (!open) camera.close();
    if (shot === null) return;
    const time = new Date().toISOString().slice(0, 19).replace("T", " ").replaceAll(":", ".");
    await taken(new File([shot.blob], `${time}.jpg`, { type: "image/jpeg" }));
  });

  byId("camera-open").addEventListener("click", () => {
    open = true;
    draw();
    start();
  });
  function close() {
    open = false;
    camera.close();
    draw();
  }

  byId("camera-close").addEventListener("click", close);
  byId("shutter").addEventListener("click", async () => {
    taking = true;
    draw();
    await shoot();
    taking = false;
    draw();
  });
  byId("lens").addEventListener("change", (event) => {
    camera.chooseLens(event.target.value);
    start();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) camera.close();
    else if (open) start();
  });

  return {
    close,
    /** Say whether a picture may be taken now; the words are drawn anew. */
    draw(mayTake) {
      ready = mayTake;
      draw();
    },
  };
}
