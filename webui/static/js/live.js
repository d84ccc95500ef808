// The live view: a camera over the table, what it sees drawn over its picture, and what the hand at rest is worth.
//
// What lies on the table now is `state.now`; the hand that came to rest last is `state.held`, and stays until another
// one does, so that a score can be read, mended and accepted while hands are over the table again.

import { accept, acceptBar, newKey, takeOut, withList } from "./accept.js";
import { ApiError, ask, scoreHand, sendJson } from "./api.js";
import { contextOf, drawContext, forNextHand, freshContext, underRules, withRuledOut } from "./context.js";
import { byId, el, redraw } from "./dom.js";
import { openFrame } from "./frame.js";
import { drawHand } from "./hand.js";
import { handOver } from "./kept.js";
import { isPassing, whyNoCamera } from "./live-faults.js";
import { drawMarks, tileAt } from "./live-marks.js";
import { phoneCamera } from "./live-phone.js";
import { recordingPanel } from "./live-recording.js";
import { tableCamera } from "./live-table.js";
import { nearWins } from "./nearwins.js";
import { emptyRecord, handOf, unnamed, viewOf } from "./record.js";
import { drawResult, refusedScore } from "./result.js";
import { listRules, listSets, rememberRules, rememberSet, rememberedRules, rememberedSet } from "./rules.js";
import { askKind, openTile } from "./sheet.js";
import { currentLanguage, errorText, word } from "./words.js";

const SOURCE_KEY = "hupai-live"; // kept as long as the tab: which camera, for a reload
const RESTLESS_AFTER = 500; // milliseconds after which the page says that something moves
const BRIEF = 2; // failures in a row from which on one is shown
const AT_ONCE = new Set(["lost", "frozen"]); // these lasted for seconds before they were told

const FAULTS = {
  insecure: "fault.insecure",
  unsupported: "fault.unsupported",
  denied: "fault.denied",
  none: "fault.none",
  in_use: "fault.in_use",
  gone: "fault.gone",
  frozen: "fault.frozen",
  lost: "fault.lost",
  ended: "fault.ended",
};

const state = {
  ruleSets: [],
  pieceSets: [],
  rules: null,
  source: null, // "phone" or "table"
  running: false,
  now: null, // what the server knows of the camera at this moment
  shot: null, // its picture, {blob, width, height}
  held: null, // {answer, shot, text, key}: the hand that came to rest last, and the name under which it is accepted
  context: freshContext(),
  outcome: { state: "empty" },
  accepted: { state: "open" },
  fault: null, // {code, message}
  restless: false,
};

let scoring = null; // AbortController of the hand being scored
let saying = 0; // corrections that are on their way
let restless = null; // timer
const drawn = new Map(); // part of the page -> what it shows, as text

// ---- what the server knows, as a record of the page ----

/** The record of an answer: tiles are numbered as in its reading; what was said of tiles not seen now waits. */
function recordOf({ reading, corrections }) {
  const places = new Map(reading.tiles.map(({ track }, at) => [track, at]));
  const seen = (tracks) => tracks.map((track) => places.get(track)).filter((place) => place !== undefined);
  const here = corrections.map((one) => ("tile" in one
    ? { ...one, tile: places.get(one.tile) }
    : { ...one, tiles: seen(one.tiles) }));
  const told = here.filter((one) => ("tile" in one ? one.tile !== undefined : one.tiles.length > 0));
  return { reading, corrections: told };
}

/** A correction of the page's record, with tiles named by their tracks. */
function byTrack({ op, tile, tiles, meld, ...rest }, { reading }, view) {
  const track = (place) => reading.tiles[place].track;
  // A group is known by its tiles, since the next reading may number groups in another order.
  if (op === "split") {
    const members = view.melds.find(({ key }) => key === meld).tiles;
    return { op: "place", tiles: members.map(track), place: "hand" };
  }
  return { op, ...rest, ...(tile === undefined ? { tiles: tiles.map(track) } : { tile: track(tile) }) };
}

/** The view with the winning tile among the held ones, where the hand is one short and its last tile was taken for it. */
function waiting(view) {
  const total = view.concealed.length + (view.win === null ? 0 : 1);
  if (total !== view.wanted || view.win === null) return view;
  return { ...view, concealed: [...view.concealed, view.win], win: null, guessed: false };
}

const viewFrom = (answer) => waiting(viewOf(recordOf(answer), state.rules.hand_size));
const handNow = (view) => handOf(view, state.rules.id, state.context.by, contextOf(state.context, state.rules));
const textOf = (view) => JSON.stringify(handOf(view, state.rules.id, null, null));

// ---- what comes from the camera ----

function arrived(answer, shot) {
  setFault(null);
  if (saying > 0) return; // from before what is being said just now
  adopt(answer);
  const sized = ["width", "height"].every((side) => shot[side] === state.shot?.[side]);
  const same = sized && answer.version === state.now?.version;
  state.shot = shot;
  if (!same) take(answer);
}

/** Another viewer may have chosen other rules for the table. */
function adopt({ rules, set }) {
  if (rules === state.rules.id && set === (pieceSet() ?? "factory")) return;
  setRules(rules);
  rememberSet(state.rules, set === "factory" ? "" : set);
  camera().adopt?.(choice());
  listRules(state.ruleSets, state.rules);
  listSets(state.rules, state.pieceSets);
}

function take(answer) {
  state.now = answer;
  if (answer.reading !== null && answer.locked) hold(answer);
  clearTimeout(restless);
  if (answer.locked) state.restless = false;
  else {
    restless = setTimeout(() => {
      state.restless = true;
      drawRest();
      drawPicture();
    }, RESTLESS_AFTER);
  }
  draw();
}

/** A hand has come to rest. The same one as before keeps its score, and its name in tonight's list. */
function hold(answer) {
  const text = textOf(viewFrom(answer));
  const before = state.held;
  const same = before !== null && (text === before.text || seenIn(answer) === seenIn(before.answer));
  state.held = { answer, shot: state.shot, text, key: same ? before.key : newKey() };
  if (!same && state.accepted.state === "in") state.context = forNextHand(state.context);
  if (!same) state.accepted = { state: "open" };
  if (text !== before?.text) score();
}

const seenIn = ({ reading }) => JSON.stringify(reading.tiles.map(({ track, code, role }) => [track, code, role]));

// ---- scoring ----

async function score() {
  scoring?.abort();
  const mine = (scoring = new AbortController());
  const melds = state.held === null ? [] : viewFrom(state.held.answer).melds;
  try {
    const context = await withRuledOut(state.context, melds, state.rules, mine.signal);
    if (mine.signal.aborted) return; // another score is on its way
    state.context = context;
    await scoreHeld(mine.signal);
  } catch (error) {
    if (error.name !== "AbortError") settle(refusedScore(error));
  }
}

async function scoreHeld(signal) {
  if (state.held === null) return settle({ state: "empty" });
  const record = recordOf(state.held.answer);
  const view = viewFrom(state.held.answer);
  const missing = view.wanted + 1 - view.concealed.length - (view.win === null ? 0 : 1);
  if (view.tiles.size === view.out.length) return settle({ state: "empty" });
  if (missing > 1 || missing < 0) return settle({ state: "missing", count: missing });
  if (unnamed(view).length > 0) return settle({ state: "unnamed" });
  const answer = await scoreHand(handNow(view), signal);
  if (signal.aborted) return;
  settle({ state: "score", answer, waiting: missing === 1 });
  const scored = (other) => scoreHand(handNow(waiting(other)), signal);
  const suggestions = answer.win || missing > 0 ? [] : await nearWins(view, record, state.rules, scored);
  if (suggestions.length > 0 && !signal.aborted) settle({ state: "score", answer, suggestions });
}

function settle(outcome) {
  state.outcome = outcome;
  draw();
}

// ---- mending ----

/** Take down what the player said; it shows at once, and goes to the server, which tells the other viewers. */
async function correct(answer, view, ...corrections) {
  const said = corrections.map((correction) => byTrack(correction, answer, view));
  const step = Math.max(0, ...answer.corrections.map((one) => one.step)) + 1;
  const numbered = said.map((one) => ({ ...one, step }));
  const add = (to) => ({ ...to, corrections: [...to.corrections, ...numbered] });
  await say({ corrections: said }, add);
}

async function undo() {
  const last = state.held.answer.corrections.at(-1)?.step;
  const without = (from) => ({ ...from, corrections: from.corrections.filter(({ step }) => step !== last) });
  await say({ undo: true }, without);
}

async function say(body, change) {
  mend(change);
  const path = camera().path("corrections");
  if (path === null) return;
  saying += 1;
  try {
    const answer = await sendJson(path, body);
    saying -= 1;
    if (saying === 0 && state.running && answer.reading !== null) take(answer);
  } catch (error) {
    saying -= 1;
    if (!(error instanceof ApiError)) throw error;
    if (error.code !== "no_phone") setFault(error); // a phone that stood still for long; what was said holds here
  }
}

/** Change what is known and what is held by themselves, until the server has heard of it. */
function mend(change) {
  if (state.now?.reading) state.now = change(state.now);
  if (state.held !== null) {
    const answer = change(state.held.answer);
    state.held = { ...state.held, answer, text: textOf(viewFrom(answer)) };
  }
  draw();
  score();
}

function openSheetOf(id, answer, shot) {
  const view = viewFrom(answer);
  const url = URL.createObjectURL(shot.blob);
  byId("sheet").addEventListener("close", () => URL.revokeObjectURL(url), { once: true });
  openTile(view.tiles.get(id), view, state.rules, url, shot, {
    correct: (correction) => correct(answer, view, correction), set: null, offer: null,
  });
}

// ---- the picture as a photo ----

/** Open what the picture shows on the photo page, which can add what the camera missed; what was said of tiles holds. */
async function asPhoto() {
  const { answer, shot } = scene();
  const { held, rules, context } = state;
  const same = held !== null && answer?.reading && textOf(viewFrom(answer)) === held.text;
  const key = same ? held.key : newKey();
  const accepted = same && state.accepted.state === "in" ? state.accepted : { state: "open" };
  const record = answer?.reading ? recordOf(answer) : emptyRecord();
  await handOver(shot.blob, { rules: rules.id, mode: "photo", record, context, key, accepted });
  window.location.assign(byId("photo-way").href);
}

/** Whether the hand at rest is a tile or more short, of which one may lie there unseen. */
function isShort() {
  const { held, outcome } = state;
  if (held === null) return false;
  return outcome.state === "missing" ? outcome.count > 0 : outcome.state === "score" && outcome.waiting;
}

// ---- tonight's list ----

/** Do something with the held hand in the list. */
function listed(act) {
  const { key } = state.held;
  return withList(state.accepted, act, (accepted) => {
    if (key !== state.held?.key) return; // another hand lies there by now
    state.accepted = accepted;
    state.held.key = accepted.key ?? key;
    drawAccepting();
  });
}

const enter = () => listed(async () => {
  const { answer, key, shot } = state.held;
  const hand = handNow(viewFrom(answer));
  const entered = await accept({ key, hand, ...recordOf(answer), photo: shot.blob });
  return { state: "in", id: entered.entry.id, key: entered.key, hand: JSON.stringify(hand) };
});

const takeBack = () => listed(async () => {
  await takeOut(state.accepted.id);
  return { state: "open" };
});

// ---- drawing ----

/** Draw a part of the page if what it shows is not the same as before; so nothing is torn from under a finger. */
function anew(part, shown, act) {
  const text = JSON.stringify([currentLanguage(), state.rules.id, shown]);
  if (drawn.get(part) === text) return;
  drawn.set(part, text);
  act();
}

const paused = () => state.source !== null && !state.running;

/** What the picture shows: while it is stopped, the hand that came to rest last. */
function scene() {
  if (paused() && state.held !== null) return { answer: state.held.answer, shot: state.held.shot };
  return { answer: state.now, shot: state.shot };
}

function drawPicture() {
  const { answer, shot } = scene();
  const marks = byId("marks");
  const calm = answer !== null && (answer.locked || !state.restless);
  const waits = calm ? waitsNow() : [];
  const sides = [shot?.width, shot?.height, marks.clientWidth, marks.clientHeight, window.devicePixelRatio];
  anew("picture", [answer?.version, answer?.corrections, calm, waits, sides], () => {
    const view = answer?.reading && shot ? viewFrom(answer) : null;
    drawMarks(marks, view, shot, { calm, waits });
  });
}

function waitsNow() {
  const { outcome } = state;
  return outcome.state === "score" && outcome.waiting ? outcome.answer.waits : [];
}

function drawRest() {
  const rest = byId("rest");
  const { now } = state;
  const [name, text] = paused() ? ["paused", word("live.paused")]
    : now === null ? ["opening", word("live.opening")]
      : now.black ? ["black", word("live.black")]
        : now.locked ? ["locked", word("live.locked")]
          : now.reading === null || now.reading.tiles.length === 0 ? ["empty", word("live.empty")]
            : state.restless || state.held === null ? ["moving", word("live.moving")] : [rest.dataset.rest, rest.textContent];
  if (rest.dataset.rest === name && rest.textContent === text) return;
  rest.dataset.rest = name;
  rest.textContent = text;
}

function drawCards() {
  byId("hand").hidden = state.held === null;
  if (state.held === null) return;
  const { answer } = state.held;
  const view = viewFrom(answer);
  byId("undo").disabled = answer.corrections.length === 0;
  const cards = [...view.tiles.values()].map(({ id, code, place, named, confidence, alternatives }) =>
    [id, code, place, named, confidence, alternatives]);
  const tap = (id) => openSheetOf(id, state.held.answer, state.held.shot);
  anew("cards", [cards, view.win], () => drawHand(view, { chosen: new Set(), choosing: false, tap }));
}

function drawAccepting() {
  const wins = state.held !== null && state.outcome.state === "score" && state.outcome.answer.win;
  const changed = wins && state.accepted.state === "in" && JSON.stringify(handNow(viewFrom(state.held.answer))) !== state.accepted.hand;
  const accepted = { ...state.accepted, changed };
  anew("accepting", [wins, accepted], () =>
    redraw(byId("accepting"), wins ? acceptBar(accepted, { accept: enter, takeBack }) : null));
}

function drawFault() {
  const { fault } = state;
  byId("notice").hidden = fault === null;
  if (fault === null) return;
  const key = FAULTS[fault.code];
  byId("notice-text").textContent = key ? word(key) : errorText(fault.code, fault.message);
  byId("retry").hidden = state.source === null;
  byId("photo-way").hidden = state.source === "table";
}

function draw() {
  const begun = state.source !== null;
  for (const part of ["picture", "context", "result"]) byId(part).hidden = !begun;
  byId("source").hidden = begun;
  byId("film").hidden = state.source !== "phone" || paused();
  byId("still").hidden = !byId("film").hidden;
  byId("as-photo").disabled = scene().shot === null;
  byId("short").hidden = !isShort();
  byId("pause").textContent = word(paused() ? "live.go_on" : "live.pause");
  drawFault();
  drawRest();
  drawCards();
  const view = state.held ? viewFrom(state.held.answer) : null;
  const counts = { held: view?.concealed.length ?? 0, wanted: view?.wanted ?? 0 };
  const take = ({ changes }) =>
    correct(state.held.answer, view, ...changes.map(({ tile, to }) => ({ op: "name", tile, code: to })));
  anew("result", [state.outcome, state.context, counts], () =>
    drawResult(state.outcome, state.context, state.rules, counts, take));
  drawAccepting();
  drawPicture();
  recordings.draw(state.now, state.running);
  anew("context", state.context, () => drawContext(state.context, state.rules, {
    change: changeContext,
    askKind: (title, pick) => askKind(title, state.rules.tiles, pick),
  }));
}

function changeContext(context) {
  state.context = context;
  draw();
  score();
}

function setFault(fault) {
  if (fault?.code === state.fault?.code) return;
  state.fault = fault && { code: fault.code, message: fault.message };
  drawFault();
}

// ---- what the player does ----

const pieceSet = () => rememberedSet(state.rules, state.pieceSets);
const choice = () => ({ rules: state.rules.id, set: pieceSet() ?? "factory" });

const on = {
  arrived,
  failed: (error, failures) => {
    if (failures >= BRIEF || AT_ONCE.has(error.code) || !isPassing(error)) setFault(error);
  },
  opened: () => drawLenses(),
};
const cameras = { phone: phoneCamera(byId("film"), on), table: tableCamera(byId("still"), on) };
const camera = () => cameras[state.source];
const recordings = recordingPanel((what) => camera()?.path(what) ?? null, (answer) => {
  if (state.running && answer.reading !== null) take(answer);
});

async function drawLenses() {
  const { lenses, used } = await cameras.phone.lenses();
  byId("lens-choice").hidden = lenses.length < 2;
  redraw(byId("lens"), lenses.map(({ id, label }, at) =>
    el("option", { value: id, text: label || word("live.lens_number", { number: at + 1 }), selected: id === used })));
}

function watch(source) {
  state.source = source;
  state.running = true;
  sessionStorage.setItem(SOURCE_KEY, source);
  setFault(null);
  byId("lens-choice").hidden = true;
  draw();
  camera().start(choice());
  score();
}

async function pause() {
  state.running = false;
  camera().stop();
  const { shot } = scene();
  if (shot) {
    const bitmap = await createImageBitmap(shot.blob);
    Object.assign(byId("still"), { width: shot.width, height: shot.height });
    byId("still").getContext("2d").drawImage(bitmap, 0, 0);
    bitmap.close();
  }
  setFault(null);
  draw();
}

function otherCamera() {
  if (state.running) camera().stop();
  sessionStorage.removeItem(SOURCE_KEY);
  Object.assign(state, { source: null, running: false, shot: null });
  forget();
  sayWhyNoCamera();
  draw();
}

/** Say before anyone tries it that a device cannot give its own camera to this page. */
function sayWhyNoCamera() {
  const why = whyNoCamera();
  byId("from-phone").disabled = why !== null;
  setFault(why && { code: why });
}

/** The hand before is none of what comes now. */
function forget() {
  scoring?.abort();
  Object.assign(state, { now: null, held: null, outcome: { state: "empty" }, accepted: { state: "open" } });
}

function setRules(id) {
  state.rules = rememberRules(state.ruleSets, id);
  state.context = underRules(state.context, state.rules);
  forget();
}

function chooseAgain() {
  listSets(state.rules, state.pieceSets);
  if (state.running) camera().start(choice());
  score();
}

function listen() {
  byId("from-table").addEventListener("click", () => watch("table"));
  byId("from-phone").addEventListener("click", () => watch("phone"));
  byId("pause").addEventListener("click", () => (paused() ? watch(state.source) : pause()));
  byId("other").addEventListener("click", otherCamera);
  byId("as-photo").addEventListener("click", asPhoto);
  byId("retry").addEventListener("click", () => camera()?.wake());
  byId("undo").addEventListener("click", undo);
  byId("lens").addEventListener("change", (event) => cameras.phone.chooseLens(event.target.value));
  byId("rules").addEventListener("change", (event) => {
    setRules(event.target.value);
    chooseAgain();
  });
  byId("set").addEventListener("change", (event) => {
    rememberSet(state.rules, event.target.value);
    forget();
    chooseAgain();
  });
  byId("marks").addEventListener("click", (event) => {
    const { answer, shot } = scene();
    if (!answer?.reading || !shot) return;
    const tile = tileAt(byId("marks"), viewFrom(answer), shot, event);
    if (tile !== null) openSheetOf(tile.id, answer, shot);
  });
  new ResizeObserver(drawPicture).observe(byId("marks"));
}

function drawAgain() {
  listRules(state.ruleSets, state.rules);
  listSets(state.rules, state.pieceSets);
  draw();
}

const answer = await openFrame(drawAgain);
state.ruleSets = answer.rule_sets.map((rules) => ({ ...rules, sizes: answer.meld_sizes }));
state.pieceSets = (await ask("/api/sets")).sets;
const { table } = await ask("/api/live");
setRules(table?.rules ?? rememberedRules());
byId("from-table").hidden = table === null;
listen();
drawAgain();
sayWhyNoCamera();
recordings.load();
const before = sessionStorage.getItem(SOURCE_KEY);
if (before !== null && !byId(`from-${before}`).hidden && !byId(`from-${before}`).disabled) watch(before);
document.body.dataset.ready = "";
