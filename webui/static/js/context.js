// How the hand was won: only what the rule set knows of.

import { choices, tick } from "./controls.js";
import { byId, el, redraw } from "./dom.js";
import { kindName, tileFace } from "./tiles.js";
import { word } from "./words.js";

/** What the page starts from; seats are numbered in turn order from 0. */
export const freshContext = () => ({
  by: "self_draw", players: 4, winner: 0, dealer: 0, discarder: 1,
  riichi: false, double_riichi: false, ippatsu: false, last_tile: false, replacement: false, first_turn: false,
  dora_indicators: [], ura_indicators: [], wild: null,
});

export const seatName = (seat) => word("seat.name", { number: seat + 1 });

/** The seat's name with its wind, which the dealer's seat decides. */
export function seatWind(seat, context) {
  const winds = [word("wind.east"), word("wind.south"), word("wind.west"), word("wind.north")];
  return `${seatName(seat)} ${winds[(seat - context.dealer + context.players) % context.players]}`;
}

const seats = (context) => Array.from({ length: context.players }, (_, seat) => seat);

/** Keep the seats in order: all at the table, and nobody discards to themselves. */
function settle(context) {
  const seat = (role) => Math.min(context[role], context.players - 1);
  const [winner, dealer, discarder] = ["winner", "dealer", "discarder"].map(seat);
  return { ...context, winner, dealer, discarder: discarder === winner ? (winner + 1) % context.players : discarder };
}

/** The same win under other rules: what one set of tiles turned up means nothing in another. */
export function underRules(context, rules) {
  const players = rules.players.includes(context.players) ? context.players : rules.players.at(-1);
  return settle({ ...context, players, dora_indicators: [], ura_indicators: [], wild: null });
}

const FLAGS = ["riichi", "double_riichi", "ippatsu", "last_tile", "replacement", "first_turn"];

const isRiichi = (context) => context.riichi || context.double_riichi;

/** The `context` of a hand as the scoring interface wants it: what this rule set knows, and nothing that cannot be. */
export function contextOf(context, rules) {
  const known = (field) => rules.context.includes(field);
  const all = { players: context.players, winner: context.winner, dealer: context.dealer };
  if (context.by !== "self_draw") all.discarder = context.discarder;
  for (const flag of FLAGS) if (known(flag) && context[flag] && !cannotBe(flag, context, rules)) all[flag] = true;
  if (known("dora_indicators")) all.dora_indicators = context.dora_indicators;
  if (known("ura_indicators") && isRiichi(context)) all.ura_indicators = context.ura_indicators;
  if (known("wild")) all.wild = context.wild;
  return all;
}

/** Whether the rest of the context rules a flag out, whatever the hand. */
function cannotBe(flag, context, rules) {
  switch (flag) {
    case "ippatsu": return !isRiichi(context);
    case "replacement": return context.by !== "self_draw";
    case "last_tile": return context.by === "robbed_kong";
    case "first_turn": return context.by === "robbed_kong" || (context.by === "discard" && rules.family !== "mahjong");
    default: return false;
  }
}

function flags(context, rules, change) {
  const text = {
    last_tile: word(context.by === "discard" ? "flag.last_discard" : "flag.last_draw"),
    first_turn: word(context.winner === context.dealer ? "flag.first_dealer" : "flag.first_other"),
  };
  const known = FLAGS.filter((flag) => rules.context.includes(flag));
  if (known.length === 0) return null;
  return el("fieldset", { class: "choices many" },
    el("legend", { text: word("context.special") }),
    el("div", { class: "row" }, known.map((flag) => {
      const ruledOut = cannotBe(flag, context, rules);
      return tick(`flag-${flag}`, text[flag] ?? word(`flag.${flag}`), context[flag] && !ruledOut, ruledOut, (on) => {
        const next = { ...context, [flag]: on };
        if (flag === "double_riichi" && on) next.riichi = false;
        if (flag === "riichi" && on) next.double_riichi = false;
        if (!isRiichi(next)) next.ippatsu = false;
        change(next);
      });
    })));
}

function indicators(field, context, rules, actions) {
  if (!rules.context.includes(field)) return null;
  if (field === "ura_indicators" && !isRiichi(context)) return null;
  const single = field === "wild";
  const codes = single ? [context.wild].filter((code) => code !== null) : context[field];
  const set = (next) => actions.change({ ...context, [field]: single ? (next.at(-1) ?? null) : next });
  return el("fieldset", { class: "choices" },
    el("legend", { text: word(`context.${field}`) }),
    el("div", { class: "row tiles" },
      codes.map((code, at) => el("button", {
        type: "button", class: "card", "data-key": `${field}-${at}`,
        "aria-label": word("context.take_away", { name: kindName(code) }),
        onclick: () => set(codes.filter((_, index) => index !== at)),
      }, tileFace(code))),
      single && codes.length > 0 ? null : el("button", {
        type: "button", class: "card slot", "data-key": `${field}-add`, text: "+",
        "aria-label": word("context.add_tile", { list: word(`context.${field}`) }),
        onclick: () => actions.askKind(word(`context.${field}`), (code) => set([...codes, code])),
      })));
}

/** Draw the form; `actions.change(context)` gets each change, `actions.askKind(title, pick)` asks for a kind. */
export function drawContext(context, rules, actions) {
  const change = (next) => actions.change(settle(next));
  const seat = (role, except = null) => choices(role, word(`context.${role}`), seats(context).map((number) => ({
    value: number, text: seatWind(number, context), disabled: number === except,
  })), context[role], (value) => change({ ...context, [role]: value }), "seats");
  redraw(byId("context-form"),
    choices("by", word("context.by"), rules.by.map((by) => ({ value: by, text: word(`by.${by}`) })), context.by,
      (by) => change({ ...context, by })),
    seat("winner"),
    context.by === "self_draw" ? null : seat("discarder", context.winner),
    seat("dealer"),
    choices("players", word("context.players"), rules.players.map((count) => ({ value: count, text: String(count) })),
      context.players, (players) => change({ ...context, players })),
    flags(context, rules, change),
    indicators("wild", context, rules, actions),
    indicators("dora_indicators", context, rules, actions),
    indicators("ura_indicators", context, rules, actions));
}
