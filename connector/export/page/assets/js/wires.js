// The lines between cards.

/**
 * Where a wire leaves and arrives.
 * @param {Wire} wire
 */
function wireEnds(wire) {
  const { from, to } = wire;
  const y1 = from.y + (wire.fromRow ? wire.fromRow.y + CARD.row / 2 : from.height / 2);
  const y2 = to.y + (wire.toRow ? wire.toRow.y + CARD.row / 2 : to.height / 2);
  const link = wire.type === "join" || wire.type === "er";
  if (from === to || (link && Math.abs(from.x - to.x) < Math.min(from.width, to.width) / 2)) {
    // A line from a card to itself, or between cards that stand above each other, goes around on the right.
    return { x1: from.x + from.width, y1, x2: to.x + to.width, y2, bow: true };
  }
  if (link && to.x < from.x) return { x1: from.x, y1, x2: to.x + to.width, y2, bow: false, leftward: true };
  return { x1: from.x + from.width, y1, x2: to.x, y2, bow: false };
}

/**
 * The line as the path of an SVG.
 * @param {Wire} wire
 */
function wirePath(wire) {
  const { x1, y1, x2, y2, bow, leftward } = wireEnds(wire);
  if (bow) {
    const out = Math.max(x1, x2) + 36 + Math.min(60, Math.abs(y2 - y1) / 8);
    return `M${x1} ${y1}C${out} ${y1} ${out} ${y2} ${x2} ${y2}`;
  }
  const pull = leftward ? -Math.max(30, (x1 - x2) / 2) : Math.max(30, Math.min(220, Math.abs(x2 - x1) / 2));
  if (!leftward && x2 < x1) {
    // Against the direction: around the cards, not through them.
    const reach = 50 + Math.min(160, (x1 - x2) / 4);
    return `M${x1} ${y1}C${x1 + reach} ${y1} ${x2 - reach} ${y2} ${x2} ${y2}`;
  }
  return `M${x1} ${y1}C${x1 + pull} ${y1} ${x2 - pull} ${y2} ${x2} ${y2}`;
}

/**
 * The box that holds a wire.
 * @param {Wire} wire
 */
function wireBox(wire) {
  const { x1, y1, x2, y2, bow } = wireEnds(wire);
  const reach = bow || x2 < x1 ? 110 : 0;
  return {
    left: Math.min(x1, x2) - reach,
    right: Math.max(x1, x2) + reach,
    top: Math.min(y1, y2) - 2,
    bottom: Math.max(y1, y2) + 2,
  };
}

/**
 * @param {Wire} wire
 * @returns {SVGGElement}
 */
function drawWire(wire) {
  const d = wirePath(wire);
  return svgElement(
    `g.wire.type-${wire.type}`,
    { "data-wire": wire.key },
    svgElement("path.wire-line", { d }),
    svgElement("path.wire-reach", { d }),
  );
}
