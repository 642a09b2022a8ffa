// What is on show as a file: the picture, the level as data, or what a server writes.

import { toast } from "./elements.js";
import { csvOfLevel, jsonOfLevel, saveFile } from "./files.js";
import { pictureAsPng, pictureAsSvg } from "./picture_files.js";
import { MOST_CARDS } from "./scene.js";

/**
 * @import { Application } from "./application.js"
 * @import { Column, Entity } from "./document.js"
 * @import { Trace } from "./trace.js"
 */

/**
 * @param {Application} application
 * @param {string} format  that the menu offers
 */
export async function exportView({ lineage, state, diagram, served, trace }, format) {
  const isChosen = chosenFilter(trace);
  const name = lineage.title.replace(/[^\w.-]+/g, "_").slice(0, 80) || "lineage";
  if (["png", "svg"].includes(format) && diagram.scene.cards.length > MOST_CARDS) {
    toast("Drawing a large picture…");
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }
  try {
    if (format === "png") saveFile(`${name}.png`, await pictureAsPng(diagram));
    else if (format === "svg") {
      saveFile(`${name}.svg`, new Blob([pictureAsSvg(diagram).text], { type: "image/svg+xml" }));
    } else if (format === "json") {
      const text = `${JSON.stringify(jsonOfLevel(lineage, state, isChosen), null, 2)}\n`;
      saveFile(`${name}.${state.level}.json`, new Blob([text], { type: "application/json" }));
    } else if (format === "csv") {
      saveFile(`${name}.csv`, new Blob([csvOfLevel(lineage, state, isChosen)], { type: "text/csv" }));
    } else if (served !== null) {
      const file = await served.exportFile(format.replace("server:", ""));
      saveFile(file.name, file.blob);
    }
  } catch (error) {
    toast(error.message);
  }
}

/**
 * Whether a relation between two columns or tables belongs to what is chosen; everything does where nothing is.
 * @param {Trace | null} trace
 */
export function chosenFilter(trace) {
  if (trace === null) return () => true;
  /** @param {Column | Entity} end */
  const has = (end) => {
    const entity = "entity" in end ? end.entity : end;
    return trace.nodes.has(`e${entity.index}`) || ("entity" in end ? trace.nodes.has(`c${end.index}`) : entity.columns.some((column) => trace.nodes.has(`c${column.index}`)));
  };
  return (/** @type {Column | Entity} */ source, /** @type {Column | Entity} */ target) => has(source) && has(target);
}
