// What is on show as a file: the picture, the level as data, or what a server writes.

/**
 * @param {Application} application
 * @param {string} format  that the menu offers
 */
async function exportView({ lineage, state, diagram, served }, format) {
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
      const text = `${JSON.stringify(jsonOfLevel(lineage, state), null, 2)}\n`;
      saveFile(`${name}.${state.level}.json`, new Blob([text], { type: "application/json" }));
    } else if (format === "csv") {
      saveFile(`${name}.csv`, new Blob([csvOfLevel(lineage, state)], { type: "text/csv" }));
    } else {
      const file = await served.exportFile(format.replace("server:", ""));
      saveFile(file.name, file.blob);
    }
  } catch (error) {
    toast(error.message);
  }
}
