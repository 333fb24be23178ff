// How long somebody has played: from the first move to the goal.

export class Clock {
  constructor() {
    this.reset();
  }

  reset() {
    this.began = null;
    this.ended = null;
  }

  start() {
    this.began ??= performance.now();
  }

  stop() {
    if (this.began !== null) this.ended ??= performance.now();
  }

  get isRunning() {
    return this.began !== null && this.ended === null;
  }

  get seconds() {
    if (this.began === null) return 0;
    return ((this.ended ?? performance.now()) - this.began) / 1000;
  }

  /** `3:07`. */
  toString() {
    const seconds = Math.floor(this.seconds);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }
}
