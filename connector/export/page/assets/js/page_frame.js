// The frame around the parts: keys that work everywhere, tabs of narrow pages, the line between SQL and picture.

import { VIEW_NAMES } from "./address.js";
import { byId } from "./elements.js";

/**
 * @import { State } from "./address.js"
 * @import { Application } from "./application.js"
 */

/** A panel narrower than this is closed. */
const LEAST_SIDE = 120;

export class PageFrame {
  /** @param {Application} application */
  constructor(application) {
    this.application = application;
    const { diagram } = application;
    byId("zoom-in").addEventListener("click", () => diagram.viewport.zoomAt(1.3));
    byId("zoom-out").addEventListener("click", () => diagram.viewport.zoomAt(1 / 1.3));
    byId("zoom-fit").addEventListener("click", () => diagram.fit(true));
    byId("skip-to-list").addEventListener("click", (/** @type {MouseEvent} */ event) => {
      event.preventDefault();
      application.change({ view: "list" }).then(() => byId("list").focus());
    });
    byId("tabs").addEventListener("click", (/** @type {MouseEvent & {target: Element}} */ event) => {
      const tab = event.target.closest("[data-tab]")?.getAttribute("data-tab") ?? null;
      if (tab !== null) this.openTab(tab);
    });
    document.addEventListener("keydown", (event) => this.#key(event));
    // The paper has another size than the window: the browser says so, and what fitted the one is made to fit the other.
    matchMedia("print").addEventListener("change", (event) => event.matches && diagram.fit());
    this.#divide();
  }

  /**
   * Narrow pages show one part at a time.
   * @param {string} tab
   */
  openTab(tab) {
    document.body.dataset.tab = tab;
    if (VIEW_NAMES.includes(tab) && this.application.state.view !== tab) {
      this.application.change({ view: /** @type {State["view"]} */ (tab) });
    }
    this.mark();
  }

  /** Make the tabs say what is open and what can be opened. */
  mark() {
    const { view } = this.application.state;
    const tab = document.body.dataset.tab;
    if (VIEW_NAMES.includes(tab ?? "")) document.body.dataset.tab = view;
    if (tab === "details" && byId("details").hidden) document.body.dataset.tab = view;
    for (const button of byId("tabs").children) {
      const chosen = button.dataset.tab === document.body.dataset.tab;
      button.setAttribute("aria-current", chosen ? "page" : "false");
      if (button.dataset.tab === "details") button.disabled = byId("details").hidden;
      if (button.dataset.tab === "sql") button.hidden = document.body.classList.contains("no-sql");
    }
  }

  /** @param {KeyboardEvent & {target: any}} event */
  #key(event) {
    const { application } = this;
    const typing = event.target.closest?.("input:not([type=checkbox]), textarea, select");
    if (event.key === "Escape" && !byId("help").open) {
      if (typing) typing.blur();
      else application.choice.letGo();
      return;
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") {
      event.preventDefault();
      application.search.focus();
    } else if (event.key === "l") application.change({ view: application.state.view === "list" ? "diagram" : "list" });
    else if (event.key === "?") byId("help").showModal();
    else if (event.key === "f" && !byId("frame").contains(event.target)) application.diagram.fit(true);
  }

  /** The line between SQL and picture can be dragged, and moved with the arrow keys. */
  #divide() {
    const divider = byId("divider");
    const work = byId("work");
    /** @param {number} width */
    const set = (width) => {
      const closed = width < LEAST_SIDE;
      work.style.setProperty("--side", `${Math.round(closed ? 0 : Math.min(innerWidth * 0.7, width))}px`);
      work.classList.toggle("side-closed", closed);
    };
    divider.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => divider.setPointerCapture(event.pointerId));
    divider.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (divider.hasPointerCapture(event.pointerId)) set(event.clientX);
    });
    divider.addEventListener("dblclick", () => set(work.classList.contains("side-closed") ? 400 : 0));
    divider.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = event.key === "ArrowLeft" ? -40 : event.key === "ArrowRight" ? 40 : 0;
      if (step !== 0) set(byId("side").clientWidth + step);
    });
  }
}
