// A small drawing of the goal next to the counters. It is shown if the goal is not the usual one, or if the tiles
// show a picture.

import { find, make } from '../dom.js';
import { miniBoard } from './mini.js';

/** Tiles of larger boards would be too small to read. */
const MAX_CELLS = 49;

/** @param {import('../model/goal.js').Goal} goal @param {string | null} url the picture on the tiles */
export function showGoal(goal, url) {
  const isUsual = goal.name === 'last' || goal.board.nCells > MAX_CELLS;
  find('goal-cell').hidden = isUsual && !url;
  if (url) find('goal-thumbnail').replaceChildren(make('img', { src: url, alt: 'the complete picture' }));
  else find('goal-thumbnail').replaceChildren(...(isUsual ? [] : [miniBoard(goal.board.toString())]));
}
