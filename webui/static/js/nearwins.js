// Where a hand does not win: what it would be worth if doubtful tiles were what they may also be.

import { ApiError } from "./api.js";
import { isDoubtful } from "./picture.js";
import { viewOf } from "./record.js";

const TRIED = 6;

/**
 * What would make a record's hand win if doubtful tiles were what they may also be: {changes, answer}, likeliest first.
 * `now` is the record's view; `score(view)` asks the server for a view's score.
 */
export async function nearWins(now, record, rules, score) {
  const ways = otherNames(now, record, rules);
  const answers = await Promise.all(ways.map(async ({ changes }) => {
    const names = changes.map(({ tile, to }) => ({ op: "name", tile, code: to }));
    try {
      return await score(viewOf({ ...record, corrections: [...record.corrections, ...names] }, rules.hand_size));
    } catch (error) {
      if (error instanceof ApiError) return { win: false }; // such a hand cannot be
      throw error;
    }
  }));
  return ways.map((way, at) => ({ ...way, answer: answers[at] })).filter(({ answer }) => answer.win);
}

/** Other names for doubtful tiles, {changes: [{tile, from, to}]}: the reading's own suggestion first, then one by one. */
function otherNames(now, record, rules) {
  const doubtful = [...now.tiles.values()].filter((tile) => tile.place !== "out" && isDoubtful(tile));
  const swaps = doubtful.flatMap((tile) => tile.alternatives
    .filter(([code]) => code !== tile.code && rules.tiles.includes(code))
    .map(([to, share]) => ({ share, changes: [{ tile: tile.id, from: tile.code, to }] })));
  const likeliest = swaps.sort((a, b) => b.share - a.share).slice(0, TRIED);
  const suggested = record.reading?.suggestion?.changes ?? [];
  const holds = ({ tile, from }) => {
    const one = now.tiles.get(tile);
    return one !== undefined && !one.named && one.place !== "out" && one.code === from;
  };
  if (suggested.length === 0 || !suggested.every(holds)) return likeliest;
  const [{ tile, to }] = suggested;
  const same = ({ changes: [only] }) => suggested.length === 1 && only.tile === tile && only.to === to;
  return [{ changes: suggested }, ...likeliest.filter((way) => !same(way))];
}
