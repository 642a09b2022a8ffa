// Starts the page: with the data that it holds, or with a server behind it.

import { initialState } from "./address.js";
import { Application } from "./application.js";
import { LineageDocument } from "./document.js";
import { byId } from "./elements.js";
import { jsonOfLevel } from "./files.js";
import { ServedPage } from "./served.js";
import { routeOfWire } from "./wires.js";

const application = new Application();

async function start() {
  const data = JSON.parse(byId("lineage-data").textContent);
  if (data.server === true) {
    application.served = new ServedPage(application);
    await application.served.start();
  } else await application.load(new LineageDocument(data));
}

/** For scripts and tests that drive the page. */
const driven = {
  ready: start().catch((error) => {
    application.empty.say("The page cannot be shown", error.message);
    throw error;
  }),
  state: () => ({ ...application.state }),
  scene: () => ({ cards: application.diagram.scene.cards.length, wires: application.diagram.scene.wires.length }),
  /** Where everything stands: cards as [x, y, width, height], lines as [from card, to card, [x, y, x, y…]]. */
  picture: () => {
    const { cards, wires } = application.diagram.scene;
    const numbers = new Map(cards.map((card, at) => [card, at]));
    return {
      zoom: application.diagram.viewport.zoomToFit(application.diagram.bounds()),
      cards: cards.map(({ x, y, width, height }) => [x, y, width, height]),
      lines: wires.map((wire) => [numbers.get(wire.from), numbers.get(wire.to), routeOfWire(wire).flatMap(({ x, y }) => [x, y])]),
    };
  },
  /** Any document under any switches, as the page's JSON export writes it. */
  json: (/** @type {any} */ raw, /** @type {any} */ switches) => jsonOfLevel(new LineageDocument(raw), initialState(switches)),
};
Object.assign(window, { lineagePage: driven });
