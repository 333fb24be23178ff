// The view of a search tree: zoom, pan, fit. Only visible nodes are drawn.

import { draw, icon, make } from '../dom.js';
import { counted } from '../text.js';
import { layOut } from './layout.js';

/** The fates of nodes that need other words in a tooltip. */
const FATES = { refused: 'pruned', cut: 'not expanded', solution: 'on the solution path' };

// Lengths in the coordinates of the tree.
const [STEP_X, STEP_Y, NODE_W, NODE_H, BOARD_H] = [56, 84, 46, 30, 58];
const MARGIN = 14;
const [MIN_SCALE, MAX_SCALE] = [0.005, 4];
/** The height of the zoom buttons, which must not cover the current node. */
const BUTTONS_PX = 52;
/** The minimum size of a node without text. */
const [DOT_W_PX, DOT_H_PX] = [2, 6];
/** The smallest scale at which a tree that does not fit is drawn before the user zooms, for type of 16 pixels. */
const READABLE = 0.85;
/** The largest scale at which a tree is drawn before the user zooms. */
const MAX_FITTING = 1.6;
/** Below this scale nodes have no text, and one path draws all nodes of a fate. */
const DETAILED = 0.4;
/** The smallest size of a tile on the screen, in pixels, that shows a board. */
const TILE_PX = 11;
/** A pointer that moves less is a click. */
const CLICK_PX = 4;

export class TreeView {
  /** @param {(node: number) => void} onChoose */
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.edges = draw('path', { class: 'edge' });
    this.path = draw('path', { class: 'edge solution' });
    this.nodes = draw('g');
    this.world = draw('g', {}, this.edges, this.path, this.nodes);
    this.svg = draw('svg', { class: 'tree', role: 'img' }, this.world);
    this.host = make('div', { class: 'forest', tabIndex: 0, role: 'region', 'aria-label': 'Search tree' }, this.svg);
    const button = (id, name, drawing, action) =>
      make('button', { type: 'button', class: `round ${id}`, 'aria-label': name, title: name, onclick: action }, icon(drawing));
    this.buttons = make('div', { class: 'zoom' },
      button('zoom-out', 'Zoom out', 'minus', () => this.zoomBy(1 / 1.4)),
      button('zoom-in', 'Zoom in', 'plus', () => this.zoomBy(1.4)),
      button('zoom-fit', 'Show the whole tree', 'fit', () => this.fit()));
    this.element = make('div', { class: 'tree-box' }, this.host, this.buttons);
    /** @type {Map<number, SVGElement>} the drawn nodes, which are reused between steps */
    this.drawn = new Map();
    this.reset();
    this.listen();
  }

  /** Forgets the trace and the position. */
  reset() {
    this.trace = null;
    /** Follow the tree until the user zooms or pans: `follow`; the whole tree: `fit`; otherwise `free`. */
    this.mode = 'follow';
    [this.scale, this.x, this.y, this.stepY] = [1, 0, 0, STEP_Y];
    this.clear();
  }

  clear() {
    this.drawn.clear();
    this.nodes.replaceChildren();
  }

  /** Shows the tree after some steps. @param {import('./trace.js').Trace} trace */
  show(trace, at) {
    if (trace !== this.trace) {
      this.clear();
      this.isBoardSize = trace.nodes.length > 0 && isSmall(trace.nodes[0].board);
    }
    Object.assign(this, { trace, at });
    this.layout = layOut(trace.nodes, ...trace.treeRange(at));
    this.current = trace.step(at)?.node ?? 0;
    const { first, end, height } = this.layout;
    this.svg.setAttribute('aria-label', `Search tree: ${counted(end - first, 'node')}, depth ${height - 1}`);
    this.host.dataset.solution = String(at === trace.length ? trace.onSolution.size : 0);
    this.place();
    this.render();
  }

  /** Marks a node and makes it visible. */
  choose(node) {
    this.chosen = node;
    if (!this.layout || node < this.layout.first || node >= this.layout.end) return;
    this.bringIntoView(node);
    this.render();
  }

  zoomBy(factor, x = this.width / 2, y = this.height / 2) {
    const scale = Math.max(MIN_SCALE, Math.min(MAX_SCALE, this.scale * factor));
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.release();
    this.render();
  }

  /** Leaves the scale and the offset to the user. */
  release() {
    this.mode = 'free';
    // The point in the middle of the view stays there when the rows move together.
    const middle = this.height / 2;
    this.y = middle - ((middle - this.y) * STEP_Y) / this.stepY;
    this.stepY = STEP_Y;
  }

  fit() {
    this.mode = 'fit';
    this.place();
    this.render();
  }

  get width() {
    return this.host.clientWidth;
  }

  get height() {
    return this.host.clientHeight;
  }

  /** The size of the tree at scale 1. */
  get size() {
    const { width, height } = this.layout;
    return [width * STEP_X + 2 * MARGIN, (height - 1) * STEP_Y + BOARD_H + 2 * MARGIN];
  }

  /** The center of the top of a node, in the coordinates of the tree. */
  position(node) {
    const i = node - this.layout.first;
    return [MARGIN + (this.layout.xs[i] + 0.5) * STEP_X, MARGIN + this.layout.ys[i] * this.stepY];
  }

  // Chooses the scale and the offset, unless the user has.
  place() {
    if (this.width === 0 || this.layout.end <= this.layout.first) return;
    const [w, h] = this.size;
    if (this.mode !== 'free') {
      const fitting = Math.min(MAX_FITTING, this.width / w, (this.height - (this.mode === 'fit' ? BUTTONS_PX : 0)) / h);
      const readable = READABLE * (parseFloat(getComputedStyle(this.host).fontSize) / 16);
      this.scale = this.mode === 'fit' ? Math.max(MIN_SCALE, fitting) : Math.max(readable, fitting);
    }
    // A wide tree that is shown as a whole would be a thin strip, so its rows are moved apart.
    const rows = this.layout.height - 1;
    this.stepY = this.mode === 'fit' && this.scale < DETAILED && rows > 0
      ? Math.max(STEP_Y, ((this.height - BUTTONS_PX) / this.scale - BOARD_H - 2 * MARGIN) / rows) : STEP_Y;
    if (w * this.scale <= this.width) this.x = (this.width - w * this.scale) / 2;
    if (h * this.scale <= this.height) this.y = 0;
    const hasChildren = (this.trace.step(this.at)?.pushed.length ?? 0) > 0;
    if (this.mode !== 'fit') this.bringIntoView(this.current, hasChildren && this.mode === 'follow');
  }

  /** Moves the tree so that a node, and the row of its children if requested, is visible above the buttons. */
  bringIntoView(node, withChildren = false) {
    const [x, y] = this.position(node);
    const [marginX, marginY] = [Math.min(withChildren ? 110 : 70, this.width / 2), Math.min(24, this.height / 3)];
    const bottom = y + BOARD_H + (withChildren ? this.stepY : 0);
    this.x = clamp(this.x, marginX - x * this.scale, this.width - marginX - x * this.scale);
    this.y = clamp(this.y, marginY / 2 - y * this.scale, this.height - Math.max(marginY, BUTTONS_PX) - bottom * this.scale);
  }

  /** Draws the nodes and edges that are visible. */
  render() {
    const { layout, trace } = this;
    if (!layout || this.width === 0) return;
    const { scale, x, y } = this;
    this.world.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
    const [left, right] = [-x / scale - STEP_X, (this.width - x) / scale + STEP_X];
    const [top, bottom] = [-y / scale - this.stepY, (this.height - y) / scale + this.stepY];
    const detail = this.detail();
    const nodeH = detail === 'boards' ? BOARD_H : NODE_H;
    const isOver = this.at === trace.length;
    const visible = [];
    let [edges, path] = ['', ''];
    for (let node = layout.first; node < layout.end; node++) {
      const [nodeX, nodeY] = this.position(node);
      if (nodeY < top || nodeY > bottom + this.stepY) continue;
      const parent = trace.nodes[node].parent;
      if (node > layout.first) {
        const [parentX, parentY] = this.position(parent);
        if (Math.max(nodeX, parentX) >= left && Math.min(nodeX, parentX) <= right) {
          const edge = `M${parentX} ${parentY + nodeH}C${parentX} ${nodeY - 12} ${nodeX} ${parentY + nodeH + 12} ${nodeX} ${nodeY}`;
          if (isOver && trace.onSolution.has(node) && trace.onSolution.has(parent)) path += edge;
          else edges += edge;
        }
      }
      if (nodeX >= left && nodeX <= right && nodeY <= bottom) visible.push(node);
    }
    this.edges.setAttribute('d', edges);
    this.path.setAttribute('d', path);
    this.host.dataset.detail = detail;
    if (detail !== this.drawnDetail) this.clear();
    this.drawnDetail = detail;
    if (detail === 'dots') this.drawDots(visible);
    else this.drawNodes(visible, detail);
  }

  /** What is drawn in a node: `boards`, `values` or nothing (`dots`). */
  detail() {
    if (this.scale < DETAILED) return 'dots';
    const longest = this.isBoardSize ? Math.max(...boardSize(this.trace.nodes[0].board)) : Infinity;
    return (this.scale * (NODE_W - 4)) / longest >= TILE_PX ? 'boards' : 'values';
  }

  drawDots(visible) {
    const [w, h] = [Math.max(NODE_W, DOT_W_PX / this.scale), Math.max(NODE_H, DOT_H_PX / this.scale)];
    const shapes = new Map();
    for (const node of visible) {
      const [x, y] = this.position(node);
      const name = this.className(node);
      shapes.set(name, `${shapes.get(name) ?? ''}M${x - w / 2} ${y}h${w}v${h}h${-w}z`);
    }
    this.nodes.replaceChildren(...[...shapes].map(([name, d]) => draw('path', { class: name, d })));
  }

  drawNodes(visible, detail) {
    const kept = new Map();
    for (const node of visible) {
      const box = this.drawn.get(node) ?? drawNode(this.trace.nodes[node], detail);
      const [x, y] = this.position(node);
      const fate = this.trace.fate(node, this.at);
      box.setAttribute('transform', `translate(${x - NODE_W / 2} ${y})`);
      box.setAttribute('class', this.className(node));
      if (box.dataset.fate !== fate) {
        box.dataset.fate = fate;
        box.firstChild.textContent = titleOf(this.trace.nodes[node], fate);
      }
      if (!this.drawn.has(node)) this.nodes.append(box);
      kept.set(node, box);
    }
    for (const [node, box] of this.drawn) if (!kept.has(node)) box.remove();
    this.drawn = kept;
  }

  className(node) {
    const isCurrent = node === this.current && this.at > 0;
    const marks = `${isCurrent ? ' current' : ''}${node === this.chosen ? ' chosen' : ''}`;
    return `node ${this.trace.fate(node, this.at)}${marks}`;
  }

  // The wheel zooms, a drag pans, a click chooses a node.
  listen() {
    const { host } = this;
    let drag = null;
    host.addEventListener('wheel', (event) => {
      event.preventDefault();
      const { left, top } = host.getBoundingClientRect();
      this.zoomBy(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
    }, { passive: false });
    host.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      drag = { x: event.clientX, y: event.clientY, isPan: false };
      host.setPointerCapture(event.pointerId);
    });
    host.addEventListener('pointermove', (event) => {
      if (!drag) return;
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (!drag.isPan && Math.hypot(dx, dy) < CLICK_PX) return;
      drag = { x: event.clientX, y: event.clientY, isPan: true };
      this.release();
      [this.x, this.y] = [this.x + dx, this.y + dy];
      this.render();
    });
    host.addEventListener('pointerup', (event) => {
      const node = drag && !drag.isPan ? this.nodeAt(event.clientX, event.clientY) : undefined;
      drag = null;
      if (node !== undefined) this.onChoose(node);
    });
    host.addEventListener('pointercancel', () => { drag = null; });
    new ResizeObserver(() => {
      if (!this.layout) return;
      this.place();
      this.render();
    }).observe(host);
  }

  /** The node at a point of the screen. */
  nodeAt(clientX, clientY) {
    if (!this.layout) return undefined;
    const { left, top } = this.host.getBoundingClientRect();
    const [x, y] = [(clientX - left - this.x) / this.scale, (clientY - top - this.y) / this.scale];
    const height = this.detail() === 'boards' ? BOARD_H : NODE_H;
    for (let node = this.layout.first; node < this.layout.end; node++) {
      const [nodeX, nodeY] = this.position(node);
      if (Math.abs(x - nodeX) <= NODE_W / 2 && y >= nodeY && y <= nodeY + height) return node;
    }
    return undefined;
  }
}

// Returns a value between two limits; the first wins if they contradict each other.
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

const boardSize = (slash) => {
  const rows = slash.split('/');
  return [rows.length, rows[0].split(' ').length];
};

const isSmall = (slash) => Math.max(...boardSize(slash)) <= 4;

const titleOf = ({ node, slide, g, h, f }, fate) =>
  `#${node}${slide ? ` by ${slide}` : ''}: g ${g}, h ${h}, f ${f}; ${FATES[fate] ?? fate}`;

function drawNode(node, detail) {
  const hasBoard = detail === 'boards';
  return draw('g', { 'data-node': node.node },
    draw('title'),
    draw('rect', { class: 'box', width: NODE_W, height: hasBoard ? BOARD_H : NODE_H, rx: 7 }),
    ...(hasBoard ? drawBoard(node.board) : []),
    draw('text', { class: 'value', x: NODE_W / 2, y: hasBoard ? BOARD_H - 3.5 : 20.5, 'text-anchor': 'middle' }, String(node.f)));
}

// A board in the upper part of a node.
function drawBoard(slash) {
  const rows = slash.split('/').map((row) => row.split(' '));
  const size = (NODE_W - 6) / Math.max(rows.length, rows[0].length);
  const [left, top] = [(NODE_W - rows[0].length * size) / 2, 3 + (NODE_W - 6 - rows.length * size) / 2];
  const tiles = rows.flatMap((row, y) => row.map((tile, x) => ({ tile, x: left + x * size, y: top + y * size })))
    .filter(({ tile }) => tile !== '0');
  const side = size - 1;
  return [
    draw('rect', { class: 'bed', x: left - 1, y: top - 1, width: rows[0].length * size + 1, height: rows.length * size + 1, rx: 2 }),
    draw('path', { class: 'cells', d: tiles.map(({ x, y }) => `M${x} ${y}h${side}v${side}h${-side}z`).join('') }),
    ...tiles.map(({ tile, x, y }) => draw('text', {
      class: 'digit', x: x + side / 2, y: y + side * 0.76, 'text-anchor': 'middle', 'font-size': size * 0.68,
    }, tile)),
  ];
}
