// A button with a box that opens below it.

import { byId } from "./elements.js";

/** A button that opens a box below it. */
export class Menu {
  /**
   * @param {string} name  of the elements `<name>-button` and `<name>-menu`
   */
  constructor(name) {
    this.button = byId(`${name}-button`);
    this.box = byId(`${name}-menu`);
    this.button.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      this.toggle();
      // A click of the keyboard has no count: whoever opened the menu with a key goes on with keys.
      if (event.detail === 0 && !this.box.hidden) this.box.querySelector("[role=menuitem]")?.focus();
    });
    document.addEventListener("pointerdown", (event) => {
      if (!this.box.hidden && !this.box.parentElement.contains(event.target)) this.toggle(false);
    });
    this.box.parentElement.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event));
  }

  /**
   * Escape closes; in a menu of commands the arrow keys go from one to the next.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const isMenu = this.box.getAttribute("role") === "menu";
    const items = [...this.box.querySelectorAll("[role=menuitem]")];
    if (event.key === "Escape" && !this.box.hidden) {
      event.stopPropagation();
      this.toggle(false);
      this.button.focus();
    } else if (isMenu && event.key === "Tab") this.toggle(false);
    else if (isMenu && ["ArrowDown", "ArrowUp", "Home", "End"].includes(event.key)) {
      event.preventDefault();
      if (this.box.hidden) this.toggle(true);
      const at = items.indexOf(document.activeElement);
      /** @type {Record<string, number>} */
      const places = { ArrowDown: at + 1, ArrowUp: at < 0 ? items.length - 1 : at - 1, Home: 0, End: items.length - 1 };
      const next = places[event.key];
      items[(next + items.length) % items.length].focus();
    }
  }

  toggle(open = this.box.hidden) {
    this.box.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
    if (open) {
      // On a narrow page the box stays inside.
      this.box.style.removeProperty("transform");
      const { left, right } = this.box.getBoundingClientRect();
      const shift = right > innerWidth - 8 ? innerWidth - 8 - right : left < 8 ? 8 - left : 0;
      if (shift !== 0) this.box.style.transform = `translateX(${shift}px)`;
    }
  }
}
