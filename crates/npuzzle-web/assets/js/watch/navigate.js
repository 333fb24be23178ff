// Keyboard navigation between nodes of the queue and of the tree.

/** Returns the node above or below in the queue; undefined for other keys. */
export function nextInQueue(open, from, key) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (!step) return undefined;
  const at = open.indexOf(from);
  return open[at < 0 ? 0 : Math.max(0, Math.min(open.length - 1, at + step))];
}

/** Returns the parent, the first child, or the sibling that an arrow key leads to. */
export function nextInTree(nodes, from, key) {
  const current = nodes.find(({ node }) => node === from);
  const childrenOf = (parent) => nodes.filter((node) => node.parent === parent).map(({ node }) => node);
  if (key === 'ArrowUp') return current?.parent ?? undefined;
  if (key === 'ArrowDown') return childrenOf(from)[0];
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (!step || !current) return undefined;
  const siblings = childrenOf(current.parent);
  return siblings[siblings.indexOf(from) + step];
}
