// The picture as a file: SVG that needs no style sheet, and PNG made of it.

import { drawBox } from "./boxes.js";
import { contextOf, SVG, svgElement } from "./elements.js";
import { getOrAdd } from "./maps.js";

/**
 * @import { Diagram } from "./diagram.js"
 */

/** The properties that the style sheet gives to the picture's elements. */
const PICTURE_PROPERTIES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
];
const PICTURE_MARGIN = 24;
/** What browsers allow a canvas to be. */
const MOST_PIXELS = 16_000_000;
const MOST_SIDE = 16_000;

/**
 * The whole picture, lit as it is, as an SVG of its own.
 * @param {Diagram} diagram
 * @returns {{text: string, width: number, height: number}}
 */
export function pictureAsSvg(diagram) {
  const box = diagram.bounds();
  const width = Math.ceil(box.right - box.left + 2 * PICTURE_MARGIN);
  const height = Math.ceil(box.bottom - box.top + 2 * PICTURE_MARGIN);
  const stage = svgElement("svg", { class: diagram.svg.getAttribute("class"), width: 0, height: 0, "aria-hidden": "true" });
  const world = svgElement("g.world", {
    transform: `translate(${PICTURE_MARGIN - box.left},${PICTURE_MARGIN - box.top})`,
  });
  const cards = diagram.scene.cards.map((card) => diagram.drawMarkedCard(card));
  world.append(...diagram.scene.boxes.map(drawBox), ...diagram.scene.wires.map((wire) => diagram.drawMarkedWire(wire)), ...cards);
  stage.append(...[...diagram.svg.querySelectorAll("defs")].map((defs) => defs.cloneNode(true)), world);
  diagram.frame.append(stage);
  try {
    return { text: writeSvg(stage, width, height, getComputedStyle(diagram.frame).backgroundColor), width, height };
  } finally {
    stage.remove();
  }
}

/**
 * @param {SVGSVGElement} stage
 * @param {number} width
 * @param {number} height
 * @param {string} background
 */
function writeSvg(stage, width, height, background) {
  const styles = new Map();
  const result = document.implementation.createDocument(SVG, "svg", null);
  const root = result.documentElement;
  for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
    root.setAttribute(key, String(value));
  }
  const ground = result.createElementNS(SVG, "rect");
  for (const [key, value] of Object.entries({ width, height, fill: background })) ground.setAttribute(key, String(value));
  root.append(ground);
  for (const child of stage.children) {
    const copy = plainCopy(child, result, styles);
    if (copy !== null) root.append(copy);
  }
  return new XMLSerializer().serializeToString(result);
}

/**
 * A copy with the styles written into it, and without what only the page needs.
 * @param {Element} node
 * @param {Document} target
 * @param {Map<string, any>} styles
 */
function plainCopy(node, target, styles) {
  const name = node.getAttribute("class") ?? "";
  if (name.includes("wire-reach") || name.includes("card-tool")) return null;
  const copy = target.createElementNS(SVG, node.localName);
  for (const key of ["d", "x", "y", "width", "height", "rx", "transform", "id", "viewBox", "refX", "refY", "markerWidth", "markerHeight", "orient"]) {
    if (node.hasAttribute(key)) copy.setAttribute(key, node.getAttribute(key) ?? "");
  }
  if (["path", "rect", "text"].includes(node.localName)) {
    // Elements of the same class in the same surroundings look the same; asking the browser once for each is enough.
    const parent = node.parentElement;
    const around = parent?.parentElement?.getAttribute("class") ?? "";
    const key = `${name}|${parent?.getAttribute("class")}|${around}|${node.getAttribute("font-size")}`;
    const style = getOrAdd(styles, key, () => readStyle(node));
    for (const [property, value] of style) copy.setAttribute(property, value);
  } else if (node.localName === "g") {
    const opacity = getOrAdd(styles, `g|${name}|${node.parentElement?.getAttribute("class")}`, () => getComputedStyle(node).opacity);
    if (opacity !== "1") copy.setAttribute("opacity", opacity);
  }
  for (const child of node.childNodes) {
    if (child instanceof Text) copy.append(child.data);
    else if (child instanceof Element) {
      const inner = plainCopy(child, target, styles);
      if (inner !== null) copy.append(inner);
    }
  }
  return copy;
}

/** @param {Element} node */
function readStyle(node) {
  const style = getComputedStyle(node);
  const pairs = [];
  for (const property of PICTURE_PROPERTIES) {
    const value = style.getPropertyValue(property);
    if (value && !(property === "opacity" && value === "1")) pairs.push([property, value]);
  }
  const marker = style.getPropertyValue("marker-end");
  if (marker && marker !== "none") pairs.push(["marker-end", `url(${marker.slice(marker.indexOf("#")).replace(/["')]+$/, "")})`]);
  return pairs;
}

/**
 * @param {Diagram} diagram
 * @returns {Promise<Blob>}
 */
export async function pictureAsPng(diagram) {
  const { text, width, height } = pictureAsSvg(diagram);
  const scale = Math.min(2, Math.sqrt(MOST_PIXELS / (width * height)), MOST_SIDE / Math.max(width, height));
  const image = new Image();
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    contextOf(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture is too large for a PNG."))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
