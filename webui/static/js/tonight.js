// Tonight's list: the hands that were accepted, what they add up to, and the evenings before.

import { bringBack, newKey, takeOut } from "./accept.js";
import { ApiError, ask, sendJson } from "./api.js";
import { seatName } from "./context.js";
import { choices, tick } from "./controls.js";
import { byId, el, redraw } from "./dom.js";
import { openFrame } from "./frame.js";
import { win, worth } from "./result.js";
import { rememberedRules } from "./rules.js";
import { openSheet } from "./sheet.js";
import { kindTitle, tileFace } from "./tiles.js";
import { currentLanguage, errorText, named, number as grouped, signed, word } from "./words.js";

const LOOK_AGAIN = 5_000; // milliseconds: others enter hands too

const state = {
  ruleSets: [],
  list: null, // as the server tells it
  evening: null, // a date, or null for tonight
  notice: null, // {code, message}
  busy: false,
  table: 0, // which of the tables a riichi or a draw is entered for
  ready: new Set(), // seats that wait, for a draw
  dealer: 0,
};

const rulesOf = (id) => state.ruleSets.find((rules) => rules.id === id);

// ---- asking ----

async function attempt(act) {
  try {
    await act();
    state.notice = null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    state.notice = { code: error.code, message: error.message };
  }
  draw();
}

const query = () => (state.evening === null ? "" : `?evening=${encodeURIComponent(state.evening)}`);

async function load() {
  const asked = state.evening;
  const list = await ask(`/api/tonight${query()}`);
  if (asked === state.evening) state.list = list;
}

/** Change the list, one change at a time, and show what it is then. */
async function change(act) {
  if (state.busy) return;
  state.busy = true;
  await attempt(async () => {
    try {
      await act();
    } finally {
      state.busy = false;
      await load();
    }
  });
}

async function lookAgain() {
  if (document.visibilityState === "visible" && !state.busy) {
    const before = JSON.stringify([state.list, state.notice]);
    try {
      await load();
      state.notice = null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      state.notice = { code: error.code, message: error.message };
    }
    if (JSON.stringify([state.list, state.notice]) !== before) draw();
  }
  setTimeout(lookAgain, LOOK_AGAIN);
}

// ---- saying ----

function eveningName(evening) {
  if (evening === state.list.tonight) return word("tonight.tonight");
  const [year, month, day] = evening.split("-").map(Number);
  const date = new Date(year, month - 1, day);
  return new Intl.DateTimeFormat(currentLanguage(), { weekday: "short", day: "numeric", month: "long" }).format(date);
}

// The time stands in the entry as the machine's clock had it.
const timeOf = (entry) => entry.at.slice(11, 16);

function howWon({ hand }) {
  const { winner = 0, discarder } = hand.context ?? {};
  const who = seatName(winner);
  if (hand.by === "self_draw") return word("tonight.drew", { who });
  return word(hand.by === "discard" ? "tonight.from" : "tonight.robbed", { who, from: seatName(discarder) });
}

const contextOf = ({ hand, score }) =>
  ({ players: score.payments.length, winner: 0, dealer: 0, ...hand.context });

const gainOf = (entry) => entry.score.payments[contextOf(entry).winner];

const colour = (points) => (points > 0 ? "gain" : points < 0 ? "loss" : "");

// ---- drawing ----

function seats(points, key) {
  return el("div", { class: "seat-points", "data-seats": key }, points.map((amount, seat) =>
    el("span", { class: "seat-point" },
      el("span", { class: "who", text: seatName(seat) }),
      el("strong", { class: colour(amount), text: signed(amount) }))));
}

function drawTotals() {
  const { totals } = state.list;
  const block = (total) => el("div", { class: "total", "data-rules": total.rules },
    el("p", { class: "note" }, named(rulesOf(total.rules)), " · ", word("tonight.count", { count: total.hands })),
    seats(total.points, "total"),
    total.sticks > 0 ? el("p", { class: "note sticks", text: word("tonight.sticks", { count: grouped(total.sticks) }) }) : null);
  redraw(byId("totals"), totals.length > 0 ? totals.map(block)
    : el("p", { class: "note", id: "none", text: word(state.evening === null ? "tonight.none" : "tonight.none_then") }));
}

// ---- riichi and draws ----

/** The tables at which points move without a win: those of tonight, or those that the remembered rules can be played at. */
function payingTables() {
  const paying = (rules) => rules !== undefined && (rules.stick > 0 || rules.draw !== null);
  const played = state.list.totals.map((total) => ({ ...total, rules: rulesOf(total.rules) }));
  const here = played.filter(({ rules }) => paying(rules));
  const rules = rulesOf(rememberedRules());
  if (here.length > 0 || !paying(rules)) return here;
  return rules.players.toReversed().map((players) => ({ rules, players, declared: [] }));
}

const enterEvent = (event) => change(async () => {
  await sendJson("/api/tonight/events", { key: newKey(), event });
  state.ready = new Set();
});

function drawEvents() {
  const tables = state.evening === null ? payingTables() : [];
  byId("events-panel").hidden = tables.length === 0;
  if (tables.length === 0) return;
  state.table = Math.min(state.table, tables.length - 1);
  const { rules, players, declared } = tables[state.table];
  byId("events-note").hidden = rules.stick === 0;
  const all = Array.from({ length: players }, (_, seat) => seat);
  const event = (kind, more) => ({ event: kind, rules: rules.id, players, ...more });
  state.dealer = Math.min(state.dealer, players - 1);
  const enter = (more) => el("button", {
    type: "button", id: "enter-draw", "data-key": "enter-draw", text: word("events.enter"),
    onclick: () => enterEvent(event("draw", more)),
  });
  const nameOf = (table) => `${named(table.rules)} · ${word("events.players", { count: table.players })}`;
  redraw(byId("events"),
    tables.length < 2 ? null : choices("table", word("events.table"),
      tables.map((table, at) => ({ value: at, text: nameOf(table) })), state.table, (at) => {
        state.table = at;
        state.ready = new Set();
        draw();
      }),
    rules.stick === 0 ? null : el("fieldset", { class: "choices" },
      el("legend", { text: word("events.riichi", { count: grouped(rules.stick) }) }),
      el("div", { class: "row" }, all.map((seat) => el("button", {
        type: "button", "data-key": `riichi-${seat}`, text: seatName(seat), disabled: declared.includes(seat),
        onclick: () => enterEvent(event("riichi", { seat })),
      })))),
    rules.draw === "waiting" ? el("fieldset", { class: "choices" },
      el("legend", { text: word("events.ready") }),
      el("div", { class: "row" }, all.map((seat) =>
        tick(`ready-${seat}`, seatName(seat), state.ready.has(seat), false, (on) => {
          if (on) state.ready.add(seat);
          else state.ready.delete(seat);
          draw();
        })), enter({ waiting: [...state.ready] }))) : null,
    rules.draw === "dealer" ? el("div", { class: "row" },
      choices("drawn-dealer", word("events.dealer"), all.map((seat) => ({ value: seat, text: seatName(seat) })),
        state.dealer, (seat) => {
          state.dealer = seat;
          draw();
        }), enter({ dealer: state.dealer })) : null);
}

function happened(entry) {
  if (entry.event === "riichi") return word("events.declared", { who: seatName(entry.seat) });
  if (entry.dealer !== undefined) return word("events.drawn_dealer", { who: seatName(entry.dealer) });
  if (entry.waiting.length === 0) return word("events.drawn_none");
  return word("events.drawn", { who: entry.waiting.map(seatName).join(currentLanguage() === "zh" ? "、" : ", ") });
}

const tiles = (codes) => el("span", { class: "row" }, codes.map((code) => tileFace(code)));

function handOf({ hand }) {
  const melds = (hand.melds ?? []).map((meld) => tiles(meld.tiles));
  const all = [...hand.concealed, ...(hand.melds ?? []).flatMap((meld) => meld.tiles), hand.win];
  return el("div", { class: "laid", role: "img", "aria-label": all.map(kindTitle).join(", ") },
    tiles(hand.concealed), el("span", { class: "won" }, tiles([hand.win])), melds);
}

const pictureOf = (entry, name) =>
  el("img", { class: name, src: `/api/tonight/${entry.id}/picture`, alt: word("tonight.picture"), loading: "lazy" });

function showDetails(entry, number) {
  openSheet(`${word("tonight.number", { number })} · ${timeOf(entry)}`,
    handOf(entry),
    el("p", { class: "note", text: `${howWon(entry)} · ${named(rulesOf(entry.hand.rules))}` }),
    el("div", { class: "details" }, win(entry.score, contextOf(entry), rulesOf(entry.hand.rules)).flat(3)
      .filter((part) => part !== null)),
    entry.picture ? pictureOf(entry, "whole-picture") : null);
}

const afterwards = (entry) => el("p", { class: "note after" }, word("tonight.after"), entry.points.map((points, seat) =>
  el("span", { text: `${seatName(seat)} ${signed(points)}` })));

function eventRow(entry) {
  return el("li", { class: "entry", "data-entry": entry.id },
    el("div", { class: "told" },
      el("p", { class: "line" },
        el("span", { class: "note", text: timeOf(entry) }), el("span", { text: happened(entry) })),
      afterwards(entry)),
    el("div", { class: "acts" },
      el("button", {
        type: "button", class: "quiet danger", "data-key": `delete-${entry.id}`, text: word("tonight.delete"),
        "aria-label": word("events.delete", { what: happened(entry) }), onclick: () => change(() => takeOut(entry.id)),
      })));
}

function row(entry, number) {
  const mended = new Set(entry.corrections.map((correction) => correction.step)).size;
  return el("li", { class: "entry", "data-entry": entry.id },
    entry.picture ? el("button", {
      type: "button", class: "thumb", "data-key": `picture-${entry.id}`, "aria-label": word("tonight.picture"),
      onclick: () => showDetails(entry, number),
    }, pictureOf(entry, "thumb-picture")) : null,
    el("div", { class: "told" },
      el("p", { class: "line" },
        el("span", { class: "note", text: `${number} · ${timeOf(entry)}` }),
        el("span", { text: howWon(entry) }),
        el("strong", { class: colour(gainOf(entry)), text: signed(gainOf(entry)) }),
        entry.collected > 0
          ? el("span", { class: "note", text: word("tonight.collected", { points: signed(entry.collected) }) }) : null,
        el("span", { class: "note", text: worth(entry.score) }),
        mended > 0 ? el("span", { class: "note", text: word("tonight.mended") }) : null),
      handOf(entry),
      afterwards(entry)),
    el("div", { class: "acts" },
      el("button", {
        type: "button", "data-key": `details-${entry.id}`, text: word("tonight.details"),
        onclick: () => showDetails(entry, number),
      }),
      el("button", {
        type: "button", class: "quiet danger", "data-key": `delete-${entry.id}`, text: word("tonight.delete"),
        "aria-label": word("tonight.delete_number", { number }), onclick: () => change(() => takeOut(entry.id)),
      })));
}

function drawHands() {
  const { entries, undo } = state.list;
  byId("hands-panel").hidden = entries.length === 0 && undo === null;
  const hands = entries.filter((entry) => entry.event === undefined);
  byId("count").textContent = hands.length > 0 ? word("tonight.count", { count: hands.length }) : "";
  redraw(byId("undo-bar"), undo === null ? null : [
    el("span", { text: word("tonight.deleted") }),
    el("button", {
      type: "button", id: "undo", "data-key": "undo", text: word("tonight.undo"),
      onclick: () => change(() => bringBack(undo)),
    }),
  ]);
  redraw(byId("hands"), entries.map((entry) =>
    (entry.event === undefined ? row(entry, hands.length - hands.indexOf(entry)) : eventRow(entry))));
  redraw(byId("tonight-tools"), entries.length === 0 ? null : el("a", {
    class: "button", id: "export", "data-key": "export", download: "", text: word("tonight.export"),
    href: `/api/tonight/export?evening=${encodeURIComponent(state.list.evening)}`,
  }));
}

function drawEvenings() {
  const { evenings, tonight, evening } = state.list;
  const dates = [...new Set([tonight, evening, ...evenings.map((one) => one.evening)])].sort().reverse();
  byId("evening-choice").hidden = dates.length < 2;
  redraw(byId("evening"), dates.map((date) =>
    el("option", { value: date, selected: date === evening, text: eveningName(date) })));
  byId("evening-title").textContent = eveningName(evening);
}

function draw() {
  byId("notice").hidden = state.notice === null;
  if (state.notice) byId("notice-text").textContent = errorText(state.notice.code, state.notice.message);
  for (const part of ["totals-panel", "events-panel", "hands-panel"]) byId(part).hidden = state.list === null;
  if (state.list === null) return;
  drawEvenings();
  drawTotals();
  drawEvents();
  drawHands();
}

function chooseEvening(date) {
  state.evening = date === state.list.tonight ? null : date;
  attempt(load);
}

const answer = await openFrame(draw);
state.ruleSets = answer.rule_sets;
byId("evening").addEventListener("change", (event) => chooseEvening(event.target.value));
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") attempt(load); // what happened meanwhile
});
await attempt(load);
setTimeout(lookAgain, LOOK_AGAIN);
document.body.dataset.ready = "";
