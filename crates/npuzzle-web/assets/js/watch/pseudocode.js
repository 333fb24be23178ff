// The pseudo-code of the algorithms, and the lines that a step executes. A leading dot is one level of
// indentation.

const KEYS = {
  astar: 'f = g + h', wastar: 'f = g + ⌊w·h⌋', greedy: 'f = h', uniform: 'f = g', bfs: 'f = g',
};

const bestFirst = (key) => [
  'open ← { start }, closed ← ∅',
  'while open is not empty',
  `·n ← remove the smallest ${key} from open`,
  '·if n is the goal: return the path to n',
  '·if n is in closed: continue',
  '·add n to closed',
  '·for each neighbor m of n',
  '··if m is in closed: skip it',
  '··else add m to open, g(m) = g(n) + 1',
  'return no solution',
];

const DEEPENING = [
  'bound ← h(start)',
  'repeat',
  '·next ← ∞, search(start)',
  '·bound ← next',
  'search(n):',
  '·if g + h > bound: next ← min(next, g + h), return',
  '·if n is the goal: return the path to n',
  '·for each neighbor m of n except its parent',
  '··search(m) with g(m) = g(n) + 1',
];

/** @returns {string[]} */
export const linesOf = (algorithm) => (algorithm === 'ida' ? DEEPENING : bestFirst(KEYS[algorithm]));

/**
 * Returns the lines that a step executes, counted from 0; the last one is where it ends.
 * @param {import('./trace.js').Trace} trace
 */
export function linesAt(trace, at) {
  const step = trace.step(at);
  if (trace.isDeepening) return deepeningLines(trace, at, step);
  if (!step) return [0];
  if (step.fate === 'goal') return [1, 2, 3];
  if (step.fate === 'duplicate') return [1, 2, 4];
  const isOver = at === trace.length && trace.end.ending === 'exhausted';
  const lines = [1, 2, 5, 6, ...(step.refused.length > 0 ? [7] : []), ...(step.pushed.length > 0 ? [8] : [])];
  return isOver ? [...lines, 9] : lines;
}

function deepeningLines(trace, at, step) {
  if (!step) return [0];
  const isNewRound = trace.step(at - 1)?.round !== step.round;
  const start = isNewRound ? [...(step.round > 1 ? [3] : []), 1, 2] : [];
  const end = { cut: [5], goal: [6], expanded: [7, 8] }[step.fate] ?? [4];
  return [...start, ...end];
}
