// Small pictures of the kinds of objects.

import { svgElement } from "./elements.js";

/** Small pictures of the kinds, 14 by 14. */
/** @type {Record<string, string>} */
const KIND_ICONS = {
  table: "M1.5 2.5h11v9h-11zM1.5 5.5h11M5.2 5.5v6",
  view: "M1 7s2.2-4 6-4 6 4 6 4-2.2 4-6 4-6-4-6-4zM7 5.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z",
  resultset: "M2 3.5h10M2 7h10M2 10.5h6",
  function: "M9.5 2.5c-2-.6-2.8.4-3 2L5.4 11c-.2 1.2-1 1.8-2.2 1.3M4.2 6.2h4.6",
  variable: "M3.5 3.5l7 7M10.5 3.5l-7 7",
  path: "M1.5 3.5h4l1.2 1.5h5.8v6.5h-11z",
  stage: "M7 1.8l5 2.6v5.2l-5 2.6-5-2.6V4.4zM2 4.4l5 2.6 5-2.6M7 7v5.2",
  process: "M4.5 3l6 4-6 4z",
  procedure: "M5 2.5L2 7l3 4.5M9 2.5L12 7l-3 4.5",
  group: "M2 4.5h10v7H2zM3.5 2.5h7",
};

/** @param {string} kind */
export function iconOf(kind) {
  return KIND_ICONS[kind] ?? KIND_ICONS.table;
}

/**
 * The small picture of a kind, in its colour.
 * @param {string} kind
 */
export function kindIcon(kind) {
  return svgElement(
    `svg.kind-icon.kind-${kind}`,
    { viewBox: "0 0 14 14", width: 14, height: 14, "aria-hidden": "true" },
    svgElement("path", { d: iconOf(kind) }),
  );
}
