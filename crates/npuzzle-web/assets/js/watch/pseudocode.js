// The pseudo-code of the algorithms, and the lines that a step executes. A line is a name and a text; a leading
// dot in the text is one level of indentation.

const KEYS = { astar: 'f = g + h', wastar: 'f = g + ⌊w·h⌋', greedy: 'f = h', uniform: 'f = g' };

/** The container of the open nodes: how it is created, and how nodes leave and enter it. */
const CONTAINERS = {
  bfs: ['queue', 'remove the first of the queue', 'append m to the queue'],
  dfs: ['stack', 'pop the stack', 'push m onto the stack'],
};
const priorityQueue = (key) => ['open', `remove the smallest ${key}`, 'add m to open'];

/** Searches in which a state may be reached again by a shorter path. */
const REOPENING = ['astar', 'wastar', 'dfs'];

function queueSearch({ algorithm, goal_test: goalTest, depth_limit: limit }) {
  const [container, remove, add] = CONTAINERS[algorithm] ?? priorityQueue(KEYS[algorithm]);
  const inClosed = REOPENING.includes(algorithm) ? 'is in closed, g not smaller' : 'is in closed';
  const isEarly = goalTest === 'generation';
  return [
    isEarly && ['goal', 'if start is the goal: return it'],
    ['start', `${container} ← { start }, closed ← ∅`],
    ['while', `while ${container} is not empty`],
    ['remove', `·n ← ${remove}`],
    ['duplicate', `·if n ${inClosed}: continue`],
    !isEarly && ['goal', '·if n is the goal: return its path'],
    limit !== null && ['cut', `·if g(n) = ${limit} (depth limit): continue`],
    ['close', '·add n to closed'],
    ['neighbors', '·for each neighbor m except the parent'],
    isEarly && ['child-goal', '··if m is the goal: return its path'],
    ['refuse', `··if m ${inClosed}: skip`],
    ['add', `··g(m) ← g(n) + 1, ${add}`],
    ['fail', limit === null ? 'return no solution' : `return no solution up to depth ${limit}`],
  ].filter(Boolean);
}

function deepening({ algorithm, depth_limit: limit }) {
  const isBlind = algorithm === 'iddfs';
  return [
    ['start', isBlind ? 'limit ← 0' : 'bound ← h(start)'],
    ['repeat', 'repeat'],
    ['round', isBlind ? '·search(start)' : '·next ← ∞, search(start)'],
    limit !== null && ['fail', `·if limit = ${limit}: return no solution up to this depth`],
    ['deepen', isBlind ? '·limit ← limit + 1' : '·bound ← next'],
    ['search', 'search(n):'],
    ['cut', isBlind ? '·if g(n) > limit: return' : '·if g + h > bound: next ← min(next, g + h), return'],
    ['goal', '·if n is the goal: return its path'],
    ['neighbors', '·for each neighbor m except the parent'],
    ['add', '··search(m) with g(m) = g(n) + 1'],
  ].filter(Boolean);
}

/**
 * Returns the lines of a traced search.
 * @param {import('./trace.js').Trace} trace
 * @returns {[string, string][]}
 */
export const linesOf = (trace) => (trace.isDeepening ? deepening(trace) : queueSearch(trace));

/**
 * Returns the names of the lines that a step executes; the last one is where it ends.
 * @param {import('./trace.js').Trace} trace
 */
export function linesAt(trace, at) {
  const step = trace.step(at);
  if (!step) return ['start'];
  const lines = trace.isDeepening ? deepeningLines(trace, at, step) : queueLines(step);
  const isOver = at === trace.length && trace.end.ending === 'exhausted';
  return isOver ? [...lines, 'fail'] : lines;
}

function queueLines(step) {
  const lines = ['while', 'remove'];
  if (step.fate !== 'expanded') return [...lines, step.fate];
  lines.push('close', 'neighbors');
  if (step.refused.length > 0) lines.push('refuse');
  if (step.pushed.length > 0) lines.push('add');
  return step.goal === undefined ? lines : [...lines, 'child-goal'];
}

function deepeningLines(trace, at, step) {
  const isNewRound = trace.step(at - 1)?.round !== step.round;
  const start = isNewRound ? [...(step.round > 1 ? ['deepen'] : []), 'repeat', 'round'] : [];
  return [...start, 'search', ...(step.fate === 'expanded' ? ['neighbors', 'add'] : [step.fate])];
}
