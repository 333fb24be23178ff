// A board as elements: a grid of cells in reading order, with a tile in each. Tiles go from cell to
// cell and slide there from where they were.

import { make } from '../dom.js';
import { spokenCell } from './speech.js';

const SLIDE_MS = 130;
const DIGITS = [0, 0.46, 0.44, 0.36, 0.28, 0.23];
const calm = matchMedia('(prefers-reduced-motion: reduce)');

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
    const lines = Array.from({ length: board.rows }, (_, row) =>
      make('div', { class: 'line', role: 'row' },
        ...this.cells.slice(row * board.cols, (row + 1) * board.cols)));
    host.replaceChildren(make('div', { class: 'grid', role: 'grid', 'aria-label': 'Tiles' }, ...lines));
    this.layAll();
  }

  layAll() {
    this.game.board.tiles.forEach((tile, cell) => this.lay(tile, cell));
    this.refresh();
  }

  lay(tile, cell) {
    this.cells[cell].setAttribute('aria-label', spokenCell(this.game.board, cell));
    if (tile === 0) return;
    this.cells[cell].append(this.tiles[tile]);
    this.tiles[tile].classList.toggle('home', this.game.goal.homes[tile] === cell);
  }

  /** Brings tiles to where they are now. @param {import('../model/board.js').Step[]} steps */
  update(steps, ms = SLIDE_MS) {
    const { board } = this.game;
    const moved = [...new Set(steps.map((step) => step.tile))];
    const isShown = ms > 0 && !calm.matches && moved.length <= Math.max(board.rows, board.cols);
    const before = isShown ? moved.map((tile) => this.tiles[tile].getBoundingClientRect()) : [];
    for (const tile of moved) {
      this.tiles[tile].style.transform = '';
      this.tiles[tile].getAnimations().forEach((animation) => animation.cancel());
      this.lay(tile, board.tiles.indexOf(tile));
    }
    this.lay(0, board.blank);
    before.forEach((rect, i) => this.slideFrom(this.tiles[moved[i]], rect, ms));
    this.refresh();
  }

  slideFrom(tile, before, ms) {
    const after = tile.getBoundingClientRect();
    const from = `translate(${before.left - after.left}px, ${before.top - after.top}px)`;
    tile.animate([{ transform: from }, { transform: 'none' }], { duration: ms, easing: 'ease-out' });
  }

  /** Which tiles can be taken hold of. */
  refresh() {
    const { board, isSolved } = this.game;
    this.host.classList.toggle('solved', isSolved);
    board.tiles.forEach((tile, cell) =>
      this.tiles[tile]?.classList.toggle('movable', board.waysTo(cell).length > 0));
  }

  /** A wave over the tiles, from the first to the last. */
  celebrate() {
    if (calm.matches) return;
    this.tiles.forEach((tile) => {
      const delay = 200 + (300 * this.game.goal.homes[tile?.dataset.tile ?? 0]) / this.cells.length;
      tile?.animate([{ scale: 1 }, { scale: 1.07 }, { scale: 1 }], { duration: 320, delay });
    });
  }

  /** Marks tiles with the way they should go. @param {Map<number, string>} ways by tile */
  mark(ways) {
    this.tiles.forEach((element, tile) => {
      if (!element) return;
      if (ways.has(tile)) element.dataset.best = ways.get(tile);
      else delete element.dataset.best;
    });
  }

  /** Shows a cursor on a cell; none for -1. */
  point(cell) {
    this.cells.forEach((element, i) => element.classList.toggle('cursor', i === cell));
  }

  /** Tiles that follow the finger by so many pixels; letting go brings them back. */
  drag(tiles, dx, dy) {
    for (const tile of tiles) this.tiles[tile].style.transform = `translate(${dx}px, ${dy}px)`;
  }

  release(tiles) {
    for (const tile of tiles) {
      const { transform } = this.tiles[tile].style;
      this.tiles[tile].style.transform = '';
      if (calm.matches) continue;
      this.tiles[tile].animate([{ transform }, { transform: 'none' }], { duration: SLIDE_MS });
    }
  }

  /** A picture to be put together; null for numbers. @param {string | null} url */
  setPicture(url) {
    const { board: { cols, rows }, goal } = this.game;
    const share = (at, n) => `${(100 * at) / (n - 1)}%`;
    this.tiles.forEach((element, tile) => {
      if (!element) return;
      const home = goal.homes[tile];
      element.style.backgroundImage = url ? `url("${url}")` : '';
      element.style.backgroundPosition = url
        ? `${share(home % cols, cols)} ${share(Math.floor(home / cols), rows)}` : '';
    });
  }
}

function makeTile(tile) {
  return make('div', { class: 'tile', 'data-tile': tile }, make('span', {}, String(tile)));
}
