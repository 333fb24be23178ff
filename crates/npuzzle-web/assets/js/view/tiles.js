// A board as elements: a grid of cells in reading order that contain the tiles. A tile that moves is
// appended to its new cell and animated from its old position.

import { make } from '../dom.js';
import { spokenCell } from './speech.js';

const SLIDE_MS = 130;
/** The font size relative to a cell, by the number of digits. */
const DIGITS = [0, 0.46, 0.44, 0.36, 0.28, 0.23];
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

export class TileView {
  /** @param {HTMLElement} host @param {import('../model/game.js').Game} game */
  constructor(host, game) {
    this.host = host;
    this.game = game;
    const { board } = game;
    host.style.setProperty('--digits', DIGITS[String(board.nCells - 1).length]);
    this.tiles = [...board.tiles].map((_, tile) => (tile === 0 ? null : makeTile(tile)));
    this.cells = [...board.tiles].map((_, cell) =>
      make('div', { class: 'cell', role: 'gridcell', id: `cell-${cell}`, 'data-cell': cell }));
    const rows = Array.from({ length: board.rows }, (_, row) =>
      make('div', { class: 'line', role: 'row' },
        ...this.cells.slice(row * board.cols, (row + 1) * board.cols)));
    /** The piece of a picture that the blank leaves out. It is shown when the board is solved. */
    this.lastPiece = make('div', { class: 'piece', 'aria-hidden': 'true' });
    this.cells[game.goal.cellOf[0]].append(this.lastPiece);
    host.replaceChildren(make('div', { class: 'grid', role: 'grid', 'aria-label': 'Tiles' }, ...rows));
    this.placeAll();
  }

  placeAll() {
    this.game.board.tiles.forEach((tile, cell) => this.place(tile, cell));
    this.refresh();
  }

  place(tile, cell) {
    this.cells[cell].setAttribute('aria-label', spokenCell(this.game.board, cell));
    if (tile === 0) return;
    this.cells[cell].append(this.tiles[tile]);
    this.tiles[tile].classList.toggle('home', this.game.goal.cellOf[tile] === cell);
  }

  /** Moves tiles to their current cells. @param {import('../model/board.js').TileMove[]} tileMoves */
  update(tileMoves, ms = SLIDE_MS) {
    const { board } = this.game;
    const moved = [...new Set(tileMoves.map(({ tile }) => tile))];
    const isAnimated = ms > 0 && !reducedMotion.matches && moved.length <= Math.max(board.rows, board.cols);
    const before = isAnimated ? moved.map((tile) => this.tiles[tile].getBoundingClientRect()) : [];
    for (const tile of moved) {
      this.tiles[tile].style.transform = '';
      this.tiles[tile].getAnimations().forEach((animation) => animation.cancel());
      this.place(tile, board.tiles.indexOf(tile));
    }
    this.place(0, board.blank);
    before.forEach((rect, i) => this.slideFrom(this.tiles[moved[i]], rect, ms));
    this.refresh();
  }

  slideFrom(tile, before, ms) {
    const after = tile.getBoundingClientRect();
    const from = `translate(${before.left - after.left}px, ${before.top - after.top}px)`;
    tile.animate([{ transform: from }, { transform: 'none' }], { duration: ms, easing: 'ease-out' });
  }

  /** Updates which tiles can be moved. */
  refresh() {
    const { board, isSolved } = this.game;
    this.host.classList.toggle('solved', isSolved);
    board.tiles.forEach((tile, cell) =>
      this.tiles[tile]?.classList.toggle('movable', board.slidesTo(cell).length > 0));
  }

  /** Runs a wave over the tiles, from the first to the last. */
  celebrate() {
    if (reducedMotion.matches) return;
    this.tiles.forEach((tile) => {
      const delay = 200 + (300 * this.game.goal.cellOf[tile?.dataset.tile ?? 0]) / this.cells.length;
      tile?.animate([{ scale: 1 }, { scale: 1.07 }, { scale: 1 }], { duration: 320, delay });
    });
  }

  /** Marks tiles with a slide. @param {Map<number, string>} marks the slide by tile */
  mark(marks) {
    this.tiles.forEach((element, tile) => {
      if (!element) return;
      if (marks.has(tile)) element.dataset.best = marks.get(tile);
      else delete element.dataset.best;
    });
  }

  /** Shows the cursor on a cell, or nowhere for -1. */
  showCursor(cell) {
    this.cells.forEach((element, i) => element.classList.toggle('cursor', i === cell));
  }

  /** Displaces tiles by (dx, dy) pixels while they are dragged. */
  drag(tiles, dx, dy) {
    for (const tile of tiles) this.tiles[tile].style.transform = `translate(${dx}px, ${dy}px)`;
  }

  /** Moves dragged tiles back to their cells. */
  release(tiles) {
    for (const tile of tiles) {
      const { transform } = this.tiles[tile].style;
      this.tiles[tile].style.transform = '';
      if (reducedMotion.matches) continue;
      this.tiles[tile].animate([{ transform }, { transform: 'none' }], { duration: SLIDE_MS });
    }
  }

  /** Shows parts of a picture on the tiles, or numbers for null. @param {string | null} url */
  setPicture(url) {
    const { board: { cols, rows }, goal } = this.game;
    const percentage = (at, n) => `${(100 * at) / (n - 1)}%`;
    [this.lastPiece, ...this.tiles.slice(1)].forEach((element, tile) => {
      const goalCell = goal.cellOf[tile];
      element.style.backgroundImage = url ? `url("${url}")` : '';
      element.style.backgroundPosition = url
        ? `${percentage(goalCell % cols, cols)} ${percentage(Math.floor(goalCell / cols), rows)}` : '';
    });
  }
}

function makeTile(tile) {
  return make('div', { class: 'tile', 'data-tile': tile }, make('span', {}, String(tile)));
}
