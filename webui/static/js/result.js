// What scoring says: yaku, fan, points, who pays whom; or what is missing. Nothing is worked out here.

import { ApiError } from "./api.js";
import { seatName, seatWind } from "./context.js";
import { byId, el, redraw, svg } from "./dom.js";
import { kindName, kindTitle, tileFace } from "./tiles.js";
import { currentLanguage, errorText, hasWord, named, number, signed, word } from "./words.js";

/** The outcome where the server would not score the hand; throws what is no refusal of the server's. */
export function refusedScore(error) {
  if (!(error instanceof ApiError)) throw error;
  return { state: "error", code: error.code, message: error.message, reasons: error.answer.error?.reasons };
}

const facesOf = (codes) => codes.map((code) => tileFace(code));

const yakumanText = (count) => word(count === 1 ? "score.yakuman" : "score.yakumans", { count });

/** The fan of a hand in one short text: "6 fan", "2 yakuman", "4 units". */
export function worth(score) {
  if (score.yakuman > 0) return yakumanText(score.yakuman);
  if (score.units !== undefined && score.units !== null) return word("score.units", { count: score.units });
  return word("score.fan", { count: score.fan });
}

function yakuTable(score) {
  const other = (yaku) => (currentLanguage() === "zh" ? yaku.en : yaku.zh);
  const value = (yaku) => {
    if (yaku.yakuman) return yakumanText(yaku.yakuman);
    if (yaku.units !== undefined) return word("score.units", { count: yaku.units });
    return word("score.fan", { count: yaku.fan });
  };
  const rows = score.yaku.map((yaku) => el("tr", {},
    el("th", { scope: "row" }, named(yaku), el("span", { class: "other", text: other(yaku) })),
    el("td", { text: value(yaku) })));
  if (score.dora > 0) {
    rows.push(el("tr", {}, el("th", { scope: "row", text: word("score.dora") }),
      el("td", { text: word("score.fan", { count: score.dora }) })));
  }
  return el("table", { class: "yaku" },
    el("caption", { class: "unseen", text: word("score.yaku") }),
    el("tbody", {}, rows),
    el("tfoot", {}, (score.steps_total ?? score.units) === score.units ? null : el("tr", { class: "together" },
      el("th", { scope: "row", text: word("score.together") }),
      el("td", { text: word("score.units", { count: score.steps_total }) })), el("tr", {},
      el("th", { scope: "row", text: word("score.total") }), el("td", { text: worth(score) }))));
}

// Seats around a table, in turn order: below, right, above, left.
const PLACES = {
  2: [[160, 196], [160, 34]],
  3: [[160, 196], [262, 70], [58, 70]],
  4: [[160, 196], [268, 115], [160, 34], [52, 115]],
};

function payments(score, context) {
  const places = PLACES[score.payments.length];
  const winner = context.winner;
  const payers = score.payments.map((amount, seat) => ({ amount, seat })).filter(({ amount }) => amount < 0);
  const arrows = payers.map(({ seat }) => {
    const [x0, y0] = places[seat];
    const [x1, y1] = places[winner];
    const length = Math.hypot(x1 - x0, y1 - y0);
    const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
    // Leave the boxes (96 by 48) where the line crosses their edge.
    const leave = Math.min(50 / Math.abs(dx), 28 / Math.abs(dy));
    return svg("line", {
      class: "pays", x1: x0 + dx * leave, y1: y0 + dy * leave, x2: x1 - dx * (leave + 7), y2: y1 - dy * (leave + 7),
      "marker-end": "url(#arrow)",
    });
  });
  const seats = score.payments.map((amount, seat) => {
    const [x, y] = places[seat];
    const state = amount > 0 ? "gains" : amount < 0 ? "loses" : "";
    return svg("g", { class: `seat ${state}` },
      svg("rect", { x: x - 48, y: y - 25, width: 96, height: 50, rx: 10 }),
      svg("text", { x, y: y - 5, class: "who", text: seatWind(seat, context) }),
      svg("text", { x, y: y + 15, class: "amount", text: signed(amount) }));
  });
  const lines = payers.map(({ amount, seat }) =>
    el("li", { text: word("score.pays", { from: seatName(seat), to: seatName(winner), amount: number(-amount) }) }));
  return [
    el("h3", { text: word("score.payments") }),
    svg("svg", { viewBox: "0 0 320 230", class: "payments", "aria-hidden": "true" },
      svg("defs", {}, svg("marker", {
        id: "arrow", viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: 5, markerHeight: 5, orient: "auto",
      }, svg("path", { d: "M0 0 L10 5 L0 10 z", class: "arrowhead" }))), arrows, seats),
    el("ul", { class: "unseen" }, lines),
  ];
}

function fuTable(score) {
  if (!score.fu_detail?.length) return null;
  return el("details", { "data-key": "fu" },
    el("summary", { text: word("score.fu", { count: score.fu }) }),
    list(score.fu_detail.map((item) => `${named(item)} ${item.fu}`)));
}

function groups(score) {
  if (!score.groups?.length) return null;
  return el("details", { "data-key": "groups" },
    el("summary", { text: word("score.groups") }),
    el("div", { class: "groups" }, score.groups.map((group, at) => {
      const name = hasWord(`group.${group.type}`) ? word(`group.${group.type}`) : group.type;
      return el("figure", { class: "group" }, el("div", { class: "row" }, facesOf(group.tiles)),
        el("figcaption", { text: at === score.win_in ? `${name} · ${word("score.completed")}` : name }));
    })));
}

function house(score, rules) {
  if (!score.house?.length) return null;
  return el("details", { class: "house", "data-key": "house" },
    el("summary", { text: word("score.house") }),
    el("p", { class: "note", text: word("score.house_note") }),
    list(score.house.map((id) => named(rules.houses[id]))));
}

/** The parts that show a win's score, from the points to the house's choices; some may be null. */
export function win(score, context, rules) {
  const gain = score.payments[context.winner];
  const limit = score.limit && named({ zh: score.limit, en: `${rules.limits[score.limit]} ${score.limit}` });
  const basic = score.basic && word("score.basic", { count: number(score.basic) });
  const points = [limit, basic, score.fu && word("score.fu", { count: score.fu })].filter(Boolean).join(" · ");
  return [
    el("p", { class: "headline" },
      el("strong", { class: "gain", text: signed(gain) }), el("span", { text: worth(score) })),
    points ? el("p", { class: "note", text: points }) : null,
    yakuTable(score),
    payments(score, context),
    groups(score),
    fuTable(score),
    house(score, rules),
  ];
}

function chanceLine({ left, discard, self_draw: selfDraw }) {
  const ways = [["by.discard", discard], ["by.self_draw", selfDraw]].filter(([, points]) => points !== null);
  const paid = ways.map(([way, points]) => `${word(way)} ${signed(points)}`);
  return [word("score.left", { count: left }), ...(paid.length > 0 ? paid : [word("score.no_yaku")])].join(" · ");
}

function chances(answer) {
  if (answer.chances.length === 0) return el("p", { class: "note", text: word("score.no_waits") });
  return [
    el("h3", { text: word("score.waits") }),
    el("ul", { class: "waits" }, answer.chances.map((chance) =>
      el("li", {}, tileFace(chance.tile), el("span", {},
        el("strong", { text: kindTitle(chance.tile) }), el("span", { class: "note", text: chanceLine(chance) }))))),
  ];
}

const say = (title, note) => [
  el("p", { class: "headline" }, el("strong", { text: title })), note ? el("p", { class: "note", text: note }) : null,
];

const list = (lines) =>
  lines.length > 0 ? el("ul", { class: "plain" }, lines.map((text) => el("li", { text }))) : null;

function suggestion(way, context, accept) {
  const { changes, answer } = way;
  const gain = { worth: worth(answer), points: signed(answer.payments[context.winner]) };
  const [{ from, to }] = changes;
  const text = changes.length === 1
    ? word("score.suggestion", { from: kindName(from), to: kindName(to), ...gain })
    : word("score.suggestion_of_several", { names: changes.map((change) => kindName(change.to)).join(" · "), ...gain });
  const key = changes.map((change) => `swap-${change.tile}-${change.to}`).join("-");
  return el("button", { type: "button", class: "suggestion", "data-key": key, onclick: () => accept(way) },
    changes.flatMap((change) => [
      tileFace(change.from), el("span", { "aria-hidden": "true", text: "→" }), tileFace(change.to),
    ]), el("span", { text }));
}

function noWin({ answer, waiting = false, suggestions = [] }, context, accept) {
  return [
    say(waiting ? word("result.missing", { count: 1 }) : word("score.no_win")),
    list(answer.reasons.map(named)),
    suggestions.length > 0 ? el("h3", { text: word("score.suggestions") }) : null,
    suggestions.map((swap) => suggestion(swap, context, accept)),
    chances(answer),
  ];
}

/** What a hand that is one tile short waits for, in one short text; null for any other hand. */
function waitsText({ answer, waiting = false }) {
  if (!waiting || answer.chances.length === 0) return null;
  return word("summary.waits", { kinds: answer.chances.map(({ tile }) => kindTitle(tile)).join(" · ") });
}

const missingText = ({ count }) =>
  (count > 0 ? word("result.missing", { count }) : word("result.too_many", { count: -count }));

/** The line at the foot of the page and of the result's state. */
function summary(outcome, context, counts) {
  switch (outcome.state) {
    case "busy": return word("summary.busy");
    case "score": return outcome.answer.win
      ? `${worth(outcome.answer)} · ${signed(outcome.answer.payments[context.winner])}`
      : waitsText(outcome) ?? word("summary.no_win");
    case "missing": return missingText(outcome);
    case "error": return outcome.code === "wrong_tile_count" ? word("summary.tiles", counts) : word("summary.error");
    default: return word("summary.empty");
  }
}

function refused({ code, message, reasons }, counts) {
  const all = reasons ?? [{ code, message }];
  return [
    say(word(code === "wrong_tile_count" ? "result.incomplete" : "result.error")),
    list(all.map((reason) => errorText(reason.code, reason.message, counts))),
  ];
}

/**
 * Draw `outcome`: {state: "empty" | "busy" | "unnamed" | "missing" | "score" | "error", answer, code, message, reasons,
 * count, waiting}, the last where the hand of a score is one tile short;
 * `counts` are how many tiles are `held` and how many are `wanted` beside called groups and the winning tile; a
 * suggestion of `outcome.suggestions` that the user takes goes to `accept`.
 */
export function drawResult(outcome, context, rules, counts, accept) {
  const content = {
    empty: () => say(word("result.empty"), word("result.empty_note")),
    busy: () => say(word("summary.busy")),
    unnamed: () => say(word("result.unnamed"), word("result.unnamed_note")),
    missing: () => say(missingText(outcome)),
    score: () => (outcome.answer.win ? win(outcome.answer, context, rules) : noWin(outcome, context, accept)),
    error: () => refused(outcome, counts),
  }[outcome.state]();
  const result = byId("result-body");
  result.dataset.state = outcome.state === "score" ? (outcome.answer.win ? "win" : "no-win") : outcome.state;
  redraw(result, content.flat(3));
  byId("result-rules").textContent = word("result.rules", { name: `${named(rules)} (${rules.id})` });
  const text = summary(outcome, context, counts);
  byId("summary-text").textContent = text;
  if (byId("spoken").textContent !== text) byId("spoken").textContent = text;
  byId("summary").dataset.state = result.dataset.state;
}
