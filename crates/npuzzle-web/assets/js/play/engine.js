// The engine: the distance to the goal, the best moves, and the cost of every move that was made. It
// works for boards of up to 16 cells, whose exact distances the server finds quickly.

import { isAbort, post } from '../api.js';
import { choices } from '../choices.js';
import { find } from '../dom.js';
import { isSolvable } from '../model/goal.js';
import { writeMoves } from '../model/moves.js';
import { settings } from '../settings.js';
import { counted, grouped } from '../text.js';
import { showGraph } from './graph.js';

const MAX_CELLS = 16;
const MAX_MOVES = 2000;
/** The delay before a position is analyzed, so that positions during playback are skipped. */
const ANALYSE_DELAY_MS = 60;

export class Engine extends EventTarget {
  /** @param {import('../model/game.js').Game} game @param {import('../view/stage.js').Stage} stage */
  constructor(game, stage) {
    super();
    this.game = game;
    this.stage = stage;
    /** Analyses by board, for the current goal. @type {Map<string, any>} */
    this.analyses = new Map();
    /** The distance at each position of the line; null while unknown. @type {(number | null)[]} */
    this.distances = [];
    /** The loss of each slide of the line. @type {(number | null)[]} */
    this.losses = [];
    /** Why the losses are missing or incomplete. */
    this.problem = '';
    this.request = new AbortController();
    settings.bind(find('engine'), 'engine');
    settings.bind(find('marks'), 'marks');
    settings.watch(['engine', 'marks'], () => this.update());
    choices.watch(['metric'], () => {
      this.analyses.clear();
      this.update();
    });
    game.onChange(({ kind, tileMoves }) => {
      if (kind === 'load') this.analyses.clear();
      if (kind === 'seek') this.updatePosition();
      else this.update(kind === 'load' ? 0 : game.at - tileMoves.length + 1);
    });
  }

  get isOn() {
    return settings.get('engine') && this.fits;
  }

  get fits() {
    return this.game.board.nCells <= MAX_CELLS;
  }

  /** Returns the board, the goal and the metric as fields of a request. */
  position() {
    return { board: this.game.board.toString(), goal: this.game.goal.name, metric: choices.get('metric') };
  }

  /** Updates the whole line and the current position. The first `nSame` boards have not changed. */
  update(nSame = 0) {
    this.request.abort();
    this.request = new AbortController();
    this.distances = this.distances.slice(0, nSame);
    this.losses = [];
    this.problem = '';
    if (this.isOn) this.fetchLosses(this.request.signal).catch((error) => this.showProblem(error));
    this.updatePosition();
  }

  /** Updates the current position. */
  updatePosition() {
    this.stage.view.mark(new Map());
    this.show();
    if (!this.isOn) return;
    const { signal } = this.request;
    const board = this.game.board.toString();
    clearTimeout(this.timer);
    if (this.analyses.has(board)) this.show();
    else this.timer = setTimeout(() => this.analyse(signal).catch((error) => this.showProblem(error)), ANALYSE_DELAY_MS);
  }

  /** Returns the analysis of the current position. It is computed unless it is known. */
  async analyse(signal, time_ms) {
    const position = this.position();
    const known = this.analyses.get(position.board);
    if (known) return known;
    const analysis = await post('analyse', { ...position, time_ms }, signal);
    // An analysis that a limit has stopped may be complete the next time.
    if (!analysis.limit_hit) this.analyses.set(position.board, analysis);
    this.show();
    return analysis;
  }

  async fetchLosses(signal) {
    const { start, goal, line, runsUpTo } = this.game;
    if (line.length === 0) return;
    if (line.length > MAX_MOVES) throw new RangeError(`Games of up to ${grouped(MAX_MOVES)} moves are analyzed.`);
    const metric = choices.get('metric');
    const { distances, losses, limit_hit: limit } = await post('losses',
      { board: start.toString(), goal: goal.name, metric, moves: writeMoves(line) }, signal);
    // In MTM the values belong to runs: to the positions between them, and to their last slides.
    const isRunEnd = (at) => runsUpTo[at] !== runsUpTo[at + 1];
    const bySlide = (atRun) => runsUpTo.map((run, at) => (isRunEnd(at) ? atRun[run] ?? null : null));
    this.distances = metric === 'mtm' ? bySlide(distances) : distances;
    this.losses = metric === 'mtm' ? bySlide([null, ...losses]).slice(1) : losses;
    if (limit) this.problem = `The ${limit} limit stopped the analysis of the moves.`;
    this.show();
    this.dispatchEvent(new Event('losses'));
  }

  /** The best moves in the current position, if they are known. */
  get best() {
    return (this.analyses.get(this.game.board.toString())?.moves ?? []).filter((move) => move.best);
  }

  markBest(moves = this.best) {
    this.game.attempt.isAssisted ||= moves.length > 0;
    this.stage.view.mark(new Map(moves.map(({ tile, slide }) => [tile, slide])));
  }

  show() {
    const { game } = this;
    const here = this.analyses.get(game.board.toString());
    const distance = game.isSolved ? 0 : here ? here.distance : this.distances[game.at];
    const isUnsolvable = here && !here.solvable;
    const box = find('distance');
    box.textContent = !this.isOn ? '–' : isUnsolvable ? '∞' : distance ?? '…';
    box.classList.toggle('waiting', typeof distance !== 'number');
    if (this.isOn && settings.get('marks') && here) this.markBest();
    if (here) this.distances[game.at] ??= here.distance;
    find('engine-body').hidden = !this.isOn && this.fits;
    find('engine-body').classList.toggle('too-large', !this.fits);
    find('engine').disabled = !this.fits;
    if (!this.fits) return showTooLarge();
    showGraph(this.distances, this.losses, game.at, game.line.length);
    find('losses').textContent = this.describeLosses();
  }

  /** Describes the losses of the moves that were made. */
  describeLosses() {
    const { game, losses, problem } = this;
    if (!isSolvable(game.board, game.goal)) return 'No moves lead to the goal.';
    if (game.at === 0) return 'Play to see the cost of every move.';
    if (problem || losses.length === 0) return problem || 'Computing the cost of every move…';
    const made = losses.slice(0, game.at).filter((loss) => loss > 0);
    const wasted = made.reduce((total, loss) => total + loss, 0);
    const nMoves = choices.get('metric') === 'mtm' ? game.mtm : game.stm;
    if (made.length > 0) return `${made.length} of ${counted(nMoves, 'move')} not optimal: ${counted(wasted, 'move')} wasted.`;
    return `${nMoves === 1 ? 'The move was' : `All ${grouped(nMoves)} moves were`} optimal.`;
  }

  showProblem(error) {
    if (isAbort(error)) return;
    this.problem = error.message;
    find('losses').textContent = error.message;
  }
}

function showTooLarge() {
  find('losses').textContent = `Boards of up to ${MAX_CELLS} cells are analyzed.`;
}
