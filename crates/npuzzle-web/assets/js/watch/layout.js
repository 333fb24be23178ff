// The layout of a search tree: one row for each depth, one column for each leaf, each parent centered above its
// children.

/**
 * Assigns a column and a row to the nodes `first` to `end`. A parent has a smaller number than its children.
 * @param {import('./trace.js').Node[]} nodes
 * @returns {{first: number, end: number, xs: Float64Array, ys: Int32Array, width: number, height: number}}
 */
export function layOut(nodes, first, end) {
  const n = Math.max(0, end - first);
  const [firstChild, lastChild, sibling] = [0, 1, 2].map(() => new Int32Array(n).fill(-1));
  const [xs, ys] = [new Float64Array(n), new Int32Array(n)];
  let height = n > 0 ? 1 : 0;
  for (let i = 1; i < n; i++) {
    const parent = nodes[first + i].parent - first;
    if (firstChild[parent] < 0) firstChild[parent] = i;
    else sibling[lastChild[parent]] = i;
    lastChild[parent] = i;
    ys[i] = ys[parent] + 1;
    height = Math.max(height, ys[i] + 1);
  }
  // Leaves get their columns from left to right. An explicit stack, because a path may be too long for recursion.
  let width = 0;
  const stack = n > 0 ? [0] : [];
  while (stack.length > 0) {
    const i = stack.pop();
    if (sibling[i] >= 0) stack.push(sibling[i]);
    if (firstChild[i] >= 0) stack.push(firstChild[i]);
    else xs[i] = width++;
  }
  for (let i = n - 1; i >= 0; i--) {
    if (firstChild[i] >= 0) xs[i] = (xs[firstChild[i]] + xs[lastChild[i]]) / 2;
  }
  return { first, end, xs, ys, width, height };
}
