// What can go wrong with a camera, and how long to wait before it is tried again.

import { ApiError } from "./api.js";

const PATIENCE = [500, 1000, 2000, 4000]; // milliseconds, the last again and again

/** A camera that gives no picture; `code` says why, and `passing` whether it may come back by itself. */
export class Fault extends Error {
  constructor(code, passing = true) {
    super(code);
    this.code = code;
    this.passing = passing;
  }
}

const BY_NAME = {
  NotAllowedError: ["denied", false],
  SecurityError: ["denied", false],
  NotFoundError: ["none", false],
  OverconstrainedError: ["none", false],
  NotReadableError: ["in_use", true],
  AbortError: ["in_use", true],
};

/** What a browser's refusal of its camera means. */
export const faultOf = (error) => new Fault(...(BY_NAME[error.name] ?? ["in_use", true]));

/** Why this page cannot have the device's own camera at all; null where it can. */
export function whyNoCamera() {
  if (navigator.mediaDevices?.getUserMedia) return null;
  return window.isSecureContext ? "unsupported" : "insecure";
}

// Refusals of the server that do not end by themselves.
const LASTING = new Set(["not_admitted", "no_models", "no_set", "no_samples", "wrong_family"]);

export const isPassing = (error) => (error instanceof ApiError ? !LASTING.has(error.code) : error.passing);

export const patience = (failures) => PATIENCE[Math.min(failures, PATIENCE.length) - 1];

/**
 * A loop that one may start, stop, and wake. `step()` does one round and returns after how many milliseconds the next
 * one is due. What it throws goes to `failed(error, failures)`; what passes is tried again after a while, ever more
 * rarely, and the rest when the loop is woken. While the page is hidden it rests, after `rested()`.
 */
export function loop(step, failed, rested) {
  let turn = 0; // a round that finds another number here belongs to a loop that was stopped
  let ended = Promise.resolve(); // when the last of its rounds is over
  let wake = () => {};
  const sleep = (milliseconds) => new Promise((resolve) => {
    const timer = milliseconds === null ? null : setTimeout(resolve, milliseconds);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  const run = async (mine) => {
    let failures = 0;
    while (mine === turn) {
      if (document.hidden) {
        rested();
        await sleep(null);
        continue;
      }
      try {
        const due = await step(() => mine === turn);
        failures = 0;
        await sleep(due);
      } catch (error) {
        if (!(error instanceof ApiError || error instanceof Fault)) throw error;
        if (mine !== turn) return;
        failures += 1;
        failed(error, failures);
        await sleep(isPassing(error) ? patience(failures) : null);
      }
    }
  };
  document.addEventListener("visibilitychange", () => wake());
  return {
    start() {
      turn += 1;
      wake();
      const [mine, before] = [turn, ended];
      ended = before.catch(() => {}).then(() => run(mine));
    },
    stop() {
      turn += 1;
      wake();
    },
    wake: () => wake(),
  };
}
