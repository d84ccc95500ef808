// What is seen in a camera's picture, drawn over it on a canvas, in the picture's own pixels.

import { isDoubtful, letterSize, placeClass, shownName } from "./picture.js";
import { kind } from "./tiles.js";
import { word } from "./words.js";

const LINES = { held: "#6ff0cf", called: "#8cc4ff", win: "#ffd24a", out: "#d8d8d8" };
const LETTERS = { red: ["#a8281c", "#fff8e8"], blue: ["#e5effc", "#14417c"] };
const PLAIN = ["#fbf3de", "#1b1b1b"];
const FONT = '700 {}px "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", system-ui, sans-serif';
const RESTLESS = 0.6; // how strongly is drawn what is still moving
const NEAR = 0.75; // a tap beside a tile means it, within this share of its size

const path = (context, polygon) => {
  context.beginPath();
  polygon.forEach(([x, y], at) => (at === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.closePath();
};

const middle = (polygon) => [0, 1].map((axis) => polygon.reduce((sum, point) => sum + point[axis], 0) / polygon.length);

/** The convex hull of some points, clockwise as seen (Andrew's monotone chain). */
function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turns = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]) > 0;
  const half = (some) => {
    const chain = [];
    for (const point of some) {
      while (chain.length > 1 && !turns(chain.at(-2), chain.at(-1), point)) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** The hull of some tiles, a little wider than they are. */
function around(tiles, margin) {
  const points = hull(tiles.flatMap(({ polygon }) => polygon));
  const [x, y] = middle(points);
  return points.map(([px, py]) => {
    const length = Math.hypot(px - x, py - y) || 1;
    return [px + ((px - x) / length) * margin, py + ((py - y) / length) * margin];
  });
}

function outline(context, tile, view, unit) {
  const place = placeClass(tile, view);
  const wide = place === "win" ? 4.5 : 2.5;
  const dashes = tile.covered ? [3, 6] : isDoubtful(tile) ? [9, 4] : place === "out" ? [2, 5] : [];
  path(context, tile.polygon);
  context.setLineDash(dashes.map((length) => length * unit));
  context.strokeStyle = "rgb(0 0 0 / 60%)";
  context.lineWidth = (wide + 2.5) * unit;
  context.stroke();
  context.strokeStyle = LINES[place];
  context.lineWidth = wide * unit;
  context.stroke();
  context.setLineDash([]);
}

/** A line of text on a ground; `x`, `y` is the middle of its upper edge. */
function tag(context, text, [x, y], font, [ground, ink], edge, size) {
  context.font = FONT.replace("{}", font);
  const width = context.measureText(text).width + font * 0.5;
  const height = font * 1.25;
  const left = Math.min(Math.max(x - width / 2, 0), size.width - width);
  const top = Math.min(Math.max(y, 0), size.height - height);
  context.beginPath();
  context.roundRect(left, top, width, height, font * 0.25);
  context.fillStyle = ground;
  context.fill();
  context.lineWidth = font * 0.1;
  context.strokeStyle = edge;
  context.stroke();
  context.fillStyle = ink;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, left + width / 2, top + height / 2);
}

function name(context, tile, view, font, size) {
  const text = shownName(tile);
  if (text === "") return;
  const [first, second] = [...tile.polygon].sort((p, q) => p[1] - q[1]);
  const place = [(first[0] + second[0]) / 2, (first[1] + second[1]) / 2 - font * 1.05];
  const colours = tile.code === null ? PLAIN : LETTERS[kind(tile.code).colour] ?? PLAIN;
  const doubt = isDoubtful(tile) && tile.code !== null;
  const edge = { called: LINES.called, win: LINES.win }[placeClass(tile, view)] ?? "rgb(0 0 0 / 65%)";
  tag(context, doubt ? `${text}?` : text, place, font, colours, edge, size);
}

/**
 * Draw a view over its picture of `size` (width, height), or nothing where `view` is null: the outline and the name of
 * each tile, the called groups, and the kinds that the hand waits for (`waits`). What is not `calm` is drawn faintly.
 */
export function drawMarks(canvas, view, size, { calm = true, waits = [] } = {}) {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, width, height);
  if (view === null || width === 0) return;
  context.setTransform(width / size.width, 0, 0, height / size.height, 0, 0);
  context.globalAlpha = calm ? 1 : RESTLESS;
  context.lineJoin = "round";
  const unit = size.width / canvas.clientWidth; // a pixel of the screen, in the picture's
  const tiles = [...view.tiles.values()].filter((tile) => tile.polygon);
  const font = letterSize(tiles, unit);
  const members = (ids) => ids.map((id) => view.tiles.get(id)).filter((tile) => tile?.polygon);
  const groups = view.melds.map((meld) => ({ meld, edge: around(members(meld.tiles), 7 * unit) }));
  for (const { edge } of groups) {
    path(context, edge);
    context.strokeStyle = LINES.called;
    context.lineWidth = 2 * unit;
    context.stroke();
  }
  for (const tile of tiles) outline(context, tile, view, unit);
  const under = (edge, away) => [middle(edge)[0], Math.max(...edge.map((point) => point[1])) + away];
  for (const { meld, edge } of groups) {
    const letters = 11 * unit;
    tag(context, word(`meld.${meld.type}`), under(edge, -letters), letters, ["#12324f", "#fff"], LINES.called, size);
  }
  for (const tile of tiles) name(context, tile, view, font, size);
  const held = members(view.concealed);
  if (waits.length > 0 && held.length > 0) {
    const kinds = waits.map((code) => kind(code).zh).join(" ");
    const text = `${word("live.waits")} ${kinds}`;
    tag(context, text, under(around(held, 5 * unit), 3 * unit), 15 * unit, ["#4a3200", "#fff"], LINES.win, size);
  }
}

function inside(polygon, [x, y]) {
  let within = false;
  polygon.forEach(([x1, y1], at) => {
    const [x0, y0] = polygon.at(at - 1);
    if ((y1 > y) !== (y0 > y) && x < ((x0 - x1) * (y - y1)) / (y0 - y1) + x1) within = !within;
  });
  return within;
}

/** The tile of a view that a tap at a point of the screen means; null where there is none. */
export function tileAt(canvas, view, size, { clientX, clientY }) {
  const box = canvas.getBoundingClientRect();
  const point = [((clientX - box.left) / box.width) * size.width, ((clientY - box.top) / box.height) * size.height];
  const far = (tile) => Math.hypot(...middle(tile.polygon).map((value, axis) => value - point[axis]));
  const reach = (tile) => NEAR * Math.hypot(tile.polygon[0][0] - tile.polygon[2][0], tile.polygon[0][1] - tile.polygon[2][1]);
  const tiles = [...view.tiles.values()].filter((tile) => tile.polygon);
  const hit = tiles.filter((tile) => inside(tile.polygon, point));
  const near = hit.length > 0 ? hit : tiles.filter((tile) => far(tile) < reach(tile));
  return near.sort((a, b) => far(a) - far(b))[0] ?? null;
}
