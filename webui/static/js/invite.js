// The invitation: everything on it comes with the page; only its language changes.

import { openFrame } from "./frame.js";

await openFrame(() => {});
document.body.dataset.ready = "";
