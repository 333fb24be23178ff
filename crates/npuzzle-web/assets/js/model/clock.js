// The playing time: from the first move until the goal is reached.

export class Clock {
  constructor() {
    this.reset();
  }

  reset() {
    this.startedAt = null;
    this.stoppedAt = null;
  }

  start() {
    this.startedAt ??= performance.now();
  }

  stop() {
    if (this.startedAt !== null) this.stoppedAt ??= performance.now();
  }

  get isRunning() {
    return this.startedAt !== null && this.stoppedAt === null;
  }

  get seconds() {
    if (this.startedAt === null) return 0;
    return ((this.stoppedAt ?? performance.now()) - this.startedAt) / 1000;
  }

  /** `3:07`. */
  toString() {
    const seconds = Math.floor(this.seconds);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }
}
