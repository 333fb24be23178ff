// A map of an island: heights from smooth noise, colored by height and shaded from the north-west.

import { randomNumbers } from './random.js';

const PIXELS = 500;
/** The greatest height of each color. */
const COLORS = [
  [0.2, [28, 78, 128]], [0.27, [44, 110, 158]], [0.33, [84, 156, 186]], [0.37, [150, 205, 205]], [0.4, [240, 222, 168]],
  [0.5, [160, 196, 108]], [0.6, [102, 158, 84]], [0.7, [66, 122, 76]], [0.79, [140, 122, 100]],
  [0.88, [172, 160, 148]], [9, [248, 248, 244]],
];

export function drawIsland(context) {
  const heights = makeHeights();
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = PIXELS;
  const small = canvas.getContext('2d');
  const image = small.createImageData(PIXELS, PIXELS);
  for (let y = 0; y < PIXELS; y++) {
    for (let x = 0; x < PIXELS; x++) image.data.set(colorAt(heights, x, y), 4 * (y * PIXELS + x));
  }
  small.putImageData(image, 0, 0);
  context.drawImage(canvas, 0, 0, 1000, 1000);
  drawGrid(context);
  drawCompass(context, 130, 860);
}

/** The height of every pixel: noise that decreases toward the edges. */
function makeHeights() {
  const octaves = [[4, 0.5], [8, 0.27], [16, 0.14], [32, 0.07]].map(([n, weight], i) => [makeNoise(n, 40 + i), weight]);
  return Float32Array.from({ length: PIXELS * PIXELS }, (_, i) => {
    const [x, y] = [(i % PIXELS) / PIXELS, Math.floor(i / PIXELS) / PIXELS];
    const noise = octaves.reduce((sum, [at, weight]) => sum + weight * at(x, y), 0);
    const fromCenter = Math.hypot(x - 0.5, y - 0.48) * 1.75;
    return 0.1 + 1.25 * noise * (1 - 0.78 * fromCenter ** 2);
  });
}

/** Smooth noise on a lattice of n × n squares. */
function makeNoise(n, seed) {
  const random = randomNumbers(seed);
  const lattice = Float32Array.from({ length: (n + 1) ** 2 }, () => random());
  const smooth = (t) => t * t * (3 - 2 * t);
  return (x, y) => {
    const [column, row] = [Math.floor(x * n), Math.floor(y * n)];
    const [right, down] = [smooth(x * n - column), smooth(y * n - row)];
    const at = (r, c) => lattice[r * (n + 1) + c];
    const upper = at(row, column) + (at(row, column + 1) - at(row, column)) * right;
    const lower = at(row + 1, column) + (at(row + 1, column + 1) - at(row + 1, column)) * right;
    return upper + (lower - upper) * down;
  };
}

function colorAt(heights, x, y) {
  const height = heights[y * PIXELS + x];
  const [, color] = COLORS.find(([max]) => height < max);
  const northWest = heights[Math.max(0, y - 2) * PIXELS + Math.max(0, x - 2)];
  const isWater = height < 0.37;
  const shade = 1 + Math.max(-0.28, Math.min(0.28, (height - northWest) * (isWater ? 2 : 9)));
  return [...color.map((channel) => channel * shade), 255];
}

function drawGrid(context) {
  context.strokeStyle = 'rgb(255 255 255 / 22%)';
  context.lineWidth = 2;
  for (let line = 100; line < 1000; line += 200) {
    context.strokeRect(-5, line, 1010, 0);
    context.strokeRect(line, -5, 0, 1010);
  }
}

function drawCompass(context, x, y) {
  for (let point = 0; point < 8; point++) {
    const angle = (point * Math.PI) / 4;
    const length = point % 2 === 0 ? 88 : 50;
    for (const side of [-1, 1]) {
      context.fillStyle = side < 0 ? '#f6ead0' : point === 0 ? '#d2452f' : '#24384f';
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + 18 * Math.sin(angle + side * 0.6), y - 18 * Math.cos(angle + side * 0.6));
      context.lineTo(x + length * Math.sin(angle), y - length * Math.cos(angle));
      context.fill();
    }
  }
}
