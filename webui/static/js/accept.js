// Tonight's list takes a hand in: one tap where a score is shown.

import { ApiError, send } from "./api.js";
import { el } from "./dom.js";
import { errorText, word } from "./words.js";

/** A name for a new hand. Made once for each hand that lies on the table, it keeps two taps from entering it twice. */
export function newKey() {
  // crypto.randomUUID does not exist on a page that came over plain http.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Enter a won hand into tonight's list; the server scores it. `record` is {key, hand, reading, corrections, photo}:
 * the key that names the hand (`newKey`), the hand as for a score, what was read (null where nothing was), how it was
 * mended, and the picture (a File or Blob, or null). Accepted again under its key, a hand is not entered twice; mended
 * since, it takes the place of what was entered. Returns {entry, key, again}: another phone may have entered the hand
 * under its own key, which names it from then on. What is refused is thrown as an ApiError.
 */
export function accept({ key, hand, reading = null, corrections = [], photo = null }) {
  const body = new FormData();
  body.append("record", JSON.stringify({ key, hand, reading, corrections }));
  if (photo) body.append("photo", photo, "photo");
  return send("/api/tonight", { body });
}

/** Take an entry out of the list, or bring it back. */
export const takeOut = (id) => send(`/api/tonight/${id}`, { method: "DELETE" });
export const bringBack = (id) => send(`/api/tonight/${id}/undo`, {});

/**
 * Do something with a hand in the list, of which holds `accepted` so far. `then` is told that it is under way, and what
 * holds afterwards: what `act` returns, or why it was refused.
 */
export async function withList(accepted, act, then) {
  then({ ...accepted, state: "busy" });
  try {
    then(await act());
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    then({ state: "failed", text: errorText(error.code, error.message) });
  }
}

/**
 * The button beneath a won hand, or what became of it. `accepted` is {state: "open" | "busy" | "in" | "failed", text,
 * changed}: why it failed, and whether the hand is another by now than was entered. `act.accept()` and `act.takeBack()`
 * are called at a tap, and so is `act.next()`, where there is one, once the hand is in: the next hand may come.
 */
export function acceptBar(accepted, act) {
  const { changed = false } = accepted;
  const entering = el("button", {
    type: "button", class: "main", id: "accept", "data-key": "accept", disabled: accepted.state === "busy",
    text: word(changed ? "accept.change" : "accept.accept"), onclick: act.accept,
  });
  if (accepted.state === "in") {
    return el("div", { class: "accept" },
      el("span", { role: "status", text: word(changed ? "accept.before" : "accept.in") }),
      changed ? entering : el("a", { class: "button", href: "/tonight", "data-key": "see-list", text: word("accept.see") }),
      el("button", {
        type: "button", class: "quiet", "data-key": "take-back", text: word("accept.back"), onclick: act.takeBack,
      }),
      act.next && !changed ? el("button", {
        type: "button", id: "next", "data-key": "next", text: word("tools.over"), onclick: act.next,
      }) : null);
  }
  return el("div", { class: "accept" },
    entering, accepted.state === "failed" ? el("p", { class: "note", role: "alert", text: accepted.text }) : null);
}
