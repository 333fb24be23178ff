// A city at night and its reflection in the water.

import { randomNumbers } from './random.js';

const SHORE = 760;
const SKY = [[0, '#0d1540'], [0.5, '#33307a'], [0.8, '#9a4a86'], [1, '#f08a6a']];
/** The moon and its craters: center, radius, color. */
const MOON = [
  [780, 190, 92, '#fff4d2'], [752, 168, 20, '#eadcae'], [812, 215, 28, '#eadcae'], [790, 145, 12, '#eadcae'],
];

export function drawCity(context) {
  // The sky is brighter on the right, so that pieces of one row differ.
  const sky = context.createLinearGradient(0, 0, 520, SHORE);
  for (const [at, color] of SKY) sky.addColorStop(at, color);
  context.fillStyle = sky;
  context.fillRect(0, 0, 1000, 1000);
  drawNight(context);
  drawTowers(context, 5, 14, 330, '#3b3574', 0.25);
  drawTowers(context, 17, 11, 470, '#1c1f4d', 0.55);
  drawWater(context);
}

function drawNight(context) {
  const random = randomNumbers(9);
  for (let n = 0; n < 130; n++) {
    context.fillStyle = `hsl(${190 + 60 * random()} 80% 88% / ${30 + 70 * random()}%)`;
    context.fillRect(1000 * random(), 520 * random(), 2 + 4 * random(), 2 + 4 * random());
  }
  const glow = context.createRadialGradient(780, 190, 60, 780, 190, 260);
  glow.addColorStop(0, 'rgb(255 244 200 / 55%)');
  glow.addColorStop(1, 'rgb(255 244 200 / 0%)');
  context.fillStyle = glow;
  context.fillRect(500, 0, 500, 460);
  for (const [x, y, radius, color] of MOON) {
    context.fillStyle = color;
    context.beginPath();
    context.arc(x, y, radius, 0, 7);
    context.fill();
  }
}

function drawTowers(context, seed, count, height, color, litShare) {
  const random = randomNumbers(seed);
  const pitch = 1000 / count;
  for (let n = 0; n < count; n++) {
    const [x, width] = [n * pitch + 6 * random(), pitch * (0.72 + 0.24 * random())];
    const top = SHORE - height * (0.35 + 0.65 * random());
    context.fillStyle = color;
    context.fillRect(x, top, width, SHORE - top);
    drawRoof(context, x, top, width, Math.floor(4 * random()));
    drawWindows(context, x, top, width, random, litShare);
  }
}

function drawRoof(context, x, top, width, kind) {
  context.beginPath();
  if (kind === 0) context.arc(x + width / 2, top, width / 2, Math.PI, 0);
  if (kind === 1) {
    for (const point of [[x, top], [x + width / 2, top - width * 0.7], [x + width, top]]) context.lineTo(...point);
  }
  if (kind === 2) context.rect(x + width / 2 - 3, top - 70, 6, 72);
  if (kind === 3) context.rect(x + width * 0.2, top - 26, width * 0.6, 28);
  context.fill();
}

function drawWindows(context, x, top, width, random, litShare) {
  const hue = [45, 30, 190, 330, 60][Math.floor(5 * random())];
  for (let wy = top + 14; wy < SHORE - 16; wy += 22) {
    for (let wx = x + 9; wx < x + width - 12; wx += 17) {
      const isLit = random() < litShare;
      context.fillStyle = isLit ? `hsl(${hue} 95% ${66 + 14 * random()}%)` : 'rgb(255 255 255 / 7%)';
      context.fillRect(wx, wy, 9, 12);
    }
  }
}

// The reflection is the picture itself, upside down, with ripples.
function drawWater(context) {
  const { canvas } = context;
  const scale = canvas.width / 1000;
  const random = randomNumbers(33);
  for (let y = SHORE; y < 1000; y += 4) {
    const from = SHORE - (y - SHORE) * 1.6 - 8;
    const shift = 9 * Math.sin(y / 9) * ((y - SHORE) / 240) + 3 * (random() - 0.5);
    context.drawImage(canvas, 0, from * scale, canvas.width, 8 * scale, shift, y, 1000, 5);
  }
  const tint = context.createLinearGradient(0, SHORE, 0, 1000);
  tint.addColorStop(0, 'rgb(20 20 70 / 30%)');
  tint.addColorStop(1, 'rgb(8 10 45 / 72%)');
  context.fillStyle = tint;
  context.fillRect(0, SHORE, 1000, 1000 - SHORE);
  for (let n = 0; n < 60; n++) {
    context.fillStyle = `hsl(${[45, 200, 330][n % 3]} 90% 75% / ${20 + 40 * random()}%)`;
    context.fillRect(1000 * random(), SHORE + 8 + 230 * random(), 20 + 70 * random(), 3);
  }
}
