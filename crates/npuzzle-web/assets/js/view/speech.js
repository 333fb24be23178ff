// Boards in words, for those who listen.

/** Nobody listens to more; then the tiles around the gap are told. */
const MAX_CELLS = 100;
const AROUND = 2;

export function spokenCell(board, cell) {
  const tile = board.tiles[cell];
  return `${tile === 0 ? 'blank' : tile}, row ${Math.floor(cell / board.cols) + 1}, column ${(cell % board.cols) + 1}`;
}

export function spokenBoard(board) {
  const { rows, cols, blank } = board;
  const isWhole = rows * cols <= MAX_CELLS;
  const [row, col] = [Math.floor(blank / cols), blank % cols];
  const span = (at, n) => (isWhole ? [0, n] : [Math.max(0, at - AROUND), Math.min(n, at + AROUND + 1)]);
  const lines = board.toRows().slice(...span(row, rows)).map((line) => line.slice(...span(col, cols)));
  const words = lines.map((line) => line.map((tile) => tile || 'blank').join(', ')).join('; ');
  return isWhole ? words : `Around the blank in row ${row + 1}, column ${col + 1}: ${words}`;
}
