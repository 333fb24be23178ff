// Keeps the game of this tab with its clock, so that a reload continues it.

import { toast } from '../announce.js';
import { view } from '../frame.js';

const STORAGE_KEY = 'npuzzle game';

/** Loads the game that a reload has interrupted. Links that are opened are not affected. @returns {boolean} whether it did */
export function restoreSession(game) {
  const [navigation] = performance.getEntriesByType('navigation');
  if (!['reload', 'back_forward'].includes(navigation?.type)) return false;
  try {
    const { hash, saved } = JSON.parse(sessionStorage.getItem(STORAGE_KEY));
    if (hash !== location.hash) return false;
    game.restore(saved);
    return true;
  } catch {
    // There is no game, or it is not valid; the link describes the game, too.
    return false;
  }
}

/** Saves the game when the page is left, and offers to undo its replacement. */
export function setUpSession(game) {
  addEventListener('pagehide', () => {
    try {
      // The address may not describe the last moves yet.
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ hash: location.hash, saved: game.save() }));
    } catch { /* The browser does not allow storage, or the game is too long. */ }
  });
  let { replaced, isSolved } = game;
  game.onChange(({ kind }) => {
    // A player who has solved a board expects a new one.
    const isExpected = isSolved && view() === 'play';
    if (kind === 'load' && game.replaced && game.replaced !== replaced && !isExpected) {
      toast('A new board replaced your game.', { text: 'Undo', act: () => game.restoreReplaced() });
    }
    ({ replaced, isSolved } = game);
  });
}
