// The sheet that comes up for one tile: what was read, what else it may be, where it belongs.

import { choices, keypad, tick } from "./controls.js";
import { byId, el } from "./dom.js";
import { cropOrNothing, readLine } from "./picture.js";
import { kindTitle, tileFace } from "./tiles.js";
import { percent, word } from "./words.js";

const sheet = () => byId("sheet");

export const closeSheet = () => sheet().close();

/** Show the sheet with a title and some content. */
export function openSheet(title, ...content) {
  byId("sheet-title").textContent = title;
  byId("sheet-body").replaceChildren(...content.flat().filter((child) => child !== null));
  if (!sheet().open) sheet().showModal();
  byId("sheet-body").scrollTop = 0;
}

/** Ask for a kind; `pick(code)` gets it after the sheet has closed. */
export function askKind(title, codes, pick, options = {}) {
  openSheet(title, keypad(codes, (code) => {
    closeSheet();
    pick(code);
  }, { prefix: "sheet", ...options }));
}

function alternatives(tile, codes, pick) {
  const some = tile.alternatives.filter(([code]) => codes.includes(code)).slice(0, 4);
  if (!some.some(([code]) => code !== tile.code)) return null;
  return el("div", { class: "alternatives" },
    el("h3", { text: word("sheet.alternatives") }),
    el("div", { class: "row" }, some.map(([code, share]) =>
      el("button", {
        type: "button", class: "alternative", "data-code": code, "aria-pressed": String(code === tile.code),
        "aria-label": `${kindTitle(code)}, ${percent(share)}`, onclick: () => pick(code),
      }, tileFace(code), el("span", { class: "caption", text: percent(share) })))));
}

function concealedTick(meld, actions) {
  return tick("meld-concealed", word("sheet.concealed"), Boolean(meld.concealed), false, (concealed) => {
    closeSheet();
    actions.correct({ op: "meld", tiles: meld.tiles, type: meld.type, concealed });
  });
}

function whereabouts(tile, view, rules, actions) {
  const meld = view.melds.find((candidate) => candidate.tiles.includes(tile.id));
  const now = tile.id === view.win ? "win" : meld ? "meld" : tile.place === "out" ? "out" : "hand";
  const options = ["hand", "win", ...(meld ? ["meld"] : []), "out"].map((place) => ({
    value: place, text: place === "meld" ? word(`meld.${meld.type}`) : word(`place.${place}`),
  }));
  const parts = [choices("place", word("sheet.place"), options, now, (place) => {
    closeSheet();
    if (place === "win") actions.correct({ op: "win", tile: tile.id });
    else if (place !== "meld") actions.correct({ op: "place", tiles: [tile.id], place });
  })];
  if (meld) {
    const types = rules.melds.filter((type) => rules.sizes[type] === meld.tiles.length);
    const all = types.includes(meld.type) ? types : [meld.type, ...types];
    parts.push(
      choices("meld-type", word("sheet.meld_type"), all.map((type) => ({ value: type, text: word(`meld.${type}`) })),
        meld.type, (type) => {
          closeSheet();
          actions.correct({ op: "meld", tiles: meld.tiles, type });
        }),
      meld.type === "super_kong" ? concealedTick(meld, actions) : null,
      el("button", {
        type: "button", class: "quiet", text: word("sheet.split"),
        onclick: () => {
          closeSheet();
          actions.correct({ op: "split", meld: meld.key });
        },
      }));
  }
  return parts;
}

/** A tile that a person named may teach the piece set that is in use, when they say so. */
function offering(tile, actions) {
  if (actions.offer === null || !tile.named || !tile.polygon || tile.code === null) return null;
  const button = el("button", { type: "button", id: "offer", text: word("set.offer", { set: actions.set }) });
  const said = el("p", { class: "note", role: "status" });
  button.addEventListener("click", async () => {
    button.disabled = true;
    said.textContent = await actions.offer(tile);
  });
  return el("div", {}, button, said);
}

/** Open the sheet of one tile. */
export function openTile(tile, view, rules, photo, size, actions) {
  const pick = (code) => {
    closeSheet();
    actions.correct({ op: "name", tile: tile.id, code });
  };
  openSheet(word("sheet.title"),
    el("div", { class: "portrait" },
      cropOrNothing(tile, photo, size),
      tileFace(tile.code, { down: tile.face === "down" && tile.code === null }),
      el("div", {},
        el("strong", { text: kindTitle(tile.code) }),
        el("p", { class: "note", text: readLine(tile) }))),
    alternatives(tile, rules.tiles, pick),
    el("details", { class: "kinds", open: tile.alternatives.length === 0 || tile.code === null },
      el("summary", { text: word("sheet.all_kinds") }),
      keypad(rules.tiles, pick, { prefix: "sheet", marked: tile.code })),
    whereabouts(tile, view, rules, actions),
    offering(tile, actions),
    el("button", {
      type: "button", class: "quiet danger", text: word(tile.polygon ? "sheet.remove_box" : "sheet.remove"),
      onclick: () => {
        closeSheet();
        actions.correct({ op: "remove", tile: tile.id });
      },
    }));
}
