// Mouse, pen and finger: a click slides the row of tiles between the pressed one and the blank; a
// drag takes them along.

import { find } from '../dom.js';

const CLICK_PX = 6;

/** @param {import('./stage.js').Stage} stage @param {import('../model/game.js').Game} game */
export function listenToPointer(stage, game, onPlay) {
  /** @type {null | {id: number, x: number, y: number, ways: string[], tiles: number[], far: boolean, offset: number}} */
  let hold = null;

  stage.host.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || hold) return;
    const cell = stage.cellAt(event.clientX, event.clientY);
    const ways = cell < 0 ? [] : game.board.waysTo(cell);
    if (ways.length === 0) return;
    hold = {
      id: event.pointerId, x: event.clientX, y: event.clientY, ways,
      tiles: tilesOf(game.board, ways), far: false, offset: 0,
    };
    stage.host.setPointerCapture(event.pointerId);
  });

  stage.host.addEventListener('pointermove', (event) => {
    if (!hold) showPlace(event);
    if (event.pointerId !== hold?.id) return;
    const { cols } = game.board;
    const side = stage.host.clientWidth / cols;
    const [dx, dy] = [event.clientX - hold.x, event.clientY - hold.y];
    hold.far ||= Math.hypot(dx, dy) > CLICK_PX;
    const along = { L: -dx, R: dx, U: -dy, D: dy }[hold.ways[0]];
    hold.offset = Math.max(0, Math.min(side, along)) / side;
    const [x, y] = { L: [-1, 0], R: [1, 0], U: [0, -1], D: [0, 1] }[hold.ways[0]];
    if (hold.far) stage.view.drag(hold.tiles, x * hold.offset * side, y * hold.offset * side);
  });

  const end = (event) => {
    if (event.pointerId !== hold?.id) return;
    const { ways, tiles, far, offset } = hold;
    hold = null;
    const isMeant = event.type === 'pointerup' && (!far || offset > 0.35);
    if (isMeant) onPlay(ways);
    else stage.view.release(tiles);
  };
  stage.host.addEventListener('pointerup', end);
  stage.host.addEventListener('pointercancel', end);

  // Tiles too small to be read are named under the board.
  function showPlace(event) {
    if (game.board.nCells <= 400) return;
    const cell = stage.cellAt(event.clientX, event.clientY);
    const { cols, tiles } = game.board;
    find('caption').textContent = cell < 0 ? ''
      : `${tiles[cell] || 'blank'} in row ${Math.floor(cell / cols) + 1}, column ${(cell % cols) + 1}`;
  }
}

function tilesOf(board, ways) {
  const copy = board.clone();
  return ways.map((way) => copy.slide(way).tile);
}
