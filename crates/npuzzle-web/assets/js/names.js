// What algorithms and heuristics are called here and by people.

export const ALGORITHMS = [
  ['astar', 'A*'], ['ida', 'IDA*'], ['greedy', 'greedy'], ['wastar', 'weighted A*'],
  ['uniform', 'uniform cost'], ['bfs', 'breadth first'], ['bidirectional', 'bidirectional'],
  ['table', 'table of all distances'], ['beam', 'beam'], ['construct', 'constructive'],
];
/** Those that can be watched, the ones that a course begins with first. */
export const TRACED = ['astar', 'greedy', 'uniform', 'ida', 'wastar', 'bfs'].map(named);
/** Those that are compared: they search, and a heuristic may guide them. */
export const COMPARED = ALGORITHMS.slice(0, 7);

export const HEURISTICS = [
  ['zero', 'none (zero)'], ['misplaced', 'misplaced tiles'], ['manhattan', 'Manhattan'],
  ['linear-conflict', 'linear conflict'], ['inversion', 'inversion distance'],
  ['walking', 'walking distance'], ['pattern', 'pattern databases'],
];

/** Those that guide a search that is watched. */
export const TRACED_HEURISTICS = HEURISTICS.filter(([value]) => value !== 'pattern');
export const TIES = [['lifo', 'the newest'], ['fifo', 'the oldest'], ['heap', 'as a binary heap']];
export const STEPS = ['30', '100', '300', '1000'].map((n) => [n, n]);

/** What searches are compared by. */
export const MEASURES = [
  ['generated', 'states generated'], ['expanded', 'states expanded'], ['max_open', 'largest queue'],
  ['moves', 'moves of the solution'], ['peak_bytes', 'bytes'], ['ms', 'milliseconds'],
];

function named(value) {
  return ALGORITHMS.find(([name]) => name === value);
}

/** What people call it. */
export const nameOf = (names, value) => names.find(([name]) => name === value)?.[1] ?? value;
