// A traced search at some step: what waits, what was expanded, what is there of the tree.

/**
 * @typedef {{node: number, parent: number | null, slide: string | null, board: string, g: number, h: number, f: number}} Node
 * @typedef {{step: number, fate: string, node: number, before: number[], pushed: number[], refused: number[], after: number[], round?: number, bound?: number}} Step
 */

export class Trace {
  /** @param {{algorithm: string, nodes: Node[], steps: Step[], end: any}} answer the server's */
  constructor(answer) {
    Object.assign(this, answer);
    /** @type {Node[]} */
    this.nodes = answer.nodes;
    /** @type {Step[]} */
    this.steps = answer.steps.map((step) => ({ ...step, ...numbers(step) }));
    this.isDeepening = this.steps.some((step) => step.round !== undefined);
    this.closedUpTo = countExpanded(this.nodes, this.steps);
    this.madeUpTo = countMade(this.steps);
  }

  get length() {
    return this.steps.length;
  }

  /** The step that was made last, none at 0. */
  step(at) {
    return at > 0 ? this.steps[at - 1] : null;
  }

  /** The nodes that wait; of IDA*, the path that it remembers. */
  open(at) {
    const step = this.step(at);
    return step ? step.after : this.nodes.length > 0 ? [0] : [];
  }

  /** How many states were expanded; of IDA*, in this round. */
  nClosed(at) {
    return this.closedUpTo[at];
  }

  /** How many nodes have been made, refused ones too. */
  nMade(at) {
    return this.madeUpTo[at];
  }

  /** The nodes of the tree so far; of IDA*, those of the round. @returns {Node[]} */
  tree(at) {
    const made = this.nodes.slice(0, this.nMade(at));
    const round = this.step(at)?.round;
    if (round === undefined) return made;
    const first = this.steps.find((step) => step.round === round).node;
    return made.slice(first);
  }

  /** What has become of the nodes so far, by number. */
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

// Steps name nodes by number, also where they carry them whole.
function numbers({ node, before, pushed, refused, after }) {
  const number = (one) => (typeof one === 'number' ? one : one.node);
  return {
    node: number(node),
    before: (before ?? []).map(number),
    pushed: (pushed ?? []).map(number),
    refused: (refused ?? []).map(number),
    after: (after ?? []).map(number),
  };
}

// A closed list has every state once; IDA*, which has none, expands some again.
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

function countMade(steps) {
  let made = 1;
  return [1, ...steps.map((step) => {
    made = Math.max(made, step.node + 1, ...step.pushed.map((n) => n + 1), ...step.refused.map((n) => n + 1));
    return made;
  })];
}
