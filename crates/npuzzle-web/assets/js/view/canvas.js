// A large board as pixels: a tile's colour says where it belongs, from top to bottom by lightness,
// from left to right from blue to yellow. A solved board is a smooth picture.

import { make } from '../dom.js';

const MIN_DIGITS_PX = 15;

export class CanvasView {
  /** @param {HTMLElement} host @param {import('../model/game.js').Game} game */
  constructor(host, game) {
    this.host = host;
    this.game = game;
    this.ways = new Map();
    this.cursor = -1;
    this.canvas = make('canvas', { role: 'img' });
    host.replaceChildren(this.canvas);
    new ResizeObserver(() => this.paint()).observe(this.canvas);
    this.paint();
  }

  update() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => { this.isDue = false; this.paint(); });
  }

  paint() {
    const { board, isSolved } = this.game;
    const side = Math.max(1, Math.floor((this.canvas.clientWidth * devicePixelRatio) / board.cols));
    this.canvas.width = side * board.cols;
    this.canvas.height = side * board.rows;
    this.canvas.setAttribute('aria-label',
      `${board.rows} by ${board.cols} tiles${isSolved ? ', solved' : ''}`);
    const pen = this.canvas.getContext('2d');
    pen.font = `600 ${Math.floor(side * 0.36)}px ${getComputedStyle(this.host).fontFamily}`;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    board.tiles.forEach((tile, cell) => this.paintTile(pen, tile, cell, side));
    if (this.cursor >= 0) this.frame(pen, this.cursor, side, '#d55e00');
  }

  paintTile(pen, tile, cell, side) {
    if (tile === 0) return;
    const { board: { rows, cols }, goal } = this.game;
    const [x, y] = [(cell % cols) * side, Math.floor(cell / cols) * side];
    const gap = side > 5 ? 1 : 0;
    const home = goal.homes[tile];
    const [down, right] = [Math.floor(home / cols) / (rows - 1), (home % cols) / (cols - 1)];
    if (this.picture) {
      this.paintPiece(pen, down, right, x, y, side);
    } else {
      pen.fillStyle = `oklch(${0.88 - 0.55 * down} 0.11 ${260 - 165 * right})`;
      pen.fillRect(x, y, side - gap, side - gap);
    }
    if (side >= MIN_DIGITS_PX * devicePixelRatio && !this.picture) {
      pen.fillStyle = down < 0.45 ? '#10202c' : '#ffffff';
      pen.fillText(tile, x + side / 2, y + side / 2);
    }
    if (this.ways.has(tile)) this.frame(pen, cell, side, '#d55e00');
  }

  paintPiece(pen, down, right, x, y, side) {
    const { board: { rows, cols } } = this.game;
    const [width, height] = [this.picture.width / cols, this.picture.height / rows];
    pen.drawImage(this.picture, right * (cols - 1) * width, down * (rows - 1) * height, width, height,
      x, y, side, side);
  }

  frame(pen, cell, side, color) {
    const { cols } = this.game.board;
    pen.strokeStyle = color;
    pen.lineWidth = Math.max(2, side * 0.12);
    pen.strokeRect((cell % cols) * side, Math.floor(cell / cols) * side, side, side);
  }

  mark(ways) {
    this.ways = ways;
    this.update();
  }

  point(cell) {
    this.cursor = cell;
    this.update();
  }

  celebrate() {}

  drag() {}

  release() {}

  setPicture(url, bitmap) {
    this.picture = url ? bitmap : null;
    this.update();
  }
}
