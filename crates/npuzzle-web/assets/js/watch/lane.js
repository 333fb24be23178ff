// One of the searches side by side: its options, its current step, its queue and its tree.

import { announce } from '../announce.js';
import { isAbort, post } from '../api.js';
import { partsOf } from '../choices.js';
import { draw, fillSelect, labeledSelect, make } from '../dom.js';
import { applies, BLIND } from '../model/heuristics.js';
import { writeMoves } from '../model/moves.js';
import {
  DEPTHS, GOAL_TESTS, TIES, TRACED, TRACED_HEURISTICS, WITH_DEPTH, WITH_GOAL_TEST, WITH_TIES,
} from '../names.js';
import { counted, grouped } from '../text.js';
import { miniBoard } from '../view/mini.js';
import { nextInQueue, nextInTree } from './navigate.js';
import { linesAt, linesOf } from './pseudocode.js';
import { Trace } from './trace.js';
import { TreeView } from './tree.js';

/** The maximum number of rows of the queue that are shown. */
const MAX_ROWS = 30;
/** The depth limit of depth-first search. */
const DEFAULT_DEPTH = '20';
const ENDINGS = {
  goal: (steps) => `Goal reached after ${steps}.`,
  exhausted: (steps) => `No solution within the depth limit, after ${steps}.`,
  cut: (steps) => `Not finished after ${steps}, the limit.`,
};

export class Lane extends EventTarget {
  /** @param {string} packed algorithm, heuristic, tie-break, goal test, depth limit: `astar.manhattan.lifo` */
  constructor(packed, name) {
    super();
    const [algorithm, heuristic, ties, goalTest = 'expansion', depth = 'none'] = partsOf(packed);
    const choice = { algorithm, heuristic, ties, goalTest, depth };
    this.choice = choice;
    /** @type {Trace | null} */
    this.trace = null;
    /** @type {Map<number, Element>} the rows of the queue */
    this.rows = new Map();
    this.request = new AbortController();
    const select = (text, options, field) => labeledSelect(text, options, choice[field], (value) => {
      this.choice[field] = value;
      if (field === 'algorithm') this.choice.depth = value === 'dfs' ? DEFAULT_DEPTH : 'none';
      this.showOptions();
      this.dispatchEvent(new Event('choice'));
    });
    this.options = {
      heuristic: select('Heuristic', TRACED_HEURISTICS, 'heuristic'),
      ties: select('Ties', TIES, 'ties'),
      goalTest: select('Goal test', GOAL_TESTS, 'goalTest'),
      depth: select('Depth limit', DEPTHS, 'depth'),
    };
    this.parts = {
      figures: make('dl', { class: 'figures' }),
      verdict: make('p', { class: 'verdict', role: 'status' }),
      code: make('ol', { class: 'code', 'aria-label': 'Pseudo-code', tabIndex: 0 }),
      chosen: make('div', { class: 'chosen' }),
      queueTitle: make('h3', {}, 'Queue'),
      queue: make('div', { class: 'queue', tabIndex: 0, role: 'region', 'aria-label': 'Queue' }),
    };
    this.tree = new TreeView((node) => this.choose(node));
    const { figures, verdict, code, chosen, queueTitle, queue } = this.parts;
    queue.addEventListener('keydown', (event) =>
      this.navigate(event, nextInQueue(this.trace?.open(this.at).slice(0, MAX_ROWS) ?? [], this.chosen, event.key)));
    this.tree.host.addEventListener('keydown', (event) =>
      this.navigate(event, nextInTree(this.trace?.tree(this.at) ?? [], this.chosen, event.key)));
    this.element = make('section', { class: 'card lane', 'aria-label': name },
      make('div', { class: 'lane-head' },
        make('div', { class: 'lane-options' }, select('Algorithm', TRACED, 'algorithm'), ...Object.values(this.options)),
        make('div', { class: 'now' }, chosen, figures)),
      make('div', { class: 'panes' },
        make('div', { class: 'pane code-pane' }, make('h3', {}, 'Pseudo-code'), code, verdict),
        make('div', { class: 'pane queue-pane' }, queueTitle, queue),
        make('div', { class: 'pane tree-pane' }, make('div', { class: 'tree-head' }, make('h3', {}, 'Tree'), legend()),
          this.tree.element)));
    this.showOptions();
  }

  /** The options in the form that the constructor expects. */
  get packed() {
    const { algorithm, heuristic, ties, goalTest, depth } = this.choice;
    const isDefault = goalTest === 'expansion' && depth === 'none';
    return [algorithm, heuristic, ties, ...(isDefault ? [] : [goalTest, depth])].join('.');
  }

  /** Shows the options that the algorithm has. */
  showOptions() {
    const { algorithm } = this.choice;
    const { heuristic, ties, goalTest, depth } = this.options;
    const isBlind = BLIND.includes(algorithm);
    heuristic.querySelector('select').disabled = isBlind;
    heuristic.title = isBlind ? 'This search does not use a heuristic.' : '';
    ties.hidden = !WITH_TIES.includes(algorithm);
    goalTest.hidden = !WITH_GOAL_TEST.includes(algorithm);
    depth.hidden = !WITH_DEPTH.includes(algorithm);
    // Depth-first search always has a limit.
    const isLimited = algorithm === 'dfs';
    if (isLimited && this.choice.depth === 'none') this.choice.depth = DEFAULT_DEPTH;
    const select = depth.querySelector('select');
    fillSelect(select, DEPTHS.filter(([value]) => !isLimited || value !== 'none'));
    select.value = this.choice.depth;
  }

  /**
   * Loads the trace of a search from the server.
   * @param {import('../model/board.js').Board} board
   */
  async load(board, goal, steps) {
    this.request.abort();
    this.request = new AbortController();
    const { algorithm, heuristic, ties, goalTest, depth } = this.choice;
    for (const option of this.options.heuristic.querySelector('select').options) {
      option.disabled = !applies(option.value, '', board);
    }
    try {
      const body = {
        board: board.toString(), goal, algorithm, heuristic, steps,
        ...(WITH_TIES.includes(algorithm) && { tie_break: ties }),
        ...(WITH_GOAL_TEST.includes(algorithm) && { goal_test: goalTest }),
        ...(WITH_DEPTH.includes(algorithm) && depth !== 'none' && { depth_limit: Number(depth) }),
      };
      const trace = new Trace(await post('trace', body, this.request.signal));
      this.tree.reset();
      this.rows.clear();
      this.trace = trace.isUnsolvable ? null : trace;
      if (trace.isUnsolvable) return this.showError('Unsolvable: no search can reach the goal from this board.');
      this.showError('');
    } catch (error) {
      if (isAbort(error)) return;
      this.trace = null;
      this.showError(error.message);
    }
  }

  /** Shows why there is no search. */
  refuse(text) {
    this.request.abort();
    this.trace = null;
    this.showError(text);
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
    this.chosen = undefined;
    this.tree.chosen = undefined;
    this.tree.show(trace, at);
    this.choose(trace.step(at)?.node ?? 0);
    const isOver = at === trace.length;
    const ending = ENDINGS[trace.end.ending] ?? ((steps) => `Stopped after ${steps}: ${trace.end.ending}.`);
    const moves = trace.end.solution ? ` Solution: ${counted(trace.end.solution.length - 1, 'move')}.` : '';
    this.parts.verdict.textContent = isOver ? ending(counted(trace.length, 'step')) + moves : '';
  }

  showFigures(trace, at) {
    const step = trace.step(at);
    const open = trace.open(at).length;
    const bound = trace.algorithm === 'iddfs' ? 'Limit' : 'Bound';
    const figures = trace.isDeepening
      ? [['Round', step?.round ?? 1], [bound, step?.bound ?? trace.end.rounds?.[0]?.bound ?? 0], ['On the path', open], ['Expanded', trace.nClosed(at)]]
      : [['Open', open], ['Closed', trace.nClosed(at)], ['Generated', trace.nGenerated(at)]];
    this.element.dataset.open = String(open);
    this.element.dataset.closed = String(trace.nClosed(at));
    const rows = [['Step', `${grouped(at)} / ${grouped(trace.length)}`], ...figures];
    this.parts.figures.replaceChildren(...rows.map(([name, value]) =>
      make('div', {}, make('dt', {}, name), make('dd', {}, typeof value === 'number' ? grouped(value) : value))));
  }

  showCode(trace, at) {
    const executed = linesAt(trace, at);
    const lines = linesOf(trace).map(([name, text]) => {
      const code = text.replace(/^·+/, '');
      const line = make('li', { class: executed.includes(name) ? 'ran' : '', 'data-indent': text.length - code.length },
        make('code', {}, code));
      if (name === executed.at(-1)) line.setAttribute('aria-current', 'step');
      return line;
    });
    const { code: list } = this.parts;
    list.replaceChildren(...lines);
    const current = list.querySelector('[aria-current]');
    if (current) list.scrollTop = Math.max(current.offsetTop + current.offsetHeight - list.clientHeight, Math.min(list.scrollTop, current.offsetTop));
  }

  showQueue(trace, at) {
    const open = trace.open(at);
    const pushed = new Set(trace.step(at)?.pushed ?? []);
    const title = trace.isDeepening ? 'Path' : { bfs: 'Queue', dfs: 'Stack' }[trace.algorithm] ?? 'Priority queue';
    const hasKeys = !BLIND.includes(trace.algorithm);
    this.parts.queueTitle.textContent = `${title} (${grouped(open.length)})`;
    const makeRow = (number) => {
      const { node, board, g, h, f } = trace.nodes[number];
      const values = [`#${node}`, miniBoard(board), g, ...(hasKeys ? [h, f] : [])];
      return make('tr', { 'data-node': number, onclick: () => this.choose(number) },
        ...values.map((value) => make('td', {}, value instanceof Element ? value : String(value))));
    };
    // Most rows stay in the queue from one step to the next.
    const rows = new Map(open.slice(0, MAX_ROWS).map((number) => [number, this.rows.get(number) ?? makeRow(number)]));
    rows.forEach((row, number) => { row.className = pushed.has(number) ? 'fresh' : ''; });
    this.rows = rows;
    const head = ['node', 'state', 'g', ...(hasKeys ? ['h', 'f'] : [])].map((name) => make('th', { scope: 'col' }, name));
    const more = open.length > MAX_ROWS ? [make('p', { class: 'note' }, `and ${grouped(open.length - MAX_ROWS)} more`)] : [];
    this.parts.queue.replaceChildren(make('table', {}, make('thead', {}, make('tr', {}, ...head)),
      make('tbody', {}, ...rows.values())), ...more);
  }

  /** Selects a node and shows its state. */
  choose(number) {
    const node = this.trace?.nodes[number];
    if (!node) return;
    const path = [];
    for (let step = node; step?.slide; step = this.trace.nodes[step.parent]) path.unshift(step.slide);
    this.parts.chosen.replaceChildren(miniBoard(node.board), make('p', {},
      make('b', {}, `#${node.node}`), BLIND.includes(this.trace.algorithm) ? `  g ${node.g}` : `  g ${node.g} · h ${node.h} · f ${node.f}`,
      make('br'), make('span', { class: 'note' }, path.length > 0 ? `path ${writeMoves(path)}` : 'start')));
    if (this.chosen !== undefined || number !== this.tree.current) this.tree.choose(number);
    this.chosen = number;
    for (const row of this.parts.queue.querySelectorAll('[data-node]')) {
      row.classList.toggle('chosen', Number(row.dataset.node) === number);
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

function legend() {
  const names = [['open', 'open'], ['expanded', 'expanded'], ['refused', 'pruned'], ['solution', 'solution']];
  return make('ul', { class: 'legend' }, ...names.map(([kind, name]) => make('li', {},
    draw('svg', { class: 'tree', width: 18, height: 14, 'aria-hidden': 'true' },
      draw('g', { class: `node ${kind}` }, draw('rect', { class: 'box', x: 1, y: 1, width: 16, height: 12, rx: 4 }))),
    name)));
}

