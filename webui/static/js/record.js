// What the machine read and what the user corrected, side by side; what holds now is worked out from both.
//
// `reading` is the server's answer, or null where the hand is typed without a photo; it is never changed.
// `corrections` is a list that only grows (undo takes the last one back):
//   {op: "name", tile, code}            this tile is of that kind
//   {op: "add", tile, code, polygon}    a tile that was missed (polygon null where its place was not marked)
//   {op: "remove", tile}                this is no tile
//   {op: "win", tile}                   this is the winning tile
//   {op: "place", tiles, place}         these belong to the "hand", or lie "out" of it
//   {op: "meld", tiles, type, concealed} these are a called group; `concealed` is said of a super kong only
//   {op: "split", meld}                 this group is none; its tiles go back to the hand
// Tiles are numbered as in the reading; added ones go on from there.

export const emptyRecord = (reading = null) => ({ reading, corrections: [] });

const PLACES = { concealed: "hand", win: "win", other: "out" };

function machineView(reading) {
  const tiles = new Map();
  const melds = new Map((reading?.hand.melds ?? []).map((meld, at) => [`meld${at}`, { type: meld.type }]));
  const placed = new Map();
  for (const [id, tile] of (reading?.tiles ?? []).entries()) {
    const place = PLACES[tile.role] ?? tile.role;
    const at = placed.get(place) ?? 0;
    placed.set(place, at + 1);
    // What a group's tiles are was decided together; its hidden tiles have their names from there.
    const code = melds.has(place) ? reading.hand.melds[Number(place.slice(4))].tiles[at] : tile.code;
    tiles.set(id, { ...tile, id, code, read: { code: tile.code, confidence: tile.confidence }, named: false, place });
  }
  return { tiles, melds, guessed: Boolean(reading?.hand.win_is_guess) };
}

const APPLY = {
  name: ({ tiles }, { tile, code }) => Object.assign(tiles.get(tile), { code, named: true, face: "up" }),
  add: ({ tiles }, { tile, code, polygon }) =>
    tiles.set(tile, {
      id: tile, polygon, code, face: "up", confidence: 1, alternatives: [], read: null, named: true, place: "hand",
    }),
  remove: ({ tiles }, { tile }) => tiles.delete(tile),
  win: (view, { tile }) => {
    for (const other of view.tiles.values()) if (other.place === "win") other.place = "hand";
    view.tiles.get(tile).place = "win";
    view.guessed = false;
  },
  place: ({ tiles }, { tiles: ids, place }) => ids.forEach((id) => (tiles.get(id).place = place)),
  meld: ({ tiles, melds }, { tiles: ids, type, concealed }, index) => {
    melds.set(`c${index}`, { type, concealed });
    ids.forEach((id) => (tiles.get(id).place = `c${index}`));
  },
  split: ({ tiles }, { meld }) => {
    for (const tile of tiles.values()) if (tile.place === meld) tile.place = "hand";
  },
};

/** In a concealed kong the tiles that lie face down are what the ones face up are. */
function nameHiddenTiles(members) {
  const shown = members.filter((tile) => tile.face === "up" && tile.code !== null);
  if (shown.length === 0) return;
  for (const tile of members) if (tile.face === "down") tile.code = shown[0].code;
}

/**
 * What holds now: `tiles` (Map of number -> tile), the numbers in `concealed` and `out`, `melds` ({key, type, tiles}),
 * and `win` (a number or null), with `guessed` where nobody said which tile won. `wanted` is how many tiles a hand of
 * `handSize` holds beside those groups and the winning tile, `fromPhoto` whether a machine read any of it.
 */
export function viewOf({ reading, corrections }, handSize) {
  const view = machineView(reading);
  corrections.forEach((correction, index) => APPLY[correction.op](view, correction, index));
  const at = (place) => [...view.tiles.values()].filter((tile) => tile.place === place).map((tile) => tile.id);
  const melds = [...view.melds].map(([key, meld]) => ({ key, ...meld, tiles: at(key) })).filter((m) => m.tiles.length);
  for (const meld of melds) {
    if (meld.type === "concealed_kong") nameHiddenTiles(meld.tiles.map((id) => view.tiles.get(id)));
  }
  let concealed = at("hand");
  let win = at("win")[0] ?? null;
  let guessed = view.guessed && win !== null;
  const wanted = Math.max(handSize - 3 * melds.length, 0);
  // Where a whole hand is there and nobody said which tile won, it was the last one.
  if (win === null && concealed.length === wanted + 1) {
    win = concealed.at(-1);
    concealed = concealed.slice(0, -1);
    guessed = true;
  }
  return { fromPhoto: reading !== null, tiles: view.tiles, concealed, wanted, melds, win, guessed, out: at("out") };
}

/** The number that the next added tile gets. */
export function nextNumber({ reading, corrections }) {
  return (reading?.tiles.length ?? 0) + corrections.filter((correction) => correction.op === "add").length;
}

/** The numbers of tiles that belong to the hand but have no name yet. */
export function unnamed(view) {
  const inHand = [...view.concealed, ...view.melds.flatMap((meld) => meld.tiles), view.win];
  return inHand.filter((id) => id !== null).filter((id) => view.tiles.get(id).code === null);
}

/** The hand as the scoring interface wants it. */
export function handOf(view, rules, by, context) {
  const code = (id) => view.tiles.get(id).code;
  return {
    rules,
    concealed: view.concealed.map(code),
    melds: view.melds.map(({ type, tiles, concealed }) => ({
      type, tiles: tiles.map(code), ...(type === "super_kong" && concealed ? { concealed } : {}),
    })),
    win: view.win === null ? null : code(view.win),
    by,
    context,
  };
}
