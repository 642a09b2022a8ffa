// Looking around in what the store holds: search, the page of a table, the impact of a change.

import { byId, element, replaceContent } from "./elements.js";
import { csvCell, saveFile } from "./files.js";
import { kindIcon } from "./kind_icons.js";
import { processLine, timeWords } from "./labels.js";
import { counted } from "./names.js";
import { errorWords } from "./server.js";
import { shortList } from "./short_list.js";
import { sqlPieces, sqlTokens } from "./sql_tokens.js";

/**
 * @import { ServerApi } from "./server.js"
 */

const KIND_CHOICES = ["table", "view", "column", "path", "stage"];

export class StoreBrowser {
  #page = 1;
  #timer = 0;
  #asked = 0;

  /**
   * @param {ServerApi} api
   * @param {{openObject(name: string): void, openOverview(): void}} listener
   */
  constructor(api, listener) {
    this.api = api;
    this.listener = listener;
    this.box = byId("side-store");
    this.input = element("input", {
      type: "search",
      id: "store-search",
      placeholder: "Search the store",
      "aria-label": "Search the store",
      oninput: () => this.#typed(),
    });
    this.kind = element(
      "select",
      { "aria-label": "Kind", id: "store-kind", onchange: () => this.search() },
      element("option", { value: "" }, "Everything"),
      ...KIND_CHOICES.map((kind) => element("option", { value: kind }, `${kind[0].toUpperCase()}${kind.slice(1)}s`)),
    );
    this.status = element("p.quiet.store-status", { role: "status" });
    this.list = element("ul.store-list", { id: "store-list" });
    this.more = element("button.more", { type: "button", hidden: true, onclick: () => this.#next() }, "Show more");
    replaceContent(
      this.box,
      element("div.side-head", {}, this.input, this.kind),
      element(
        "div.store-tools",
        {},
        this.status,
        element("button.link", { type: "button", id: "overview", onclick: () => listener.openOverview() }, "Show all tables"),
      ),
      element("div.store-scroll", {}, this.list, this.more),
    );
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.search(), 180);
  }

  async search() {
    this.#page = 1;
    await this.#ask(false);
  }

  async #next() {
    this.#page += 1;
    await this.#ask(true);
  }

  /** @param {boolean} append */
  async #ask(append) {
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const answer = await this.api.get("objects", { search: this.input.value, kind: this.kind.value, page: this.#page });
      if (asked !== this.#asked) return;
      const rows = answer.objects.map((/** @type {any} */ found) => this.#row(found));
      if (append) this.list.append(...rows);
      else replaceContent(this.list, ...rows);
      this.status.textContent = counted(answer.total, "object");
      if (this.kind.value === "column") this.status.textContent = counted(answer.total, "column");
      this.more.hidden = this.list.children.length >= answer.total;
    } catch (error) {
      if (asked === this.#asked) replaceContent(this.status, ...errorWords(error));
    }
  }

  /** @param {any} found */
  #row(found) {
    const layers = [found.database, found.schema].filter(Boolean).join(".");
    const shown = found.column ?? (found.name === ORPHANS ? "Columns of unknown tables" : (found.name ?? found.qualifiedName));
    const where = found.column ? `column of ${found.name}` : layers || found.kind;
    return element(
      "li",
      {},
      element(
        "button.store-row",
        { type: "button", title: found.qualifiedName, onclick: () => this.listener.openObject(found.qualifiedName) },
        kindIcon(found.kind),
        element("span.found-name", {}, shown),
        element("span.found-path", {}, where),
      ),
    );
  }

  /**
   * The button that asks what a change would touch, and room for the answer.
   * @param {string} name  qualified, of a table or a column
   * @returns {Node}
   */
  impact(name) {
    const answer = element("div", {});
    const button = element(
      "button.primary",
      {
        type: "button",
        id: "impact",
        onclick: async () => {
          button.disabled = true;
          await this.#showImpact(name, answer);
          button.disabled = false;
        },
      },
      "Impact of a change",
    );
    return element("section.details-part", {}, button, answer);
  }

  /**
   * What the store knows of an object beyond its lineage, filled in when it arrives.
   * @param {string} name  qualified
   * @returns {Node}
   */
  facts(name) {
    const box = element("div.store-facts", {});
    this.#fillFacts(name, box);
    return box;
  }

  /**
   * @param {string} name
   * @param {HTMLElement} box
   */
  async #fillFacts(name, box) {
    try {
      const found = await this.api.get(`objects/${encodeURIComponent(name)}`);
      const seen = [
        found.users?.length > 0 && `run by ${found.users.join(", ")}`,
        found.firstSeen && `first seen ${timeWords(found.firstSeen)}`,
        found.lastSeen && `last seen ${timeWords(found.lastSeen)}`,
      ].filter(Boolean);
      box.append(
        ...[
          element("section.details-part", {}, element("h3", {}, "In the store"), element("p.details-owner", {}, seen.join(" · ") || "No runs are recorded.")),
          this.#neighbours("Directly upstream", found.upstream),
          this.#neighbours("Directly downstream", found.downstream),
          this.#runs("Written by", found.writtenBy),
          this.#runs("Read by", found.readBy),
          found.definition &&
            element("section.details-part", {}, element("h3", {}, "Definition"), element("pre.statement", { tabindex: 0 }, sqlPieces(found.definition, 0, found.definition.length, sqlTokens(found.definition), []))),
        ].filter(Boolean),
      );
    } catch (error) {
      box.append(element("p.quiet", {}, ...errorWords(error)));
    }
  }

  /**
   * @param {string} title
   * @param {any[] | null} objects
   */
  #neighbours(title, objects) {
    if (!objects?.length) return null;
    return element(
      "section.details-part",
      {},
      element("h3", {}, title, element("span.count", {}, String(objects.length))),
      shortList(objects.map((/** @type {any} */ found) => this.#objectLine(found)), "object"),
    );
  }

  /**
   * @param {any} found
   * @param {...Node} badges
   */
  #objectLine(found, ...badges) {
    return element(
      "li.owner",
      {},
      element(
        "div.owner-line",
        {},
        kindIcon(found.kind),
        element("button.link", { type: "button", title: found.qualifiedName, onclick: () => this.listener.openObject(found.qualifiedName) }, nameWithoutCluster(found.qualifiedName)),
        ...badges,
      ),
    );
  }

  /**
   * @param {string} title
   * @param {any[] | null} processes
   */
  #runs(title, processes) {
    if (!processes?.length) return null;
    return element(
      "section.details-part",
      {},
      element("h3", {}, title, element("span.count", {}, String(processes.length))),
      shortList(
        processes.map((process) => {
          const facts = [
            process.count && counted(process.count, "run"),
            process.users?.length > 0 && process.users.join(", "),
            process.lastSeen && timeWords(process.lastSeen),
            process.origin,
          ].filter(Boolean);
          return element(
            "li.owner",
            {},
            element("div.owner-line", {}, kindIcon("process"), element("span", {}, processLine(process))),
            element("div.quiet.run-facts", {}, facts.join(" · ")),
          );
        }),
        "statement",
      ),
    );
  }

  /**
   * @param {string} name
   * @param {HTMLElement} box
   */
  async #showImpact(name, box) {
    try {
      const found = await this.api.get("impact", { name });
      /** @param {any} each */
      const item = (each) => {
        const owners = each.owners?.length > 0 ? each.owners.join(", ") : "";
        const statements = each.statements?.length > 0 ? counted(each.statements.length, "statement") : "";
        const columns = (each.columns ?? []).map((/** @type {any} */ column) => (column.rows ? "rows" : column.name)).join(", ");
        const line = this.#objectLine(
          each,
          element(`span.badge.type-${each.relation === "direct" ? "fdd" : "fdr"}`, {}, each.relation),
        );
        if (columns) line.append(element("div.run-facts", {}, columns));
        line.append(element("div.quiet.run-facts", {}, [`${counted(each.distance, "step")} away`, statements, owners].filter(Boolean).join(" · ")));
        return line;
      };
      const { objects } = found;
      const list = element("div.impact-list");
      const fill = () => replaceContent(list, shortList(objects.map(item), "object"));
      fill();
      replaceContent(
        box,
        element("h3.impact-title", {}, "A change touches", element("span.count", {}, String(objects.length))),
        objects.length > 1 && impactTools(name, objects, fill),
        objects.length > 0 ? list : element("p.quiet", {}, "Nothing in the store uses it."),
        found.truncated && element("p.quiet", {}, "There is more than what is listed."),
      );
    } catch (error) {
      replaceContent(box, element("p.quiet", {}, ...errorWords(error)));
    }
  }

  /**
   * The text of a statement that a picture came without.
   * @param {string} hash
   * @returns {Promise<string | null>}
   */
  async statementText(hash) {
    const found = await this.api.get(`processes/${encodeURIComponent(hash)}`);
    return found.text ?? null;
  }
}

/** What the store calls the table of columns whose table could not be told. */
const ORPHANS = "pseudo_table_include_orphan_column";

/**
 * A name as people say it: the cluster is the same for nearly all of them.
 * @param {string} qualifiedName
 */
function nameWithoutCluster(qualifiedName) {
  const at = qualifiedName.lastIndexOf("@");
  return at > 0 ? qualifiedName.slice(0, at) : qualifiedName;
}

/** @type {Record<string, [string, (one: any, other: any) => number]>} */
const IMPACT_ORDERS = {
  distance: ["nearest first", (one, other) => one.distance - other.distance || one.qualifiedName.localeCompare(other.qualifiedName)],
  name: ["by name", (one, other) => one.qualifiedName.localeCompare(other.qualifiedName)],
  relation: ["direct before indirect", (one, other) => one.relation.localeCompare(other.relation) || one.distance - other.distance],
};

/**
 * The order of what a change affects, and the same as a file.
 * @param {string} name
 * @param {any[]} objects
 * @param {() => void} fill
 */
function impactTools(name, objects, fill) {
  const order = element(
    "select.quiet",
    {
      "aria-label": "Order of what a change affects",
      onchange: () => {
        objects.sort(IMPACT_ORDERS[order.value][1]);
        fill();
      },
    },
    ...Object.entries(IMPACT_ORDERS).map(([key, [words]]) => element("option", { value: key }, words)),
  );
  const save = () => saveFile(`impact.${name.replace(/[^\w.-]+/g, "_").slice(0, 80)}.csv`, new Blob([csvOfImpact(objects)], { type: "text/csv" }));
  return element("div.reach-tools", {}, order, element("button.link", { type: "button", title: "Save this list as CSV", onclick: save }, "CSV"));
}

/** @param {any[]} objects */
function csvOfImpact(objects) {
  const rows = objects.map((each) => [
    each.kind,
    each.qualifiedName,
    (each.columns ?? []).map((/** @type {any} */ column) => (column.rows ? "rows" : column.name)).join(", "),
    each.relation,
    String(each.distance),
    String(each.statements?.length ?? 0),
    (each.owners ?? []).join(", "),
  ]);
  const header = ["kind", "object", "columns", "relation", "distance", "statements", "users"];
  return `${[header, ...rows].map((row) => row.map(csvCell).join(";")).join("\n")}\n`;
}
