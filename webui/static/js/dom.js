// Making elements, HTML and SVG, without ever parsing text as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") node.setAttribute("class", value);
    else if (name === "text") node.textContent = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** An HTML element; `properties` are attributes, `text`, or `onclick` and the like. */
export function el(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for SVG. */
export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

export const byId = (id) => document.getElementById(id);

/** Replace what `container` holds; by their `data-key` the focused element keeps the focus, and details stay open. */
export function redraw(container, ...children) {
  const open = new Set([...container.querySelectorAll("details[open]")].map((details) => details.dataset.key));
  const key = container.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  container.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  for (const details of container.querySelectorAll("details")) details.open = open.has(details.dataset.key);
  if (key !== undefined) container.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
