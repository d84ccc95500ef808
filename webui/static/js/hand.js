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

const part = (name, title, kindOfPart, cards) =>
  el("div", { class: `part ${kindOfPart}${cards.length > 0 ? "" : " empty"}`, "data-part": name },
    el("h3", { text: title }), el("div", { class: "tiles" }, cards));

/** The name of a called group; where tiles of it were worked out and not seen, it says so. */
function meldTitle(meld, view) {
  const name = word(`meld.${meld.type}`);
  const guessed = meld.tiles.some((id) => view.tiles.get(id).guessed && !view.tiles.get(id).named);
  return guessed ? word("hand.backs_guessed", { name }) : name;
}

/** Draw the rows of tiles; `actions.tap(id)` is called for a tile. A part without tiles shows while one is dragged. */
export function drawHand(view, actions) {
  const cards = (ids) => ids.map((id) => card(id, view, actions));
  const winner = view.win === null
    ? el("span", { class: "card slot", text: "?", title: word("hand.no_win") })
    : card(view.win, view, actions);
  redraw(byId("hand-parts"),
    part("hand", word("hand.held"), "held", cards(view.concealed)),
    part("win", word(view.guessed ? "hand.win_guess" : "hand.win"), "win", [winner]),
    view.melds.map((meld) => part(meld.key, meldTitle(meld, view), "called", cards(meld.tiles))),
    part("out", word("hand.out"), "out", cards(view.out)));
}
