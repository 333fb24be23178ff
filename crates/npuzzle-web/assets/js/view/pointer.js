// Mouse, pen and touch: a click slides the pressed tile and all tiles between it and the blank; a
// drag moves them with the pointer. If the setting is on, tiles slide when the mouse passes over them.

import { find } from '../dom.js';
import { settings } from '../settings.js';

/** A pointer that moves further than this drags. */
const CLICK_PX = 6;
/** The share of a cell that tiles must be dragged to complete the slide. */
const MIN_DRAG = 0.35;

/** @param {import('./stage.js').Stage} stage @param {import('../model/game.js').Game} game */
export function listenToPointer(stage, game, onPlay) {
  /** @type {null | {id: number, x: number, y: number, slides: string[], tiles: number[], isDrag: boolean, offset: number}} */
  let press = null;
  /** The cell under the mouse. */
  let hovered = -1;

  stage.host.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || press) return;
    const cell = stage.cellAt(event.clientX, event.clientY);
    const slides = cell < 0 ? [] : game.board.slidesTo(cell);
    if (slides.length === 0) return;
    press = {
      id: event.pointerId, x: event.clientX, y: event.clientY, slides,
      tiles: tilesOf(game.board, slides), isDrag: false, offset: 0,
    };
    stage.host.setPointerCapture(event.pointerId);
  });

  stage.host.addEventListener('pointermove', (event) => {
    if (!press) {
      showCell(event);
      if (settings.get('hover') && event.pointerType !== 'touch') hover(event);
    }
    if (event.pointerId !== press?.id) return;
    const { cols } = game.board;
    const side = stage.host.clientWidth / cols;
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    press.isDrag ||= Math.hypot(dx, dy) > CLICK_PX;
    const along = { L: -dx, R: dx, U: -dy, D: dy }[press.slides[0]];
    press.offset = Math.max(0, Math.min(side, along)) / side;
    const [x, y] = { L: [-1, 0], R: [1, 0], U: [0, -1], D: [0, 1] }[press.slides[0]];
    if (press.isDrag) stage.view.drag(press.tiles, x * press.offset * side, y * press.offset * side);
  });

  const end = (event) => {
    if (event.pointerId !== press?.id) return;
    const { slides, tiles, isDrag, offset } = press;
    press = null;
    const isComplete = event.type === 'pointerup' && (!isDrag || offset > MIN_DRAG);
    if (isComplete) onPlay(slides);
    else stage.view.release(tiles);
  };
  stage.host.addEventListener('pointerup', end);
  stage.host.addEventListener('pointercancel', end);

  stage.host.addEventListener('pointerleave', () => { hovered = -1; });

  // A fast pointer crosses several cells between two events.
  function hover(event) {
    const points = event.getCoalescedEvents();
    for (const { clientX, clientY } of points.length > 0 ? points : [event]) {
      const cell = stage.cellAt(clientX, clientY);
      if (cell === hovered) continue;
      hovered = cell;
      const slides = cell < 0 ? [] : game.board.slidesTo(cell);
      if (slides.length > 0) onPlay(slides);
    }
  }

  // The caption names the tile under the pointer if tiles are too small to read.
  function showCell(event) {
    if (game.board.nCells <= 400) return;
    const cell = stage.cellAt(event.clientX, event.clientY);
    const { cols, tiles } = game.board;
    find('caption').textContent = cell < 0 ? ''
      : `${tiles[cell] || 'blank'} in row ${Math.floor(cell / cols) + 1}, column ${(cell % cols) + 1}`;
  }
}

function tilesOf(board, slides) {
  const copy = board.clone();
  return slides.map((slide) => copy.slide(slide).tile);
}
