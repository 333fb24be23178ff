// An attempt to solve the board of a game: its time, and whether it counts as a result.

import { Clock } from './clock.js';

export class Attempt {
  /** @param {object} state what `toJSON` has returned */
  constructor({ isScramble = false, isAssisted = false, isRecorded = false, times = null, clock } = {}) {
    /** Whether the start is a uniformly random board. */
    this.isScramble = isScramble;
    /** Whether a solution, a hint or the best moves were shown. */
    this.isAssisted = isAssisted;
    /** Whether the result was recorded; the goal may be reached again. */
    this.isRecorded = isRecorded;
    /** The time of each slide of a pasted solve, in milliseconds since the start. @type {number[] | null} */
    this.times = times;
    this.clock = new Clock(clock);
  }

  /** Whether reaching the goal now is a result. */
  get counts() {
    return this.isScramble && !this.isAssisted && !this.isRecorded;
  }

  toJSON() {
    const { isScramble, isAssisted, isRecorded, times, clock } = this;
    return { isScramble, isAssisted, isRecorded, times, clock };
  }
}
