// Descriptions of boards for screen readers.

/** Of larger boards only the tiles near the blank are described. */
const MAX_CELLS = 100;
const RADIUS = 2;

export function spokenCell(board, cell) {
  const tile = board.tiles[cell];
  return `${tile === 0 ? 'blank' : tile}, row ${Math.floor(cell / board.cols) + 1}, column ${(cell % board.cols) + 1}`;
}

export function spokenBoard(board) {
  const { rows, cols, blank } = board;
  const isComplete = rows * cols <= MAX_CELLS;
  const [row, col] = [Math.floor(blank / cols), blank % cols];
  const range = (at, n) => (isComplete ? [0, n] : [Math.max(0, at - RADIUS), Math.min(n, at + RADIUS + 1)]);
  const lines = board.toRows().slice(...range(row, rows)).map((line) => line.slice(...range(col, cols)));
  const text = lines.map((line) => line.map((tile) => tile || 'blank').join(', ')).join('; ');
  return isComplete ? text : `Around the blank in row ${row + 1}, column ${col + 1}: ${text}`;
}
