// Which rule set is played, and of which piece set the tiles are: chosen once, remembered for every page.

import { byId, el, redraw } from "./dom.js";
import { named, word } from "./words.js";

const RULES_KEY = "hupai-rules";
const SETS_KEY = "hupai-sets"; // the piece set of each family

export const rememberedRules = () => localStorage.getItem(RULES_KEY);

/** The rule set of that id, the first one where there is none; it is the one from now on. */
export function rememberRules(ruleSets, id) {
  const rules = ruleSets.find((one) => one.id === id) ?? ruleSets[0];
  localStorage.setItem(RULES_KEY, rules.id);
  return rules;
}

const chosenSets = () => JSON.parse(localStorage.getItem(SETS_KEY) ?? "{}");

/** The piece set that the tiles are of, null for factory pieces. */
export function rememberedSet(rules, pieceSets) {
  const name = chosenSets()[rules.family];
  return pieceSets.some((set) => set.name === name && set.family === rules.family) ? name : null;
}

export function rememberSet(rules, name) {
  localStorage.setItem(SETS_KEY, JSON.stringify({ ...chosenSets(), [rules.family]: name }));
}

/** Fill the choice of rule sets, by family. */
export function listRules(ruleSets, chosen) {
  const families = [...new Set(ruleSets.map((rules) => rules.family))];
  const option = (rules) => el("option", { value: rules.id, selected: rules.id === chosen.id, text: named(rules) });
  redraw(byId("rules"), families.map((family) => {
    const sets = ruleSets.filter((rules) => rules.family === family);
    return el("optgroup", { label: word(`family.${family}`) }, sets.map(option));
  }));
}

/** Fill the choice of piece sets; it is hidden where the family has none but factory pieces. */
export function listSets(rules, pieceSets) {
  const some = pieceSets.filter(({ family }) => family === rules.family);
  byId("set-choice").hidden = some.length === 0;
  const chosen = rememberedSet(rules, pieceSets) ?? "";
  const option = (value, text) => el("option", { value, text, selected: value === chosen });
  redraw(byId("set"), option("", word("set.factory")), some.map(({ name }) => option(name, name)));
}
