// A board: the tile of every cell, row by row. Tile 0 is the blank.

/** The direction in which a tile slides: up, down, left, right. @typedef {'U'|'D'|'L'|'R'} Slide */

/** @type {Record<Slide, Slide>} */
export const OPPOSITE = { U: 'D', D: 'U', L: 'R', R: 'L' };

/** A tile that moved from one cell to the next. @typedef {{tile: number, from: number, to: number}} TileMove */

export class Board {
  /**
   * @param {number} rows
   * @param {number} cols
   * @param {ArrayLike<number>} tiles row by row
   */
  constructor(rows, cols, tiles) {
    this.rows = rows;
    this.cols = cols;
    this.tiles = Uint16Array.from(tiles);
    this.blank = this.tiles.indexOf(0);
  }

  /** Parses the slash form, `1 2 3/4 5 6/7 8 0`. The server reads the other formats. */
  static parse(text) {
    const rows = text.trim().split('/').map((row) => row.trim().split(/[\s,]+/).map(Number));
    const tiles = rows.flat();
    const isValid = rows.every((row) => row.length === rows[0].length)
      && [...tiles].sort((a, b) => a - b).every((tile, i) => tile === i);
    if (!isValid || rows.length < 2 || rows[0].length < 2) throw new RangeError('not a board');
    return new Board(rows.length, rows[0].length, tiles);
  }

  get nCells() {
    return this.rows * this.cols;
  }

  clone() {
    return new Board(this.rows, this.cols, this.tiles);
  }

  /** Returns the cell of the tile that can make this slide, or -1. @param {Slide} slide */
  source(slide) {
    const { rows, cols, blank } = this;
    const [row, col] = [Math.floor(blank / cols), blank % cols];
    switch (slide) {
      case 'U': return row + 1 < rows ? blank + cols : -1;
      case 'D': return row > 0 ? blank - cols : -1;
      case 'L': return col + 1 < cols ? blank + 1 : -1;
      case 'R': return col > 0 ? blank - 1 : -1;
      default: return -1;
    }
  }

  /** Slides a tile, or returns null if none can slide. @param {Slide} slide @returns {TileMove | null} */
  slide(slide) {
    const from = this.source(slide);
    if (from < 0) return null;
    const [tile, to] = [this.tiles[from], this.blank];
    this.tiles[to] = tile;
    this.tiles[from] = 0;
    this.blank = from;
    return { tile, from, to };
  }

  /** Returns the slides that move the blank to a cell of its row or column; [] for other cells. */
  slidesTo(cell) {
    const { cols, blank } = this;
    const down = Math.floor(cell / cols) - Math.floor(blank / cols);
    const right = (cell % cols) - (blank % cols);
    if (down !== 0 && right !== 0) return [];
    /** @type {Slide} */
    const slide = down > 0 ? 'U' : down < 0 ? 'D' : right > 0 ? 'L' : 'R';
    return Array(Math.abs(down + right)).fill(slide);
  }

  /** @param {Board} other */
  equals(other) {
    return this.cols === other.cols && this.rows === other.rows
      && this.tiles.every((tile, cell) => tile === other.tiles[cell]);
  }

  /** Returns the rows as lists of tiles. */
  toRows() {
    return Array.from({ length: this.rows }, (_, row) =>
      Array.from(this.tiles.subarray(row * this.cols, (row + 1) * this.cols)));
  }

  /** Returns the slash form. */
  toString() {
    return this.toRows().map((row) => row.join(' ')).join('/');
  }
}
