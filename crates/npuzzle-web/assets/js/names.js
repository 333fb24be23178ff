// The names of algorithms, heuristics and measures in the interface, and their labels.

import { grouped } from './text.js';

export const ALGORITHMS = [
  ['astar', 'A*'], ['ida', 'IDA*'], ['greedy', 'greedy'], ['wastar', 'weighted A*'],
  ['uniform', 'uniform cost'], ['bfs', 'breadth first'], ['bidirectional', 'bidirectional'],
  ['table', 'full distance table'], ['beam', 'beam'], ['construct', 'constructive'],
];
/** The algorithms that can be watched, in the order in which courses teach them. */
export const TRACED = [
  entryOf('bfs'), ['dfs', 'depth first'], ['iddfs', 'iterative deepening'], ...['uniform', 'greedy', 'astar', 'wastar', 'ida'].map(entryOf),
];
/** The algorithms with a priority queue, whose ties can be broken in several ways. */
export const WITH_TIES = ['uniform', 'greedy', 'astar', 'wastar'];
/** The algorithms with a depth limit. */
export const WITH_DEPTH = ['bfs', 'dfs', 'iddfs'];
/** The algorithms that can test children when they are generated. */
export const WITH_GOAL_TEST = ['bfs', 'dfs', ...WITH_TIES];
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
export const GOAL_TESTS = [['expansion', 'expansion'], ['generation', 'generation']];
export const DEPTHS = [['none', 'no limit'], ...['3', '5', '8', '10', '12', '15', '20', '30'].map((n) => [n, n])];
/** The time between two steps, in milliseconds. */
export const SPEEDS = [['2000', '0.5 ×'], ['1000', '1 ×'], ['500', '2 ×'], ['200', '5 ×'], ['50', '20 ×'], ['16', '60 ×']];
export const STEPS = ['30', '100', '300', '1000'].map((n) => [n, grouped(n)]);

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
