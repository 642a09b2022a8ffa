// Making elements. Text of the data goes through text nodes and attributes only, never through markup.

export const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | null | undefined | false} Content  what is not there is left out */

/**
 * What the name of a tag with classes makes: of "input.quiet" an input.
 * @template {string} T
 * @typedef {T extends `${infer N}.${string}` ? N : T} TagName
 */

/**
 * @template {string} T
 * @param {T} tag  "div", or "div.class.class"
 * @param {Record<string, any>} attributes  on… are listeners; true and false set and leave out an attribute
 * @param {...Content} children
 * @returns {TagName<T> extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[TagName<T>] : HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  return filled(document.createElement(name), classes, attributes, children);
}

/**
 * @template {string} T
 * @param {T} tag
 * @param {Record<string, any>} attributes
 * @param {...Content} children
 * @returns {TagName<T> extends keyof SVGElementTagNameMap ? SVGElementTagNameMap[TagName<T>] : SVGElement}
 */
export function svgElement(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  return filled(document.createElementNS(SVG, name), classes, attributes, children);
}

/**
 * @param {Element} node
 * @param {string[]} classes
 * @param {Record<string, any>} attributes
 * @param {Content[]} children
 * @returns {any}
 */
function filled(node, classes, attributes, children) {
  if (classes.length > 0) node.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(key, READ_ALOUD.has(key) ? visibleText(String(value)) : String(value));
    }
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) node.append(typeof child === "string" ? visibleText(child) : child);
  }
  return node;
}

/** Attributes that people read. */
const READ_ALOUD = new Set(["title", "aria-label"]);

/**
 * Characters that nobody sees although they change what one reads: control characters, those of no width, and those
 * that turn the direction of the text.
 */
// eslint-disable-next-line no-misleading-character-class -- each of them is meant by itself
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]/g;

/**
 * A text as it is shown: what cannot be seen is written out, as ⟨U+202E⟩.
 * @param {string} text
 */
export function visibleText(text) {
  return text.replace(UNSEEN, (sign) => `⟨U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

/**
 * An element of index.html.
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element ${id}.`);
  return found;
}

/**
 * What a canvas is drawn with.
 * @param {HTMLCanvasElement} canvas
 */
export function contextOf(canvas) {
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("This browser cannot draw on a canvas.");
  return context;
}

/**
 * What is there of a list.
 * @template T
 * @param {(T | null | undefined | false | "")[]} items
 * @returns {T[]}
 */
export function thoseThere(items) {
  return /** @type {T[]} */ (items.filter(Boolean));
}

/**
 * Put new content into an element.
 * @param {Element} parent
 * @param {...Content} children
 */
export function replaceContent(parent, ...children) {
  parent.replaceChildren();
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) parent.append(typeof child === "string" ? visibleText(child) : child);
  }
}

/**
 * The same for a part that is made anew while somebody may stand in it with the keyboard.
 * @param {Element} parent
 * @param {...Content} children
 */
export function replaceKeepingFocus(parent, ...children) {
  const active = parent.contains(document.activeElement) ? document.activeElement : null;
  const [choice, id] = [active?.getAttribute("data-choice"), active?.id];
  replaceContent(parent, ...children);
  if (choice) focusOn(parent.querySelector(`[data-choice="${CSS.escape(choice)}"]`));
  else if (id) document.getElementById(id)?.focus();
}

/**
 * Give the focus to an element that was looked up, where there is one.
 * @param {Element | null | undefined} node
 */
export function focusOn(node) {
  if (node instanceof HTMLElement || node instanceof SVGElement) node.focus();
}

/** One frame for however many requests. */
export class FrameTask {
  #wanted = false;

  /** @param {() => void} run */
  constructor(run) {
    this.run = run;
  }

  request() {
    if (this.#wanted) return;
    this.#wanted = true;
    requestAnimationFrame(() => {
      this.#wanted = false;
      this.run();
    });
  }
}

/**
 * Tell people who listen to the page what happened.
 * @param {string} message
 */
export function announce(message) {
  byId("announcer").textContent = visibleText(message);
}

/** When the message on show goes away. */
let toastTimer = 0;

/**
 * A short message that goes away by itself.
 * @param {string} message
 */
export function toast(message) {
  const box = byId("toast");
  box.textContent = visibleText(message);
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    box.hidden = true;
  }, 4000);
}

/**
 * Text for the clipboard; where there is none, for the eyes.
 * @param {string} text
 * @param {string} message  what to say when it is done
 */
export async function copyText(text, message) {
  try {
    await navigator.clipboard.writeText(text);
    toast(message);
  } catch {
    toast(text);
  }
}

/**
 * Move something from where it stands.
 * @param {SVGGElement} node
 * @param {number} dx
 * @param {number} dy
 */
export function shift(node, dx, dy) {
  const transforms = node.transform.baseVal;
  const { e, f } = transforms.consolidate()?.matrix ?? { e: 0, f: 0 };
  const moved = svgElement("svg").createSVGTransform();
  moved.setTranslate(e + dx, f + dy);
  transforms.initialize(moved);
}
