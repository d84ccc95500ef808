// Talking to the server. Every refusal arrives as an ApiError with a code, a line for people and the whole answer.

let csrf = "";

export class ApiError extends Error {
  constructor(code, message, answer) {
    super(message);
    this.code = code;
    this.answer = answer;
  }
}

async function reach(path, options) {
  try {
    return await fetch(path, { credentials: "same-origin", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("no_connection", error.message, {});
  }
}

export async function ask(path, options = {}) {
  return answerOf(await reach(path, options));
}

async function answerOf(response) {
  let answer = {};
  try {
    answer = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("no_answer", `HTTP ${response.status}`, {});
  }
  if (!response.ok || answer.error) {
    throw new ApiError(answer.error?.code ?? "no_answer", answer.error?.message ?? `HTTP ${response.status}`, answer);
  }
  return answer;
}

/** A line of JSON and the bytes after it, {told, jpeg}; null where there is nothing new. */
export async function askNews(path) {
  const response = await reach(path, {});
  if (response.status === 204) return null;
  if (!response.ok) return answerOf(response);
  try {
    const bytes = new Uint8Array(await response.arrayBuffer());
    const end = bytes.indexOf(0x0a);
    return { told: JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))), jpeg: bytes.subarray(end + 1) };
  } catch (error) {
    throw new ApiError("no_answer", error.message, {});
  }
}

/** What the page needs to know first: rule sets, tiles, words; it also brings this session's CSRF token. */
export async function start() {
  const answer = await ask("/api/start");
  csrf = answer.csrf;
  return answer;
}

export async function send(path, options) {
  const attempt = () =>
    ask(path, { method: "POST", ...options, headers: { ...options.headers, "X-CSRF-Token": csrf } });
  try {
    return await attempt();
  } catch (error) {
    // A restarted server has a new session; one fresh start mends that without troubling anyone.
    if (error.code !== "stale_page") throw error;
    await start();
    return attempt();
  }
}

export const sendJson = (path, body, signal) =>
  send(path, { body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal });

export const scoreHand = (hand, signal) => sendJson("/api/score", hand, signal);

export const rememberLanguage = (language) => sendJson("/api/language", { language });

/**
 * Read a photo of tiles of a piece set (null for factory pieces), or of `region` (two corners: x0, y0, x1, y1) only what
 * lies in it.
 */
export function readPhoto(file, rules, set, region, signal) {
  const body = new FormData();
  body.append("rules", rules);
  if (set) body.append("set", set);
  if (region) body.append("region", [region[0], region[1], region[2] - region[0], region[3] - region[1]].join(","));
  body.append("photo", file);
  return send("/api/read", { body, signal });
}

/** Keep a mended tile of a photo as a sample of a piece set. */
export function offerSample(set, file, tile) {
  const body = new FormData();
  body.append("label", tile.code);
  body.append("polygon", JSON.stringify(tile.polygon));
  body.append("photo", file);
  return send(`/api/sets/${encodeURIComponent(set)}/samples`, { body });
}
