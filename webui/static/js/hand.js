// The hand as a row of tiles: what is held, what won, which groups were called, what lies apart.

import { byId, el, redraw } from "./dom.js";
import { isDoubtful, stateClass, tileLabel } from "./picture.js";
import { tileFace } from "./tiles.js";
import { word } from "./words.js";

function card(id, view, actions) {
  const tile = view.tiles.get(id);
  const hidden = tile.face === "down" && tile.code === null;
  return el("button", {
    type: "button", class: `card ${stateClass(tile, view, actions)}`, "data-key": `card-${id}`, "data-tile": id,
    "aria-label": tileLabel(tile, view), "aria-pressed": actions.choosing ? String(actions.chosen.has(id)) : null,
    onclick: () => actions.tap(id),
  },
  tileFace(tile.code, { down: hidden }),
  tile.named && view.fromPhoto ? el("span", { class: "mark mended", "aria-hidden": "true", text: "✎" }) : null,
  isDoubtful(tile) ? el("span", { class: "mark unsure", "aria-hidden": "true", text: "?" }) : null);
}

const part = (title, kindOfPart, cards) =>
  el("div", { class: `part ${kindOfPart}` }, el("h3", { text: title }), el("div", { class: "tiles" }, cards));

/** Draw the rows of tiles; `actions.tap(id)` is called for a tile. */
export function drawHand(view, actions) {
  const parts = [];
  if (view.concealed.length > 0) {
    parts.push(part(word("hand.held"), "held", view.concealed.map((id) => card(id, view, actions))));
  }
  const winner = view.win === null
    ? el("span", { class: "card slot", text: "?", title: word("hand.no_win") })
    : card(view.win, view, actions);
  parts.push(part(word(view.guessed ? "hand.win_guess" : "hand.win"), "win", [winner]));
  for (const meld of view.melds) {
    parts.push(part(word(`meld.${meld.type}`), "called", meld.tiles.map((id) => card(id, view, actions))));
  }
  if (view.out.length > 0) parts.push(part(word("hand.out"), "out", view.out.map((id) => card(id, view, actions))));
  redraw(byId("hand-parts"), parts);
}
