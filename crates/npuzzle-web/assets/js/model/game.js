// The game: a start, a goal, and a line of slides with a current position in it. Slides after the
// position are those that were undone, or a solution that was found.

import { OPPOSITE, Board } from './board.js';
import { makeGoal } from './goal.js';

/** @typedef {import('./board.js').Slide} Slide */
/** @typedef {import('./board.js').TileMove} TileMove */

export class Game extends EventTarget {
  constructor() {
    super();
    this.load(new Board(4, 4, makeGoal('last', 4, 4).board.tiles), 'last');
  }

  /**
   * Starts a new game.
   * @param {Board} start
   * @param {string} goal the name or board that `makeGoal` expects
   * @param {Slide[]} slides the line; it ends before the first illegal slide
   * @param {number} at the position in the line
   */
  load(start, goal, slides = [], at = 0) {
    this.start = start.clone();
    this.goal = makeGoal(goal, start.rows, start.cols);
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
    if (tileMoves.length > 0) this.notify('play', tileMoves);
    return tileMoves.length > 0;
  }

  /** Replaces the slides after the current position. @param {Slide[]} slides */
  setAhead(slides) {
    this.extend(slides);
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
