// Draws the tree of a search: one row for each depth, each parent centered above its children.

import { draw } from '../dom.js';
import { counted } from '../text.js';

/** The fates of nodes that need other words in a tooltip. */
const FATES = { refused: 'pruned', cut: 'beyond the bound', solution: 'on the solution path' };

const [STEP_X, STEP_Y, NODE_W, NODE_H, PAD] = [42, 52, 36, 26, 24];

/**
 * Assigns a column and a row to each node; nodes are in the order of their generation.
 * @param {import('./trace.js').Node[]} nodes
 */
export function layOut(nodes) {
  const children = new Map();
  const roots = [];
  const numbers = new Set(nodes.map(({ node }) => node));
  for (const { node, parent } of nodes) {
    if (parent === null || !numbers.has(parent)) roots.push(node);
    else children.set(parent, [...(children.get(parent) ?? []), node]);
  }
  const positions = new Map();
  let leaves = 0;
  let depth = 0;
  // An explicit stack, because a path may be too long for recursion.
  const stack = roots.reverse().map((node) => ({ node, y: 0, isDone: false }));
  while (stack.length > 0) {
    const top = stack.at(-1);
    const ownChildren = children.get(top.node) ?? [];
    if (!top.isDone && ownChildren.length > 0) {
      top.isDone = true;
      for (const child of [...ownChildren].reverse()) stack.push({ node: child, y: top.y + 1, isDone: false });
      continue;
    }
    stack.pop();
    const xs = ownChildren.map((child) => positions.get(child).x);
    const x = xs.length > 0 ? (Math.min(...xs) + Math.max(...xs)) / 2 : leaves++;
    positions.set(top.node, { x, y: top.y });
    depth = Math.max(depth, top.y);
  }
  return { positions, width: leaves, height: depth + 1 };
}

/**
 * @param {import('./trace.js').Trace} trace
 * @param {(node: number) => void} onChoose
 */
export function drawTree(trace, at, onChoose) {
  const nodes = trace.tree(at);
  const { positions, width, height } = layOut(nodes);
  const fates = trace.fates(at);
  const current = trace.step(at)?.node ?? 0;
  const x = (node) => PAD + NODE_W / 2 + positions.get(node).x * STEP_X;
  const y = (node) => PAD / 2 + NODE_H / 2 + positions.get(node).y * STEP_Y;
  const isOnPath = (node) => fates.get(node) === 'solution';
  const edges = nodes.filter(({ parent }) => positions.has(parent)).map(({ node, parent }) =>
    draw('path', {
      class: `edge${isOnPath(node) && isOnPath(parent) ? ' solution' : ''}`,
      d: `M${x(parent)} ${y(parent) + NODE_H / 2}C${x(parent)} ${y(parent) + STEP_Y / 2} ${x(node)} ${y(node) - STEP_Y / 2} ${x(node)} ${y(node) - NODE_H / 2}`,
    }));
  const boxes = nodes.map((node) => drawNode(node, x(node.node), y(node.node),
    fates.get(node.node) ?? 'open', node.node === current && at > 0, onChoose));
  const [w, h] = [2 * PAD + (width - 1) * STEP_X + NODE_W, PAD + (height - 1) * STEP_Y + NODE_H];
  const svg = draw('svg', {
    class: 'tree', width: w, height: h, viewBox: `0 0 ${w} ${h}`, role: 'img',
    'aria-label': `Search tree: ${counted(nodes.length, 'node')}, depth ${height - 1}`,
  }, ...edges, ...boxes);
  return { svg, x: x(current), y: y(current) };
}

function drawNode({ node, g, h, f, slide }, x, y, fate, isCurrent, onChoose) {
  const box = draw('g', { class: `node ${fate}${isCurrent ? ' current' : ''}`, 'data-node': node },
    draw('title', {}, `#${node}${slide ? ` by ${slide}` : ''}: g ${g}, h ${h}, f ${f}; ${FATES[fate] ?? fate}`),
    draw('rect', { x: x - NODE_W / 2, y: y - NODE_H / 2, width: NODE_W, height: NODE_H, rx: 7 }),
    draw('text', { x, y: y + 4.5, 'text-anchor': 'middle' }, String(f)));
  box.addEventListener('click', () => onChoose(node));
  return box;
}
