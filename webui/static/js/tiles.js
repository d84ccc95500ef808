// How a kind of tile looks: a disc, a block, a domino, a mahjong tile, with its Chinese face.

import { el, svg } from "./dom.js";
import { currentLanguage, named, word } from "./words.js";

const kinds = new Map();

export function setKinds(families) {
  for (const family of families) {
    for (const tile of family.tiles) kinds.set(tile.code, { ...tile, family: family.id });
  }
}

export const kind = (code) => kinds.get(code);

/** A kind's name in the chosen language; in Chinese the two sides of a set are told apart by their colour. */
export function kindName(code) {
  if (code === null) return word("tile.unknown");
  const { family, colour } = kind(code);
  const side = (family === "xiangqi" || family === "junqi") ? word(`side.${colour}`) : "";
  return side + named(kind(code));
}

/** The name with the Chinese face before it, where the name is not Chinese itself. */
export const kindTitle = (code) =>
  code === null || currentLanguage() === "zh" ? kindName(code) : `${kind(code).zh} ${kindName(code)}`;

// Where the pips of one half lie, in a square of 6 by 6: two columns, as on Chinese dominoes.
const PIPS = {
  1: [[3, 3]],
  2: [[3, 1.5], [3, 4.5]],
  3: [[1.5, 1.2], [3, 3], [4.5, 4.8]],
  4: [[1.8, 1.8], [4.2, 1.8], [1.8, 4.2], [4.2, 4.2]],
  5: [[1.5, 1.2], [4.5, 1.2], [3, 3], [1.5, 4.8], [4.5, 4.8]],
  6: [[1.8, 1], [4.2, 1], [1.8, 3], [4.2, 3], [1.8, 5], [4.2, 5]],
};

function pips(code) {
  const heaven = code === "66";
  const half = (digit, top) =>
    PIPS[digit].map(([x, y]) => {
      const red = digit === "1" || digit === "4" || (heaven && (top ? x < 3 : x > 3));
      const radius = digit === "1" ? 1.1 : 0.72;
      return svg("circle", { cx: x, cy: y + (top ? 0 : 6.6), r: radius, class: red ? "pip red" : "pip" });
    });
  const line = svg("line", { x1: 0.8, y1: 6.3, x2: 5.2, y2: 6.3, class: "divide" });
  return svg("svg", { viewBox: "0 0 6 12.6", class: "pips", "aria-hidden": "true" },
    half(code[0], true), line, half(code[1], false));
}

/** The picture of a tile; `code` null is a tile without a name. Its size follows the font size around it. */
export function tileFace(code, { down = false } = {}) {
  if (code === null || down) {
    return el("span", { class: "tile back", "aria-hidden": "true", text: down ? "" : "?" });
  }
  const { family, colour, zh } = kind(code);
  const face = el("span", { class: `tile ${family} ${colour}`, lang: "zh-Hans", "aria-hidden": "true" });
  if (family === "paigow") face.append(pips(code));
  else face.append(...[...zh].map((character) => el("span", { text: character })));
  return face;
}
