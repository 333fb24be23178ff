// Moves as text.

import { OPPOSITE } from './board.js';

/** @typedef {import('./board.js').Slide} Slide */
/** A straight run of slides; `before` is the number of slides before it. @typedef {{slide: Slide, before: number, length: number}} Run */

/** The longest run on a board of 127 rows or columns. */
const MAX_RUN = 126;

/** Parses `L U R2` or `LURR`; throws if there are more than `maxSlides`. @returns {Slide[]} */
export function parseMoves(text, maxSlides = Infinity) {
  const slides = [];
  for (const [, slide, digits] of text.toUpperCase().matchAll(/([UDLR])(\d*)/g)) {
    const length = Number(digits || 1);
    if (length > MAX_RUN || slides.length + length > maxSlides) throw new RangeError('too many moves');
    for (let n = 0; n < length; n++) slides.push(slide);
  }
  return slides;
}

/** Groups slides into straight runs. @param {Slide[]} slides @returns {Run[]} */
export function toRuns(slides) {
  /** @type {Run[]} */
  const runs = [];
  slides.forEach((slide, before) => {
    const run = runs.at(-1);
    if (run && run.slide === slide) run.length += 1;
    else runs.push({ slide, before, length: 1 });
  });
  return runs;
}

/** Writes slides as runs: `L U R2`. @param {Slide[]} slides */
export function writeMoves(slides) {
  return toRuns(slides).map(writeRun).join(' ');
}

const writeRun = ({ slide, length }) => slide + (length > 1 ? length : '');

/**
 * Returns the words of the move list, each with the number of slides before it and in it.
 * @param {Slide[]} slides
 * @param {ArrayLike<number>} tiles the tile of each slide
 * @param {string} notation `tile`, `blank` or `numbers`
 */
export function toWords(slides, tiles, notation) {
  if (notation === 'numbers') {
    return slides.map((_, before) => ({ text: String(tiles[before]), before, length: 1 }));
  }
  const inNotation = (run) => (notation === 'blank' ? { ...run, slide: OPPOSITE[run.slide] } : run);
  return toRuns(slides).map((run) =>
    ({ text: writeRun(inNotation(run)), before: run.before, length: run.length }));
}

const NAMES = { U: 'up', D: 'down', L: 'left', R: 'right' };

/** Describes a slide for screen readers: `5 left`. */
export const spoken = (tile, slide) => `${tile} ${NAMES[slide]}`;
