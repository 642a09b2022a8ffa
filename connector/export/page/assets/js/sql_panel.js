// The SQL beside the picture. A text area takes the cursor and, in the editor, the typing; what one sees is a layer
// below it that draws the lines in sight with their colours and marks.

import { lineAt, lineStartsOf } from "./document.js";
import { byId, contextOf, element, FrameTask, replaceContent } from "./elements.js";
import { counted } from "./names.js";
import { sqlPieces, sqlTokens } from "./sql_tokens.js";

/**
 * @import { LineageDocument, Place, Problem } from "./document.js"
 */

/** @typedef {{start: number, end: number, name: string, problem: Problem}} ProblemMark */

const SQL_LINE = 20;
/** Longer lines than this are drawn without colours. */
const LONG_LINE = 4000;

export class SqlPanel {
  /** @type {{pointed: Place[], problems: ProblemMark[]}} */
  #marks = { pointed: [], problems: [] };
  #typing = 0;
  #silent = false;

  /**
   * @param {{onCursor(script: number, offset: number): void, onPoint(script: number, offset: number | null, event: any, problem?: any): void,
   *          onEdit(text: string): void}} listener
   */
  constructor(listener) {
    this.listener = listener;
    this.view = byId("sql-view");
    this.layer = byId("sql-layer");
    this.input = byId("sql-input");
    this.choice = byId("sql-script");
    this.problemList = byId("sql-problems");
    this.editable = false;
    /** @type {LineageDocument | null} */
    this.lineage = null;
    this.script = 0;
    /** @type {{place: Place, name: string}[]} */
    this.lit = [];
    this.text = "";
    this.tokens = sqlTokens("");
    this.starts = [0];
    this.task = new FrameTask(() => this.#draw());
    this.input.addEventListener("scroll", () => this.task.request());
    this.input.addEventListener("beforeinput", (/** @type {InputEvent} */ event) => {
      if (!this.editable) event.preventDefault();
    });
    this.input.addEventListener("input", () => this.#edited());
    this.input.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.#point(event));
    this.input.addEventListener("pointerleave", (/** @type {PointerEvent} */ event) => listener.onPoint(this.script, null, event));
    document.addEventListener("selectionchange", () => this.#cursor());
    this.choice.addEventListener("change", () => this.showScript(Number(this.choice.value)));
    new ResizeObserver(() => this.task.request()).observe(this.view);
  }

  /** @param {LineageDocument} lineage */
  show(lineage) {
    this.lineage = lineage;
    this.#marks = { pointed: [], problems: [] };
    const { scripts } = lineage;
    this.choice.hidden = scripts.length < 2;
    replaceContent(
      this.choice,
      ...shortNames(scripts.map((script, at) => script.name || `Script ${at + 1}`)).map((name, at) =>
        element("option", { value: at, title: scripts[at].name }, name),
      ),
    );
    this.#listProblems();
    this.showScript(0, { keepText: this.editable });
  }

  /** @param {number} at */
  showScript(at, { keepText = false } = {}) {
    this.script = at;
    this.choice.value = String(at);
    if (!keepText) this.#setText(this.lineage?.scripts[at]?.text ?? "");
    this.#marks.problems = (this.lineage?.problems ?? []).flatMap((problem) =>
      problem.place === null || problem.place[0] !== at ? [] : [{ ...spanOf(problem.place), name: "mark-problem", problem }],
    );
    this.task.request();
  }

  /**
   * The editor's text, when somebody opens a file.
   * @param {string} text
   */
  setText(text) {
    this.#setText(text);
    this.#edited();
  }

  /**
   * The editor's text as it was before; nobody has changed anything.
   * @param {string} text
   */
  restore(text) {
    this.#setText(text);
  }

  /** @param {string} text */
  #setText(text) {
    this.#silent = true;
    this.input.value = text;
    this.input.scrollTop = 0;
    this.#readText();
    this.#silent = false;
  }

  #readText() {
    this.text = this.input.value;
    this.tokens = sqlTokens(this.text);
    this.starts = lineStartsOf(this.text);
    this.view.style.setProperty("--digits", String(String(this.starts.length).length));
    this.task.request();
  }

  /**
   * Light places of the text.
   * @param {Place[]} places
   * @param {{scroll?: boolean, strong?: Place[]}} options  `strong` stands out among the others
   */
  light(places, { scroll = true, strong = [] } = {}) {
    const first = strong[0] ?? places[0];
    if (scroll && first !== undefined && first[0] !== this.script) this.showScript(first[0]);
    this.lit = [
      ...places.map((place) => ({ place, name: "mark-lit" })),
      ...strong.map((place) => ({ place, name: "mark-strong" })),
    ];
    this.task.request();
    if (scroll && first !== undefined) this.#scrollTo(first);
  }

  /**
   * Places of what somebody points at in the picture.
   * @param {Place[]} places
   */
  point(places) {
    this.#marks.pointed = places;
    this.task.request();
    clearTimeout(this.#typing);
    const own = places.filter((place) => place[0] === this.script);
    if (own.length > 0 && document.activeElement !== this.input) {
      this.#typing = setTimeout(() => {
        if (!own.some((place) => this.#isInSight(place))) this.#scrollTo(own[0]);
      }, 250);
    }
  }

  /** @param {Place} place */
  #isInSight([, start]) {
    const top = lineAt(this.starts, start) * SQL_LINE;
    return top >= this.input.scrollTop && top + SQL_LINE <= this.input.scrollTop + this.input.clientHeight;
  }

  /** @param {Place} place */
  #scrollTo(place) {
    const line = lineAt(this.starts, place[1]);
    const [top, width] = [line * SQL_LINE, monospaceWidth(getComputedStyle(this.input))];
    const [from, to] = [place[1], Math.max(place[1], Math.min(place[2], this.starts[line + 1] ?? place[2]))];
    const [left, right] = [(from - this.starts[line]) * width, (to - this.starts[line]) * width];
    const { scrollLeft, clientWidth, clientHeight } = this.input;
    const besides = left < scrollLeft || Math.min(right, left + clientWidth / 2) > scrollLeft + clientWidth;
    this.input.scrollTo({
      top: this.#isInSight(place) ? this.input.scrollTop : Math.max(0, top - clientHeight / 3),
      left: besides ? Math.max(0, left - clientWidth / 3) : scrollLeft,
    });
  }

  #draw() {
    const { scrollTop, scrollLeft, clientHeight } = this.input;
    const first = Math.max(0, Math.floor(scrollTop / SQL_LINE) - 4);
    const last = Math.min(this.starts.length, Math.ceil((scrollTop + clientHeight) / SQL_LINE) + 4);
    const marks = this.#allMarks();
    const lines = [];
    for (let line = first; line < last; line += 1) {
      const from = this.starts[line];
      const to = line + 1 < this.starts.length ? this.starts[line + 1] - 1 : this.text.length;
      const tokens = to - from > LONG_LINE ? { starts: [], ends: [], classes: [] } : this.tokens;
      const node = element(
        "div.sql-line",
        { "data-line": line + 1 },
        element("span.sql-number", {}, String(line + 1)),
        element("span.sql-code", {}, sqlPieces(this.text, from, to, tokens, marks)),
      );
      node.style.top = `${line * SQL_LINE - scrollTop}px`;
      node.style.setProperty("--shift", `${-scrollLeft}px`);
      lines.push(node);
    }
    this.layer.replaceChildren(...lines);
  }

  #allMarks() {
    /**
     * @param {Place[]} places
     * @param {string} name
     */
    const own = (places, name) =>
      places.filter((place) => place[0] === this.script).map((place) => ({ ...spanOf(place), name }));
    const lit = (this.lit ?? []).flatMap(({ place, name }) => own([place], name));
    return [...lit, ...own(this.#marks.pointed, "mark-pointed"), ...this.#marks.problems];
  }

  #edited() {
    this.#readText();
    if (this.editable) {
      this.lit = [];
      this.#marks = { pointed: [], problems: [] };
      this.listener.onEdit(this.text);
    }
  }

  #cursor() {
    if (this.#silent || document.activeElement !== this.input) return;
    const { selectionStart, selectionEnd } = this.input;
    if (selectionStart === selectionEnd) this.listener.onCursor(this.script, selectionStart);
  }

  /**
   * The offset of the text under the pointer, as far as all characters are of one width.
   * @param {PointerEvent} event
   */
  #point(event) {
    const box = this.input.getBoundingClientRect();
    const style = getComputedStyle(this.input);
    const line = Math.floor((event.clientY - box.top + this.input.scrollTop) / SQL_LINE);
    const x = event.clientX - box.left - parseFloat(style.paddingLeft) + this.input.scrollLeft;
    const from = this.starts[line];
    if (from === undefined || x < 0) {
      this.listener.onPoint(this.script, null, event);
      return;
    }
    const to = line + 1 < this.starts.length ? this.starts[line + 1] - 1 : this.text.length;
    const column = Math.floor(x / monospaceWidth(style));
    const offset = from + column;
    const problem = this.#marks.problems.find((mark) => mark.start <= offset && offset < Math.max(mark.end, mark.start + 1));
    this.listener.onPoint(this.script, offset < to ? offset : null, event, problem?.problem ?? null);
  }

  #listProblems() {
    const problems = this.lineage?.problems ?? [];
    this.problemList.hidden = problems.length === 0;
    replaceContent(
      this.problemList,
      element("summary", {}, counted(problems.length, "problem")),
      element(
        "ul",
        {},
        ...problems.slice(0, 200).map((problem) =>
          element(
            "li",
            {},
            element(
              "button.problem",
              { type: "button", onclick: () => this.showProblem(problem) },
              element("span.problem-place", {}, this.#problemPlace(problem)),
              element("span", {}, problem.message),
            ),
          ),
        ),
      ),
    );
  }

  /**
   * Where a problem stands in the SQL.
   * @param {Problem} problem
   */
  showProblem({ place }) {
    if (place !== null) this.light([], { strong: [place] });
  }

  /** @param {Problem} problem */
  #problemPlace(problem) {
    if (problem.place === null || this.lineage === null) return problem.type;
    const [line, column] = this.lineage.position(problem.place[0], problem.place[1]);
    return `${problem.type} ${line}:${column}`;
  }
}

/**
 * Names of files without the folders that all of them lie in.
 * @param {string[]} names
 */
function shortNames(names) {
  const folders = names.map((name) => name.slice(0, name.lastIndexOf("/") + 1));
  let common = folders[0] ?? "";
  for (const folder of folders) {
    while (!folder.startsWith(common)) common = common.slice(0, common.lastIndexOf("/", common.length - 2) + 1);
  }
  return names.map((name) => name.slice(common.length));
}

/** @param {Place} place */
function spanOf([, start, end]) {
  return { start, end: Math.max(end, start + 1) };
}

/** @type {{font: string, width: number} | null} */
let monospace = null;

/**
 * How wide one character is in the panel's font.
 * @param {CSSStyleDeclaration} style
 */
function monospaceWidth(style) {
  if (monospace === null || monospace.font !== style.font) {
    const context = contextOf(document.createElement("canvas"));
    context.font = style.font;
    monospace = { font: style.font, width: context.measureText("M".repeat(100)).width / 100 };
  }
  return monospace.width;
}
