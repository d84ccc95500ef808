// Showing what was misread: a snapshot, or the last 30 seconds, kept as files on the machine that runs hupai. Whether
// pictures are remembered is for all to see who look through that camera.

import { ApiError, ask, send, sendJson } from "./api.js";
import { byId, el, redraw } from "./dom.js";
import { currentLanguage, errorText, word } from "./words.js";

const MEGABYTE = 2 ** 20;

/**
 * The panel of snapshots and recordings. `path(what)` is the address of the camera that is looked through, null while
 * there is none; `take(answer)` gets what the server knows after recording was switched.
 */
export function recordingPanel(path, take) {
  let kept = []; // files, as the server tells of them
  let said = ""; // what became of the last tap
  let busy = false;
  let shown = null;
  let last = { now: null, running: false };

  async function attempt(act) {
    if (busy) return;
    busy = true;
    said = "";
    draw(last.now, last.running);
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      said = errorText(error.code, error.message);
    }
    busy = false;
    draw(last.now, last.running);
  }

  const load = async () => {
    kept = (await ask("/api/recordings")).recordings;
  };

  const tell = (what, body) => {
    const address = path(what);
    if (address === null) throw new ApiError("nothing_recorded", "no camera is looked through", {});
    return sendJson(address, body);
  };

  const toSwitch = (on) => attempt(async () => take(await tell("recording", { on })));

  const keep = (what) => attempt(async () => {
    const { recording } = await tell("keep", { what });
    said = word("recording.kept", { name: recording.name });
    await load();
  });

  const remove = (name) => attempt(async () => {
    await send(`/api/recordings/${name}`, { method: "DELETE" });
    await load();
  });

  function tools(on, looking) {
    const tool = (key, text, act, disabled) =>
      el("button", { type: "button", id: key, "data-key": key, text, disabled: disabled || busy, onclick: act });
    return [
      tool("snapshot", word("recording.snapshot"), () => keep("snapshot"), !looking),
      tool("record", word(on ? "recording.stop" : "recording.start"), () => toSwitch(!on), !looking),
      on ? tool("keep-recording", word("recording.keep"), () => keep("recording"), !looking) : null,
    ];
  }

  function line(file) {
    const date = new Date(file.kept);
    const when = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "medium", timeStyle: "short" }).format(date);
    const size = word("recording.size", { size: Math.max(file.bytes / MEGABYTE, 0.1).toFixed(1) });
    return el("li", { "data-file": file.name },
      el("span", { text: `${word(`kept.${file.kind}`)} · ${when} · ${size}` }),
      el("a", {
        class: "button", href: `/api/recordings/${file.name}`, download: file.name, "data-key": `get-${file.name}`,
        text: word("recording.download"),
      }),
      el("button", {
        type: "button", class: "quiet danger", "data-key": `delete-${file.name}`, disabled: busy,
        text: word("recording.delete"), onclick: () => remove(file.name),
      }));
  }

  /** Show how things are: `now` is what the server knows of the camera, `running` whether it is looked through. */
  function draw(now, running) {
    last = { now, running };
    const on = running && (now?.recording ?? false);
    const looking = running && now !== null && now.reading !== null;
    const text = JSON.stringify([currentLanguage(), on, looking, busy, said, kept]);
    if (text === shown) return;
    shown = text;
    byId("recording-sign").hidden = !on;
    redraw(byId("recording-tools"), tools(on, looking));
    byId("recording-said").textContent = said;
    redraw(byId("recordings"), kept.map(line));
  }

  return { draw, load: () => attempt(load) };
}
