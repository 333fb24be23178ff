// A bar chart of the cost of searches, on a logarithmic scale.

import { draw } from '../dom.js';
import { grouped } from '../text.js';

const [VALUE_W, ROW_H, TOP] = [76, 30, 26];

/**
 * @param {{name: string, value: number | null, isCut: boolean, group: number}[]} rows
 * @param {string} title
 * @param {number} width in pixels
 */
export function drawChart(rows, title, width) {
  const nameWidth = Math.min(176, width * 0.4);
  const barWidth = width - nameWidth - VALUE_W;
  const values = rows.map(({ value }) => value).filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(1, ...values) || 1));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(1, ...values))));
  const x = (value) => nameWidth + (barWidth * (Math.log10(value) - low)) / (high - low);
  const height = TOP + rows.length * ROW_H + 8;
  const powers = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  const tickStep = Math.ceil(powers.length / (barWidth < 180 ? 3 : 6));
  const grid = powers.filter((_, i) => i % tickStep === 0).flatMap((power) => [
    draw('line', { class: 'axis', x1: x(power), x2: x(power), y1: TOP - 4, y2: height }),
    draw('text', { class: 'tick', x: x(power), y: 14, 'text-anchor': 'middle' }, abbreviated(power)),
  ]);
  const bars = rows.flatMap((row, i) => drawBar(row, TOP + i * ROW_H, x, low, nameWidth));
  return draw('svg', { class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title },
    draw('title', {}, title), hatching(), ...grid, ...bars);
}

function drawBar({ name, value, isCut, group }, y, x, low, nameWidth) {
  const start = x(10 ** low);
  const end = Math.max(start + 2, value > 0 ? x(value) : start);
  const label = value === null ? '–' : (isCut ? '≥ ' : '') + grouped(value < 10 ? Number(value.toFixed(2)) : Math.round(value));
  return [
    draw('text', { class: 'name', x: nameWidth - 10, y: y + 19, 'text-anchor': 'end' }, name),
    draw('rect', { class: `bar-${group % 4}`, x: start, y: y + 5, width: end - start, height: ROW_H - 10, rx: 4 }),
    ...(isCut ? [draw('rect', { fill: 'url(#hatch)', x: start, y: y + 5, width: end - start, height: ROW_H - 10, rx: 4 })] : []),
    draw('text', { class: 'value', x: end + 8, y: y + 19 }, label),
  ];
}

// Bars of searches that reached a limit are hatched, so that they do not differ only by color.
function hatching() {
  return draw('defs', {}, draw('pattern', { id: 'hatch', width: 7, height: 7, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
    draw('rect', { class: 'hatch', width: 3, height: 7 })));
}

function abbreviated(power) {
  if (power >= 1e9) return `${power / 1e9}G`;
  if (power >= 1e6) return `${power / 1e6}M`;
  return power >= 1e3 ? `${power / 1e3}k` : String(power);
}
