// A sea of layered scales under a red sun, after Japanese wave patterns.

const DEEP = [17, 54, 102];
const LIGHT = [126, 190, 206];

export function drawWaves(context) {
  const sky = context.createLinearGradient(0, 0, 1000, 460);
  for (const [at, color] of [[0, '#f8e7c5'], [0.55, '#f6cfa0'], [1, '#ee9f78']]) sky.addColorStop(at, color);
  context.fillStyle = sky;
  context.fillRect(0, 0, 1000, 1000);
  drawSun(context);
  drawBirds(context);
  drawPeak(context);
  const sea = context.createLinearGradient(0, 460, 0, 1000);
  for (const [at, color] of [[0, '#7ebece'], [1, '#11366a']]) sea.addColorStop(at, color);
  context.fillStyle = sea;
  context.fillRect(0, 480, 1000, 520);
  for (let row = 0; row < 9; row++) drawRow(context, row);
}

function drawSun(context) {
  context.lineWidth = 10;
  for (let ring = 4; ring > 0; ring--) {
    context.strokeStyle = `rgb(214 73 51 / ${52 - 10 * ring}%)`;
    context.beginPath();
    context.arc(300, 235, 120 + 30 * ring, 0, 7);
    context.stroke();
  }
  context.fillStyle = '#d64933';
  context.beginPath();
  context.arc(300, 235, 120, 0, 7);
  context.fill();
}

function drawBirds(context) {
  context.strokeStyle = '#3a3f55';
  context.lineWidth = 7;
  context.lineCap = 'round';
  for (const [x, y, span] of [[560, 90, 44], [660, 150, 34], [480, 175, 26], [90, 80, 36], [930, 70, 30]]) {
    context.beginPath();
    context.moveTo(x - span, y - span / 3);
    context.quadraticCurveTo(x - span / 3, y - span / 2, x, y + span / 4);
    context.quadraticCurveTo(x + span / 3, y - span / 2, x + span, y - span / 3);
    context.stroke();
  }
}

function drawPeak(context) {
  const polygon = (color, ...points) => {
    context.fillStyle = color;
    context.beginPath();
    for (const point of points) context.lineTo(...point);
    context.fill();
  };
  polygon('#5b6f95', [480, 520], [740, 200], [800, 200], [1080, 520]);
  polygon('#465a82', [770, 200], [800, 200], [1080, 520], [820, 520]);
  polygon('#fdf6e6', [740, 200], [800, 200], [860, 268], [825, 258], [800, 292], [772, 255],
    [740, 290], [715, 262], [684, 270]);
}

// A row of scales; rows below are larger and darker and cover the row above.
function drawRow(context, row) {
  const radius = 62 + 11 * row;
  const y = 450 + 56 * row + 3.2 * row * row;
  const shift = (row % 2) * radius - 40;
  for (let x = shift - radius; x < 1000 + radius; x += 2 * radius) {
    drawScale(context, x, y + 26 * Math.sin(x / 170 + row), radius, row, x / 1000);
  }
}

function drawScale(context, x, y, radius, row, across) {
  for (let ring = 0; ring < 5; ring++) {
    const share = Math.min(1, row / 9 + 0.07 * ring + 0.12 * Math.sin(7 * across));
    const [r, g, b] = LIGHT.map((light, i) => Math.round(light + (DEEP[i] - light) * Math.max(0, share)));
    context.fillStyle = ring % 2 === 0 ? `rgb(${r} ${g} ${b})` : '#f7f1e2';
    context.beginPath();
    context.arc(x, y, radius * (1 - 0.19 * ring), 0, 7);
    context.fill();
  }
  // The color of the eye tells scales of a row apart.
  context.fillStyle = `hsl(${350 + 70 * Math.max(0, Math.min(1, across))} 72% ${64 - 2 * row}%)`;
  context.beginPath();
  context.arc(x, y, radius * 0.14, 0, 7);
  context.fill();
}
