// How the hand was won: only what the rule set knows of, and of that only what the server says can be.

import { sendJson } from "./api.js";
import { choices, tick } from "./controls.js";
import { byId, el, redraw } from "./dom.js";
import { kindName, tileFace } from "./tiles.js";
import { currentLanguage, errorText, word } from "./words.js";

/**
 * What the page starts from; seats are numbered in turn order from 0. `ruledOut` is what the server says cannot be set
 * beside the rest, field -> {code, message}; what was ticked stays ticked beneath, for when it can be again.
 */
export const freshContext = () => ({
  by: "self_draw", players: 4, winner: 0, dealer: 0, discarder: 1,
  riichi: false, double_riichi: false, ippatsu: false, last_tile: false, replacement: false, first_turn: false,
  dora_indicators: [], ura_indicators: [], wild: null, ruledOut: {},
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

/** The table stays for the next hand; what was special about the last one does not. */
export function forNextHand(context) {
  const nothing = Object.fromEntries(FLAGS.map((flag) => [flag, false]));
  return { ...context, ...nothing, dora_indicators: [], ura_indicators: [], wild: null };
}

const known = (rules, field) => rules.context.includes(field);
const canBe = (context, field) => !Object.hasOwn(context.ruledOut, field);

/** The `context` of a hand as the scoring interface wants it: what this rule set knows, and nothing that cannot be. */
export function contextOf(context, rules) {
  const all = { players: context.players, winner: context.winner, dealer: context.dealer };
  if (context.by !== "self_draw") all.discarder = context.discarder;
  for (const flag of FLAGS) if (known(rules, flag) && context[flag] && canBe(context, flag)) all[flag] = true;
  for (const field of ["dora_indicators", "ura_indicators", "wild"]) {
    if (known(rules, field) && canBe(context, field)) all[field] = context[field];
  }
  return all;
}

const answers = new Map(); // what was asked -> what cannot be; rules do not change while the page is open

/**
 * The context with what the server says cannot be beside these called groups and the rest of it; the very same one
 * where that is what it knew before.
 */
export async function withRuledOut(context, melds, rules, signal) {
  const said = Object.fromEntries(FLAGS.filter((flag) => known(rules, flag)).map((flag) => [flag, context[flag]]));
  const { players, winner, dealer } = context;
  const seats = { players, winner, dealer, ...(context.by === "self_draw" ? {} : { discarder: context.discarder }) };
  const groups = melds.map(({ type, concealed }) => ({
    type, tiles: [], ...(type === "super_kong" && concealed ? { concealed } : {}),
  }));
  const asked = { rules: rules.id, melds: groups, by: context.by, context: { ...seats, ...said } };
  const key = JSON.stringify(asked);
  if (!answers.has(key)) answers.set(key, (await sendJson("/api/circumstances", asked, signal)).ruled_out);
  const ruledOut = answers.get(key);
  return JSON.stringify(ruledOut) === JSON.stringify(context.ruledOut) ? context : { ...context, ruledOut };
}

function flags(context, rules, change) {
  const text = {
    last_tile: word(context.by === "discard" ? "flag.last_discard" : "flag.last_draw"),
    first_turn: word(context.winner === context.dealer ? "flag.first_dealer" : "flag.first_other"),
  };
  const shown = FLAGS.filter((flag) => known(rules, flag));
  if (shown.length === 0) return null;
  const name = (flag) => text[flag] ?? word(`flag.${flag}`);
  const why = shown.filter((flag) => !canBe(context, flag)).map((flag) => {
    const { code, message } = context.ruledOut[flag];
    return errorText(code, message, { name: name(flag) });
  });
  return el("fieldset", { class: "choices many", "aria-describedby": why.length > 0 ? "ruled-out" : null },
    el("legend", { text: word("context.special") }),
    el("div", { class: "row" }, shown.map((flag) => tick(`flag-${flag}`, name(flag),
      context[flag] && canBe(context, flag), !canBe(context, flag), (on) => change({ ...context, [flag]: on })))),
    why.length > 0 ? el("p", { class: "note", id: "ruled-out", text: [...new Set(why)].join(currentLanguage() === "zh" ? "" : " ") }) : null);
}

function indicators(field, context, rules, actions) {
  if (!known(rules, field) || !canBe(context, field)) return null;
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
