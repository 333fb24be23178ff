//! A long round cut into [slices](crate::engine::ida::subtree_split), which a journal can keep and anybody search.

use std::ops::ControlFlow;

use npuzzle_core::Slide;
use npuzzle_core::search::{Budget, Cost, Stats, Watch};
use npuzzle_tables::{Automaton, PdbSet};

use crate::engine::ida::journal::CompletedSlice;
use crate::engine::ida::subtree_split::{Counts, Cut, Means, Searched, Slice};

use crate::engine::pdb::context::Context;
use crate::engine::pdb::packed::PackedCells;
use crate::engine::pdb::search::{End, LONG_ROUND, Node, Search};

/// Slices at least, so that no thread waits long for the last one; of short rounds fewer, since a slice
/// takes some time to begin with.
const MIN_SLICES: usize = 256;
const MIN_SLICES_IF_SHORT: usize = 64;

/// And at most.
const MAX_SLICES: usize = 1 << 14;

/// States in a slice, by and large, of the round before: a second or so of the round to be cut.
const SLICE: u64 = 1 << 21;

/// Deeper than this no tree is cut.
const MAX_DEPTH: usize = 32;

/// A round cut into slices, each of which can be searched anywhere.
pub(crate) trait Sliced: Send + Sync {
    fn n_slices(&self) -> usize;

    /// What tells this cut from others of as many slices.
    fn shape(&self) -> u32;

    /// What was counted above all slices, or above those up to the first with a goal.
    fn above(&self, first_goal: Option<usize>) -> Counts;

    /// Searches a slice; the slides to a goal are those from the root.
    fn search(&self, index: usize, watch: &mut dyn Watch) -> Searched;
}

struct CutRound<
    'a,
    B,
    const N: usize,
    const C: usize,
    const BITS: usize,
    const MIRROR: bool,
    const FAR: bool,
> {
    grid: Context<'a, N, C, BITS>,
    bound: i32,
    cut: Cut<Node<B>>,
}

impl<
    B: PackedCells,
    const N: usize,
    const C: usize,
    const BITS: usize,
    const MIRROR: bool,
    const FAR: bool,
> Sliced for CutRound<'_, B, N, C, BITS, MIRROR, FAR>
{
    fn n_slices(&self) -> usize {
        self.cut.slices.len()
    }

    fn shape(&self) -> u32 {
        self.cut.shape()
    }

    fn above(&self, first_goal: Option<usize>) -> Counts {
        let slice = first_goal.and_then(|index| self.cut.slices.get(index));
        slice.map_or(self.cut.above, |slice| slice.above)
    }

    fn search(&self, index: usize, watch: &mut dyn Watch) -> Searched {
        let Slice { node, path, .. } = &self.cut.slices[index];
        let mut search: Search<'_, B, N, C, BITS, MIRROR, FAR> =
            Search::new(&self.grid, Budget::NONE, watch);
        let searched = search.searched(node, self.bound - path.len() as i32);
        let whole = |below: Vec<Slide>| path.iter().copied().chain(below).collect();
        Searched { goal: searched.goal.map(whole), ..searched }
    }
}

/// A round in slices, after one of so many nodes; `None` if the goal is above them.
pub(crate) fn cut_round<
    'a,
    B: PackedCells,
    const N: usize,
    const C: usize,
    const BITS: usize,
    const MIRROR: bool,
    const FAR: bool,
>(
    set: &'a PdbSet,
    automaton: &'a Automaton,
    labels: &[u8],
    bound: Cost,
    last_round: u64,
) -> Option<Box<dyn Sliced + 'a>> {
    let (grid, mut nobody) = (Context::new(set, automaton), ());
    let search = Search::<B, N, C, BITS, MIRROR, FAR>::new(&grid, Budget::NONE, &mut nobody);
    let bound = bound as i32;
    let cut = search.cut(&search.root(labels), bound, n_wanted(last_round))?;
    Some(Box::new(CutRound::<B, N, C, BITS, MIRROR, FAR> { grid, bound, cut }))
}

/// A whole round.
pub(crate) fn one_round<
    B: PackedCells,
    const N: usize,
    const C: usize,
    const BITS: usize,
    const MIRROR: bool,
    const FAR: bool,
>(
    set: &PdbSet,
    automaton: &Automaton,
    labels: &[u8],
    bound: Cost,
    watch: &mut dyn Watch,
) -> Searched {
    let grid = Context::new(set, automaton);
    let mut search = Search::<B, N, C, BITS, MIRROR, FAR>::new(&grid, Budget::NONE, watch);
    let root = search.root(labels);
    search.searched(&root, bound as i32)
}

/// How many slices a round is cut into after one of so many nodes.
fn n_wanted(last_round: u64) -> usize {
    let least = if last_round < LONG_ROUND { MIN_SLICES_IF_SHORT } else { MIN_SLICES };
    ((last_round / SLICE) as usize).clamp(least, MAX_SLICES)
}

impl<
    B: PackedCells,
    const N: usize,
    const C: usize,
    const BITS: usize,
    const MIRROR: bool,
    const FAR: bool,
> Search<'_, B, N, C, BITS, MIRROR, FAR>
{
    /// Searches below a node that is the top of a slice, or the root.
    fn searched(&mut self, node: &Node<B>, left: i32) -> Searched {
        let end = self.dfs(node, left);
        let path = std::mem::take(&mut self.path);
        let is_goal = matches!(end, ControlFlow::Break(End::Goal));
        Searched {
            counts: Counts::from(&self.stats),
            is_partial: matches!(end, ControlFlow::Break(End::Stopped(_))),
            goal: is_goal.then(|| path.into_iter().rev().collect()),
        }
    }

    /// A round that does what [`dfs`](Search::dfs) does from the root, after one of so many nodes.
    ///
    /// Slices that the journal has from an earlier run are not searched again.
    pub(crate) fn dfs_in_parallel(
        &mut self,
        root: &Node<B>,
        bound: i32,
        n_threads: usize,
        last_round: u64,
    ) -> ControlFlow<End> {
        let Some(cut) = self.cut(root, bound, n_wanted(last_round)) else {
            return self.dfs(root, bound);
        };
        let (grid, journal) = (self.grid, &mut self.journal);
        let n_slices = cut.slices.len();
        let known = match journal {
            Some(journal) => {
                journal.cut(bound as Cost, n_slices, cut.shape(), &grid.set.partition().name())
            }
            None => Vec::new(),
        };
        let counted =
            |CompletedSlice { at, expanded, generated }| (at, Counts { expanded, generated });
        let means = Means {
            n_threads,
            before: self.stats,
            watch: &mut *self.watch,
            done: known.into_iter().filter(|done| done.at < n_slices).map(counted).collect(),
            tell: &mut |number, counts| {
                if let Some(journal) = &mut *journal {
                    let Counts { expanded, generated } = counts;
                    let stats = Stats { expanded, generated, ..Stats::default() };
                    journal.slice(bound as Cost, number, &stats);
                }
            },
        };
        let round = cut.search(means, |slice, watch| {
            let mut search: Search<'_, B, N, C, BITS, MIRROR, FAR> =
                Search::new(grid, Budget::NONE, watch);
            search.searched(&slice.node, bound - slice.path.len() as i32)
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
        let next = self.grid.automaton.row(node.automaton);
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
