// The game: a start, a goal, and a line of slides with a current position in it. Slides after the
// position are those that were undone, or a solution that was found.

import { Attempt } from './attempt.js';
import { OPPOSITE, Board } from './board.js';
import { makeGoal } from './goal.js';

/** @typedef {import('./board.js').Slide} Slide */
/** @typedef {import('./board.js').TileMove} TileMove */

/**
 * A game that can be loaded again.
 * @typedef {{start: string, goal: string, slides: Slide[], at: number, attempt: object}} SavedGame
 */

export class Game extends EventTarget {
  constructor() {
    super();
    /** The last game that had moves and was replaced. @type {SavedGame | null} */
    this.replaced = null;
    this.load(new Board(4, 4, makeGoal('last', 4, 4).board.tiles), 'last');
  }

  /**
   * Starts a new game.
   * @param {Board} start
   * @param {string} goal the name or board that `makeGoal` expects
   * @param {Slide[]} slides the line; it ends before the first illegal slide
   * @param {number} at the position in the line
   */
  load(start, goal, slides = [], at = 0, attempt = new Attempt()) {
    const newGoal = makeGoal(goal, start.rows, start.cols);
    if (this.line?.length > 0) this.replaced = this.save();
    this.start = start.clone();
    this.goal = newGoal;
    this.attempt = attempt;
    this.board = start.clone();
    /** @type {Slide[]} */
    this.line = [];
    /** The tile that each slide moves. @type {number[]} */
    this.tiles = [];
    /** The number of straight runs in each prefix of the line. */
    this.runsUpTo = [0];
    this.at = 0;
    this.extend(slides);
    this.moveTo(at);
    this.notify('load', []);
  }

  /** Starts a new game on a uniformly random board, whose solution counts as a result. */
  loadScramble(start, goal) {
    this.load(start, goal, [], 0, new Attempt({ isScramble: true }));
  }

  /** @returns {SavedGame} */
  save() {
    return {
      start: this.start.toString(), goal: this.goal.name, slides: this.line.slice(), at: this.at,
      attempt: this.attempt.toJSON(),
    };
  }

  /** Loads a saved game. Its clock continues as if the game had not been left. @param {SavedGame} saved */
  restore({ start, goal, slides, at, attempt }) {
    this.load(Board.parse(start), goal, slides, at, new Attempt(attempt));
  }

  /** Loads the game that was replaced. @returns {boolean} whether there was one */
  restoreReplaced() {
    const { replaced } = this;
    if (!replaced) return false;
    this.replaced = null;
    this.restore(replaced);
    return true;
  }

  get stm() {
    return this.at;
  }

  get mtm() {
    return this.runsUpTo[this.at];
  }

  get isSolved() {
    return this.board.equals(this.goal.board);
  }

  /** Makes the player's slides until one is illegal. @param {Slide[]} slides @returns {boolean} whether any was made */
  play(slides) {
    const tileMoves = [];
    for (const slide of slides) {
      if (this.board.source(slide) < 0) break;
      if (this.line[this.at] !== slide) this.extend([slide]);
      tileMoves.push(this.step(1));
    }
    if (tileMoves.length === 0) return false;
    this.attempt.times = null;
    this.attempt.clock.start();
    if (this.isSolved) this.attempt.clock.stop();
    this.notify('play', tileMoves);
    return true;
  }

  /** Replaces the slides after the current position by a solution. The clock stops. @param {Slide[]} slides */
  setAhead(slides) {
    this.extend(slides);
    this.attempt.times = null;
    this.attempt.isAssisted = true;
    this.attempt.clock.stop();
    this.notify('line', []);
  }

  /** Moves to a position in the line. */
  seek(at) {
    const tileMoves = this.moveTo(at);
    if (tileMoves.length > 0) this.notify('seek', tileMoves);
  }

  /** @param {Slide[]} slides */
  extend(slides) {
    this.line.length = this.at;
    this.tiles.length = this.at;
    this.runsUpTo.length = this.at + 1;
    const board = this.board.clone();
    for (const slide of slides) {
      const tileMove = board.slide(slide);
      if (!tileMove) break;
      const isNewRun = this.line.at(-1) !== slide;
      this.runsUpTo.push(this.runsUpTo.at(-1) + (isNewRun ? 1 : 0));
      this.line.push(slide);
      this.tiles.push(tileMove.tile);
    }
  }

  moveTo(at) {
    const end = Math.max(0, Math.min(this.line.length, at));
    const tileMoves = [];
    while (this.at < end) tileMoves.push(this.step(1));
    while (this.at > end) tileMoves.push(this.step(-1));
    return tileMoves;
  }

  step(by) {
    const slide = by > 0 ? this.line[this.at] : OPPOSITE[this.line[this.at - 1]];
    this.at += by;
    return this.board.slide(slide);
  }

  /** @param {'load'|'play'|'line'|'seek'} kind @param {TileMove[]} tileMoves */
  notify(kind, tileMoves) {
    this.dispatchEvent(new CustomEvent('change', { detail: { kind, tileMoves } }));
  }

  /** @param {(change: {kind: string, tileMoves: TileMove[]}) => void} listener */
  onChange(listener) {
    this.addEventListener('change', (event) => listener(event.detail));
  }
}
