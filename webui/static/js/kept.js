// The hand of the photo page, kept as long as the tab: for a reload in the middle, and to take a picture of the live view
// over as a photo.

const HAND_KEY = "hupai-hand";
const PICTURE_KEY = "hupai-picture"; // a JPEG as base64, until the photo page has taken it up

/** Keep {rules, mode, record, context, key, accepted}; the photo itself is not among it. */
export const keepHand = (hand) => sessionStorage.setItem(HAND_KEY, JSON.stringify(hand));

export const keptHand = () => JSON.parse(sessionStorage.getItem(HAND_KEY) ?? "null");

/** Keep a hand with its picture for the photo page; what was read of it goes along even where there is no room for that. */
export async function handOver(blob, hand) {
  keepHand(hand);
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  try {
    sessionStorage.setItem(PICTURE_KEY, btoa(text));
  } catch (error) {
    if (error.name !== "QuotaExceededError") throw error;
  }
}

/** The picture that was handed over, once; null where there is none. */
export function takeOver() {
  const text = sessionStorage.getItem(PICTURE_KEY);
  if (text === null) return null;
  sessionStorage.removeItem(PICTURE_KEY);
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new File([bytes], "live-view.jpg", { type: "image/jpeg" });
}
