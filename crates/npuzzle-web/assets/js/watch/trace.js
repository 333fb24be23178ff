// A traced search: its open nodes, expanded nodes and tree after each step.

/**
 * @typedef {{node: number, parent: number | null, slide: string | null, board: string, g: number, h: number, f: number}} Node
 * @typedef {{step: number, fate: string, node: number, pushed: number[], refused: number[], goal?: number, after: number[], round?: number, bound?: number}} Step
 */

/** Searches in rounds, which store only their current path. */
const DEEPENING = ['ida', 'iddfs'];

export class Trace {
  /** @param {{algorithm: string, nodes: Node[], steps: Step[], end: any}} record the server's response */
  constructor(record) {
    Object.assign(this, record);
    /** @type {Node[]} */
    this.nodes = record.nodes;
    /** @type {Step[]} */
    this.steps = record.steps;
    this.isDeepening = DEEPENING.includes(record.algorithm);
    this.isUnsolvable = record.end.ending === 'unsolvable';
    this.onSolution = new Set(record.end.solution ?? []);
    this.nClosedAt = countExpanded(this.nodes, this.steps);
    this.nGeneratedAt = countGenerated(this.steps);
    /** The step, from 1, at which each node left the queue, and what happened to it. */
    this.leftAt = new Map(this.steps.map(({ node, fate }, i) => [node, [i + 1, fate]]));
    this.refused = new Set(this.steps.flatMap((step) => step.refused));
    /** The first node of each round; IDA* starts each round with a new tree. */
    this.roots = new Map();
    for (const { round, node } of this.steps) if (!this.roots.has(round)) this.roots.set(round, node);
  }

  get length() {
    return this.steps.length;
  }

  /** The last step before a position; null at 0. */
  step(at) {
    return at > 0 ? this.steps[at - 1] : null;
  }

  /** The open nodes; for iterative deepening, the current path. */
  open(at) {
    const step = this.step(at);
    return step ? step.after : this.nodes.length > 0 ? [0] : [];
  }

  /** The number of expanded states; for iterative deepening, of the current round. */
  nClosed(at) {
    return this.nClosedAt[at];
  }

  /** The number of generated nodes, including pruned ones. */
  nGenerated(at) {
    return this.nGeneratedAt[at];
  }

  /** The first node of the tree, and the end of its nodes; for iterative deepening, of the current round. */
  treeRange(at) {
    return [this.roots.get(this.step(at)?.round) ?? 0, Math.min(this.nGenerated(at), this.nodes.length)];
  }

  /** The nodes of the tree so far. @returns {Node[]} */
  tree(at) {
    return this.nodes.slice(...this.treeRange(at));
  }

  /** What has happened to a node so far. */
  fate(node, at) {
    if (at === this.length && this.onSolution.has(node)) return 'solution';
    const [step, fate] = this.leftAt.get(node) ?? [Infinity, ''];
    if (step <= at) return fate;
    return this.refused.has(node) ? 'refused' : 'open';
  }
}

// The closed list contains each state once. Iterative deepening has none and may expand a state again.
function countExpanded(nodes, steps) {
  const seen = new Set();
  let round;
  return [0, ...steps.map((step) => {
    if (step.round !== round) seen.clear();
    round = step.round;
    if (step.fate === 'expanded') seen.add(round === undefined ? nodes[step.node].board : step.node);
    return seen.size;
  })];
}

function countGenerated(steps) {
  let generated = 1;
  return [1, ...steps.map(({ node, pushed, refused, goal }) => {
    generated = Math.max(generated, 1 + Math.max(node, goal ?? 0, ...pushed, ...refused));
    return generated;
  })];
}
