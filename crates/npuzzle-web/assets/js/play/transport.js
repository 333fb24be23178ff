// Playback of the line of moves: undo, redo, a slider, and automatic play.

import { announce } from '../announce.js';
import { find, setIcon } from '../dom.js';
import { settings } from '../settings.js';
import { grouped } from '../text.js';

/** The time per move at speed 1. */
const MS_PER_MOVE = 600;
const MIN_FRAME_MS = 25;

export class Transport {
  /** @param {import('../model/game.js').Game} game @param {import('../view/stage.js').Stage} stage */
  constructor(game, stage) {
    this.game = game;
    this.stage = stage;
    this.timer = 0;
    settings.bind(find('speed'), 'speed');
    find('first').addEventListener('click', () => this.to(0));
    find('back').addEventListener('click', () => this.by(-1));
    find('next').addEventListener('click', () => this.by(1));
    find('last').addEventListener('click', () => this.to(Infinity));
    find('run').addEventListener('click', () => this.toggle());
    find('place').addEventListener('input', (event) => this.to(Number(event.target.value)));
    game.onChange(({ kind }) => {
      if (kind === 'load' || kind === 'play') this.pause();
      this.show();
    });
    this.show();
  }

  get isRunning() {
    return this.timer !== 0;
  }

  /** Stops and moves to a position. */
  to(at) {
    this.pause();
    this.game.seek(at);
    this.announcePosition();
  }

  by(n) {
    this.to(this.game.at + n);
  }

  toggle() {
    if (this.isRunning) this.pause();
    else this.run();
  }

  run() {
    if (this.game.line.length === 0) return;
    if (this.game.at === this.game.line.length) this.game.seek(0);
    this.schedule();
    this.show();
  }

  schedule() {
    const [ms, nMoves] = this.nextFrame();
    this.stage.slideMs = ms / nMoves < 40 ? 0 : Math.min(160, (ms / nMoves) * 0.6);
    this.timer = setTimeout(() => {
      this.game.seek(this.game.at + nMoves);
      if (this.game.at === this.game.line.length) {
        this.pause();
        this.announcePosition();
      } else if (this.isRunning) {
        this.schedule();
      }
    }, ms);
  }

  /** The duration of the next frame, and its number of moves: several at high speeds. */
  nextFrame() {
    const speed = Number(settings.get('speed'));
    const { at, attempt: { times } } = this.game;
    if (!times) {
      const ms = MS_PER_MOVE / speed;
      return [Math.max(MIN_FRAME_MS, ms), Math.max(1, Math.round(MIN_FRAME_MS / ms))];
    }
    const from = times[at - 1] ?? 0;
    const until = Math.max(times[at], from + MIN_FRAME_MS * speed);
    const after = times.findIndex((time, i) => i > at && time > until);
    return [(until - from) / speed, (after < 0 ? times.length : after) - at];
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.stage.slideMs = undefined;
    this.show();
  }

  announcePosition() {
    const { at, line, isSolved } = this.game;
    announce(`Move ${grouped(at)} of ${grouped(line.length)}${isSolved ? '. Solved.' : ''}`);
  }

  show() {
    const { at, line } = this.game;
    const place = find('place');
    place.max = line.length;
    place.value = at;
    place.disabled = line.length === 0;
    place.setAttribute('aria-valuetext', `move ${grouped(at)} of ${grouped(line.length)}`);
    place.style.setProperty('--done', `${line.length ? (100 * at) / line.length : 0}%`);
    find('first').disabled = find('back').disabled = at === 0;
    find('next').disabled = find('last').disabled = at === line.length;
    find('run').disabled = line.length === 0;
    find('run').setAttribute('aria-label', this.isRunning ? 'Pause' : 'Play');
    setIcon(find('run'), this.isRunning ? 'pause' : 'play');
  }
}
