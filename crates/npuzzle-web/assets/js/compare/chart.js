// A bar chart of the cost of searches, on a logarithmic scale.

import { draw } from '../dom.js';
import { grouped } from '../text.js';

const [BAR_H, GAP, TOP, NAME_H] = [20, 10, 26, 18];
/** The width below which names are above their bars. */
const MIN_WIDTH = 440;
/** The widths of a digit in a label, and of a letter in a name. */
const [DIGIT_W, LETTER_W] = [7.4, 6.6];

/**
 * @param {{name: string, value: number | null, isCut: boolean, group: number}[]} rows
 * @param {string} title
 * @param {number} width in pixels
 */
export function drawChart(rows, title, width) {
  const isNarrow = width < MIN_WIDTH;
  const longest = (texts) => Math.max(0, ...texts.map((text) => text.length));
  const left = isNarrow ? 1 : 10 + LETTER_W * longest(rows.map(({ name }) => name));
  const barWidth = Math.max(40, width - left - 12 - DIGIT_W * longest(rows.map(labelOf)));
  const values = rows.map(({ value }) => value).filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(1, ...values) || 1));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(1, ...values))));
  const x = (value) => left + (barWidth * (Math.log10(value) - low)) / (high - low);
  const rowHeight = BAR_H + GAP + (isNarrow ? NAME_H : 0);
  const height = TOP + rows.length * rowHeight + 8;
  const powers = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  const tickStep = Math.ceil(powers.length / (barWidth < 180 ? 3 : 6));
  const grid = powers.filter((_, i) => i % tickStep === 0).flatMap((power) => [
    draw('line', { class: 'axis', x1: x(power), x2: x(power), y1: TOP - 4, y2: height }),
    draw('text', { class: 'tick', x: x(power), y: 14, 'text-anchor': isNarrow && power === powers[0] ? 'start' : 'middle' },
      abbreviated(power)),
  ]);
  const bars = rows.flatMap((row, i) => {
    const top = TOP + i * rowHeight + GAP / 2;
    const name = isNarrow
      ? { class: 'name', x: 0, y: top + 10 }
      : { class: 'name', x: left - 10, y: top + 14, 'text-anchor': 'end' };
    return [draw('text', name, row.name), ...drawBar(row, top + (isNarrow ? NAME_H : 0), x, low)];
  });
  return draw('svg', { class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title },
    draw('title', {}, title), hatching(), ...grid, ...bars);
}

function drawBar(row, y, x, low) {
  const { value, isCut, group } = row;
  const start = x(10 ** low);
  const end = Math.max(start + 2, value > 0 ? x(value) : start);
  const box = { x: start, y, width: end - start, height: BAR_H, rx: 4 };
  return [
    draw('rect', { class: `bar-${group % 4}`, ...box }),
    ...(isCut ? [draw('rect', { fill: 'url(#hatch)', ...box })] : []),
    draw('text', { class: 'value', x: end + 8, y: y + 14 }, labelOf(row)),
  ];
}

function labelOf({ value, isCut }) {
  if (value === null) return '–';
  return (isCut ? '≥ ' : '') + grouped(value < 10 ? Number(value.toFixed(2)) : Math.round(value));
}

// Bars of searches that reached a limit are hatched, so that they do not differ only by color.
function hatching() {
  const pattern = { id: 'hatch', width: 7, height: 7, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' };
  return draw('defs', {}, draw('pattern', pattern, draw('rect', { class: 'hatch', width: 3, height: 7 })));
}

function abbreviated(power) {
  if (power >= 1e9) return `${power / 1e9}G`;
  if (power >= 1e6) return `${power / 1e6}M`;
  return power >= 1e3 ? `${power / 1e3}k` : String(power);
}
