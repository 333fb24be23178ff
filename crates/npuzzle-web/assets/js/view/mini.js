// A small drawing of a board.

import { draw } from '../dom.js';

/** @param {string} slash the board in slash form */
export function miniBoard(slash) {
  const rows = slash.split('/').map((row) => row.split(' '));
  const [width, height] = [rows[0].length * 12, rows.length * 12];
  const tiles = rows.flatMap((row, y) => row.map((tile, x) => miniTile(tile, x * 12, y * 12)));
  return draw('svg', {
    class: 'mini', viewBox: `0 0 ${width} ${height}`, width: width * 1.5, height: height * 1.5,
    role: 'img', 'aria-label': slash.replaceAll('/', '; '),
  }, ...tiles.flat());
}

function miniTile(tile, x, y) {
  if (tile === '0') return [];
  return [
    draw('rect', { x: x + 0.5, y: y + 0.5, width: 11, height: 11, rx: 2 }),
    draw('text', { x: x + 6, y: y + 8.6, 'text-anchor': 'middle' }, tile),
  ];
}
