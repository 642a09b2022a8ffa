// Typing or opening SQL, which the server analyses.

import { byId, element, replaceContent } from "./elements.js";
import { counted } from "./names.js";
import { errorWords } from "./server.js";

/**
 * @import { ServerApi } from "./server.js"
 * @import { SqlPanel } from "./sql_panel.js"
 */

/** How long after the last key the analysis starts. */
const TYPING_PAUSE = 350;

const EXAMPLE_SQL = `create view report.monthly_revenue as
select c.region,
       date_trunc('month', o.ordered_at) as month,
       sum(l.quantity * l.unit_price) as revenue
from shop.orders o
join shop.order_lines l on l.order_id = o.order_id
join shop.customers c on c.customer_id = o.customer_id
where o.status = 'paid'
group by c.region, date_trunc('month', o.ordered_at);
`;

export class Editor {
  #timer = 0;
  /** @type {AbortController | null} */
  #running = null;

  /**
   * @param {ServerApi} api
   * @param {any} info
   * @param {SqlPanel} panel
   * @param {{analysed(document: any, text: string): void}} listener
   */
  constructor(api, info, panel, listener) {
    this.api = api;
    this.info = info;
    this.panel = panel;
    this.listener = listener;
    this.name = "";
    this.message = byId("editor-message");
    this.progress = byId("editor-progress");
    this.dialect = element(
      "select",
      { id: "dialect", "aria-label": "Dialect", onchange: () => this.run() },
      ...info.dialects.map((/** @type {string} */ name) => element("option", { value: name, selected: name === "ansi" }, name)),
    );
    this.chooser = element("input", {
      type: "file",
      id: "open-file",
      accept: ".sql,.ddl,.hql,.txt,text/plain",
      hidden: true,
      onchange: () => this.#open(),
    });
    this.button = element("button.primary", { type: "button", id: "analyze", title: "Ctrl+Enter", onclick: () => this.run() }, "Analyze");
    this.example = element("button", { type: "button", id: "example", onclick: () => this.panel.setText(EXAMPLE_SQL) }, "Example");
    byId("sql-title").hidden = true;
    const tools = byId("editor-tools");
    replaceContent(
      tools,
      this.dialect,
      this.chooser,
      element("button", { type: "button", onclick: () => this.chooser.click() }, "Open…"),
      this.example,
      this.button,
    );
    tools.hidden = false;
    panel.editable = true;
    panel.input.placeholder = "Paste SQL here, open a file, or drop one.";
    panel.input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.run();
      }
    });
    this.#recall();
    for (const name of ["dragover", "drop"]) panel.view.addEventListener(name, (/** @type {DragEvent} */ event) => this.#drop(event));
  }

  /** The body of a request for what stands in the editor. */
  get request() {
    return { sql: this.panel.text, dialect: this.dialect.value, ...(this.name ? { title: this.name } : {}) };
  }

  /** What was typed before the page was loaded again, in this tab. */
  #recall() {
    const kept = keptText();
    if (kept === null) return;
    this.name = kept.name;
    if (this.info.dialects.includes(kept.dialect)) this.dialect.value = kept.dialect;
    this.panel.restore(kept.sql);
    // An address that asks for an object of the store gets that; the text waits beside it.
    if (!new URLSearchParams(location.hash.slice(1)).has("object")) this.edited();
  }

  edited() {
    this.example.hidden = this.panel.text.trim() !== "";
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.run(), TYPING_PAUSE);
  }

  async run() {
    clearTimeout(this.#timer);
    this.#running?.abort();
    const text = this.panel.text;
    if (text.trim() === "") {
      keepText(null);
      this.#say([]);
      return;
    }
    const running = new AbortController();
    this.#running = running;
    this.button.disabled = true;
    keepText({ sql: text, dialect: this.dialect.value, name: this.name });
    const stop = this.#tellTime();
    try {
      const found = await this.api.post("analyze", this.request, running.signal);
      if (this.#running !== running) return;
      this.#say([]);
      this.listener.analysed(found, text);
    } catch (error) {
      if (error.name !== "AbortError" && this.#running === running) this.#say(errorWords(error));
    } finally {
      stop();
      if (this.#running === running) {
        this.button.disabled = false;
        this.#running = null;
      }
    }
  }

  /** From a second on: how long the analysis has been running, and how long it may. Returns what ends it. */
  #tellTime() {
    const start = performance.now();
    const most = this.info.limits?.seconds;
    const timer = setInterval(() => {
      const seconds = Math.round((performance.now() - start) / 1000);
      this.progress.hidden = false;
      this.progress.textContent = `Analysing for ${counted(seconds, "second")}${most ? `; it is stopped after ${most}` : ""}…`;
    }, 1000);
    return () => {
      clearInterval(timer);
      this.progress.hidden = true;
    };
  }

  /** @param {(Node | string)[]} words */
  #say(words) {
    this.message.hidden = words.length === 0;
    replaceContent(this.message, ...words);
  }

  async #open() {
    const file = this.chooser.files?.[0];
    if (file !== undefined) await this.#read(file);
    this.chooser.value = "";
  }

  /** @param {DragEvent} event */
  #drop(event) {
    if (![...(event.dataTransfer?.types ?? [])].includes("Files")) return;
    event.preventDefault();
    if (event.type === "drop" && event.dataTransfer?.files[0]) this.#read(event.dataTransfer.files[0]);
  }

  /** @param {File} file */
  async #read(file) {
    const most = this.info.limits?.maxSize ?? Infinity;
    if (file.size > most) {
      this.#say([`${file.name} is too large: the server takes ${Math.floor(most / 1024).toLocaleString("en")} KB.`]);
      return;
    }
    this.name = file.name;
    this.panel.setText(await file.text());
  }
}

const KEPT_TEXT = "lineage-sql";
/** Longer texts are not kept: the browser has little room, and a file can be opened again. */
const MOST_KEPT = 1_000_000;

/** What the editor of this tab held; null where nothing is kept. */
function keptText() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT_TEXT) ?? "null");
    return typeof kept?.sql === "string" && kept.sql !== "" ? { name: "", dialect: "", ...kept } : null;
  } catch {
    return null;
  }
}

/**
 * Only for this tab, and only until it is closed: SQL may hold what others must not see.
 * @param {{sql: string, dialect: string, name: string} | null} kept
 */
function keepText(kept) {
  try {
    if (kept === null || kept.sql.length > MOST_KEPT) sessionStorage.removeItem(KEPT_TEXT);
    else sessionStorage.setItem(KEPT_TEXT, JSON.stringify(kept));
  } catch {
    // Then it lasts as long as the page.
  }
}
