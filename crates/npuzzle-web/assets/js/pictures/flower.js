// A flower of petals around a point. The hue changes with the angle, so that no two pieces are equal.

/** The rings from outside to inside: the number of petals, their length, their half width, and the lightness. */
const RINGS = [[14, 640, 120, 46], [14, 520, 100, 54], [12, 400, 92, 62], [10, 290, 76, 70], [8, 185, 56, 80]];
const [X, Y] = [470, 520];

export function drawFlower(context) {
  const ground = context.createRadialGradient(X, Y, 60, X, Y, 800);
  ground.addColorStop(0, '#1f6f78');
  ground.addColorStop(1, '#0b2545');
  context.fillStyle = ground;
  context.fillRect(0, 0, 1000, 1000);
  drawWaves(context);
  RINGS.forEach((ring, i) => drawRing(context, ring, i));
  drawCenter(context);
}

function drawWaves(context) {
  context.lineWidth = 5;
  for (let ring = 0; ring < 14; ring++) {
    context.strokeStyle = `hsl(${170 + 9 * ring} 60% 62% / 35%)`;
    context.beginPath();
    context.arc(120, 90, 40 + 36 * ring, 0, 7);
    context.stroke();
  }
}

function drawRing(context, [count, length, halfWidth, lightness], ring) {
  for (let n = 0; n < count; n++) {
    const angle = ((n + 0.5 * (ring % 2)) * 2 * Math.PI) / count;
    const hue = (angle * 180) / Math.PI - 60 + 14 * ring;
    context.save();
    context.translate(X, Y);
    context.rotate(angle);
    drawPetal(context, length, halfWidth, hue, lightness);
    context.restore();
  }
}

function drawPetal(context, length, halfWidth, hue, lightness) {
  const fill = context.createLinearGradient(0, 0, length, 0);
  fill.addColorStop(0.1, `hsl(${hue + 30} 75% ${lightness - 18}%)`);
  fill.addColorStop(1, `hsl(${hue} 80% ${lightness + 10}%)`);
  context.fillStyle = fill;
  context.strokeStyle = `hsl(${hue} 60% ${lightness - 26}%)`;
  context.lineWidth = 4;
  context.beginPath();
  context.moveTo(30, 0);
  context.bezierCurveTo(length * 0.35, -halfWidth * 1.3, length * 0.85, -halfWidth, length, 0);
  context.bezierCurveTo(length * 0.85, halfWidth, length * 0.35, halfWidth * 1.3, 30, 0);
  context.fill();
  context.stroke();
  context.globalAlpha = 0.45;
  context.beginPath();
  context.moveTo(40, 0);
  context.lineTo(length * 0.86, 0);
  context.stroke();
  context.globalAlpha = 1;
}

// Seeds on a spiral of golden angles, as in a sunflower.
function drawCenter(context) {
  for (let seed = 0; seed < 160; seed++) {
    const [angle, distance] = [seed * 2.39996, 6.2 * Math.sqrt(seed)];
    context.fillStyle = `hsl(${28 + seed / 6} 90% ${30 + seed / 4}%)`;
    context.beginPath();
    context.arc(X + distance * Math.cos(angle), Y + distance * Math.sin(angle), 5, 0, 7);
    context.fill();
  }
}
