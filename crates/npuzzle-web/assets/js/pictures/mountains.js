// Mountains at sunset above a lake.

import { randomNumbers } from './random.js';

const SHORE = 660;
/** The ridges from far to near: the height of the base, the amplitude, and the color. */
const RIDGES = [[520, 150, '#b0668f'], [580, 130, '#7f4a86'], [630, 110, '#54366f'], [SHORE, 60, '#34264f']];

export function drawMountains(context) {
  drawSky(context);
  RIDGES.forEach(([base, amplitude, color], i) => drawRidge(context, base, amplitude, color, 11 * i + 5));
  drawLake(context);
  drawTrees(context);
  drawLight(context);
}

// The light is cooler on the left, so that pieces of one row differ.
function drawLight(context) {
  const light = context.createLinearGradient(0, 0, 1000, 0);
  light.addColorStop(0, 'rgb(20 60 190 / 34%)');
  light.addColorStop(0.55, 'rgb(255 180 120 / 0%)');
  light.addColorStop(1, 'rgb(255 110 70 / 26%)');
  context.fillStyle = light;
  context.fillRect(0, 0, 1000, 1000);
}

function drawSky(context) {
  const sky = context.createLinearGradient(0, 0, 0, SHORE);
  for (const [at, color] of [[0, '#27306b'], [0.35, '#6d4a92'], [0.62, '#d9708a'], [0.85, '#ffb37a'], [1, '#ffe0a3']]) {
    sky.addColorStop(at, color);
  }
  context.fillStyle = sky;
  context.fillRect(0, 0, 1000, 1000);
  const glow = context.createRadialGradient(640, 400, 20, 640, 400, 420);
  glow.addColorStop(0, 'rgb(255 236 180 / 90%)');
  glow.addColorStop(1, 'rgb(255 190 120 / 0%)');
  context.fillStyle = glow;
  context.fillRect(0, 0, 1000, SHORE);
  disc(context, 640, 400, 72, '#fff3cf');
  const random = randomNumbers(3);
  for (let n = 0; n < 70; n++) {
    context.globalAlpha = 0.3 + 0.7 * random();
    disc(context, 1000 * random(), 260 * random() ** 1.5, 1 + 2.6 * random(), '#ffffff');
  }
  context.globalAlpha = 1;
  for (let n = 0; n < 16; n++) drawCloud(context, random);
}

function drawCloud(context, random) {
  const [x, y] = [1000 * random(), 110 + 330 * random()];
  context.fillStyle = `hsl(${330 + 50 * random()} 80% ${68 + 16 * random()}% / 50%)`;
  for (let n = 0; n < 5; n++) {
    context.beginPath();
    const [centerX, centerY] = [x + 130 * (random() - 0.5), y + 18 * (random() - 0.5)];
    context.ellipse(centerX, centerY, 60 + 80 * random(), 7 + 9 * random(), 0, 0, 7);
    context.fill();
  }
}

function drawRidge(context, base, amplitude, color, seed) {
  context.fillStyle = color;
  context.beginPath();
  context.moveTo(0, SHORE + 2);
  for (let x = 0; x <= 1000; x += 5) {
    const height = Math.abs(Math.sin(x / 140 + seed)) + 0.5 * Math.abs(Math.sin(x / 53 + 2 * seed))
      + 0.22 * Math.abs(Math.sin(x / 19 + seed));
    context.lineTo(x, base + amplitude * 0.5 - amplitude * height);
  }
  context.lineTo(1000, SHORE + 2);
  context.fill();
}

function drawLake(context) {
  const water = context.createLinearGradient(0, SHORE, 0, 1000);
  for (const [at, color] of [[0, '#f2a07f'], [0.3, '#b5648c'], [1, '#2a2a61']]) water.addColorStop(at, color);
  context.fillStyle = water;
  context.fillRect(0, SHORE, 1000, 1000 - SHORE);
  const random = randomNumbers(8);
  for (let n = 0; n < 150; n++) {
    const depth = random();
    const y = SHORE + 4 + 330 * depth;
    const isGlitter = random() < 0.4;
    const x = isGlitter ? 640 + (random() - 0.5) * (90 + 160 * depth) : 1000 * random();
    context.fillStyle = isGlitter ? 'rgb(255 238 190 / 75%)'
      : random() < 0.5 ? 'rgb(255 190 170 / 30%)' : 'rgb(40 30 90 / 35%)';
    context.fillRect(x - 15 - 45 * depth, y, 30 + 90 * depth * random(), 2 + 4 * depth);
  }
}

function drawTrees(context) {
  const random = randomNumbers(21);
  context.fillStyle = '#171334';
  context.beginPath();
  context.moveTo(0, 1000);
  context.quadraticCurveTo(160, 840, 470, 1000);
  context.moveTo(620, 1000);
  context.quadraticCurveTo(880, 890, 1000, 900);
  context.lineTo(1000, 1000);
  context.fill();
  for (const x of [30, 95, 150, 215, 300, 820, 890, 960]) {
    const [foot, height] = [x < 500 ? 930 + x / 7 : 945 - (x - 800) / 8, 130 + 130 * random()];
    for (let part = 0; part < 4; part++) {
      const top = foot - height + (part * height) / 5;
      const half = height * (0.07 + 0.045 * part);
      context.beginPath();
      context.moveTo(x, top);
      context.lineTo(x + half, top + height * 0.32);
      context.lineTo(x - half, top + height * 0.32);
      context.fill();
    }
  }
}

function disc(context, x, y, radius, color) {
  context.fillStyle = color;
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fill();
}
