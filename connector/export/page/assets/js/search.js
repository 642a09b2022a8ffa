// Search with fuzzy match: letters in order are enough, and matches that people mean come first. What nothing matches is
// compared by likeness, so that `custmoer` finds `dim_customer`.

import { byId, element, replaceContent } from "./elements.js";
import { kindIcon } from "./kind_icons.js";

/**
 * @import { Column, Entity, LineageDocument, Process } from "./document.js"
 * @typedef {{thing: any, label: string, path: string, kind: string, short: string, long: string}} Item  a column, an object or a statement
 * @typedef {{item: Item, score: number}} Scored
 */

/**
 * How well a text matches a query; 0 when it does not.
 * @param {string} query  in lower case
 * @param {string} text  in lower case
 */
function fuzzyScore(query, text) {
  const at = text.indexOf(query);
  if (at >= 0) {
    const whole = text.length === query.length;
    const start = at === 0 || isBoundary(text, at);
    const end = at + query.length === text.length || isBoundary(text, at + query.length + 1);
    return 1000 + (whole ? 500 : 0) + (start ? 200 : 0) + (end ? 100 : 0) - Math.min(90, text.length - query.length);
  }
  let [score, from, last] = [0, 0, -2];
  for (const letter of query) {
    const found = text.indexOf(letter, from);
    if (found < 0) return 0;
    score += found === last + 1 ? 14 : isBoundary(text, found) ? 11 : 3;
    last = found;
    from = found + 1;
  }
  // Letters strewn over a long text match everything; they have to stand together or at the starts of words.
  return score >= query.length * 7 ? score : 0;
}

/**
 * Several words have to match all, in any order.
 * @param {string[]} words
 * @param {Item} item
 */
function scoreOfWords(words, item) {
  let sum = 0;
  for (const word of words) {
    const score = Math.max(fuzzyScore(word, item.short) * 1.2, fuzzyScore(word, item.long));
    if (score === 0) return 0;
    sum += score;
  }
  return sum / words.length;
}

/**
 * How well the words match, or how alike they are to parts of the label; 0 when one of them is like none.
 * @param {string[]} words
 * @param {{short: string, long: string}} item
 * @param {Map<string, number>} known  of one word and one part, for parts that occur in many labels
 */
function likenessOfWords(words, item, known) {
  let sum = 0;
  for (const word of words) {
    let best = Math.max(fuzzyScore(word, item.short), fuzzyScore(word, item.long));
    for (const part of item.short.split(PARTS)) {
      const key = `${word} ${part}`;
      let likeness = known.get(key);
      if (likeness === undefined) {
        likeness = likenessOf(word, part);
        known.set(key, likeness);
      }
      best = Math.max(best, likeness);
    }
    if (best === 0) return 0;
    sum += best;
  }
  return sum / words.length;
}

/**
 * How alike two words are, by the letters that are missing, too many, wrong or in the wrong order; 0 for too many of them.
 * @param {string} word
 * @param {string} part
 */
function likenessOf(word, part) {
  const most = word.length > 5 ? 2 : word.length > 2 ? 1 : 0;
  if (most === 0 || Math.abs(word.length - part.length) > most) return 0;
  let last = Array.from({ length: part.length + 1 }, (_, at) => at);
  let before = last;
  for (let i = 1; i <= word.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= part.length; j += 1) {
      const same = word[i - 1] === part[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && word[i - 1] === part[j - 2] && word[i - 2] === part[j - 1];
      if (swapped) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[part.length] <= most ? 100 - 10 * last[part.length] : 0;
}

const SEPARATORS = new Set("._ \t\n/·-");
const PARTS = /[._ \t\n/·-]+/;

/**
 * @param {string} text
 * @param {number} at
 */
function isBoundary(text, at) {
  return at <= 0 || SEPARATORS.has(text[at - 1]);
}

/** @type {Record<string, number>} */
const KIND_RANKS = { table: 8, view: 8, column: 6, path: 6, stage: 6 };

export class SearchIndex {
  /** @param {LineageDocument} lineage */
  constructor(lineage) {
    /** @type {Item[]} */
    this.items = [];
    for (const entity of lineage.entities) {
      const path = [entity.database, entity.schema, entity.label].filter((part) => part !== null).join(".");
      this.#add(entity, entity.label, path, entity.kind);
      for (const column of entity.columns) {
        if (!column.system) this.#add(column, column.label, `${path}.${column.label}`, "column");
      }
    }
    for (const process of lineage.processes) {
      if (process.procedure !== "batchQueries") this.#add(process, process.procedure, process.type, "process");
    }
  }

  /**
   * @param {Column | Entity | Process} thing
   * @param {string} label
   * @param {string} path
   * @param {string} kind
   */
  #add(thing, label, path, kind) {
    this.items.push({ thing, label, path, kind, short: label.toLowerCase(), long: path.toLowerCase() });
  }

  /**
   * @param {string} text
   * @param {(thing: any) => boolean} isShown  what the level shows comes first
   * @param {number} most
   */
  find(text, isShown, most = 40) {
    const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
    if (words.length === 0) return [];
    const found = this.#best((item) => scoreOfWords(words, item), isShown, most);
    if (found.length > 0) return found;
    const known = new Map();
    return this.#best((item) => likenessOfWords(words, item, known), isShown, most);
  }

  /**
   * @param {(item: Item) => number} score
   * @param {(thing: Column | Entity | Process) => boolean} isShown
   * @param {number} most
   */
  #best(score, isShown, most) {
    // Only the best are kept in order: a letter matches nearly everything, and sorting that would hold up the typing.
    /** @type {Scored[]} */
    const best = [];
    /**
     * @param {Scored} one
     * @param {Scored} other
     */
    const isBefore = (one, other) => one.score > other.score || (one.score === other.score && one.item.long < other.item.long);
    for (const item of this.items) {
      const own = score(item);
      if (own === 0) continue;
      const found = { item, score: own + (KIND_RANKS[item.kind] ?? 0) + 40 };
      if (best.length === most && !isBefore(found, best[most - 1])) continue;
      if (!isShown(item.thing)) found.score -= 80;
      if (best.length === most && !isBefore(found, best[most - 1])) continue;
      let at = best.length;
      while (at > 0 && isBefore(found, best[at - 1])) at -= 1;
      best.splice(at, 0, found);
      if (best.length > most) best.pop();
    }
    return best.map((each) => each.item);
  }
}

/** The search box: a combobox with the list of what was found. */
export class SearchBox {
  /** @type {Item[]} */
  #found = [];
  /** @type {((thing: any) => void) | null} */
  #answered = null;
  #at = -1;

  /**
   * @param {{find(text: string): any[], choose(thing: any): void}} listener
   */
  constructor(listener) {
    this.listener = listener;
    this.input = byId("search");
    this.placeholder = this.input.placeholder;
    this.list = byId("search-results");
    this.input.addEventListener("input", () => this.#update());
    this.input.addEventListener("focus", () => this.#update());
    this.input.addEventListener("blur", () => setTimeout(() => this.#close(), 150));
    this.input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event));
    this.list.addEventListener("pointerdown", (/** @type {PointerEvent & {target: Element}} */ event) => {
      event.preventDefault();
      const at = event.target.closest("[role=option]")?.getAttribute("data-at") ?? undefined;
      if (at !== undefined) this.#choose(Number(at));
    });
  }

  /**
   * Let somebody answer a question here instead of choosing something.
   * @param {string} question
   * @param {(thing: any) => void} answered
   */
  ask(question, answered) {
    this.#answered = answered;
    this.input.placeholder = question;
    this.focus();
  }

  get isAsking() {
    return this.#answered !== null;
  }

  /**
   * What was found, or pointed at in the picture.
   * @param {Column | Entity | Process | null} thing
   */
  answer(thing) {
    const answered = this.#answered;
    this.#stopAsking();
    answered?.(thing);
  }

  #stopAsking() {
    this.#answered = null;
    this.input.placeholder = this.placeholder;
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  #update() {
    const text = this.input.value;
    this.#found = this.listener.find(text);
    this.#at = this.#found.length > 0 ? 0 : -1;
    if (text.trim() === "") {
      this.#close();
      return;
    }
    const rows = this.#found.map((item, at) =>
      element(
        "li",
        { role: "option", id: `found-${at}`, "data-at": at, "aria-selected": at === this.#at ? "true" : "false" },
        kindIcon(item.kind === "column" ? item.thing.entity.kind : item.kind),
        element("span.found-name", {}, item.label),
        element("span.found-path", {}, item.kind === "column" ? `column of ${item.thing.entity.label}` : item.path),
      ),
    );
    if (rows.length === 0) rows.push(element("li.found-nothing", {}, `Nothing is called “${text.trim()}”.`));
    replaceContent(this.list, ...rows);
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.#mark();
  }

  #mark() {
    [...this.list.children].forEach((row, at) => {
      if (row.getAttribute("role") === "option") row.setAttribute("aria-selected", String(at === this.#at));
      if (at === this.#at) row.scrollIntoView({ block: "nearest" });
    });
    if (this.#at >= 0) this.input.setAttribute("aria-activedescendant", `found-${this.#at}`);
    else this.input.removeAttribute("aria-activedescendant");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.#at = Math.max(0, Math.min(this.#found.length - 1, this.#at + step));
      this.#mark();
    } else if (event.key === "Enter") this.#choose(this.#at);
    else if (event.key === "Escape") {
      this.input.value = "";
      this.#stopAsking();
      this.#close();
      this.input.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} at */
  #choose(at) {
    const item = this.#found[at];
    if (item === undefined) return;
    this.input.value = "";
    this.#close();
    if (this.isAsking) this.answer(item.thing);
    else this.listener.choose(item.thing);
  }

  #close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }
}
