// The game: a start, a goal, and a line of moves that is gone along in both ways. What was undone,
// and a solution that was found, are the moves of the line that are still ahead.

import { OPPOSITE, Board } from './board.js';
import { makeGoal } from './goal.js';

/** @typedef {import('./board.js').Way} Way */
/** @typedef {import('./board.js').Step} Step */

export class Game extends EventTarget {
  constructor() {
    super();
    this.load(new Board(4, 4, makeGoal('last', 4, 4).board.tiles), 'last');
  }

  /**
   * Begins anew.
   * @param {Board} start
   * @param {string} goal as `makeGoal` takes it
   * @param {Way[]} ways the line; slides that cannot be made end it
   */
  load(start, goal, ways = [], at = 0) {
    this.start = start.clone();
    this.goal = makeGoal(goal, start.rows, start.cols);
    this.board = start.clone();
    /** @type {Way[]} */
    this.line = [];
    /** The tile of every slide. @type {number[]} */
    this.tiles = [];
    /** Straight runs in the slides up to each. */
    this.runsUpTo = [0];
    this.at = 0;
    this.extend(ways);
    this.go(at);
    this.tell('load', []);
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

  /** Somebody's own moves. @param {Way[]} ways @returns {boolean} whether there were any */
  play(ways) {
    const steps = [];
    for (const way of ways) {
      if (this.board.source(way) < 0) break;
      if (this.line[this.at] !== way) this.extend([way]);
      steps.push(this.step(1));
    }
    if (steps.length > 0) this.tell('play', steps);
    return steps.length > 0;
  }

  /** What comes from here on, instead of what came. @param {Way[]} ways */
  setAhead(ways) {
    this.extend(ways);
    this.tell('line', []);
  }

  /** Goes along the line. */
  seek(at) {
    const steps = this.go(at);
    if (steps.length > 0) this.tell('seek', steps);
  }

  /** @param {Way[]} ways */
  extend(ways) {
    this.line.length = this.at;
    this.tiles.length = this.at;
    this.runsUpTo.length = this.at + 1;
    const board = this.board.clone();
    for (const way of ways) {
      const step = board.slide(way);
      if (!step) break;
      const isNewRun = this.line.at(-1) !== way;
      this.runsUpTo.push(this.runsUpTo.at(-1) + (isNewRun ? 1 : 0));
      this.line.push(way);
      this.tiles.push(step.tile);
    }
  }

  go(to) {
    const end = Math.max(0, Math.min(this.line.length, to));
    const steps = [];
    while (this.at < end) steps.push(this.step(1));
    while (this.at > end) steps.push(this.step(-1));
    return steps;
  }

  step(by) {
    const way = by > 0 ? this.line[this.at] : OPPOSITE[this.line[this.at - 1]];
    this.at += by;
    return this.board.slide(way);
  }

  /** @param {'load'|'play'|'line'|'seek'} kind @param {Step[]} steps */
  tell(kind, steps) {
    this.dispatchEvent(new CustomEvent('change', { detail: { kind, steps } }));
  }

  /** @param {(change: {kind: string, steps: Step[]}) => void} listener */
  onChange(listener) {
    this.addEventListener('change', (event) => listener(event.detail));
  }

  /** The boards of the line from one place to another, in slash form. */
  boards(from, to) {
    const board = this.board.clone();
    for (let at = this.at; at < from; at++) board.slide(this.line[at]);
    for (let at = this.at; at > from; at--) board.slide(OPPOSITE[this.line[at - 1]]);
    const boards = [board.toString()];
    for (let at = from; at < to; at++) {
      board.slide(this.line[at]);
      boards.push(board.toString());
    }
    return boards;
  }
}
