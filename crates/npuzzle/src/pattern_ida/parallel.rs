//! A long round cut into [slices](crate::slices), which a journal can keep.

use std::ops::ControlFlow;

use npuzzle_core::Slide;
use npuzzle_core::search::{Budget, Cost};

use crate::journal::Done;
use crate::slices::{Counts, Cut, Means, Searched, Slice};

use super::cells::Cells;
use super::{End, Node, Search};

/// Slices at least, so that no thread waits long for the last one.
const MIN_SLICES: usize = 256;

/// And at most.
const MAX_SLICES: usize = 1 << 14;

/// States in a slice, by and large, of the round before: a second or so of the round to be cut.
const SLICE: u64 = 1 << 21;

/// Deeper than this no tree is cut.
const MAX_DEPTH: usize = 32;

impl<
    B: Cells,
    const N: usize,
    const C: usize,
    const BITS: usize,
    const MIRROR: bool,
    const FAR: bool,
> Search<'_, B, N, C, BITS, MIRROR, FAR>
{
    /// A round that does what [`dive`](Search::dive) does from the root, after one of so many nodes.
    ///
    /// Slices that the journal has from an earlier run are not searched again.
    pub(super) fn dive_in_parallel(
        &mut self,
        root: &Node<B>,
        bound: i32,
        n_threads: usize,
        last_round: u64,
    ) -> ControlFlow<End> {
        let n_wanted = ((last_round / SLICE) as usize).clamp(MIN_SLICES, MAX_SLICES);
        let Some(cut) = self.cut(root, bound, n_wanted) else {
            return self.dive(root, bound);
        };
        let (set, automaton, journal) = (self.set, self.automaton, &mut self.journal);
        let n_slices = cut.slices.len();
        let known = match journal {
            Some(journal) => journal.cut(bound as Cost, &cut, &set.partition().name()),
            None => Vec::new(),
        };
        let counted = |Done { at, expanded, generated }| (at, Counts { expanded, generated });
        let means = Means {
            n_threads,
            before: self.stats,
            watch: &mut *self.watch,
            done: known.into_iter().filter(|done| done.at < n_slices).map(counted).collect(),
            tell: &mut |number, counts| {
                if let Some(journal) = &mut *journal {
                    journal.slice(bound as Cost, number, counts);
                }
            },
        };
        let round = cut.search(means, |slice, watch| {
            let mut search: Search<'_, B, N, C, BITS, MIRROR, FAR> =
                Search::new(set, automaton, Budget::NONE, watch);
            let end = search.dive(&slice.node, bound - slice.path.len() as i32);
            search.path.reverse();
            Searched {
                counts: Counts::from(&search.stats),
                is_partial: matches!(end, ControlFlow::Break(End::Stopped(_))),
                goal: matches!(end, ControlFlow::Break(End::Goal)).then_some(search.path),
            }
        });
        self.stats.expanded += round.counts.expanded;
        self.stats.generated += round.counts.generated;
        match round.end {
            Ok(path) => {
                self.path = path.into_iter().rev().collect();
                ControlFlow::Break(End::Goal)
            }
            Err(Some(limit)) => ControlFlow::Break(End::Stopped(limit)),
            Err(None) => ControlFlow::Continue(()),
        }
    }

    /// The slices, at least so many if the tree has them, and all that was counted above them.
    /// `None` if the goal is not below them but among what is above.
    fn cut(&self, root: &Node<B>, bound: i32, n_wanted: usize) -> Option<Cut<Node<B>>> {
        for depth in 1..=MAX_DEPTH {
            let mut cut = Cut { slices: Vec::new(), above: Counts::default() };
            self.cut_below(root, bound, depth, &mut Vec::new(), &mut cut)?;
            if cut.slices.len() >= n_wanted || depth == MAX_DEPTH {
                return Some(cut);
            }
        }
        None
    }

    fn cut_below(
        &self,
        node: &Node<B>,
        left: i32,
        depth: usize,
        path: &mut Vec<Slide>,
        cut: &mut Cut<Node<B>>,
    ) -> Option<()> {
        cut.above.expanded += 1;
        let next = self.automaton.row(node.automaton);
        for slide in Slide::ALL {
            if !self.is_open(node, next, slide) {
                continue;
            }
            cut.above.generated += 1;
            let Some(child) = self.child_after(slide, node, next[slide as usize], left - 1) else {
                continue;
            };
            if child.manhattan == 0 {
                return None;
            }
            path.push(slide);
            if depth == 1 {
                cut.slices.push(Slice { node: child, path: path.clone(), above: cut.above });
            } else {
                self.cut_below(&child, left - 1, depth - 1, path, cut)?;
            }
            path.pop();
        }
        Some(())
    }
}
