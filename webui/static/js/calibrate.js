// The calibration view: choose a set, photograph pieces, mend by groups, read the report. The server keeps everything;
// what is remembered here is only which set is open and how photos are taken.

import { ApiError, ask, send, sendJson } from "./api.js";
import { cameraPanel } from "./calibrate-camera.js";
import { choices, keypad } from "./controls.js";
import { byId, el, redraw, svg } from "./dom.js";
import { openFrame } from "./frame.js";
import { closeSheet, openSheet } from "./sheet.js";
import { kindTitle, tileFace } from "./tiles.js";
import { hasWord, percent, word } from "./words.js";

const OPEN_KEY = "hupai-calibrate"; // which set is open, and the way
const BACK = "back";
const WAYS = ["in_order", "guess", "kind"];

const state = {
  families: [],
  orders: {},
  sets: [],
  deleted: null, // the set that can be brought back
  set: null, // as the server tells it
  way: "in_order",
  row: 0, // of the order, with which the next photo begins
  kind: null, // of the way "kind"
  done: [], // {photo, added, rejected} or {photo, code, message}
  counted: null, // what was counted where the number was wrong
  report: null,
  notice: null,
  busy: 0,
};

const path = (...parts) => `/api/sets/${parts.map(encodeURIComponent).join("/")}`;
const codesOf = (family) => state.families.find(({ id }) => id === family).tiles.map((tile) => tile.code);
const title = (label) => (label === BACK ? word("calibrate.back") : kindTitle(label));
const face = (label) => tileFace(label === BACK ? null : label, { down: label === BACK });
const reasonText = (code, message) => (hasWord(`error.${code}`) ? word(`error.${code}`) : message ?? code);
const rejectText = (reason) => word(`reject.${reason}`);
const picture = (file) => el("img", { class: "sample", src: path(state.set.name, "crops", file), alt: "", loading: "lazy" });

function remember() {
  localStorage.setItem(OPEN_KEY, JSON.stringify({ set: state.set?.name ?? null, way: state.way, row: state.row }));
}

/** Do something that the server may refuse; what it says is shown. */
async function attempt(act) {
  state.notice = null;
  state.busy += 1;
  draw();
  try {
    await act();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    state.notice = { code: error.code, message: error.message };
  }
  state.busy -= 1;
  draw();
}

function opened(answer) {
  if (answer.set.name !== state.set?.name) state.row = 0;
  state.set = answer.set;
  state.report = null;
  remember();
}

async function listSets() {
  const answer = await ask("/api/sets");
  Object.assign(state, { sets: answer.sets, deleted: answer.deleted, orders: answer.orders });
}

const openSet = (name) => attempt(async () => {
  opened(await ask(path(name)));
  Object.assign(state, { done: [], counted: null });
});

// ---- photos ----

/** Send photos one after another, as what the chosen way says that they show. */
async function teach(files) {
  let refused = false; // after a photo that was not taken nobody knows which row the next one shows
  for (const file of files) {
    const body = new FormData();
    body.append("way", state.way);
    if (state.way === "in_order" && !refused) body.append("row", state.row);
    if (state.way === "kind") body.append("label", state.kind ?? "");
    body.append("photo", file);
    state.busy += 1;
    state.notice = null;
    draw();
    try {
      const answer = await send(path(state.set.name, "photos"), { body });
      if (answer.next_row !== undefined) state.row = answer.next_row;
      opened(answer);
      state.done.push({ photo: file.name, added: answer.added, rejected: answer.rejected });
      state.counted = null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      state.done.push({ photo: file.name, code: error.code, message: error.message });
      state.counted = error.answer.counted ? error.answer : null;
      refused = true;
    }
    state.busy -= 1;
    draw();
  }
}

// ---- drawing ----

function drawSets() {
  const open = (entry) => el("button", {
    type: "button", "data-key": `set-${entry.name}`, "data-set": entry.name,
    "aria-pressed": String(entry.name === state.set?.name), disabled: Boolean(entry.error),
    text: entry.error ? `${entry.name}: ${reasonText(entry.error.code, entry.error.message)}`
      : `${entry.name} · ${word(`family.${entry.family}`)}`,
    onclick: () => openSet(entry.name),
  });
  redraw(byId("sets"), el("div", { class: "row" }, state.sets.map(open)));
}

/** The rows of the order, as buttons; the next photo begins with the one that is pressed. */
function drawRows() {
  const rows = state.orders[state.set.family];
  return el("div", { class: "order-rows", role: "group", "aria-label": word("calibrate.rows") }, rows.map((codes, at) =>
    el("button", {
      type: "button", class: "row", "data-key": `row-${at}`, "data-row": at, "aria-pressed": String(at === state.row),
      "aria-label": word("calibrate.row", { row: at + 1, kinds: codes.map(title).join(", ") }),
      onclick: () => {
        state.row = at;
        remember();
        draw();
      },
    }, codes.map(face))));
}

function drawOrder() {
  redraw(byId("order"),
    el("p", { class: "note", text: word(`way_note.${state.way}`) }),
    state.way === "in_order" ? drawRows() : null,
    state.way !== "kind" ? null : el("button", {
      type: "button", id: "choose-kind", "data-key": "choose-kind",
      text: state.kind === null ? word("calibrate.choose_kind") : title(state.kind),
      onclick: () => askLabel(word("calibrate.choose_kind"), (label) => {
        state.kind = label;
        draw();
      }),
    }));
}

function drawDone() {
  const line = (entry) => entry.code
    ? el("li", { class: "refused", text: word("calibrate.refused", { photo: entry.photo, reason: reasonText(entry.code, entry.message) }) })
    : el("li", {},
      word("calibrate.kept", { photo: entry.photo, count: entry.added }),
      entry.rejected.map(([place, label, reason]) =>
        el("div", { class: "refused", text: word("calibrate.rejected", { place: place + 1, name: title(label), reason: rejectText(reason) }) })));
  redraw(byId("done"), state.done.map(line));
  if (!state.counted) return redraw(byId("counted"));
  const { width, height, counted, found, wanted } = state.counted;
  let number = 0;
  const tile = (corners) => {
    number += 1;
    const x = corners.reduce((sum, point) => sum + point[0], 0) / 4;
    const y = corners.reduce((sum, point) => sum + point[1], 0) / 4;
    const size = Math.abs(corners[0][0] - corners[2][0]) * 0.4;
    return svg("g", {}, svg("polygon", { points: corners.map((point) => point.join(",")).join(" ") }),
      svg("text", { x, y, "font-size": size, text: String(number) }));
  };
  const rows = counted.map((row) => row.length).join(" + ");
  return redraw(byId("counted"),
    el("p", { text: word("calibrate.counted", { found, wanted, rows }) }),
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": rows }, counted.flat().map(tile)));
}

/** Samples together that are mended together: of one label, and of one group of look-alikes where they were guessed. */
function groupsOf(samples) {
  const groups = new Map();
  for (const sample of samples) {
    const key = sample.how.startsWith("guess") ? `${sample.label} ${sample.photo} ${sample.how}` : sample.label;
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  const codes = [...codesOf(state.set.family), BACK];
  return [...groups.values()].sort((a, b) => codes.indexOf(a[0].label) - codes.indexOf(b[0].label));
}

function drawGroups() {
  redraw(byId("groups"), groupsOf(state.set.samples).map((samples, at) => {
    const { label } = samples[0];
    return el("button", {
      type: "button", class: "group-of", "data-key": `group-${at}`, "data-label": label,
      "aria-label": word("calibrate.group", { name: title(label), count: samples.length }),
      onclick: () => openGroup(samples),
    }, face(label), el("span", { text: title(label) }),
    el("span", { class: "pictures" }, samples.slice(0, 9).map((sample) => picture(sample.file))));
  }));
}

function askLabel(heading, pick) {
  const done = (label) => {
    closeSheet();
    pick(label);
  };
  openSheet(heading, keypad(codesOf(state.set.family), done, { prefix: "label" }),
    el("button", { type: "button", "data-code": BACK, text: word("calibrate.back"), onclick: () => done(BACK) }));
}

function openGroup(samples) {
  const files = samples.map((sample) => sample.file);
  const change = (what, body) => {
    closeSheet();
    attempt(async () => opened(await sendJson(path(state.set.name, what), body)));
  };
  openSheet(word("calibrate.which_kind"),
    el("div", { class: "row" }, samples.map((sample) => el("button", {
      type: "button", "aria-label": word("calibrate.remove_one"), title: word("calibrate.remove_one"),
      onclick: () => change("remove", { files: [sample.file] }),
    }, picture(sample.file)))),
    keypad(codesOf(state.set.family), (label) => change("labels", { files, label }), { prefix: "mend", marked: samples[0].label }),
    el("button", { type: "button", text: word("calibrate.back"), onclick: () => change("labels", { files, label: BACK }) }),
    el("button", { type: "button", class: "quiet danger", text: word("calibrate.remove_all"), onclick: () => change("remove", { files }) }));
}

function drawReport() {
  const found = state.report;
  if (!found) return redraw(byId("report-body"));
  const list = (codes) => codes.map(title).join(", ");
  const kinds = Object.entries(found.kinds).map(([code, kind]) => el("tr", {},
    el("th", { scope: "row", text: title(code) }),
    el("td", { text: String(kind.samples) }),
    el("td", { text: percent(kind.leave_one_out) + (kind.views_only ? "*" : "") }),
    el("td", { text: kind.sharpness.toFixed(2) }),
    el("td", { text: String(Math.round(kind.side)) }),
    el("td", { text: list(kind.confused_with) }),
    el("td", { text: kind.one_more ? word("calibrate.one_more") : "" })));
  const heads = ["kind", "count", "left_out", "sharp", "size", "confused", "more"];
  return redraw(byId("report-body"),
    el("p", { class: "verdict", id: "verdict", "data-verdict": found.verdict, text: word(`verdict.${found.verdict}`) }),
    found.suspects.map((one) => el("p", { class: "suspect" }, picture(one.file),
      word("calibrate.suspect", { label: title(one.label), other: title(one.looks_like) }))),
    el("ul", {}, found.helps.map(({ help, kinds: codes }) => el("li", { text: word(`help.${help}`, { kinds: list(codes) }) }))),
    found.pairs.map((pair) => el("p", { class: "pair" }, pair.files.map(picture),
      word("calibrate.pair", { one: title(pair.codes[0]), other: title(pair.codes[1]) }))),
    el("div", { class: "scrolls" }, el("table", { class: "kinds-table" },
      el("thead", {}, el("tr", {}, heads.map((head) => el("th", { text: word(`column.${head}`) })))),
      el("tbody", {}, kinds))),
    el("p", { class: "note", text: word("calibrate.with_head", { with: percent(found.with_head), without: percent(found.without_head) }) }));
}

function drawManage() {
  const { name } = state.set;
  const tool = (key, act) => el("button", { type: "button", "data-key": key, id: key, text: word(`tool.${key}`), onclick: act });
  const named = (what) => {
    const to = byId("name").value.trim();
    if (!to) {
      state.notice = { code: "name_needed" };
      return draw();
    }
    return attempt(async () => {
      opened(await sendJson(path(name, what), { to }));
      byId("name").value = "";
      await listSets();
    });
  };
  const remove = () => attempt(async () => {
    await sendJson(path(name, "delete"), {});
    Object.assign(state, { set: null, report: null, done: [] });
    remember();
    await listSets();
  });
  redraw(byId("manage-tools"),
    el("a", { class: "button", href: path(name, "export"), download: `${name}.zip`, text: word("tool.export") }),
    tool("rename", () => named("rename")), tool("duplicate", () => named("duplicate")), tool("delete", remove));
}

function draw() {
  byId("notice").hidden = state.notice === null;
  if (state.notice) byId("notice-text").textContent = reasonText(state.notice.code, state.notice.message);
  byId("busy").hidden = state.busy === 0;
  byId("check").disabled = state.busy > 0; // what is under way changes the set, and with it the report
  drawSets();
  byId("undelete").hidden = state.deleted === null;
  byId("undelete").textContent = word("tool.undelete", { name: state.deleted ?? "" });
  for (const part of ["teach", "samples", "report", "manage"]) byId(part).hidden = state.set === null;
  if (state.set === null) return panel.close();
  byId("samples").hidden = state.set.samples.length === 0;
  byId("report").hidden = state.set.samples.length === 0;
  byId("set-name").textContent = state.set.name;
  redraw(byId("ways"), choices("way", word("calibrate.way"), WAYS.map((way) => ({ value: way, text: word(`way.${way}`) })),
    state.way, (way) => {
      state.way = way;
      remember();
      draw();
    }));
  const mayTeach = state.way !== "kind" || state.kind !== null;
  byId("photos").disabled = !mayTeach;
  panel.draw(mayTeach);
  drawOrder();
  drawDone();
  drawGroups();
  drawReport();
  drawManage();
  return undefined;
}

function drawFamilies() {
  const chosen = byId("family").value;
  redraw(byId("family"), state.families.map(({ id }) =>
    el("option", { value: id, selected: id === chosen, text: word(`family.${id}`) })));
}

function listen() {
  byId("new-set").addEventListener("submit", (event) => {
    event.preventDefault();
    const name = byId("name").value.trim();
    attempt(async () => {
      opened(await sendJson("/api/sets", { name, family: byId("family").value }));
      byId("name").value = "";
      await listSets();
    });
  });
  byId("photos").addEventListener("change", async (event) => {
    const files = [...event.target.files];
    await teach(files);
    event.target.value = ""; // so that the same photo may be chosen again
  });
  byId("archive").addEventListener("change", async (event) => {
    const body = new FormData();
    body.append("archive", event.target.files[0]);
    await attempt(async () => {
      opened(await send("/api/sets/import", { body }));
      await listSets();
    });
    event.target.value = "";
  });
  byId("undelete").addEventListener("click", () => attempt(async () => {
    opened(await sendJson("/api/sets/undelete", {}));
    await listSets();
  }));
  byId("check").addEventListener("click", () => attempt(async () => {
    state.report = await ask(path(state.set.name, "report"));
  }));
}

const panel = cameraPanel((file) => teach([file]));
const answer = await openFrame(() => {
  drawFamilies();
  draw();
});
state.families = answer.families;
drawFamilies();
await listSets();
const kept = JSON.parse(localStorage.getItem(OPEN_KEY) ?? "null");
if (WAYS.includes(kept?.way)) state.way = kept.way;
if (state.sets.some(({ name, error }) => name === kept?.set && !error)) {
  await openSet(kept.set);
  if (kept.row < state.orders[state.set.family].length) state.row = kept.row;
}
listen();
draw();
document.body.dataset.ready = "";
