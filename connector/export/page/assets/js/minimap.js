// The whole picture in a corner, with a frame around what is in sight.

import { contextOf, FrameTask } from "./elements.js";
import { getOrAdd } from "./maps.js";
import { themeColor } from "./theme.js";

/**
 * @import { Diagram } from "./diagram.js"
 */

export class Minimap {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Diagram} diagram
   */
  constructor(canvas, diagram) {
    this.canvas = canvas;
    this.diagram = diagram;
    this.task = new FrameTask(() => this.#draw());
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#go(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (canvas.hasPointerCapture(event.pointerId)) this.#go(event);
    });
  }

  update() {
    this.task.request();
  }

  #scale() {
    const box = this.diagram.allBounds ?? { left: 0, top: 0, right: 1, bottom: 1 };
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    const zoom = Math.min((width - 12) / (box.right - box.left), (height - 12) / (box.bottom - box.top));
    return {
      zoom,
      x: (width - (box.right - box.left) * zoom) / 2 - box.left * zoom,
      y: (height - (box.bottom - box.top) * zoom) / 2 - box.top * zoom,
    };
  }

  /** @param {PointerEvent} event */
  #go(event) {
    const { zoom, x, y } = this.#scale();
    const box = this.canvas.getBoundingClientRect();
    this.diagram.viewport.center((event.clientX - box.left - x) / zoom, (event.clientY - box.top - y) / zoom, {
      animate: false,
    });
  }

  #draw() {
    const { canvas, diagram } = this;
    const ratio = devicePixelRatio || 1;
    if (canvas.clientWidth === 0) return;
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    const context = contextOf(canvas);
    if (diagram.scene.cards.length === 0) return;
    const { zoom, x, y } = this.#scale();
    context.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y);
    const colors = new Map();
    /** @param {string} kind */
    const colorOf = (kind) => getOrAdd(colors, kind, () => themeColor(canvas, `--kind-${kind}`));
    const least = 2 / zoom;
    for (const card of diagram.scene.cards) {
      context.globalAlpha = diagram.trace === null || diagram.lit?.has(card.key) ? 0.75 : 0.18;
      context.fillStyle = colorOf(card.kind);
      context.fillRect(card.x, card.y, Math.max(least, card.width), Math.max(least, card.height));
    }
    const { left, top, right, bottom } = diagram.viewport.sight;
    context.globalAlpha = 1;
    context.strokeStyle = themeColor(canvas, "--accent");
    context.lineWidth = 1.5 / zoom;
    context.strokeRect(left, top, right - left, bottom - top);
  }
}
