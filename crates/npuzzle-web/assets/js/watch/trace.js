// A traced search: its open nodes, expanded nodes and tree after each step.

/**
 * @typedef {{node: number, parent: number | null, slide: string | null, board: string, g: number, h: number, f: number}} Node
 * @typedef {{step: number, fate: string, node: number, before: number[], pushed: number[], refused: number[], after: number[], round?: number, bound?: number}} Step
 */

export class Trace {
  /** @param {{algorithm: string, nodes: Node[], steps: Step[], end: any}} record the server's response */
  constructor(record) {
    Object.assign(this, record);
    /** @type {Node[]} */
    this.nodes = record.nodes;
    /** @type {Step[]} */
    this.steps = record.steps.map((step) => ({ ...step, ...numbers(step) }));
    this.isDeepening = this.steps.some((step) => step.round !== undefined);
    this.nClosedAt = countExpanded(this.nodes, this.steps);
    this.nGeneratedAt = countGenerated(this.steps);
  }

  get length() {
    return this.steps.length;
  }

  /** The last step before a position; null at 0. */
  step(at) {
    return at > 0 ? this.steps[at - 1] : null;
  }

  /** The open nodes; for IDA*, the current path. */
  open(at) {
    const step = this.step(at);
    return step ? step.after : this.nodes.length > 0 ? [0] : [];
  }

  /** The number of expanded states; for IDA*, of the current round. */
  nClosed(at) {
    return this.nClosedAt[at];
  }

  /** The number of generated nodes, including pruned ones. */
  nGenerated(at) {
    return this.nGeneratedAt[at];
  }

  /** The nodes of the tree so far; for IDA*, those of the current round. @returns {Node[]} */
  tree(at) {
    const generated = this.nodes.slice(0, this.nGenerated(at));
    const round = this.step(at)?.round;
    if (round === undefined) return generated;
    const first = this.steps.find((step) => step.round === round).node;
    return generated.slice(first);
  }

  /** The fates of the nodes so far, by number. */
  fates(at) {
    const fates = new Map();
    for (const step of this.steps.slice(0, at)) {
      step.refused.forEach((node) => fates.set(node, 'refused'));
      step.pushed.forEach((node) => fates.set(node, 'open'));
      fates.set(step.node, step.fate);
    }
    if (at === this.length) this.end.solution?.forEach((node) => fates.set(node, 'solution'));
    return fates;
  }
}

// Replaces nodes in steps by their numbers.
function numbers({ node, before, pushed, refused, after }) {
  const number = (entry) => (typeof entry === 'number' ? entry : entry.node);
  return {
    node: number(node),
    before: (before ?? []).map(number),
    pushed: (pushed ?? []).map(number),
    refused: (refused ?? []).map(number),
    after: (after ?? []).map(number),
  };
}

// The closed list contains each state once. IDA* has none and may expand a state again.
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
  return [1, ...steps.map((step) => {
    generated = Math.max(generated, step.node + 1, ...step.pushed.map((n) => n + 1), ...step.refused.map((n) => n + 1));
    return generated;
  })];
}
