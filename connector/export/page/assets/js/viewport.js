// Where one looks: pan, zoom, and the gestures for them.

/** @typedef {{left: number, top: number, right: number, bottom: number}} Area  a part of the world */

/** Further away than this one gets only to see a picture that is larger still. */
const LEAST_ZOOM = 0.02;
const MOST_ZOOM = 3;

export class Viewport {
  #pointers = new Map();
  /** @type {{x: number, y: number, distance: number} | null} */
  #pinch = null;
  #moved = 0;
  #animation = 0;

  /**
   * @param {HTMLElement} frame  what is looked through
   * @param {() => void} changed
   * @param {() => void} resized
   */
  constructor(frame, changed, resized) {
    this.frame = frame;
    this.changed = changed;
    this.x = 0;
    this.y = 0;
    this.zoom = 1;
    /** The smallest zoom at which anything has been fitted. */
    this.least = LEAST_ZOOM;
    /** @type {Area | null} the box that was fitted, until somebody moves or zooms */
    this.fitted = null;
    /** Set while somebody drags, so that the click at its end is none. */
    this.dragged = false;
    /** @type {((event: PointerEvent) => ({move(dx: number, dy: number): void, end(): void}) | null) | null} */
    this.grab = null;
    frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    frame.addEventListener("pointerdown", (event) => this.#down(event));
    frame.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) frame.addEventListener(name, (event) => this.#up(event));
    /** The size as last seen: asking for it in every frame would make the browser lay out the page in every frame. */
    this.seen = { width: frame.clientWidth, height: frame.clientHeight };
    new ResizeObserver(() => {
      this.measure();
      resized();
    }).observe(frame);
  }

  /** Look how large the frame is by now: a panel may have opened that the browser has told nobody about. */
  measure() {
    this.seen = { width: this.frame.clientWidth, height: this.frame.clientHeight };
  }

  get width() {
    return this.frame.clientWidth;
  }

  get height() {
    return this.frame.clientHeight;
  }

  /** The part of the world that is in sight. */
  get sight() {
    return {
      left: -this.x / this.zoom,
      top: -this.y / this.zoom,
      right: (this.seen.width - this.x) / this.zoom,
      bottom: (this.seen.height - this.y) / this.zoom,
    };
  }

  /** The room that a picture has between the things that float at the edges. */
  get room() {
    return { left: 32, top: 64, width: this.width - 64, height: this.height - 120 };
  }

  /**
   * The zoom at which a part of the world just fits, not larger than it is drawn.
   * @param {Area} area
   */
  zoomToFit({ left, top, right, bottom }) {
    const { width, height } = this.room;
    return Math.min(width / (right - left), height / (bottom - top), 1);
  }

  /**
   * Show a part of the world.
   * @param {Area} box
   */
  fit(box, { animate = false } = {}) {
    const room = this.room;
    if (room.width <= 0 || room.height <= 0 || !(box.right > box.left)) return;
    const zoom = this.zoomToFit(box);
    this.least = Math.min(this.least, zoom);
    this.#go(
      room.left + (room.width - (box.right - box.left) * zoom) / 2 - box.left * zoom,
      room.top + (room.height - (box.bottom - box.top) * zoom) / 2 - box.top * zoom,
      zoom,
      animate,
    );
    this.fitted = box;
  }

  /**
   * Bring a place of the world into the middle.
   * @param {number} x
   * @param {number} y
   */
  center(x, y, { zoom = this.zoom, animate = true } = {}) {
    this.#go(this.width / 2 - x * zoom, this.height / 2 - y * zoom, zoom, animate);
  }

  /**
   * Bring a place of a box into the middle, as far as nothing but the box is then in sight where it is large enough for that.
   * @param {Area} box
   * @param {number} x
   * @param {number} y
   */
  centerWithin(box, x, y, { zoom = this.zoom, animate = true } = {}) {
    const { left, top, width, height } = this.room;
    /**
     * @param {number} wanted
     * @param {number} start
     * @param {number} end
     * @param {number} from
     * @param {number} size
     */
    const held = (wanted, start, end, from, size) => {
      const [most, least] = [from - start * zoom, from + size - end * zoom];
      return most < least ? (most + least) / 2 : Math.max(least, Math.min(most, wanted));
    };
    this.#go(
      held(this.width / 2 - x * zoom, box.left, box.right, left, width),
      held(this.height / 2 - y * zoom, box.top, box.bottom, top, height),
      zoom,
      animate,
    );
  }

  /** Keep what is in sight as large as it is, also when a panel takes room from it. */
  stay() {
    this.fitted = null;
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    this.fitted = null;
    this.x += dx;
    this.y += dy;
    this.changed();
  }

  /**
   * Zoom so that a point of the frame stays where it is.
   * @param {number} factor
   */
  zoomAt(factor, x = this.width / 2, y = this.height / 2) {
    const zoom = Math.min(MOST_ZOOM, Math.max(Math.min(LEAST_ZOOM, this.least), this.zoom * factor));
    this.fitted = null;
    this.x = x - ((x - this.x) * zoom) / this.zoom;
    this.y = y - ((y - this.y) * zoom) / this.zoom;
    this.zoom = zoom;
    this.changed();
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} zoom
   * @param {boolean} animate
   */
  #go(x, y, zoom, animate) {
    cancelAnimationFrame(this.#animation);
    this.fitted = null;
    if (!animate || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      [this.x, this.y, this.zoom] = [x, y, zoom];
      this.changed();
      return;
    }
    const from = [this.x, this.y, this.zoom];
    const start = performance.now();
    /** @param {number} now */
    const step = (now) => {
      const part = Math.min(1, (now - start) / 220);
      const eased = 1 - (1 - part) ** 3;
      this.x = from[0] + (x - from[0]) * eased;
      this.y = from[1] + (y - from[1]) * eased;
      this.zoom = from[2] + (zoom - from[2]) * eased;
      this.changed();
      if (part < 1) this.#animation = requestAnimationFrame(step);
    };
    this.#animation = requestAnimationFrame(step);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (isFloating(event)) return;
    event.preventDefault();
    cancelAnimationFrame(this.#animation);
    const box = this.frame.getBoundingClientRect();
    if (event.shiftKey) {
      this.pan(-(event.deltaX || event.deltaY), event.deltaX ? -event.deltaY : 0);
      return;
    }
    const unit = event.deltaMode === 1 ? 18 : 1;
    const factor = Math.exp(-Math.max(-240, Math.min(240, event.deltaY * unit)) * (event.ctrlKey ? 0.01 : 0.0016));
    this.zoomAt(factor, event.clientX - box.left, event.clientY - box.top);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button > 1 || isFloating(event)) return;
    cancelAnimationFrame(this.#animation);
    this.#pointers.set(event.pointerId, event);
    this.#moved = 0;
    this.dragged = false;
    this.held = this.#pointers.size === 1 && this.grab ? this.grab(event) : null;
    if (this.#pointers.size === 2) this.#pinch = this.#spread();
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) return;
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    this.#moved += Math.abs(dx) + Math.abs(dy);
    if (!this.dragged && this.#moved < 4) return;
    if (!this.dragged) {
      this.dragged = true;
      this.frame.setPointerCapture(event.pointerId);
      this.frame.classList.add("dragging");
    }
    this.#pointers.set(event.pointerId, event);
    if (this.#pointers.size === 2 && this.#pinch !== null) {
      const now = this.#spread();
      const box = this.frame.getBoundingClientRect();
      this.pan(now.x - this.#pinch.x, now.y - this.#pinch.y);
      this.zoomAt(now.distance / this.#pinch.distance, now.x - box.left, now.y - box.top);
      this.#pinch = now;
    } else if (this.held) this.held.move(dx / this.zoom, dy / this.zoom);
    else this.pan(dx, dy);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    this.frame.classList.remove("dragging");
    if (this.dragged && this.held) this.held.end();
    this.held = null;
  }

  #spread() {
    const [one, other] = [...this.#pointers.values()];
    return {
      x: (one.clientX + other.clientX) / 2,
      y: (one.clientY + other.clientY) / 2,
      distance: Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)),
    };
  }
}

/**
 * Whether an event belongs to what floats over the picture; also when what was clicked is gone by now.
 * @param {Event} event
 */
export function isFloating(event) {
  return event.composedPath().some((node) => node instanceof Element && node.hasAttribute("data-floating"));
}

/**
 * The box around cards and boxes.
 * @param {{x: number, y: number, width: number, height: number}[]} things
 */
export function boundsOf(things) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y, width, height } of things) {
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x + width);
    box.bottom = Math.max(box.bottom, y + height);
  }
  return box;
}

/**
 * What was drawn holds what is in sight, and not very much more: that would be many elements, and a huge canvas.
 * @param {Area} drawn
 * @param {Area} sight
 */
export function isGoodFor(drawn, sight) {
  return contains(drawn, sight) && drawn.right - drawn.left < 2.5 * (sight.right - sight.left);
}

/**
 * @param {Area} outer
 * @param {Area} inner
 */
export function contains(outer, inner) {
  return (
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
  );
}
