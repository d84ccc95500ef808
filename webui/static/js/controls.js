// Small controls that several parts of the page share: a row of choices, chips to tick, a keypad of tile kinds.

import { el } from "./dom.js";
import { kind, kindName, kindTitle, tileFace } from "./tiles.js";
import { word } from "./words.js";

/** A row of choices of which one holds. `options` are {value, text, disabled}; `legend` names the row. */
export function choices(name, legend, options, value, choose, kindOfRow = "") {
  return el("fieldset", { class: `choices ${kindOfRow}` },
    el("legend", { text: legend }),
    el("div", { class: "row" }, options.map((option) => {
      const id = `${name}-${option.value}`;
      return el("span", { class: "choice" },
        el("input", {
          type: "radio", name, id, value: String(option.value), "data-key": id,
          checked: option.value === value, disabled: option.disabled ?? false,
          onchange: () => choose(option.value),
        }),
        el("label", { for: id, text: option.text, lang: option.lang }));
    })));
}

/** A chip to tick. */
export function tick(name, text, checked, disabled, change) {
  return el("span", { class: "choice" },
    el("input", {
      type: "checkbox", id: name, "data-key": name, checked, disabled,
      onchange: (event) => change(event.target.checked),
    }),
    el("label", { for: name, text }));
}

/** In which block of the keypad a kind stands: a colour or a suit; the dominoes make one. */
const block = (code) => (kind(code).family === "paigow" ? "" : kind(code).colour);

/**
 * All kinds as keys with their Chinese face and their name. `left(code)` is how many more a set holds (null where it
 * does not matter); `marked` is the kind that holds now.
 */
export function keypad(codes, pick, { left = () => null, marked = null, prefix = "key" } = {}) {
  const blocks = new Map();
  for (const code of codes) blocks.set(block(code), [...(blocks.get(block(code)) ?? []), code]);
  return el("div", { class: "keypad" }, [...blocks.values()].map((some) =>
    el("div", { class: "block" }, some.map((code) => {
      const none = left(code) === 0;
      // A domino's face does not show its Chinese name.
      const caption = kind(code).family === "paigow" ? kindTitle(code) : kindName(code);
      return el("button", {
        type: "button", class: "key", "data-key": `${prefix}-${code}`, "data-code": code, disabled: none,
        "aria-pressed": marked === null ? null : String(code === marked),
        "aria-label": `${kindTitle(code)}${none ? `, ${word("keypad.none_left")}` : ""}`,
        onclick: () => pick(code),
      }, tileFace(code), el("span", { class: "caption", text: caption }));
    }))));
}
