// Keys that go from state to state, in the queue and in the tree of a search.

/** The state above or below in the queue; undefined for other keys. */
export function alongQueue(open, from, key) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (!step) return undefined;
  const at = open.indexOf(from);
  return open[at < 0 ? 0 : Math.max(0, Math.min(open.length - 1, at + step))];
}

/** The parent above, the first child below, or the next child of the same parent. */
export function alongTree(nodes, from, key) {
  const here = nodes.find(({ node }) => node === from);
  const childrenOf = (parent) => nodes.filter((node) => node.parent === parent).map(({ node }) => node);
  if (key === 'ArrowUp') return here?.parent ?? undefined;
  if (key === 'ArrowDown') return childrenOf(from)[0];
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (!step || !here) return undefined;
  const beside = childrenOf(here.parent);
  return beside[beside.indexOf(from) + step];
}
