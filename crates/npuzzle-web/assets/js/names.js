// The names of algorithms, heuristics and measures in the interface, and their labels.

export const ALGORITHMS = [
  ['astar', 'A*'], ['ida', 'IDA*'], ['greedy', 'greedy'], ['wastar', 'weighted A*'],
  ['uniform', 'uniform cost'], ['bfs', 'breadth first'], ['bidirectional', 'bidirectional'],
  ['table', 'full distance table'], ['beam', 'beam'], ['construct', 'constructive'],
];
/** The algorithms that can be watched, in the order in which courses teach them. */
export const TRACED = ['astar', 'greedy', 'uniform', 'ida', 'wastar', 'bfs'].map(entryOf);
/** The algorithms that can be compared. */
export const COMPARED = ALGORITHMS.slice(0, 7);

export const HEURISTICS = [
  ['zero', 'none (zero)'], ['misplaced', 'misplaced tiles'], ['manhattan', 'Manhattan'],
  ['linear-conflict', 'linear conflict'], ['inversion', 'inversion distance'],
  ['walking', 'walking distance'], ['pattern', 'pattern databases'],
];

/** The heuristics of searches that can be watched. */
export const TRACED_HEURISTICS = HEURISTICS.filter(([value]) => value !== 'pattern');
export const TIES = [['lifo', 'newest first'], ['fifo', 'oldest first'], ['heap', 'binary heap order']];
export const STEPS = ['30', '100', '300', '1000'].map((n) => [n, n]);

/** The measures of a comparison. */
export const MEASURES = [
  ['generated', 'states generated'], ['expanded', 'states expanded'], ['max_open', 'maximum queue length'],
  ['moves', 'solution length'], ['peak_bytes', 'peak memory in bytes'], ['ms', 'time in milliseconds'],
];

/** The time limits of a compared search, in seconds. */
export const SEARCH_LIMITS = ['1', '5', '20'].map((n) => [n, `${n} s`]);

function entryOf(value) {
  return ALGORITHMS.find(([name]) => name === value);
}

/** Returns the label of a name. */
export const labelOf = (names, value) => names.find(([name]) => name === value)?.[1] ?? value;
