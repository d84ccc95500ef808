// The photo with outlines and names drawn over it, in the photo's own pixels.

import { byId, el, redraw, svg } from "./dom.js";
import { kind, kindName, kindTitle } from "./tiles.js";
import { percent, word } from "./words.js";

/** Below this a name is shown as doubtful. */
const DOUBT = 0.8;

/** A finger that moves less than this many pixels of the screen has tapped. */
const TAP = 10;

export const isDoubtful = (tile) =>
  !tile.named && tile.face === "up" && (tile.code === null || tile.confidence < DOUBT);

/** What a screen reader says of a tile. */
export function tileLabel(tile, view) {
  const state = tile.named && view.fromPhoto ? word("tile.mended") : isDoubtful(tile) ? word("tile.unsure") : "";
  const name = tile.face === "down" && tile.code === null ? word("tile.face_down") : kindName(tile.code);
  return [name, placeName(tile, view), state].filter(Boolean).join(", ");
}

function placeName(tile, view) {
  if (tile.id === view.win) return word("place.win");
  const meld = view.melds.find((candidate) => candidate.tiles.includes(tile.id));
  if (meld) return word(`meld.${meld.type}`);
  return word(tile.place === "out" ? "place.out" : "place.hand");
}

/** The classes that a tile's outline and its card have in common. */
export function stateClass(tile, view, { chosen }) {
  const states = [placeClass(tile, view), isDoubtful(tile) && "doubtful", chosen.has(tile.id) && "chosen"];
  return states.filter(Boolean).join(" ");
}

/** What a tile is there for: held, called, win or out. */
export function placeClass(tile, view) {
  if (tile.id === view.win) return "win";
  if (view.melds.some((meld) => meld.tiles.includes(tile.id))) return "called";
  return tile.place === "out" ? "out" : "held";
}

const extent = (polygon, axis) => {
  const values = polygon.map((point) => point[axis]);
  return [Math.min(...values), Math.max(...values)];
};

const pointList = (polygon) => polygon.map((point) => point.join(",")).join(" ");

/** The name that stands on a tile in the picture. */
export const shownName = (tile) => (tile.code !== null ? kind(tile.code).zh : tile.face === "down" ? "" : "?");

/** One size of letters for all names of a photo, in its pixels: the longest name is as wide as a usual tile. */
export function letterSize(tiles, unit) {
  const length = ([x0, y0], [x1, y1]) => Math.hypot(x1 - x0, y1 - y0);
  const sides = tiles.map(({ polygon: [a, b, , d] }) => Math.min(length(a, b), length(a, d)));
  const longest = Math.max(1, ...tiles.map((tile) => [...shownName(tile)].length));
  const usual = sides.sort((p, q) => p - q)[sides.length >> 1];
  return Math.min(Math.max((usual * 0.92) / unit / (longest + 0.4), 9.5), 16) * unit;
}

function label(tile, view, font, size) {
  const text = shownName(tile);
  if (text === "") return null;
  const [first, second] = [...tile.polygon].sort((p, q) => p[1] - q[1]);
  const width = font * ([...text].length + 0.4);
  const height = font * 1.25;
  const x = Math.min(Math.max((first[0] + second[0] - width) / 2, 0), size.width - width);
  const y = Math.max((first[1] + second[1]) / 2 - height * 0.85, 0);
  const colour = tile.code === null ? "" : kind(tile.code).colour;
  const place = placeClass(tile, view);
  const called = place === "called"; // its label is round, so that no eye needs the colour
  const doubt = isDoubtful(tile) && tile.code !== null;
  const [markX, markY, radius] = [x + width - font * 0.05, y + font * 0.05, font * 0.42];
  return svg("g", { class: `name ${colour} ${place}`, "aria-hidden": "true" },
    svg("rect", { x, y, width, height, rx: font * (called ? 0.62 : 0.2) }),
    svg("text", { x: x + width / 2, y: y + height / 2, "font-size": font, lang: "zh-Hans", text }),
    doubt ? svg("circle", { cx: markX, cy: markY, r: radius, class: "doubt" }) : null,
    doubt ? svg("text", { x: markX, y: markY, "font-size": radius * 1.6, class: "doubt", text: "?" }) : null);
}

function outline(tile, view, actions) {
  const points = pointList(tile.polygon);
  const press = () => actions.tap(tile.id);
  return svg("g", {
    class: `outline ${stateClass(tile, view, actions)}`, role: "button", tabindex: "0", "data-key": `tile-${tile.id}`, "data-tile": tile.id,
    "aria-label": tileLabel(tile, view), "aria-pressed": actions.choosing ? String(actions.chosen.has(tile.id)) : null,
    onclick: press,
    onkeydown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      press();
    },
  }, svg("polygon", { points, class: "casing" }), svg("polygon", { points, class: "line" }));
}

/** Draw what holds now over the photo; `size` is the photo's in its own pixels, `region` the part that was read. */
export function drawOverlay(view, size, region, actions) {
  const overlay = byId("overlay");
  overlay.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  const unit = size.width / (overlay.clientWidth || size.width);
  const tiles = [...view.tiles.values()].filter((tile) => tile.polygon);
  const font = letterSize(tiles, unit);
  const part = region && svg("polygon", { class: "region", points: pointList(rectangle(...region)) });
  const outlines = tiles.map((tile) => outline(tile, view, actions));
  redraw(overlay, part, outlines, tiles.map((tile) => label(tile, view, font, size)));
}

/** Say what is wrong with the picture, as the server measured it. */
export function drawFaults(faults) {
  const lines = faults.map(({ code, measure, limit }) => el("li", {
    "data-fault": code,
    text: word(`quality.${code}`, {
      measure: Math.round(measure), limit: Math.round(limit), percent: percent(measure), least: percent(limit),
    }),
  }));
  redraw(byId("faults"), lines.length > 0 ? el("strong", { text: word("quality.title") }) : null,
    lines.length > 0 ? el("ul", {}, lines) : null);
}

/** A piece of the photo around a polygon, enlarged. */
function crop(polygon, photo, size) {
  const [left, right] = extent(polygon, 0);
  const [top, bottom] = extent(polygon, 1);
  const margin = 0.12 * Math.max(right - left, bottom - top);
  const viewBox = [left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin].join(" ");
  return svg("svg", { class: "crop", viewBox, role: "img", "aria-label": word("tile.crop") },
    svg("image", { href: photo, width: size.width, height: size.height, preserveAspectRatio: "none" }));
}

/** The side that a tile of this photo usually has, in its pixels. */
export function usualSide(view, size) {
  const length = (polygon, axis) => extent(polygon, axis)[1] - extent(polygon, axis)[0];
  const sides = [...view.tiles.values()].filter((tile) => tile.polygon)
    .map(({ polygon }) => Math.max(length(polygon, 0), length(polygon, 1)))
    .sort((a, b) => a - b);
  return sides[sides.length >> 1] ?? size.width / 10;
}

const rectangle = (x0, y0, x1, y1) => [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];

/**
 * Let the user mark one box in the photo by dragging; a tap puts one with the side `tapSide` there, or none if null.
 * `done` gets the box as a polygon in the photo's pixels. Returns a function that stops it.
 */
export function markBox(size, tapSide, done) {
  const overlay = byId("overlay");
  let from = null;
  let band = null;
  const place = (event) => {
    const box = overlay.getBoundingClientRect();
    const clamp = (value, limit) => Math.min(Math.max(value, 0), limit);
    return [clamp(((event.clientX - box.left) / box.width) * size.width, size.width),
      clamp(((event.clientY - box.top) / box.height) * size.height, size.height)];
  };
  const down = (event) => {
    event.preventDefault();
    from = place(event);
    overlay.setPointerCapture(event.pointerId);
    band = svg("polygon", { class: "band" });
    overlay.append(band);
  };
  const corners = (event) => {
    const to = place(event);
    return [Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.max(from[0], to[0]), Math.max(from[1], to[1])];
  };
  const move = (event) => {
    if (from !== null) band.setAttribute("points", pointList(rectangle(...corners(event))));
  };
  const up = (event) => {
    if (from === null) return;
    let [x0, y0, x1, y1] = corners(event);
    const unit = size.width / overlay.clientWidth;
    const tapped = Math.max(x1 - x0, y1 - y0) < TAP * unit;
    if (tapped && tapSide === null) return cancel();
    if (tapped) {
      const half = tapSide / 2;
      [x0, y0, x1, y1] = [Math.max(from[0] - half, 0), Math.max(from[1] - half, 0),
        Math.min(from[0] + half, size.width), Math.min(from[1] + half, size.height)];
    }
    from = null;
    band.remove();
    done(rectangle(x0, y0, x1, y1).map((point) => point.map((value) => Math.round(value * 10) / 10)));
  };
  const cancel = () => {
    from = null;
    band?.remove();
  };
  overlay.classList.add("marking");
  overlay.addEventListener("pointerdown", down);
  overlay.addEventListener("pointermove", move);
  overlay.addEventListener("pointerup", up);
  overlay.addEventListener("pointercancel", cancel);
  return () => {
    cancel();
    overlay.classList.remove("marking");
    overlay.removeEventListener("pointerdown", down);
    overlay.removeEventListener("pointermove", move);
    overlay.removeEventListener("pointerup", up);
    overlay.removeEventListener("pointercancel", cancel);
  };
}

/** One line of the tile sheet that says what the machine read. */
export function readLine(tile) {
  if (tile.read === null) return word("tile.added_by_you");
  const { code, confidence } = tile.read;
  if (tile.face === "down" && code === null) return word("tile.read_face_down");
  if (code === null) return word("tile.read_nothing");
  return word("tile.read", { name: kindTitle(code), percent: Math.round(confidence * 100) });
}

export const cropOrNothing = (tile, photo, size) =>
  tile.polygon && photo ? crop(tile.polygon, photo, size) : el("span", { class: "crop empty" });
