// Runs beside the page: works out where cards stand while the page stays responsive. dagre and layered.js stand above.

/** Beyond these numbers dagre takes seconds; where nearly everything is connected it takes long and gains nothing. */
const DAGRE_CARDS = 260;
const DAGRE_PAIRS = 900;
const DAGRE_PAIRS_OF_CARD = 5;

function dagrePositions(cards, pairs) {
  const graph = new dagre.graphlib.Graph();
  const gaps = gapsOf(cards);
  // Long lines take a place in each layer that they pass, and dagre counts the gap to both sides of it.
  graph.setGraph({ rankdir: "LR", nodesep: gaps.card, ranksep: gaps.layer * 0.75, edgesep: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  const linked = new Set(pairs.flat());
  cards.forEach((card, at) => {
    if (linked.has(at)) graph.setNode(String(at), { width: card.width, height: card.height });
  });
  for (const [from, to] of pairs) if (from !== to) graph.setEdge(String(from), String(to));
  if (graph.nodeCount() > 0) dagre.layout(graph);
  const positions = cards.map(() => [0, 0]);
  let [right, bottom] = [0, 0];
  for (const name of graph.nodes()) {
    const { x, y, width, height } = graph.node(name);
    positions[Number(name)] = [x - width / 2, y - height / 2];
    right = Math.max(right, x + width / 2);
    bottom = Math.max(bottom, y + height / 2);
  }
  const lonely = cards.map((_, at) => at).filter((at) => !linked.has(at));
  placeLonely(cards, lonely, positions, bottom > 0 ? bottom + 3 * gaps.card : 0, Math.max(right, 1200));
  return positions;
}

self.onmessage = ({ data: { id, cards, pairs } }) => {
  const most = Math.min(DAGRE_PAIRS, DAGRE_PAIRS_OF_CARD * cards.length);
  const small = cards.length <= DAGRE_CARDS && pairs.length <= most;
  self.postMessage({ id, positions: small ? dagrePositions(cards, pairs) : layeredPositions(cards, pairs) });
};
