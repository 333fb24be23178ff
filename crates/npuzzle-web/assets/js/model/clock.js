// The playing time in milliseconds. It survives a reload: times are measured from the Unix epoch.

/** Unlike `Date.now()`, this time does not jump when the system clock is set. */
const now = () => performance.timeOrigin + performance.now();

export class Clock {
  /** @param {{elapsed?: number, startedAt?: number | null}} state what `toJSON` has returned */
  constructor({ elapsed = 0, startedAt = null } = {}) {
    /** The time before the last start. */
    this.elapsed = elapsed;
    this.startedAt = startedAt;
  }

  /** Starts the clock, or continues after a stop. */
  start() {
    this.startedAt ??= now();
  }

  stop() {
    this.elapsed = Math.round(this.ms);
    this.startedAt = null;
  }

  get isRunning() {
    return this.startedAt !== null;
  }

  get ms() {
    return this.elapsed + (this.startedAt === null ? 0 : Math.max(0, now() - this.startedAt));
  }

  toJSON() {
    return { elapsed: this.elapsed, startedAt: this.startedAt };
  }
}

/** Formats a time: `0:07.31`, `1:02:03.31`; with `digits` digits after the point. Digits are cut off, not rounded. */
export function formatTime(ms, digits = 2) {
  const units = Math.floor(ms / 10 ** (3 - digits) + 1e-6);
  const seconds = Math.floor(units / 10 ** digits);
  const two = (n) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const fraction = digits > 0 ? `.${String(units % 10 ** digits).padStart(digits, '0')}` : '';
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}${fraction}`;
}
