// Draws a large board on a canvas. The color of a tile shows its goal cell: lightness decreases from
// top to bottom, the hue changes from blue to yellow from left to right. A solved board is a smooth
// gradient.

import { make } from '../dom.js';

/** The minimum side of a tile, in CSS pixels, for its number to be drawn. */
const MIN_DIGITS_PX = 15;

export class CanvasView {
  /** @param {HTMLElement} host @param {import('../model/game.js').Game} game */
  constructor(host, game) {
    this.host = host;
    this.game = game;
    /** The slides of marked tiles. @type {Map<number, string>} */
    this.marks = new Map();
    this.cursor = -1;
    this.canvas = make('canvas', { role: 'img' });
    host.replaceChildren(this.canvas);
    new ResizeObserver(() => this.paint()).observe(this.canvas);
    this.paint();
  }

  update() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => { this.isScheduled = false; this.paint(); });
  }

  paint() {
    const { board, isSolved } = this.game;
    const side = Math.max(1, Math.floor((this.canvas.clientWidth * devicePixelRatio) / board.cols));
    this.canvas.width = side * board.cols;
    this.canvas.height = side * board.rows;
    this.canvas.setAttribute('aria-label',
      `${board.rows} by ${board.cols} tiles${isSolved ? ', solved' : ''}`);
    const context = this.canvas.getContext('2d');
    context.font = `600 ${Math.floor(side * 0.36)}px ${getComputedStyle(this.host).fontFamily}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    board.tiles.forEach((tile, cell) => this.paintTile(context, tile, cell, side));
    if (this.cursor >= 0) this.outline(context, this.cursor, side, '#d55e00');
  }

  paintTile(context, tile, cell, side) {
    const { board: { rows, cols }, goal } = this.game;
    // A solved picture is complete.
    if (tile === 0 && !(this.picture && this.game.isSolved)) return;
    const [x, y] = [(cell % cols) * side, Math.floor(cell / cols) * side];
    const gap = side > 5 ? 1 : 0;
    const goalCell = goal.cellOf[tile];
    const [down, right] = [Math.floor(goalCell / cols) / (rows - 1), (goalCell % cols) / (cols - 1)];
    if (this.picture) {
      this.paintPiece(context, down, right, x, y, side);
    } else {
      context.fillStyle = `oklch(${0.88 - 0.55 * down} 0.11 ${260 - 165 * right})`;
      context.fillRect(x, y, side - gap, side - gap);
    }
    if (side >= MIN_DIGITS_PX * devicePixelRatio && !this.picture) {
      context.fillStyle = down < 0.45 ? '#10202c' : '#ffffff';
      context.fillText(tile, x + side / 2, y + side / 2);
    }
    if (this.marks.has(tile)) this.outline(context, cell, side, '#d55e00');
  }

  paintPiece(context, down, right, x, y, side) {
    const { board: { rows, cols } } = this.game;
    const [width, height] = [this.picture.width / cols, this.picture.height / rows];
    context.drawImage(this.picture, right * (cols - 1) * width, down * (rows - 1) * height, width, height,
      x, y, side, side);
  }

  outline(context, cell, side, color) {
    const { cols } = this.game.board;
    context.strokeStyle = color;
    context.lineWidth = Math.max(2, side * 0.12);
    context.strokeRect((cell % cols) * side, Math.floor(cell / cols) * side, side, side);
  }

  mark(marks) {
    this.marks = marks;
    this.update();
  }

  showCursor(cell) {
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
