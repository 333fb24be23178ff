// The tree of a search: a row for every depth, parents above the middle of their children.

import { draw } from '../dom.js';

const [STEP_X, STEP_Y, NODE_W, NODE_H, PAD] = [42, 52, 36, 26, 24];

/**
 * Columns and rows for nodes in the order of their making.
 * @param {import('./trace.js').Node[]} nodes
 */
export function layOut(nodes) {
  const children = new Map();
  const roots = [];
  const isThere = new Set(nodes.map(({ node }) => node));
  for (const { node, parent } of nodes) {
    if (parent === null || !isThere.has(parent)) roots.push(node);
    else children.set(parent, [...(children.get(parent) ?? []), node]);
  }
  const places = new Map();
  let leaves = 0;
  let depth = 0;
  // Without recursion: a path may be long.
  const stack = roots.reverse().map((node) => ({ node, y: 0, isDone: false }));
  while (stack.length > 0) {
    const top = stack.at(-1);
    const own = children.get(top.node) ?? [];
    if (!top.isDone && own.length > 0) {
      top.isDone = true;
      for (const child of [...own].reverse()) stack.push({ node: child, y: top.y + 1, isDone: false });
      continue;
    }
    stack.pop();
    const xs = own.map((child) => places.get(child).x);
    const x = xs.length > 0 ? (Math.min(...xs) + Math.max(...xs)) / 2 : leaves++;
    places.set(top.node, { x, y: top.y });
    depth = Math.max(depth, top.y);
  }
  return { places, width: leaves, height: depth + 1 };
}

/**
 * @param {import('./trace.js').Trace} trace
 * @param {(node: number) => void} onChoose
 */
export function drawTree(trace, at, onChoose) {
  const nodes = trace.tree(at);
  const { places, width, height } = layOut(nodes);
  const fates = trace.fates(at);
  const current = trace.step(at)?.node ?? 0;
  const x = (node) => PAD + NODE_W / 2 + places.get(node).x * STEP_X;
  const y = (node) => PAD / 2 + NODE_H / 2 + places.get(node).y * STEP_Y;
  const isOnPath = (node) => fates.get(node) === 'solution';
  const edges = nodes.filter(({ parent }) => places.has(parent)).map(({ node, parent }) =>
    draw('path', {
      class: `edge${isOnPath(node) && isOnPath(parent) ? ' solution' : ''}`,
      d: `M${x(parent)} ${y(parent) + NODE_H / 2}C${x(parent)} ${y(parent) + STEP_Y / 2} ${x(node)} ${y(node) - STEP_Y / 2} ${x(node)} ${y(node) - NODE_H / 2}`,
    }));
  const boxes = nodes.map((node) => drawNode(node, x(node.node), y(node.node),
    fates.get(node.node) ?? 'open', node.node === current && at > 0, onChoose));
  const [w, h] = [2 * PAD + (width - 1) * STEP_X + NODE_W, PAD + (height - 1) * STEP_Y + NODE_H];
  const svg = draw('svg', {
    class: 'tree', width: w, height: h, viewBox: `0 0 ${w} ${h}`, role: 'img',
    'aria-label': `Search tree with ${nodes.length} nodes, ${height} deep`,
  }, ...edges, ...boxes);
  return { svg, x: x(current), y: y(current) };
}

function drawNode({ node, g, h, f, slide }, x, y, fate, isCurrent, onChoose) {
  const box = draw('g', { class: `node ${fate}${isCurrent ? ' current' : ''}`, 'data-node': node },
    draw('title', {}, `#${node}${slide ? ` by ${slide}` : ''}: g ${g}, h ${h}, f ${f}; ${fate}`),
    draw('rect', { x: x - NODE_W / 2, y: y - NODE_H / 2, width: NODE_W, height: NODE_H, rx: 7 }),
    draw('text', { x, y: y + 4.5, 'text-anchor': 'middle' }, String(f)));
  box.addEventListener('click', () => onChoose(node));
  return box;
}
