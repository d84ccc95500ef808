// The words of the page in the language that the visitor chose.

let table = {};
let language = "en";

/** Take over a table of words; texts already in the page follow. */
export function setWords(newLanguage, newTable) {
  language = newLanguage;
  table = newTable;
  document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
  for (const node of document.querySelectorAll("[data-word]")) node.textContent = word(node.dataset.word);
  for (const node of document.querySelectorAll("[data-word-label]")) {
    node.setAttribute("aria-label", word(node.dataset.wordLabel));
  }
  for (const button of document.querySelectorAll("[data-language]")) {
    button.setAttribute("aria-pressed", String(button.dataset.language === language));
  }
}

export const currentLanguage = () => language;

export const hasWord = (key) => Object.hasOwn(table, key);

/** The text of `key`, each `{name}` in it replaced by `values.name`. */
export function word(key, values = {}) {
  return (table[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** A message for people: the page's own words for a code where it has them, else the server's line. */
export function errorText(code, message, values = {}) {
  return hasWord(`error.${code}`) ? word(`error.${code}`, values) : message;
}

/** A name that comes in both languages (`zh`, `en`), in the chosen one. */
export const named = (thing) => (language === "zh" ? thing.zh : thing.en);

export const number = (value) => new Intl.NumberFormat(language).format(value);

/** A number of points with its sign, a true minus sign included. */
export function signed(value) {
  if (value === 0) return "0";
  return (value > 0 ? "+" : "−") + number(Math.abs(value));
}

/** A share as percent; what is rounded to none is less than one. */
export const percent = (share) =>
  share > 0 && share < 0.005 ? "<1\u00a0%" : `${Math.round(share * 100)}\u00a0%`;
