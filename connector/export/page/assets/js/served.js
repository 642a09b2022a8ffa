// The page on a server: the editor and the store beside the picture.

import { DOCUMENT_VERSION, LineageDocument } from "./document.js";
import { Editor } from "./editor.js";
import { byId, toast } from "./elements.js";
import { errorWords, ServerApi } from "./server.js";
import { StoreBrowser } from "./store_browser.js";

/**
 * @import { Application } from "./application.js"
 * @import { Column, Entity, Process } from "./document.js"
 */

const EMPTY_DOCUMENT = {
  version: DOCUMENT_VERSION,
  title: "SQL lineage",
  scripts: [],
  entities: [],
  processes: [],
  levels: { column: [], table: [] },
  problems: [],
};

export class ServedPage {
  /** @param {Application} application */
  constructor(application) {
    this.application = application;
    this.api = new ServerApi();
    this.info = null;
    /** @type {Editor | null} */
    this.editor = null;
    /** @type {StoreBrowser | null} */
    this.store = null;
  }

  async start() {
    const { application } = this;
    await application.load(new LineageDocument(EMPTY_DOCUMENT), { keepAddress: true });
    try {
      this.info = await this.api.get("info");
    } catch (error) {
      application.empty.say("The server does not answer", ...errorWords(error));
      return;
    }
    this.editor = new Editor(this.api, this.info, application.sql, {
      analysed: (found) => {
        application.state.object = undefined;
        application.load(new LineageDocument(found));
      },
    });
    if (this.info.store) await this.#startStore();
  }

  /** Formats in which the server writes what stands in the editor. */
  get formats() {
    if (this.editor === null || this.application.lineage.scripts.length === 0) return [];
    return (this.info.formats ?? []).map((/** @type {any} */ format) => format.name ?? format);
  }

  /** @param {string} format */
  exportFile(format) {
    return this.api.file(`export/${format}`, this.editor?.request);
  }

  /**
   * What can be done with a thing of the store.
   * @param {Column | Entity | Process} thing
   */
  actions(thing) {
    const name = this.#nameInStore(thing);
    return name === null || this.store === null ? null : this.store.impact(name);
  }

  /**
   * What the store knows of an object.
   * @param {Column | Entity | Process} thing
   */
  facts(thing) {
    const name = "entity" in thing ? null : this.#nameInStore(thing);
    return name === null || this.store === null ? null : this.store.facts(name);
  }

  /**
   * The name of a thing in a picture of the store; a script's tables need not be there.
   * @param {Column | Entity | Process} thing
   */
  #nameInStore(thing) {
    const { lineage } = this.application;
    if (this.store === null || lineage.scripts.length > 0) return null;
    return "entity" in thing ? lineage.qualifiedColumn(thing) : "qualifiedName" in thing ? thing.qualifiedName : null;
  }

  /**
   * The text of a statement that the picture came without; null where nobody has it.
   * @param {Process} process
   */
  statementText(process) {
    return this.store === null || process.place !== null ? null : this.store.statementText(process.hash);
  }

  async #startStore() {
    this.store = new StoreBrowser(this.api, {
      openObject: (name) => this.openObject(name),
      openOverview: () => this.openOverview(),
    });
    const tabs = byId("side-tabs");
    tabs.hidden = false;
    tabs.addEventListener("click", (/** @type {PointerEvent & {target: Element}} */ event) => {
      const side = event.target.closest("[data-side]")?.getAttribute("data-side") ?? null;
      if (side !== null) this.#openSide(side);
    });
    this.#openSide("store");
    const parts = new URLSearchParams(location.hash.slice(1));
    const object = parts.get("object");
    const opened = object === null ? this.openOverview(true) : this.openObject(object, parts.get("focus"));
    await Promise.all([this.store.search(), opened]);
  }

  /** @param {string} side */
  #openSide(side) {
    for (const tab of byId("side-tabs").children) {
      tab.setAttribute("aria-selected", String(tab.dataset.side === side));
    }
    byId("side-sql").hidden = side !== "sql";
    byId("side-store").hidden = side !== "store";
  }

  /**
   * The lineage of an object of the store.
   * @param {string} name
   * @param {string | null} focus  what to choose in it, when that is not the object itself
   */
  async openObject(name, focus = null) {
    const { application } = this;
    try {
      const found = await this.api.get("lineage/both", { name, columns: true });
      const start = found.start ?? { qualifiedName: name };
      const own = start.column ? `${start.qualifiedName}|${start.column}` : start.qualifiedName;
      application.state.object = name;
      // Before the picture is laid out: whoever opens another tab in the meantime stays there.
      application.frame.openTab(application.state.view);
      await application.load(new LineageDocument(found), { focus: focus ?? own, object: name, sql: false });
      if (application.trace === null) toast("Nothing is known of where it comes from or goes to.");
    } catch (error) {
      const meant = error.candidates?.length > 0 ? ` ${error.candidates.slice(0, 3).join(", ")}` : "";
      toast(error.message + meant);
    }
  }

  /**
   * All tables of the store.
   * @param {boolean} first  at the start: whoever has analysed a script before the answer comes keeps the picture of it
   */
  async openOverview(first = false) {
    const { lineage } = this.application;
    try {
      const found = await this.api.get("overview");
      if (first && this.application.lineage !== lineage) return;
      const focus = new URLSearchParams(location.hash.slice(1)).get("focus") ?? "";
      await this.application.load(new LineageDocument(found), { focus, object: null, sql: false });
    } catch (error) {
      toast(error.message);
    }
  }
}
