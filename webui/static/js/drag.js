// Taking a tile with the finger or the mouse from one part of the hand to another.

const MOVED = 8; // pixels of the screen from which on a press is a drag
const HOLD = 250; // milliseconds that a finger rests before it drags; a finger that moves at once scrolls the page
const EDGE = 40; // pixels from the upper or lower edge of the screen within which a drag scrolls the page
const STEP = 14; // by so many pixels a movement

/**
 * Let the cards (`[data-tile]`) in `container` be dragged to its parts (`[data-part]`); `dropped(id, part)` gets the
 * number of the tile and the name of the part. While a card is dragged the container has the class `dragging`, and the
 * part under it the class `target`.
 */
export function dragTiles(container, dropped) {
  let press = null; // {id, card, x, y, ghost, hold}; it is a drag once there is a ghost
  // The line at the foot of the page may lie over a part.
  const partUnder = ({ clientX, clientY }) => document.elementsFromPoint(clientX, clientY)
    .map((element) => element.closest("[data-part]")).find((part) => part && container.contains(part)) ?? null;
  const scroll = ({ clientY }) => {
    if (clientY < EDGE) window.scrollBy(0, -STEP);
    else if (clientY > window.innerHeight - EDGE) window.scrollBy(0, STEP);
  };
  const mark = (part) => {
    for (const other of container.querySelectorAll(".target")) other.classList.toggle("target", other === part);
    part?.classList.add("target");
  };
  const place = ({ clientX, clientY }) => {
    press.ghost.style.left = `${clientX}px`;
    press.ghost.style.top = `${clientY}px`;
  };
  const begin = (at) => {
    press.ghost = press.card.cloneNode(true);
    press.ghost.className += " ghost";
    press.ghost.setAttribute("aria-hidden", "true");
    press.ghost.removeAttribute("data-tile");
    document.body.append(press.ghost);
    container.classList.add("dragging");
    place(at);
  };
  const end = () => {
    clearTimeout(press?.hold);
    press?.ghost?.remove();
    press = null;
    container.classList.remove("dragging");
    mark(null);
  };
  container.addEventListener("pointerdown", (event) => {
    const card = event.target.closest("[data-tile]");
    if (card === null || event.button !== 0 || !event.isPrimary) return;
    const { clientX, clientY } = event;
    press = { id: card.dataset.tile, card, x: clientX, y: clientY, ghost: null, touch: event.pointerType === "touch" };
    if (press.touch) press.hold = setTimeout(() => begin({ clientX, clientY }), HOLD);
  });
  document.addEventListener("pointermove", (event) => {
    if (press === null) return;
    if (press.ghost === null) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < MOVED) return;
      if (press.touch) return end();
      begin(event);
    }
    scroll(event);
    place(event);
    mark(partUnder(event));
  });
  document.addEventListener("pointerup", (event) => {
    if (press === null) return;
    const { id, ghost } = press;
    const part = ghost && partUnder(event);
    end();
    if (ghost === null) return;
    // The click that follows belongs to the drag.
    const swallow = (click) => click.stopPropagation();
    window.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
    if (part) dropped(id, part.dataset.part);
  });
  document.addEventListener("pointercancel", end);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") end();
  });
  // Without this a finger that drags would scroll the page too.
  container.addEventListener("touchmove", (event) => {
    if (press?.ghost) event.preventDefault();
  }, { passive: false });
  container.addEventListener("contextmenu", (event) => {
    if (press?.touch) event.preventDefault();
  });
}
