// Built-in pictures. The page draws them; every piece differs from the others, so that it has one place.

import { drawCity } from './city.js';
import { drawFlower } from './flower.js';
import { drawIsland } from './island.js';
import { drawMosaic } from './mosaic.js';
import { drawMountains } from './mountains.js';
import { drawWaves } from './waves.js';

/** The side of the square that the functions draw on. */
const SIDE = 1000;

/**
 * The name, the label, and the function that draws it.
 * @type {[string, string, (context: CanvasRenderingContext2D) => void][]}
 */
export const PICTURES = [
  ['mountains', 'Mountains', drawMountains],
  ['waves', 'Waves', drawWaves],
  ['island', 'Island', drawIsland],
  ['city', 'City', drawCity],
  ['flower', 'Flower', drawFlower],
  ['mosaic', 'Mosaic', drawMosaic],
];

/** Draws a picture on a new square canvas, or returns null if there is none of this name. */
export function drawPicture(name, pixels = SIDE) {
  const paint = PICTURES.find(([each]) => each === name)?.[2];
  if (!paint) return null;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = pixels;
  const context = canvas.getContext('2d');
  context.scale(pixels / SIDE, pixels / SIDE);
  paint(context);
  return canvas;
}
