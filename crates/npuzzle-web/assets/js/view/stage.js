// Shows the board: chooses elements or a canvas, keeps it up to date, and maps points to cells.

import { find } from '../dom.js';
import { isSolvable } from '../model/goal.js';
import { settings } from '../settings.js';
import { CanvasView } from './canvas.js';
import { showGoal } from './thumbnail.js';
import { TileView } from './tiles.js';

/** Larger boards are drawn on a canvas: their elements would be too many and too small. */
const MAX_ELEMENTS = 400;

export class Stage {
  /** @param {import('../model/game.js').Game} game */
  constructor(game) {
    this.game = game;
    this.host = find('board');
    this.picture = { url: null, bitmap: null };
    /** The duration of a slide during playback, in milliseconds. */
    this.slideMs = undefined;
    this.build();
    game.onChange(({ kind, tileMoves }) => {
      if (kind === 'load') this.build();
      else if (tileMoves.length > 0) this.view.update(tileMoves, this.slideMs);
      this.describe();
      if (kind === 'play' && game.isSolved) this.view.celebrate();
    });
    settings.watch(['numbers', 'homes'], () => this.applySettings());
  }

  build() {
    const { board } = this.game;
    this.host.style.setProperty('--rows', board.rows);
    this.host.style.setProperty('--cols', board.cols);
    const View = board.nCells <= MAX_ELEMENTS ? TileView : CanvasView;
    this.view = new View(this.host, this.game);
    this.host.setAttribute('role', 'application');
    this.host.setAttribute('aria-roledescription', 'sliding-tile board');
    this.cursor = -1;
    this.applySettings();
    this.describe();
  }

  describe() {
    const { board, isSolved } = this.game;
    this.host.setAttribute('aria-label', `${board.rows} by ${board.cols} board${isSolved ? ', solved' : ''}`);
    this.host.dataset.board = board.nCells <= MAX_ELEMENTS ? board.toString() : '';
    this.host.dataset.solved = String(isSolved);
    find('caption').textContent = isSolved || isSolvable(board, this.game.goal) ? ''
      : 'This board cannot be solved: two tiles would have to be swapped.';
  }

  applySettings() {
    const { url, bitmap } = this.picture;
    this.host.classList.toggle('picture', url !== null);
    this.host.classList.toggle('unnumbered', !settings.get('numbers'));
    this.host.classList.toggle('unmarked', !settings.get('homes'));
    this.view.setPicture(url, bitmap);
    showGoal(this.game.goal, url);
  }

  setPicture(url, bitmap) {
    this.picture = { url, bitmap };
    this.applySettings();
  }

  /** Returns the cell at a point of the window, or -1. */
  cellAt(x, y) {
    const { rows, cols } = this.game.board;
    const box = this.host.getBoundingClientRect();
    const [col, row] = [
      Math.floor(((x - box.left) / box.width) * cols), Math.floor(((y - box.top) / box.height) * rows)];
    return row >= 0 && row < rows && col >= 0 && col < cols ? row * cols + col : -1;
  }

  /** Moves the keyboard cursor and returns its cell. */
  moveCursor(down, right) {
    const { rows, cols, blank } = this.game.board;
    const from = this.cursor < 0 ? blank : this.cursor;
    const clamp = (n, max) => Math.max(0, Math.min(max - 1, n));
    this.cursor = clamp(Math.floor(from / cols) + down, rows) * cols + clamp((from % cols) + right, cols);
    this.view.showCursor(this.cursor);
    return this.cursor;
  }

  hideCursor() {
    this.cursor = -1;
    this.view.showCursor(-1);
  }
}
