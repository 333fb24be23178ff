// Which heuristics an algorithm can use on a board. The engine refuses the others.

/** The algorithms that use no heuristic. */
export const BLIND = ['table', 'bfs', 'dfs', 'iddfs', 'uniform', 'beam', 'construct'];

/** Sizes with tables of walking distances have at most so many rows and columns together. */
const MAX_WALKING_SIDES = 8;
/** The largest boards with pattern databases. */
const MAX_PATTERN_CELLS = 25;

/**
 * Whether an algorithm can use a heuristic on boards of this size.
 * @param {string} algorithm empty for the automatic choice
 * @param {{rows: number, cols: number}} size
 */
export function applies(heuristic, algorithm, { rows, cols }) {
  if (BLIND.includes(algorithm)) return false;
  if (heuristic === 'walking') return rows + cols <= MAX_WALKING_SIDES;
  // Bidirectional search also needs the distance to the start, which pattern databases do not estimate.
  if (heuristic === 'pattern') return rows * cols <= MAX_PATTERN_CELLS && algorithm !== 'bidirectional';
  return true;
}
