// Solving: a search that reports its progress and can be cancelled. Its solution replaces the moves
// after the current position.

import { isAbort, isStatic, solveWithEvents } from '../api.js';
import { choices } from '../choices.js';
import { fillSelect, find, make, setIcon } from '../dom.js';
import { applies, BLIND } from '../model/heuristics.js';
import { parseMoves } from '../model/moves.js';
import { ALGORITHMS, HEURISTICS } from '../names.js';
import { counted, grouped } from '../text.js';

/** Finds some solution of every board; used if the default search reaches a limit without one. */
const FALLBACK = { algorithm: 'construct', heuristic: undefined, optimal: undefined, time_ms: 1000 };

/** The largest boards that the WebAssembly module proves quickly. */
const MAX_STATIC_CELLS = 16;

/** The limits that stop a search, as adjectives. */
const LIMITS = { time: 'time', nodes: 'node', memory: 'memory' };

export class Solving {
  /** @param {import('../model/game.js').Game} game @param {import('./transport.js').Transport} transport */
  constructor(game, transport) {
    this.game = game;
    this.transport = transport;
    /** @type {AbortController | null} */
    this.job = null;
    fillSelect(find('algorithm'), [['', 'automatic'], ...ALGORITHMS]);
    fillSelect(find('heuristic'), [['', 'automatic'], ...HEURISTICS]);
    for (const name of ['algorithm', 'heuristic', 'metric', 'answer', 'limit']) choices.bind(find(name), name);
    find('solve').addEventListener('click', () => this.toggle());
    choices.watch(['answer'], () => this.showNative());
    choices.watch(['algorithm', 'heuristic'], () => this.showHeuristics());
    game.onChange(({ kind }) => {
      if (kind === 'load') {
        this.showNative();
        this.showHeuristics();
      }
      if (kind === 'load' || kind === 'play') {
        this.cancel();
        this.showVerdict('');
      }
    });
  }

  /** Names the command that solves large boards better than the module does. */
  showNative() {
    const { start, goal } = this.game;
    find('native').hidden = !isStatic || start.nCells <= MAX_STATIC_CELLS;
    if (find('native').hidden) return;
    const goalOption = goal.name === 'last' ? '' : ` --goal "${goal.name}"`;
    const optimal = choices.get('answer') === 'optimal' ? ' --optimal' : '';
    const board = start.nCells <= 36 ? `"${start}"` : 'board.txt';
    find('native').replaceChildren('The engine of this page uses one thread and small tables. The program npuzzle finds shorter '
      + 'solutions and proves 24-puzzles: ', make('code', {}, `npuzzle solve${optimal}${goalOption} ${board}`));
  }

  /** Disables the heuristics that the algorithm cannot use on this board. */
  showHeuristics() {
    const [algorithm, select] = [choices.get('algorithm'), find('heuristic')];
    for (const option of select.options) option.disabled = option.value !== '' && !applies(option.value, algorithm, this.game.board);
    select.value = this.heuristic ?? '';
    select.disabled = BLIND.includes(algorithm);
    select.title = select.disabled ? 'This algorithm does not use a heuristic.' : '';
  }

  /** The chosen heuristic; undefined if it is automatic or cannot be used. */
  get heuristic() {
    const name = choices.get('heuristic');
    return name && applies(name, choices.get('algorithm'), this.game.board) ? name : undefined;
  }

  toggle() {
    if (this.job) this.cancel('Cancelled.');
    else this.start();
  }

  cancel(verdict) {
    if (!this.job) return;
    this.job.abort();
    this.finish();
    if (verdict) this.showVerdict(verdict);
  }

  requestBody() {
    const value = (name) => choices.get(name) || undefined;
    const seconds = value('limit');
    return {
      board: this.game.board.toString(),
      goal: this.game.goal.name,
      algorithm: value('algorithm'),
      heuristic: this.heuristic,
      metric: value('metric'),
      optimal: choices.get('answer') === 'optimal' || undefined,
      time_ms: seconds && Number(seconds) * 1000,
    };
  }

  /** Removes time limits that exceed the server's. */
  limitTime(ms) {
    this.maxMs = ms;
    for (const option of [...find('limit').options]) if (Number(option.value) * 1000 > ms) option.remove();
    choices.watch(['limit'], () => { if (Number(choices.get('limit')) * 1000 > ms) choices.set('limit', ''); });
  }

  /** @param {object} overrides fields that replace those of the options */
  async start(overrides = {}) {
    const job = new AbortController();
    this.job = job;
    this.transport.pause();
    this.figures = {};
    this.startedAt = performance.now();
    this.hasNoSolution = false;
    this.showVerdict('');
    this.show(true);
    const from = this.game.at;
    const body = { ...this.requestBody(), ...overrides };
    // A search sends no progress while it computes a first solution.
    const clock = setInterval(() => this.showFigures({}), 1000);
    try {
      const report = await solveWithEvents(body, (event, data) => this.onEvent(event, data), job.signal);
      if (this.job === job) this.showReport(report, from, body);
    } catch (error) {
      if (!isAbort(error)) this.showVerdict(error.message, true);
      if (error.kind === 'network') this.offerRetry(overrides);
    } finally {
      clearInterval(clock);
    }
    if (this.job !== job) return;
    this.finish();
    if (this.hasNoSolution && !body.algorithm) this.start(FALLBACK);
  }

  finish() {
    this.job = null;
    this.show(false);
  }

  onEvent(event, data) {
    if (event === 'plan') this.showFigures({ engine: data.engine });
    if (event === 'progress') {
      this.showFigures({ nodes: data.nodes, bound: data.bound, building: data.building, ms: data.ms });
    }
    if (event === 'better') this.showFigures({ best: data.length, lower: data.lower_bound });
  }

  showFigures(figures) {
    Object.assign(this.figures, figures);
    const { engine, nodes, bound, building, best, lower, ms } = this.figures;
    const elapsed = Math.floor((performance.now() - this.startedAt) / 1000);
    const rows = [
      ['Search', engine],
      ['Time', elapsed >= 1 && `${elapsed} s`],
      ['Expanded', nodes !== undefined && grouped(nodes)],
      ['Per second', nodes && ms > 300 && grouped(Math.round(nodes / (ms / 1000)))],
      ['More than', typeof bound === 'number' && counted(bound, 'move')],
      ['Best so far', best !== undefined && counted(best, 'move')],
      ['At least', typeof lower === 'number' && counted(lower, 'move')],
    ];
    find('figures').replaceChildren(...rows.filter(([, value]) => value).map(([name, value]) =>
      make('div', {}, make('dt', {}, name), make('dd', {}, String(value)))));
    const bar = find('progress').querySelector('.bar');
    if (typeof building === 'number') {
      bar.setAttribute('aria-valuenow', String(Math.round(building * 100)));
      bar.style.setProperty('--share', `${building * 100}%`);
    } else {
      bar.removeAttribute('aria-valuenow');
    }
  }

  showReport(report, from, body) {
    if (report.status === 'unsolvable') this.showVerdict(`This board has no solution: ${report.reason.replace(/^unsolvable: /, '')}.`, true);
    else if (typeof report.solution === 'string') {
      this.game.seek(from);
      this.game.setAhead(parseMoves(report.solution));
      this.showVerdict(verdictOf(report, this.reasonOf(report, body)));
      this.transport.run();
    } else {
      this.hasNoSolution = true;
      const bound = report.lower_bound ? ` Every solution has at least ${counted(report.lower_bound, 'move')}.` : '';
      const reason = this.reasonOf(report, { ...body, optimal: true }) || 'the search was stopped';
      this.showVerdict(`No solution yet: ${reason}.${bound}`);
    }
  }

  /** Says what stopped a proof. Other searches always use all of their time. */
  reasonOf({ limit_hit: limit }, { optimal, time_ms: ms = this.maxMs }) {
    if (limit === 'interrupted') return 'the server has ended the search';
    const value = limit === 'time' && ms ? ` of ${grouped(ms / 1000)} s` : '';
    return optimal && LIMITS[limit] && `the ${LIMITS[limit]} limit${value} was reached`;
  }

  show(isSearching) {
    find('progress').hidden = !isSearching;
    find('figures').replaceChildren();
    find('solve').querySelector('span').textContent = isSearching ? 'Cancel' : 'Solve';
    setIcon(find('solve'), isSearching ? 'stop' : 'solve');
  }

  /** Offers to repeat a search whose connection was lost. */
  offerRetry(overrides) {
    const button = make('button', { type: 'button', id: 'retry', onclick: () => this.start(overrides) }, 'Try again');
    find('verdict').append(' ', button);
  }

  showVerdict(text, isBad = false) {
    find('verdict').textContent = text;
    find('verdict').classList.toggle('bad', isBad);
  }
}

/** @param {string} [reason] what stopped a proof */
function verdictOf({ moves_stm: stm, moves_mtm: mtm, optimal, lower_bound: bound, expanded, ms }, reason) {
  const doubt = reason ? `not proved: ${reason}` : !bound && 'not proved optimal';
  const proof = optimal ? 'proved optimal' : [doubt, bound && `lower bound ${grouped(bound)}`].filter(Boolean).join(', ');
  const time = ms < 1000 ? `${ms < 10 ? Number(ms).toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
  return `${counted(stm, 'move')} (${grouped(mtm)} MTM), ${proof}. ${counted(expanded ?? 0, 'state')} expanded in ${time}.`;
}
