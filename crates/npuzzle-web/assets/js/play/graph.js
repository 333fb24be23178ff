// A graph of the distance to the goal after each move. Triangles mark moves that are not optimal.

import { draw, find } from '../dom.js';

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [96, 28, 8, 8, 80];

/**
 * @param {(number | null)[]} distances
 * @param {(number | null)[]} losses
 */
export function showGraph(distances, losses, at, length) {
  const svg = find('graph');
  const width = svg.clientWidth || 360;
  svg.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
  const known = [...distances].map((d, i) => [i, d]).filter(([, d]) => typeof d === 'number');
  const max = Math.max(8, ...known.map(([, d]) => d));
  const last = Math.max(1, length);
  const x = (i) => LEFT + ((width - LEFT - RIGHT) * i) / last;
  const y = (d) => BOTTOM - ((BOTTOM - TOP) * d) / max;
  const points = (list) => list.map(([i, d]) => `${x(i).toFixed(1)},${y(d).toFixed(1)}`).join(' ');
  const done = known.filter(([i]) => i <= at);
  const parts = [
    draw('line', { class: 'axis', x1: LEFT, x2: width - RIGHT, y1: BOTTOM, y2: BOTTOM }),
    text(LEFT - 9, y(max) + 4, max, 'end'), text(LEFT - 9, BOTTOM + 4, 0, 'end'),
    text(x(last), HEIGHT - 2, length || '', 'end'), text(x(0), HEIGHT - 2, 0, 'middle'),
  ];
  if (done.length > 1) {
    const [first, latest] = [done[0][0], done.at(-1)[0]];
    parts.push(draw('polygon', {
      class: 'area', points: `${x(first)},${BOTTOM} ${points(done)} ${x(latest)},${BOTTOM}` }));
  }
  parts.push(draw('polyline', { class: 'curve ahead', points: points(known.filter(([i]) => i >= at)) }));
  parts.push(draw('polyline', { class: 'curve', points: points(done) }));
  losses.forEach((loss, i) => {
    if (!(loss > 0) || typeof distances[i + 1] !== 'number') return;
    const [cx, cy] = [x(i + 1), y(distances[i + 1])];
    parts.push(draw('path', { class: 'lost', d: `M${cx - 4} ${cy - 3}h8l-4 -7z` }));
  });
  const here = known.find(([i]) => i === at);
  if (here) parts.push(draw('circle', { class: 'here', cx: x(at), cy: y(here[1]), r: 4.5 }));
  svg.replaceChildren(...parts);
}

const text = (x, y, label, anchor) => draw('text', { x, y, 'text-anchor': anchor }, String(label));
