//! How the boards of a beam were come to, layer by layer.

use npuzzle_core::Slide;

/// A board's parent, by its number in the layer before, and the slide from there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Link(u32);

impl Link {
    /// The most boards of a layer.
    pub(super) const MAX_PARENTS: usize = 1 << 30;

    #[inline(always)]
    pub(super) fn new(parent: usize, slide: usize) -> Link {
        Link((parent << 2 | slide) as u32)
    }

    #[inline(always)]
    pub(super) fn parent(self) -> usize {
        (self.0 >> 2) as usize
    }

    /// The number of the slide in [`Slide::ALL`].
    #[inline(always)]
    pub(super) fn slide(self) -> usize {
        self.0 as usize & 3
    }
}

/// The links of all layers but the first, which is the start. Branches that have died out are
/// removed now and then; what is left is a long trunk with a crown of a few layers.
#[derive(Default)]
pub(super) struct Tree {
    layers: Vec<Vec<Link>>,
    n_since_pruned: usize,
}

/// How many layers are added before dead branches are removed.
const PRUNED_EVERY: usize = 16;

impl Tree {
    /// Number of layers, without the start.
    pub(super) fn depth(&self) -> usize {
        self.layers.len()
    }

    /// Adds a layer.
    pub(super) fn push(&mut self, links: Vec<Link>) {
        self.layers.push(links);
        self.n_since_pruned += 1;
        if self.n_since_pruned == PRUNED_EVERY {
            self.prune();
            self.n_since_pruned = 0;
        }
    }

    /// The slides from the start along a link from a board of the last layer.
    pub(super) fn path(&self, last: Link) -> Vec<Slide> {
        let mut link = last;
        let mut path = vec![Slide::ALL[link.slide()]];
        for layer in self.layers.iter().rev() {
            link = layer[link.parent()];
            path.push(Slide::ALL[link.slide()]);
        }
        path.reverse();
        path
    }

    /// Bytes that are held.
    pub(super) fn bytes(&self) -> usize {
        self.layers.iter().map(|layer| layer.capacity() * size_of::<Link>()).sum()
    }

    /// Removes what leads to no board of the last layer.
    fn prune(&mut self) {
        for at in (1..self.layers.len()).rev() {
            let (older, newer) = self.layers.split_at_mut(at);
            let (parents, children) = (&mut older[at - 1], &mut newer[0]);
            let mut is_parent = vec![false; parents.len()];
            children.iter().for_each(|link| is_parent[link.parent()] = true);
            if is_parent.iter().all(|&is_parent| is_parent) {
                return;
            }
            let mut n_before = 0;
            let numbers = is_parent.iter().map(|&is_parent| {
                n_before += usize::from(is_parent);
                n_before - usize::from(is_parent)
            });
            let numbers: Vec<usize> = numbers.collect();
            for link in children.iter_mut() {
                *link = Link::new(numbers[link.parent()], link.slide());
            }
            let mut is_parent = is_parent.into_iter();
            parents.retain(|_| is_parent.next() == Some(true));
            parents.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_testkit::random::Random;

    #[test]
    fn paths_are_the_same_without_the_branches_that_died_out() {
        let mut random = Random::new(1);
        let (mut tree, mut whole) = (Tree::default(), Vec::new());
        let mut n_parents = 1;
        for _ in 0..3 * PRUNED_EVERY + 5 {
            let n = 30 + random.below(10);
            // A few parents have all children, as in a beam.
            let link = |_| Link::new(random.below(n_parents.min(8)), random.below(4));
            let links: Vec<Link> = (0..n).map(link).collect();
            tree.push(links.clone());
            whole.push(links);
            n_parents = n;
        }
        let unpruned = Tree { layers: whole, n_since_pruned: 0 };
        for parent in 0..n_parents {
            let last = Link::new(parent, 3);
            assert_eq!(tree.path(last), unpruned.path(last));
        }
        assert!(tree.bytes() < unpruned.bytes() / 2);
    }
}
