// The page: one state, one way to change it, and everything drawn anew from it.

import { accept, acceptBar, newKey, takeOut, withList } from "./accept.js";
import { ApiError, ask, offerSample, readPhoto, rememberLanguage, scoreHand, start } from "./api.js";
import { contextOf, drawContext, forNextHand, freshContext, underRules, withRuledOut } from "./context.js";
import { choices, keypad } from "./controls.js";
import { byId, el, redraw } from "./dom.js";
import { dragTiles } from "./drag.js";
import { drawHand } from "./hand.js";
import { keepHand, keptHand, takeOver } from "./kept.js";
import { nearWins } from "./nearwins.js";
import { drawFaults, drawOverlay, markBox, usualSide } from "./picture.js";
import { emptyRecord, handOf, nextNumber, unnamed, viewOf } from "./record.js";
import { drawResult, refusedScore } from "./result.js";
import { listRules, listSets, rememberRules, rememberSet, rememberedRules, rememberedSet } from "./rules.js";
import { askKind, openTile } from "./sheet.js";
import { setKinds, tileFace } from "./tiles.js";
import { currentLanguage, errorText, setWords, word } from "./words.js";

const PASSING = new Set(["busy", "too_slow", "no_connection", "no_answer", "failed"]); // worth another try
const CALM = 60; // milliseconds that the hand must rest before it is scored

const newHand = () => ({ key: newKey(), accepted: { state: "open" } });

const state = {
  ruleSets: [],
  pieceSets: [], // {name, family}
  rules: null,
  mode: "start", // "photo" and "typed" follow
  photo: null, // {url, file, width, height, region}; the region is two corners, or null for the whole photo
  record: emptyRecord(),
  context: freshContext(),
  outcome: { state: "empty" },
  ...newHand(), // `key` names this hand in tonight's list; `accepted` is {state, id, hand, text}, as `acceptBar` has it
  notice: null, // {code, message} about the photo
  choosing: false,
  chosen: new Set(),
  adding: "single", // or a type of meld, in the typing keypad
  pending: [], // kinds of a group that is being typed
};

let stopMarking = null;
let markingPart = false; // a part of the photo is being marked, not a tile
let reading = null; // AbortController of the photo being read
let scoring = null; // AbortController of the hand being scored
let rest = 0;

const view = () => viewOf(state.record, state.rules.hand_size);
const handNow = (now) => handOf(now, state.rules.id, state.context.by, contextOf(state.context, state.rules));
const size = () => ({ width: state.photo.width, height: state.photo.height });

// ---- changing ----

/** Record what the user did; several corrections of one step are undone together. */
function correct(...corrections) {
  const step = (state.record.corrections.at(-1)?.step ?? 0) + 1;
  const numbered = corrections.map((correction) => ({ ...correction, step }));
  state.record = { ...state.record, corrections: [...state.record.corrections, ...numbered] };
  changed();
}

function undo() {
  const step = state.record.corrections.at(-1)?.step;
  const corrections = state.record.corrections.filter((correction) => correction.step !== step);
  state.record = { ...state.record, corrections };
  changed();
}

function addTiles(codes, polygon = null) {
  const first = nextNumber(state.record);
  return codes.map((code, at) => ({ op: "add", tile: first + at, code, polygon }));
}

function endModes() {
  stopMarking?.();
  stopMarking = null;
  markingPart = false;
  state.choosing = false;
  state.chosen = new Set();
}

/** Keep the hand for a reload. */
function keep() {
  const { rules, mode, record, context, key, accepted } = state;
  keepHand({ rules: rules.id, mode, record, context, key, accepted });
}

function changed() {
  keep();
  scoring?.abort();
  draw();
  clearTimeout(rest);
  rest = setTimeout(score, CALM);
}

/**
 * Take up the hand of before a reload; the photo itself is gone then, what was read of it is not. What the live view
 * hands over comes with its picture, which is read where the live view had not read it. Returns whether it must be.
 */
async function recall() {
  const kept = keptHand();
  const picture = takeOver();
  if (kept?.rules !== state.rules.id || kept.mode === "start") return false;
  const { mode, record, context, key, accepted } = kept;
  Object.assign(state, { mode, record, context: { ...freshContext(), ...context } });
  if (key) Object.assign(state, { key, accepted: accepted.state === "in" ? accepted : { state: "open" } });
  if (picture !== null) {
    showPhoto(picture);
    await measure(state.photo);
    return record.reading === null;
  }
  if (mode === "photo" && viewOf(record, 0).tiles.size === 0) state.mode = "start";
  else if (mode === "photo") state.notice = { code: "photo_gone" };
  return false;
}

// ---- scoring ----

async function score() {
  scoring?.abort();
  const mine = (scoring = new AbortController());
  const now = view();
  try {
    const context = await withRuledOut(state.context, now.melds, state.rules, mine.signal);
    if (mine.signal.aborted) return; // changed meanwhile: the next score is on its way
    if (context !== state.context) {
      state.context = context;
      drawHow(); // a form that stays the same stays put under the finger
    }
    await scoreNow(now, mine.signal);
  } catch (error) {
    if (error.name !== "AbortError") settle(refusedScore(error));
  }
}

async function scoreNow(now, signal) {
  if (now.tiles.size === now.out.length) return settle({ state: "empty" });
  if (unnamed(now).length > 0) return settle({ state: "unnamed" });
  if (now.concealed.length !== now.wanted) return settle({ state: "error", code: "wrong_tile_count" });
  const answer = await scoreHand(handNow(now), signal);
  if (signal.aborted) return;
  settle({ state: "score", answer });
  const scored = (mended) => scoreHand(handNow(mended), signal);
  const suggestions = answer.win ? [] : await nearWins(now, state.record, state.rules, scored);
  if (!signal.aborted && suggestions.length > 0) settle({ state: "score", answer, suggestions });
}

function settle(outcome) {
  state.outcome = outcome;
  showOutcome(view());
}

function showOutcome(now) {
  drawResult(state.outcome, state.context, state.rules, {
    held: now.concealed.length, wanted: now.wanted,
  }, ({ changes }) => correct(...changes.map(({ tile, to }) => ({ op: "name", tile, code: to }))));
  const wins = state.outcome.state === "score" && state.outcome.answer.win;
  const changed = state.accepted.state === "in" && JSON.stringify(handNow(now)) !== state.accepted.hand;
  redraw(byId("accept-bar"), wins
    ? acceptBar({ ...state.accepted, changed }, { accept: enter, takeBack, next: startOver }) : null);
}

// ---- tonight's list ----

/** Do something with this hand in the list. */
function listed(act) {
  const { key } = state;
  return withList(state.accepted, act, (accepted) => {
    if (key !== state.key) return; // another hand lies there by now
    state.accepted = accepted;
    state.key = accepted.key ?? key;
    keep();
    showOutcome(view());
  });
}

const enter = () => listed(async () => {
  const hand = handNow(view());
  const { entry, key } = await accept({ key: state.key, hand, ...state.record, photo: state.photo?.file ?? null });
  return { state: "in", id: entry.id, key, hand: JSON.stringify(hand) };
});

const takeBack = () => listed(async () => {
  await takeOut(state.accepted.id);
  return { state: "open" };
});

// ---- piece sets ----

const pieceSet = () => rememberedSet(state.rules, state.pieceSets);

function choosePieceSet(name) {
  rememberSet(state.rules, name);
  if (state.photo && state.record.corrections.length === 0) readAgain();
}

/** Keep a mended tile in the piece set; returns what became of it, in words. */
async function offer(tile) {
  try {
    await offerSample(pieceSet(), state.photo.file, tile);
    return word("set.offered", { set: pieceSet() });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return errorText(error.code, error.message);
  }
}

// ---- photos ----

async function takePhoto(file) {
  if (!file) return;
  endModes();
  showPhoto(file);
  // A photo after the hand was entered shows the next one; until then it may be the same, taken again.
  if (state.accepted.state === "in") state.context = forNextHand(state.context);
  Object.assign(state, newHand());
  await readAgain();
}

function showPhoto(file) {
  if (state.photo) URL.revokeObjectURL(state.photo.url);
  state.photo = { url: URL.createObjectURL(file), file, width: 0, height: 0, region: null };
  state.mode = "photo";
  byId("photo").src = state.photo.url;
}

async function readAgain() {
  const photo = state.photo;
  reading?.abort();
  const mine = (reading = new AbortController());
  state.record = emptyRecord();
  state.notice = null;
  byId("picture").setAttribute("aria-busy", "true");
  changed();
  try {
    arrived(photo, await readPhoto(photo.file, state.rules.id, pieceSet(), photo.region, mine.signal));
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof ApiError)) throw error;
    state.notice = { code: error.code, message: error.message };
    if (error.answer.reading) arrived(photo, error.answer.reading);
    else await measure(photo);
  }
  if (reading === mine) endReading();
  changed();
}

function endReading() {
  reading = null;
  byId("picture").removeAttribute("aria-busy");
}

function arrived(photo, answer) {
  Object.assign(photo, { width: answer.width, height: answer.height });
  state.record = emptyRecord(answer);
}

/** A photo that was not read may still be shown and marked by hand, if the browser can show it. */
async function measure(photo) {
  const image = byId("photo");
  try {
    await image.decode();
    Object.assign(photo, { width: image.naturalWidth, height: image.naturalHeight });
  } catch {
    state.photo = null;
    state.mode = "start";
  }
}

// ---- the parts ----

function drawStart() {
  listSets(state.rules, state.pieceSets);
  byId("start").hidden = state.mode !== "start";
  byId("picture").hidden = state.photo === null;
  for (const part of ["hand", "context", "result", "summary"]) {
    byId(part).hidden = state.mode === "start" || reading !== null;
  }
  byId("notice").hidden = state.notice === null;
  byId("retry").hidden = !state.photo || !PASSING.has(state.notice?.code);
  if (state.notice) byId("notice-text").textContent = errorText(state.notice.code, state.notice.message);
  const { rules } = state;
  byId("rules-note").hidden = state.mode !== "start";
  byId("rules-note").textContent = word("rules.note", {
    held: rules.hand_size, whole: rules.hand_size + 1,
    calls: rules.melds.map((type) => word(`meld.${type}`)).join(currentLanguage() === "zh" ? "、" : ", "),
  });
  const [triplet, pair, called] = rules.tiles.filter((code) => rules.copies[code] > 2);
  const row = (...codes) => el("span", { class: "row" }, codes.map((code) => tileFace(code)));
  redraw(byId("example"), row(triplet, triplet, triplet, pair), row(pair), called ? row(called, called, called) : null);
}

function drawPicture(now) {
  drawFaults(state.record.reading?.quality ?? []);
  if (!state.photo?.width) return redraw(byId("overlay"));
  drawOverlay(now, size(), state.photo.region, { chosen: state.chosen, choosing: state.choosing, tap });
}

function drawTools(now) {
  const marking = stopMarking !== null;
  byId("undo").disabled = state.record.corrections.length === 0;
  byId("add").hidden = state.mode !== "photo";
  byId("add").setAttribute("aria-pressed", String(marking));
  byId("choose").setAttribute("aria-pressed", String(state.choosing));
  byId("choose").disabled = now.tiles.size === 0;
  byId("marking-hint").hidden = !marking;
  byId("picture-hint").hidden = marking || reading !== null;
  byId("whole").hidden = !state.photo?.region;
  byId("marking-text").textContent = word(markingPart ? "marking.part_hint" : "marking.hint");
  byId("add-unmarked").hidden = markingPart;
  byId("count").textContent = word("hand.count", { count: now.tiles.size - now.out.length });
  byId("save").disabled = now.tiles.size === 0;
  const chosen = [...state.chosen];
  const types = state.rules.melds.filter((type) => state.rules.sizes[type] === chosen.length);
  const act = (key, text, act) => el("button", { type: "button", "data-key": `act-${key}`, text, onclick: act });
  byId("choosing").hidden = !state.choosing;
  redraw(byId("choosing-actions"),
    types.map((type) => act(type, word(`meld.${type}`), () => finishChoosing({ op: "meld", tiles: chosen, type }))),
    chosen.length === 0 ? null : [
      act("hand", word("place.hand"), () => finishChoosing({ op: "place", tiles: chosen, place: "hand" })),
      act("out", word("place.out"), () => finishChoosing({ op: "place", tiles: chosen, place: "out" })),
    ]);
  const count = chosen.length;
  byId("choosing-text").textContent = word(count === 0 ? "choose.hint" : "choose.count", { count });
}

function finishChoosing(correction) {
  endModes();
  correct(correction);
}

function drawTyping(now) {
  byId("typing").hidden = state.mode !== "typed";
  if (state.mode !== "typed") return;
  const used = new Map();
  for (const tile of now.tiles.values()) used.set(tile.code, (used.get(tile.code) ?? 0) + 1);
  const left = (code) => state.rules.copies[code] - (used.get(code) ?? 0);
  const groups = state.rules.melds.map((type) => ({ value: type, text: word(`meld.${type}`) }));
  const ways = [{ value: "single", text: word("typing.single") }, ...groups];
  redraw(byId("typing"),
    choices("adding", word("typing.add_as"), ways, state.adding, (way) => {
      state.adding = way;
      state.pending = [];
      draw();
    }),
    state.pending.length === 0 ? null : el("p", { class: "pending" }, state.pending.map((code) => tileFace(code)),
      el("span", { text: word("typing.go_on", { name: word(`meld.${state.adding}`) }) })),
    keypad(state.rules.tiles, type, { left }));
}

/** A key of the typing keypad: a tile, a whole group of equal tiles, or the next tile of a run. */
function type(code) {
  if (state.adding === "single") return correct(...addTiles([code]));
  const count = state.rules.sizes[state.adding];
  const codes = state.adding === "chi" ? [...state.pending, code] : Array(count).fill(code);
  if (codes.length < count) {
    state.pending = codes;
    return draw();
  }
  const added = addTiles(codes);
  const meld = { op: "meld", tiles: added.map((correction) => correction.tile), type: state.adding };
  state.pending = [];
  state.adding = "single";
  return correct(...added, meld);
}

function tap(id) {
  const now = view();
  if (state.choosing) {
    if (!state.chosen.delete(id)) state.chosen.add(id);
    return draw();
  }
  const tile = now.tiles.get(id);
  return openTile(tile, now, state.rules, state.photo?.url ?? null, state.photo ? size() : null, {
    correct, set: pieceSet(), offer: state.photo && pieceSet() ? offer : null,
  });
}

/** Take a tile to another part of the hand: "hand", "win", "out" or a called group's key. */
function moveTile(id, part) {
  const now = view();
  const tile = [...now.tiles.values()].find((other) => String(other.id) === id);
  const meld = now.melds.find(({ key }) => key === part);
  if (tile === undefined || tile.place === part || (part === "win" && tile.id === now.win)) return;
  if (part === "win") correct({ op: "win", tile: tile.id }, ...left(tile, now));
  else if (meld === undefined) correct({ op: "place", tiles: [tile.id], place: part }, ...left(tile, now));
  else {
    const tiles = [...meld.tiles, tile.id];
    const type = meldType(tiles.map((member) => now.tiles.get(member)));
    const joined = type ? { op: "meld", tiles, type } : { op: "place", tiles: [tile.id], place: part };
    correct(joined, ...left(tile, now));
  }
}

/** What becomes of the called group that a tile is taken from: a smaller one, or none. */
function left(tile, now) {
  const meld = now.melds.find(({ tiles }) => tiles.includes(tile.id));
  const rest = meld?.tiles.filter((id) => id !== tile.id) ?? [];
  if (rest.length === 0) return [];
  const type = meldType(rest.map((id) => now.tiles.get(id)));
  return [type ? { op: "meld", tiles: rest, type } : { op: "split", meld: meld.key }];
}

/** What called group the tiles make by their number and kinds; null where the rules know none. */
function meldType(tiles) {
  const alike = new Set(tiles.map(({ code }) => code)).size === 1;
  const hidden = tiles.filter(({ face }) => face === "down").length === 2;
  const types = { 3: alike ? "pong" : "chi", 4: hidden ? "concealed_kong" : "open_kong", 5: "super_kong" };
  return state.rules.melds.includes(types[tiles.length]) ? types[tiles.length] : null;
}

function draw() {
  const now = view();
  for (const id of state.chosen) if (!now.tiles.has(id)) state.chosen.delete(id);
  drawStart();
  drawPicture(now);
  drawHand(now, { chosen: state.chosen, choosing: state.choosing, tap });
  drawTyping(now);
  drawTools(now);
  drawHow();
  showOutcome(now);
}

function drawHow() {
  drawContext(state.context, state.rules, {
    change: (context) => {
      state.context = context;
      changed();
    },
    askKind: (title, pick) => askKind(title, state.rules.tiles, pick),
  });
}

// ---- what the visitor does ----

function setRules(id) {
  state.rules = rememberRules(state.ruleSets, id);
  state.context = underRules(state.context, state.rules);
  state.adding = "single";
  state.pending = [];
}

function chooseRules(id) {
  const { family } = state.rules;
  setRules(id);
  endModes();
  const other = family !== state.rules.family;
  // The machine's reading depends on the rules; what the user mended is kept as long as the tiles can be the same.
  if (state.photo && (other || state.record.corrections.length === 0)) readAgain();
  else if (other && state.mode === "photo") startOver();
  else {
    if (other) Object.assign(state, { record: emptyRecord(), ...newHand() });
    changed();
  }
}

function addUnmarked() {
  endModes();
  draw();
  askKind(word("sheet.which_kind"), state.rules.tiles, (code) => correct(...addTiles([code])));
}

function markMissedTile() {
  if (!state.photo) return addUnmarked();
  if (stopMarking) {
    endModes();
    return draw();
  }
  endModes();
  byId("picture").scrollIntoView({ block: "start" });
  stopMarking = markBox(size(), usualSide(view(), size()), (polygon) => {
    endModes();
    draw();
    askKind(word("sheet.which_kind"), state.rules.tiles, (code) => correct(...addTiles([code], polygon)));
  });
  return draw();
}

function markPart() {
  endModes();
  markingPart = true;
  stopMarking = markBox(size(), null, ([[left, top], , [right, bottom]]) => {
    endModes();
    readPart([left, top, right, bottom].map(Math.round));
  });
  draw();
}

function readPart(region) {
  state.photo.region = region;
  endModes();
  readAgain();
}

function saveRecord() {
  const record = {
    rules: state.rules.id, reading: state.record.reading, corrections: state.record.corrections,
    hand: handNow(view()),
    result: state.outcome.answer ?? null,
  };
  const url = URL.createObjectURL(new Blob([JSON.stringify(record, null, 2)], { type: "application/json" }));
  const link = el("a", { href: url, download: "hupai-hand.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function startOver() {
  reading?.abort();
  endModes();
  if (state.photo) URL.revokeObjectURL(state.photo.url);
  const fresh = { mode: "start", photo: null, record: emptyRecord(), notice: null, pending: [] };
  const context = forNextHand(state.context);
  Object.assign(state, { ...fresh, ...newHand(), context, outcome: { state: "empty" } });
  byId("photo").removeAttribute("src");
  endReading();
  changed();
  window.scrollTo({ top: 0 });
}

async function chooseLanguage(language) {
  const answer = await rememberLanguage(language);
  setWords(answer.language, answer.words);
  listRules(state.ruleSets, state.rules);
  draw();
}

function listen() {
  for (const id of ["camera", "file"]) {
    byId(id).addEventListener("change", (event) => {
      takePhoto(event.target.files[0]);
      event.target.value = ""; // so that the same photo may be chosen again
    });
  }
  byId("type").addEventListener("click", () => {
    state.mode = "typed";
    changed();
  });
  byId("rules").addEventListener("change", (event) => chooseRules(event.target.value));
  byId("set").addEventListener("change", (event) => choosePieceSet(event.target.value));
  byId("undo").addEventListener("click", undo);
  byId("add").addEventListener("click", markMissedTile);
  byId("marking-cancel").addEventListener("click", () => {
    endModes();
    draw();
  });
  byId("add-unmarked").addEventListener("click", addUnmarked);
  byId("retry").addEventListener("click", readAgain);
  byId("part").addEventListener("click", markPart);
  byId("whole").addEventListener("click", () => readPart(null));
  byId("choose").addEventListener("click", () => {
    const on = !state.choosing;
    endModes();
    state.choosing = on;
    draw();
  });
  byId("choosing-done").addEventListener("click", () => {
    endModes();
    draw();
  });
  byId("save").addEventListener("click", saveRecord);
  dragTiles(byId("hand-parts"), moveTile);
  byId("over").addEventListener("click", startOver);
  byId("sheet-close").addEventListener("click", () => byId("sheet").close());
  byId("sheet").addEventListener("click", (event) => {
    if (event.target === byId("sheet")) byId("sheet").close(); // a tap beside the sheet
  });
  for (const button of document.querySelectorAll("[data-language]")) {
    button.addEventListener("click", () => chooseLanguage(button.dataset.language));
  }
  new ResizeObserver(() => drawPicture(view())).observe(byId("overlay"));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    takePhoto(event.dataTransfer.files[0]);
  });
}

const answer = await start();
setWords(answer.language, answer.words);
setKinds(answer.families);
state.ruleSets = answer.rule_sets.map((rules) => ({ ...rules, sizes: answer.meld_sizes }));
state.pieceSets = (await ask("/api/sets")).sets;
setRules(rememberedRules());
const unread = await recall();
listRules(state.ruleSets, state.rules);
listen();
if (unread) readAgain();
else changed();
document.body.dataset.ready = "";
