// The menu in which people choose what is left out.

import { byId, element, replaceKeepingFocus } from "./elements.js";
import { isFiltering, NO_FILTER } from "./filters.js";
import { isResultset } from "./levels.js";
import { Menu } from "./menu.js";

/**
 * @import { LineageDocument } from "./document.js"
 * @import { Filter } from "./filters.js"
 */

/** The menu of filters. What a document says nothing about is not offered. */
export class FilterMenu {
  /** @type {[string, number][]} */
  schemas = [];
  /** @type {[string, number][]} */
  kinds = [];
  /** @type {string[]} */
  users = [];
  hasTimes = false;

  /** @param {(filter: Filter) => void} change */
  constructor(change) {
    this.menu = new Menu("filter");
    this.change = change;
    this.filter = NO_FILTER;
    /** @type {LineageDocument | null} */
    this.lineage = null;
  }

  /**
   * @param {LineageDocument} lineage
   * @param {Filter} filter
   */
  update(lineage, filter) {
    this.filter = filter;
    const count = byId("filter-count");
    const number = filter.schemas.length + filter.kinds.length + (filter.user ? 1 : 0) + (filter.since ? 1 : 0);
    count.hidden = number === 0;
    count.textContent = String(number);
    if (lineage !== this.lineage) this.#collect(lineage);
    replaceKeepingFocus(
      this.menu.box,
      this.#boxes("Schemas", "schemas", this.schemas),
      this.#boxes("Kinds", "kinds", this.kinds),
      this.users.length > 0 && this.#users(),
      this.hasTimes && this.#since(),
      isFiltering(filter) && element("button.menu-row", { type: "button", id: "filter-clear", onclick: () => this.change(NO_FILTER) }, "Show everything"),
    );
  }

  /** @param {LineageDocument} lineage */
  #collect(lineage) {
    this.lineage = lineage;
    const [schemas, kinds, users] = [new Map(), new Map(), new Set()];
    for (const entity of lineage.entities) {
      if (isResultset(entity)) continue;
      schemas.set(entity.group, (schemas.get(entity.group) ?? 0) + 1);
      kinds.set(entity.kind, (kinds.get(entity.kind) ?? 0) + 1);
    }
    for (const process of lineage.processes) for (const user of process.users) users.add(user);
    this.schemas = [...schemas].sort((one, other) => one[0].localeCompare(other[0]));
    this.kinds = [...kinds].sort();
    this.users = [...users].sort();
    this.hasTimes = lineage.processes.some((process) => process.lastSeen !== null);
  }

  /**
   * @param {string} title
   * @param {"schemas" | "kinds"} key
   * @param {[string, number][]} choices
   */
  #boxes(title, key, choices) {
    return element(
      "fieldset.filter-part",
      {},
      element("legend", {}, title),
      ...choices.slice(0, 200).map(([value, count]) => {
        const box = element("input", {
          type: "checkbox",
          id: `filter-${key}-${value}`,
          checked: !this.filter[key].includes(value),
          onchange: () => {
            const others = this.filter[key].filter((each) => each !== value);
            this.change({ ...this.filter, [key]: box.checked ? others : [...others, value] });
          },
        });
        return element("label.filter-row", {}, box, element("span", {}, value), element("span.count", {}, String(count)));
      }),
    );
  }

  #users() {
    const choice = element(
      "select",
      { id: "filter-user", onchange: () => this.change({ ...this.filter, user: choice.value }) },
      element("option", { value: "" }, "everybody"),
      ...this.users.map((user) => element("option", { value: user, selected: user === this.filter.user }, user)),
    );
    return element("label.filter-row", {}, element("span", {}, "Statements of"), choice);
  }

  #since() {
    const day = element("input", {
      type: "date",
      id: "filter-since",
      value: this.filter.since,
      onchange: () => this.change({ ...this.filter, since: day.value }),
    });
    return element("label.filter-row", {}, element("span", {}, "Seen since"), day);
  }
}
