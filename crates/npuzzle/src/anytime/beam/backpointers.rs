//! Backpointers: how each board of a beam was reached.
//!
//! A layer of the beam stores complete boards only while it is expanded. Afterwards only four bytes per
//! board remain: the index of its parent in the layer before, and the slide from there. Branches that
//! no board of the last layer descends from are removed every few layers. The boards of the last layer usually
//! share all but their last few ancestors, so memory hardly depends on the length of the solution.

use npuzzle_core::Slide;

/// The parent of a board, as an index into the layer before, and the slide from the parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Backpointer(u32);

impl Backpointer {
    /// The maximum number of boards in a layer.
    pub(super) const MAX_PARENTS: usize = 1 << 30;

    #[inline(always)]
    pub(crate) fn new(parent: usize, slide: usize) -> Backpointer {
        Backpointer((parent << 2 | slide) as u32)
    }

    #[inline(always)]
    pub(crate) fn parent(self) -> usize {
        (self.0 >> 2) as usize
    }

    /// The index of the slide in [`Slide::ALL`].
    #[inline(always)]
    pub(crate) fn slide(self) -> usize {
        self.0 as usize & 3
    }
}

/// The backpointers of all layers except the first, which is the start.
#[derive(Default)]
pub(super) struct Backpointers {
    layers: Vec<Vec<Backpointer>>,
    n_since_pruned: usize,
}

/// Dead branches are removed after this many layers.
const PRUNE_INTERVAL: usize = 16;

impl Backpointers {
    /// The number of layers without the start.
    pub(super) fn depth(&self) -> usize {
        self.layers.len()
    }

    /// Adds a layer.
    pub(super) fn push(&mut self, layer: Vec<Backpointer>) {
        self.layers.push(layer);
        self.n_since_pruned += 1;
        if self.n_since_pruned == PRUNE_INTERVAL {
            self.prune();
            self.n_since_pruned = 0;
        }
    }

    /// The slides from the start to a board after the last layer, given by its backpointer.
    pub(super) fn path(&self, last: Backpointer) -> Vec<Slide> {
        let mut pointer = last;
        let mut path = vec![Slide::ALL[pointer.slide()]];
        for layer in self.layers.iter().rev() {
            pointer = layer[pointer.parent()];
            path.push(Slide::ALL[pointer.slide()]);
        }
        path.reverse();
        path
    }

    /// The memory in use.
    pub(super) fn bytes(&self) -> usize {
        self.layers.iter().map(|layer| layer.capacity() * size_of::<Backpointer>()).sum()
    }

    /// Removes all boards without a descendant in the last layer.
    fn prune(&mut self) {
        for at in (1..self.layers.len()).rev() {
            let (older, newer) = self.layers.split_at_mut(at);
            let (parents, children) = (&mut older[at - 1], &mut newer[0]);
            let mut has_child = vec![false; parents.len()];
            children.iter().for_each(|child| has_child[child.parent()] = true);
            if has_child.iter().all(|&has_child| has_child) {
                return;
            }
            let mut n_kept = 0;
            let new_indices = has_child.iter().map(|&has_child| {
                n_kept += usize::from(has_child);
                n_kept - usize::from(has_child)
            });
            let new_indices: Vec<usize> = new_indices.collect();
            for child in children.iter_mut() {
                *child = Backpointer::new(new_indices[child.parent()], child.slide());
            }
            let mut has_child = has_child.into_iter();
            parents.retain(|_| has_child.next() == Some(true));
            parents.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_testkit::random::Random;

    #[test]
    fn pruning_keeps_all_paths() {
        let mut random = Random::new(1);
        let (mut pruned, mut layers) = (Backpointers::default(), Vec::new());
        let mut n_parents = 1;
        for _ in 0..3 * PRUNE_INTERVAL + 5 {
            let n = 30 + random.below(10);
            // A few parents have all children, as in a beam.
            let pointer = |_| Backpointer::new(random.below(n_parents.min(8)), random.below(4));
            let layer: Vec<Backpointer> = (0..n).map(pointer).collect();
            pruned.push(layer.clone());
            layers.push(layer);
            n_parents = n;
        }
        let unpruned = Backpointers { layers, n_since_pruned: 0 };
        for parent in 0..n_parents {
            let last = Backpointer::new(parent, 3);
            assert_eq!(pruned.path(last), unpruned.path(last));
        }
        assert!(pruned.bytes() < unpruned.bytes() / 2);
    }
}
