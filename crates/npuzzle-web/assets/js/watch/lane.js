// One of the searches side by side: its options, its current step, its queue and its tree.

import { announce } from '../announce.js';
import { isAbort, post } from '../api.js';
import { partsOf } from '../choices.js';
import { draw, labeledSelect, make } from '../dom.js';
import { writeMoves } from '../model/moves.js';
import { TIES, TRACED, TRACED_HEURISTICS } from '../names.js';
import { counted, grouped } from '../text.js';
import { miniBoard } from '../view/mini.js';
import { nextInQueue, nextInTree } from './navigate.js';
import { linesAt, linesOf } from './pseudocode.js';
import { Trace } from './trace.js';
import { drawTree } from './tree.js';

/** The maximum number of rows of the queue that are shown. */
const MAX_ROWS = 30;
const ENDINGS = {
  goal: (steps) => `Goal reached after ${steps}.`,
  exhausted: (steps) => `The queue is empty after ${steps}: no solution.`,
  cut: (steps) => `Not finished after ${steps}.`,
};

export class Lane extends EventTarget {
  /** @param {string} packed algorithm, heuristic and tie-break: `astar.manhattan.lifo` */
  constructor(packed, name) {
    super();
    const [algorithm, heuristic, ties] = partsOf(packed);
    const choice = { algorithm, heuristic, ties };
    this.choice = choice;
    /** @type {Trace | null} */
    this.trace = null;
    this.request = new AbortController();
    const choose = (field) => (value) => {
      this.choice[field] = value;
      this.dispatchEvent(new Event('choice'));
    };
    this.ties = labeledSelect('Tie-breaking', TIES, choice.ties, choose('ties'));
    this.parts = {
      figures: make('dl', { class: 'figures' }),
      verdict: make('p', { class: 'verdict', role: 'status' }),
      code: make('ol', { class: 'code', 'aria-label': 'Pseudo-code' }),
      chosen: make('div', { class: 'chosen' }),
      queueTitle: make('h3', {}, 'Queue'),
      queue: make('div', { class: 'queue', tabIndex: 0, role: 'region', 'aria-label': 'Queue' }),
      tree: make('div', { class: 'forest', tabIndex: 0, role: 'region', 'aria-label': 'Search tree' }),
    };
    const { figures, verdict, code, chosen, queueTitle, queue, tree } = this.parts;
    queue.addEventListener('keydown', (event) =>
      this.navigate(event, nextInQueue(this.trace?.open(this.at).slice(0, MAX_ROWS) ?? [], this.chosen, event.key)));
    tree.addEventListener('keydown', (event) =>
      this.navigate(event, nextInTree(this.trace?.tree(this.at) ?? [], this.chosen, event.key)));
    this.element = make('section', { class: 'card lane', 'aria-label': name },
      make('div', { class: 'pair' },
        labeledSelect('Algorithm', TRACED, choice.algorithm, choose('algorithm')),
        labeledSelect('Heuristic', TRACED_HEURISTICS, choice.heuristic, choose('heuristic')),
        this.ties),
      make('div', { class: 'now' }, chosen, figures), verdict,
      make('div', { class: 'halves' }, make('div', {}, make('h3', {}, 'Algorithm'), code),
        make('div', {}, queueTitle, queue)),
      make('div', { class: 'tree-head' }, make('h3', {}, 'Tree'), legend()), tree);
  }

  /** The options in the form that the constructor expects. */
  get packed() {
    const { algorithm, heuristic, ties } = this.choice;
    return [algorithm, heuristic, ties].join('.');
  }

  /** Loads the trace of a search from the server. */
  async load(board, goal, steps) {
    this.request.abort();
    this.request = new AbortController();
    const { algorithm, heuristic, ties } = this.choice;
    const hasTies = algorithm !== 'ida' && algorithm !== 'bfs';
    this.ties.hidden = !hasTies;
    try {
      const body = { board, goal, algorithm, heuristic, steps, ...(hasTies && { tie_break: ties }) };
      this.trace = new Trace(await post('trace', body, this.request.signal));
      this.showError('');
    } catch (error) {
      if (isAbort(error)) return;
      this.trace = null;
      this.showError(error.message);
    }
  }

  showError(text) {
    this.parts.verdict.textContent = text;
    this.parts.verdict.classList.toggle('bad', text !== '');
    this.element.classList.toggle('empty', this.trace === null);
  }

  get length() {
    return this.trace?.length ?? 0;
  }

  /** Shows the search after `nSteps` steps. */
  show(nSteps) {
    const { trace } = this;
    if (!trace) return;
    const at = Math.min(nSteps, trace.length);
    this.at = at;
    this.element.dataset.step = String(at);
    this.showFigures(trace, at);
    this.showCode(trace, at);
    this.showQueue(trace, at);
    this.showTree(trace, at);
    this.choose(trace.step(at)?.node ?? 0);
    const isOver = at === trace.length;
    const ending = ENDINGS[trace.end.ending] ?? ((steps) => `Stopped after ${steps}: ${trace.end.ending}.`);
    const moves = trace.end.solution ? ` Solution: ${counted(trace.end.solution.length - 1, 'move')}.` : '';
    this.parts.verdict.textContent = isOver ? ending(counted(trace.length, 'step')) + moves : '';
  }

  showFigures(trace, at) {
    const step = trace.step(at);
    const open = trace.open(at).length;
    const figures = trace.isDeepening
      ? [['Round', step?.round ?? 1], ['Bound', step?.bound ?? trace.nodes[0]?.h], ['On the path', open], ['Expanded', trace.nClosed(at)]]
      : [['Open', open], ['Closed', trace.nClosed(at)], ['Generated', trace.nGenerated(at)]];
    this.element.dataset.open = String(open);
    this.element.dataset.closed = String(trace.nClosed(at));
    const rows = [['Step', `${grouped(at)} / ${grouped(trace.length)}`], ...figures];
    this.parts.figures.replaceChildren(...rows.map(([name, value]) =>
      make('div', {}, make('dt', {}, name), make('dd', {}, typeof value === 'number' ? grouped(value) : value))));
  }

  showCode(trace, at) {
    const executed = linesAt(trace, at);
    const lines = linesOf(this.choice.algorithm).map((text, i) => {
      const code = text.replace(/^·+/, '');
      const line = make('li', { class: executed.includes(i) ? 'ran' : '', 'data-indent': text.length - code.length },
        make('code', {}, code));
      if (i === executed.at(-1)) line.setAttribute('aria-current', 'step');
      return line;
    });
    this.parts.code.replaceChildren(...lines);
  }

  showQueue(trace, at) {
    const open = trace.open(at);
    const pushed = new Set(trace.step(at)?.pushed ?? []);
    const title = trace.isDeepening ? 'Path' : 'Priority queue';
    this.parts.queueTitle.textContent = `${title} (${grouped(open.length)})`;
    const row = (number) => {
      const { node, board, g, h, f } = trace.nodes[number];
      const values = [`#${node}`, miniBoard(board), g, h, f];
      return make('tr', { class: pushed.has(number) ? 'fresh' : '', 'data-node': number, onclick: () => this.choose(number) },
        ...values.map((value) => make('td', {}, value instanceof Element ? value : String(value))));
    };
    const head = ['node', 'state', 'g', 'h', 'f'].map((name) => make('th', { scope: 'col' }, name));
    const more = open.length > MAX_ROWS ? [make('p', { class: 'note' }, `and ${grouped(open.length - MAX_ROWS)} more`)] : [];
    this.parts.queue.replaceChildren(make('table', {}, make('thead', {}, make('tr', {}, ...head)),
      make('tbody', {}, ...open.slice(0, MAX_ROWS).map(row))), ...more);
  }

  showTree(trace, at) {
    const { tree } = this.parts;
    const { svg, x, y } = drawTree(trace, at, (node) => this.choose(node));
    tree.replaceChildren(svg);
    tree.scrollLeft = nearest(tree.scrollLeft, x, tree.clientWidth);
    tree.scrollTop = nearest(tree.scrollTop, y, tree.clientHeight);
  }

  /** Selects a node and shows its state. */
  choose(number) {
    const node = this.trace?.nodes[number];
    if (!node) return;
    const path = [];
    for (let step = node; step?.slide; step = this.trace.nodes[step.parent]) path.unshift(step.slide);
    this.parts.chosen.replaceChildren(miniBoard(node.board), make('p', {},
      make('b', {}, `#${node.node}`), `  g ${node.g} · h ${node.h} · f ${node.f}`,
      make('br'), make('span', { class: 'note' }, path.length > 0 ? `path ${writeMoves(path)}` : 'start')));
    this.chosen = number;
    for (const box of this.element.querySelectorAll('[data-node]')) {
      box.classList.toggle('chosen', Number(box.dataset.node) === number);
    }
  }

  /** Selects the node that a key leads to, and announces it. */
  navigate(event, number) {
    if (number === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.choose(number);
    const { node, g, h, f, board } = this.trace.nodes[number];
    announce(`State ${node}, g ${g}, h ${h}, f ${f}: ${board}`);
    event.currentTarget.querySelector('.chosen')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
}

// Returns the scroll offset nearest to the current one that shows a point and its surroundings.
function nearest(scrolled, point, size) {
  const margin = Math.min(90, size / 2);
  return Math.max(Math.min(scrolled, point - margin), point + margin - size);
}

function legend() {
  const names = [['open', 'open'], ['expanded', 'expanded'], ['refused', 'pruned'], ['solution', 'solution']];
  return make('ul', { class: 'legend' }, ...names.map(([kind, name]) => make('li', {},
    draw('svg', { class: 'tree', width: 18, height: 14, 'aria-hidden': 'true' },
      draw('g', { class: `node ${kind}` }, draw('rect', { x: 1, y: 1, width: 16, height: 12, rx: 4 }))),
    name)));
}

