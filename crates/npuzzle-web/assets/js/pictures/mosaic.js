// A mosaic of a fish in water.

import { randomNumbers } from './random.js';

const PITCH = 34;

export function drawMosaic(context) {
  context.fillStyle = '#2b2a33';
  context.fillRect(0, 0, 1000, 1000);
  const random = randomNumbers(77);
  for (let y = -PITCH; y < 1000 + PITCH; y += PITCH) {
    for (let x = -PITCH; x < 1000 + PITCH; x += PITCH) drawStone(context, x, y, random);
  }
}

function drawStone(context, x, y, random) {
  const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([right, down]) =>
    [x + right * (PITCH - 5) + 8 * (random() - 0.5), y + down * (PITCH - 5) + 8 * (random() - 0.5)]);
  context.fillStyle = colorAt(x + PITCH / 2, y + PITCH / 2, random);
  context.beginPath();
  for (const corner of corners) context.lineTo(...corner);
  context.fill();
}

// The fish has bright stripes; the water has rings, and its hue changes from left to right.
function colorAt(x, y, random) {
  const jitter = 8 * (random() - 0.5);
  const [dx, dy] = [(x - 470) / 330, (y - 520) / 185];
  const isBody = dx * dx + dy * dy < 1;
  const toFork = Math.abs(Math.abs(y - 520) - 110);
  const isTail = x > 750 && x < 950 - toFork * 0.5 && Math.abs(y - 520) < (x - 750) * 1.1 + 24;
  const isFin = x > 380 && x < 600 && y > 250 && y < 400 && y > 250 + Math.abs(x - 540) * 0.75;
  if (Math.hypot(x - 270, y - 470) < 30) return '#15151c';
  if (Math.hypot(x - 270, y - 470) < 62) return '#fdf8e8';
  if (isBody) {
    const stripe = Math.sin(x / 34 + Math.cos(y / 60)) > 0.35;
    return stripe ? `hsl(${44 + jitter} 95% ${66 + jitter}%)`
      : `hsl(${14 + (x - 140) / 30 + jitter} 88% ${54 + 12 * dy + jitter}%)`;
  }
  if (isTail || isFin) return `hsl(${350 + jitter} 78% ${46 + (x - 400) / 40 + jitter}%)`;
  const ring = Math.sin(Math.hypot(x - 900, y - 60) / 38);
  return `hsl(${175 + x / 12 + 10 * ring + jitter} ${52 + 12 * ring}% ${34 + y / 45 + 16 * ring + jitter}%)`;
}
