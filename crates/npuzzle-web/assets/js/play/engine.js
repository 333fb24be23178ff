// The engine: how far the goal is from here, which moves are best, and what every move has cost.
// Boards of up to 16 cells are known exactly.

import { ask, isAbort } from '../api.js';
import { find } from '../dom.js';
import { writeMoves } from '../model/moves.js';
import { settings } from '../settings.js';
import { showGraph } from './graph.js';

const MAX_CELLS = 16;
const MAX_MOVES = 2000;

export class Engine extends EventTarget {
  /** @param {import('../model/game.js').Game} game @param {import('../view/stage.js').Stage} stage */
  constructor(game, stage) {
    super();
    this.game = game;
    this.stage = stage;
    /** Distances by board, of this goal. @type {Map<string, any>} */
    this.known = new Map();
    /** Distances along the line; null where not known yet. @type {(number | null)[]} */
    this.distances = [];
    /** @type {(number | null)[]} */
    this.losses = [];
    this.asking = new AbortController();
    settings.bind(find('engine'), 'engine');
    settings.bind(find('marks'), 'marks');
    settings.watch(['engine', 'marks'], () => this.look());
    game.onChange(({ kind, steps }) => {
      if (kind === 'load') this.known.clear();
      if (kind === 'seek') this.lookHere();
      else this.look(kind === 'load' ? 0 : game.at - steps.length + 1);
    });
  }

  get isOn() {
    return settings.get('engine') && this.fits;
  }

  get fits() {
    return this.game.board.nCells <= MAX_CELLS;
  }

  question() {
    return { board: this.game.board.toString(), goal: this.game.goal.name };
  }

  /** The position and the whole line, of which so many boards are as they were. */
  look(nSame = 0) {
    this.asking.abort();
    this.asking = new AbortController();
    this.distances = this.distances.slice(0, nSame);
    this.losses = [];
    if (this.isOn) this.lookAtLine(this.asking.signal).catch(ignoreAborts);
    this.lookHere();
  }

  /** What is best here. */
  lookHere() {
    this.stage.view.mark(new Map());
    this.show();
    if (!this.isOn) return;
    const { signal } = this.asking;
    const board = this.game.board.toString();
    // While moves are played the line's distances will do.
    clearTimeout(this.timer);
    if (this.known.has(board)) this.show();
    else this.timer = setTimeout(() => this.analyse(signal).catch(ignoreAborts), 60);
  }

  /** Asks about the position, unless it is known. */
  async analyse(signal) {
    const question = this.question();
    if (!this.known.has(question.board)) {
      this.known.set(question.board, await ask('analyse', question, signal));
    }
    this.show();
    return this.known.get(question.board);
  }

  async lookAtLine(signal) {
    const { start, goal, line } = this.game;
    if (line.length === 0 || line.length > MAX_MOVES) return;
    const answer = await ask('losses',
      { board: start.toString(), goal: goal.name, moves: writeMoves(line) }, signal);
    this.distances = answer.distances;
    this.losses = answer.losses;
    this.show();
    this.dispatchEvent(new Event('losses'));
  }

  /** The best slides from here, if they are known. */
  get best() {
    return (this.known.get(this.game.board.toString())?.moves ?? []).filter((move) => move.best);
  }

  markBest(moves = this.best) {
    this.stage.view.mark(new Map(moves.map(({ tile, slide }) => [tile, slide])));
  }

  show() {
    const { game } = this;
    const here = this.known.get(game.board.toString());
    const distance = game.isSolved ? 0 : here ? here.distance : this.distances[game.at];
    const isUnsolvable = here && !here.solvable;
    const box = find('distance');
    box.textContent = !this.isOn ? '–' : isUnsolvable ? 'never' : distance ?? '…';
    box.classList.toggle('waiting', typeof distance !== 'number');
    if (this.isOn && settings.get('marks') && here) this.markBest();
    if (here) this.distances[game.at] ??= here.distance;
    find('engine-body').hidden = !this.isOn && this.fits;
    find('engine-body').classList.toggle('too-large', !this.fits);
    find('engine').disabled = !this.fits;
    if (!this.fits) return tooLarge();
    showGraph(this.distances, this.losses, game.at, game.line.length);
    showLosses(this.losses, game.at);
  }
}

function tooLarge() {
  find('losses').textContent = `Boards of up to ${MAX_CELLS} cells are known exactly; this one is larger.`;
}

function showLosses(losses, at) {
  const made = losses.slice(0, at);
  const lost = made.filter((loss) => loss > 0).length;
  const sum = made.reduce((total, loss) => total + (loss ?? 0), 0);
  find('losses').textContent = made.length === 0
    ? 'Play, and see what every move costs.'
    : lost === 0 ? `All ${made.length} moves were best.`
      : `${lost} of ${made.length} moves led away: ${sum} lost.`;
}

function ignoreAborts(error) {
  if (isAbort(error)) return;
  find('losses').textContent = error.message;
}
