// Very many wires, as strokes on one canvas behind the cards, where one cannot point at them.

import { contextOf } from "./elements.js";
import { themeColor } from "./theme.js";
import { wireEnds } from "./wires.js";

/**
 * @import { Wire } from "./scene.js"
 * @import { Viewport } from "./viewport.js"
 */

/** As many strokes as a canvas takes without holding up the page. */
const WIRES_IN_FRAME = 1500;

export class FarWires {
  /** @type {Wire[]} */
  #wires = [];
  /** The part of the world that the canvas is to hold. */
  #area = { left: 0, top: 0, right: 0, bottom: 0 };
  /** @type {{left: number, top: number, zoom: number} | null} what it holds: its corner in the world, and the zoom that it was drawn at */
  #held = null;
  #fresh = true;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
  }

  get shown() {
    return !this.canvas.hidden;
  }

  /**
   * Wires to be drawn as soon as there is time for them.
   * @param {Wire[]} wires
   * @param {{left: number, top: number, right: number, bottom: number}} area
   */
  show(wires, area) {
    this.#wires = wires;
    this.#area = area;
    this.#fresh = false;
    this.canvas.hidden = false;
  }

  hide() {
    if (!this.shown) return;
    this.#wires = [];
    this.#held = null;
    this.#fresh = true;
    this.canvas.hidden = true;
    this.canvas.width = 0;
  }

  /** The wires are no longer where they were. */
  redraw() {
    this.#fresh = false;
  }

  /**
   * Move along with the picture: the canvas holds more than what is in sight.
   * @param {Viewport} viewport
   * @param {{draw: boolean, dim: boolean}} options  whether there is time to draw, and whether other wires are lit
   */
  place({ x, y, zoom }, { draw, dim }) {
    if (!this.shown) return;
    if (draw && !this.#fresh) this.#draw(zoom, dim);
    if (this.#held === null) return;
    const { left, top } = this.#held;
    this.canvas.style.transform = `translate(${x + left * zoom}px, ${y + top * zoom}px) scale(${zoom / this.#held.zoom})`;
  }

  /**
   * Some of them in each frame.
   * @param {number} zoom
   * @param {boolean} dim
   */
  #draw(zoom, dim) {
    const { left, top, right, bottom } = this.#area;
    const [width, height] = [Math.round((right - left) * zoom), Math.round((bottom - top) * zoom)];
    const held = { left, top, zoom };
    this.#held = held;
    this.#fresh = true;
    this.canvas.width = width;
    this.canvas.height = height;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const wires = this.#wires;
    const context = contextOf(this.canvas);
    context.globalAlpha = dim ? 0.05 : Math.max(0.06, Math.min(0.5, 900 / wires.length));
    // Exactly one pixel, without a scale: for lines that are wider by a rounding error browsers take ten times as long.
    context.lineWidth = 1;
    const colors = { fdd: themeColor(this.canvas, "--wire-fdd"), other: themeColor(this.canvas, "--wire-fdr") };
    /** @param {number} from */
    const step = (from) => {
      if (held !== this.#held) return;
      strokeWires(context, wires.slice(from, from + WIRES_IN_FRAME), held, colors);
      if (from + WIRES_IN_FRAME < wires.length) requestAnimationFrame(() => step(from + WIRES_IN_FRAME));
    };
    step(0);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Wire[]} wires
 * @param {{left: number, top: number, zoom: number}} held
 * @param {{fdd: string, other: string}} colors
 */
function strokeWires(context, wires, { left, top, zoom }, colors) {
  for (const kind of /** @type {const} */ (["fdd", "other"])) {
    context.strokeStyle = colors[kind];
    context.beginPath();
    for (const wire of wires) {
      if ((wire.type === "fdd") !== (kind === "fdd")) continue;
      const { x1, y1, x2, y2 } = wireEnds(wire);
      context.moveTo((x1 - left) * zoom, (y1 - top) * zoom);
      context.lineTo((x2 - left) * zoom, (y2 - top) * zoom);
    }
    context.stroke();
  }
}
