// What the pages have in common: words, tiles, the language buttons, the sheet that can be closed.

import { rememberLanguage, start } from "./api.js";
import { byId } from "./dom.js";
import { closeSheet } from "./sheet.js";
import { setKinds } from "./tiles.js";
import { setWords } from "./words.js";

/** Learn what every page needs, and listen to what it has; `drawAgain` is called in another language. Returns the start. */
export async function openFrame(drawAgain) {
  const answer = await start();
  setWords(answer.language, answer.words);
  setKinds(answer.families);
  byId("sheet-close").addEventListener("click", closeSheet);
  byId("sheet").addEventListener("click", (event) => {
    if (event.target === byId("sheet")) closeSheet(); // a tap beside the sheet
  });
  for (const button of document.querySelectorAll("[data-language]")) {
    button.addEventListener("click", async () => {
      const chosen = await rememberLanguage(button.dataset.language);
      setWords(chosen.language, chosen.words);
      drawAgain();
    });
  }
  return answer;
}
