//! Iterative deepening with additive pattern databases, for boards of up to 25 cells.
//!
//! The plain twin is [`npuzzle_core::search::idastar`] with any heuristic; tests tie the two. What is
//! different here, and why:
//!
//! 1. *No path is walked twice.* An [`Automaton`] forbids every sequence of moves that ends where an
//!    earlier one does, far beyond the step straight back.
//! 2. *The heuristic is Manhattan distance plus what the patterns know beyond it.* Manhattan
//!    distance changes by one with every slide, known from a small table. Of the patterns, only the
//!    one that holds the tile is looked up again.
//! 3. *Ranks are carried along.* A tile that slides along a row changes the rank of its pattern by
//!    its weight; a tile that slides across rows by a sum over the cells it jumps, which lie side by
//!    side in the word that holds the board.
//! 4. *The same tables are seen through a mirror.* On a square board whose blank belongs on the
//!    diagonal, the transposed board has the same distance. It is kept beside the board, looked up
//!    by the same code, and the larger of both values counts.
//! 5. *Bounds go in steps of two*, the parity of a solution's length being fixed.
//! 6. *Long rounds are searched by several threads*, with the same result ([`parallel`]).
//! 7. *Each slide is compiled on its own*, so that what depends on its direction is no question, and
//!    the path is written down only on the way back from the goal.

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use npuzzle_core::search::{Budget, Cost, Limit, Outcome, SearchReport, Stats, Watch};
use npuzzle_core::{Board, Cell, Slide};
use npuzzle_tables::{Automaton, PdbSet, Width};

use crate::engine::ida::journal::Journal;
use crate::engine::ida::subtree_split::Searched;
use crate::tables::additive_pdb::AdditivePdb;

use crate::engine::pdb::context::Context;
use crate::engine::pdb::expand::{ChildStatus, transpose};
use crate::engine::pdb::lookup::Ranks;
use crate::engine::pdb::packed::PackedCells;

pub(crate) use crate::engine::pdb::iterations::Rounds;
pub(crate) use crate::engine::pdb::parallel::Sliced;

/// A shortest solution by iterative deepening with these patterns, which must be for the goal. Goes
/// on from where a search stands; an error is where it stands after a round of more than its
/// patience.
pub(crate) fn pdb_ida(
    start: &Board,
    patterns: &AdditivePdb,
    automaton: &Automaton,
    effort: Resources,
    standing: SearchState,
    world: Hooks<'_>,
) -> Result<SearchReport<Slide>, SearchState> {
    let frame = patterns.frame();
    let labels = frame.labels(start);
    let run = instantiation(patterns).run;
    let report = run(patterns.set(), automaton, effort, standing, world, &labels)?;
    let outcome = match report.outcome {
        Outcome::Solved(path) => {
            Outcome::Solved(path.into_iter().map(|slide| frame.slide(slide)).collect())
        }
        other => other,
    };
    Ok(SearchReport::new(outcome, report.stats))
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SearchState {
    /// The rounds below this bound are done.
    pub(crate) bound: Cost,
    pub(crate) stats: Stats,
    /// States expanded in the last round.
    pub(crate) last_round: u64,
}

/// What a search talks to.
pub(crate) struct Hooks<'a> {
    pub(crate) watch: &'a mut dyn Watch,
    /// Where it writes down what it has done.
    pub(crate) journal: Option<&'a mut Journal>,
}

pub(crate) type Run = fn(
    &PdbSet,
    &Automaton,
    Resources,
    SearchState,
    Hooks<'_>,
    &[u8],
) -> Result<SearchReport<Slide>, SearchState>;

/// What is compiled for a kind of tables.
pub(crate) struct Compiled {
    pub(crate) run: Run,
    pub(crate) first_bound: fn(&PdbSet, &Automaton, &[u8]) -> Cost,
    pub(crate) round: OneRound,
    pub(crate) cut: CutRound,
}

pub(crate) type OneRound = fn(&PdbSet, &Automaton, &[u8], Cost, &mut dyn Watch) -> Searched;

pub(crate) type CutRound =
    for<'a> fn(&'a PdbSet, &'a Automaton, &[u8], Cost, u64) -> Option<Box<dyn Sliced + 'a>>;

pub(crate) fn compiled<
    B: PackedCells,
    const N: usize,
    const C: usize,
    const BITS: usize,
    const MIRROR: bool,
    const FAR: bool,
>() -> Compiled {
    Compiled {
        run: run::<B, N, C, BITS, MIRROR, FAR>,
        first_bound: |set, automaton, labels| {
            let (grid, mut nobody) = (Context::new(set, automaton), ());
            let search =
                Search::<B, N, C, BITS, MIRROR, FAR>::new(&grid, Budget::NONE, &mut nobody);
            Search::<B, N, C, BITS, MIRROR, FAR>::estimate(&search.root(labels)) as Cost
        },
        round: crate::engine::pdb::parallel::one_round::<B, N, C, BITS, MIRROR, FAR>,
        cut: crate::engine::pdb::parallel::cut_round::<B, N, C, BITS, MIRROR, FAR>,
    }
}

/// The engine compiled for these tables. Frames are upright: no more columns than rows.
pub(crate) fn instantiation(patterns: &AdditivePdb) -> Compiled {
    let dims = patterns.frame().dims();
    let is_wide = patterns.set().width() == Width::Four;
    match (dims.cells(), dims.cols(), patterns.is_mirrored(), is_wide) {
        (0..=16, 2, false, false) => compiled::<u64, 16, 2, 2, false, false>(),
        (0..=16, 2, true, false) => compiled::<u64, 16, 2, 2, true, false>(),
        (0..=16, 3, false, false) => compiled::<u64, 16, 3, 2, false, false>(),
        (0..=16, 3, true, false) => compiled::<u64, 16, 3, 2, true, false>(),
        (0..=16, _, false, false) => compiled::<u64, 16, 4, 2, false, false>(),
        (0..=16, _, true, false) => compiled::<u64, 16, 4, 2, true, false>(),
        (0..=16, 2, _, true) => compiled::<u64, 16, 2, 4, false, true>(),
        (0..=16, 3, _, true) => compiled::<u64, 16, 3, 4, false, true>(),
        (0..=16, _, false, true) => compiled::<u64, 16, 4, 4, false, true>(),
        (0..=16, _, true, true) => compiled::<u64, 16, 4, 4, true, true>(),
        // `Partition` has no wide entries for larger boards.
        (_, 2, _, _) => compiled::<u128, 32, 2, 2, false, true>(),
        (_, 3, _, _) => compiled::<u128, 32, 3, 2, false, true>(),
        (_, 4, _, _) => compiled::<u128, 32, 4, 2, false, true>(),
        (_, _, false, _) => compiled::<u128, 32, 5, 2, false, true>(),
        (_, _, true, _) => compiled::<u128, 32, 5, 2, true, true>(),
    }
}

pub(crate) fn run<
    B: PackedCells,
    const N: usize,
    const C: usize,
    const BITS: usize,
    const MIRROR: bool,
    const FAR: bool,
>(
    set: &PdbSet,
    automaton: &Automaton,
    effort: Resources,
    standing: SearchState,
    Hooks { watch, journal }: Hooks<'_>,
    labels: &[u8],
) -> Result<SearchReport<Slide>, SearchState> {
    let grid = Context::new(set, automaton);
    let mut search = Search::<B, N, C, BITS, MIRROR, FAR>::new(&grid, effort.budget, watch);
    search.journal = journal;
    search.run(labels, effort, standing)
}

/// What a search may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resources {
    pub(crate) budget: Budget,
    /// At least one. A limit of nodes is kept to the node, which takes one thread.
    pub(crate) threads: usize,
    /// A search pauses after a round that took longer.
    pub(crate) patience: Option<Duration>,
}

impl Resources {
    /// Whether so many bytes are within the limit.
    pub(crate) fn has_memory(&self, n_bytes: usize) -> bool {
        self.budget.bytes.is_none_or(|most| n_bytes as u64 <= most)
    }
}

/// A round is worth several threads if the round before it has expanded so many nodes: some
/// milliseconds.
pub(crate) const SHARED_ROUND: u64 = 1 << 16;

/// A round is worth being written down, or dealt out, if the round before it has expanded so many.
pub(crate) const LONG_ROUND: u64 = 1 << 18;

/// How many nodes go by between two looks at the watch.
pub(crate) const POLL_INTERVAL: u32 = 1 << 14;

#[derive(Clone, Copy)]
pub(crate) struct Node<B> {
    pub(crate) board: B,
    /// The transposed board.
    pub(crate) mirror: B,
    pub(crate) blank: usize,
    pub(crate) automaton: u16,
    pub(crate) manhattan: i32,
    /// What the tables say of the board.
    pub(crate) seen: Ranks,
    /// And of the transposed one.
    pub(crate) mirror_seen: Ranks,
}

/// A search under way, on boards of up to `N` cells and `C` columns, with tables of `BITS` bits
/// an entry. The tables are `FAR` if they are too large for the caches: then the entries
/// of all children are fetched before the first is needed.
pub(crate) struct Search<
    'a,
    B,
    const N: usize,
    const C: usize,
    const BITS: usize,
    const MIRROR: bool,
    const FAR: bool,
> {
    pub(crate) grid: &'a Context<'a, N, C, BITS>,
    pub(crate) budget: Budget,
    pub(crate) watch: &'a mut dyn Watch,
    pub(crate) journal: Option<&'a mut Journal>,
    /// Nodes until the next look at the watch.
    pub(crate) poll_countdown: u32,
    /// The slides of the solution, last first.
    pub(crate) path: Vec<Slide>,
    pub(crate) stats: Stats,
    pub(crate) board: std::marker::PhantomData<B>,
}

pub(crate) enum End {
    Goal,
    Stopped(Limit),
}

impl<
    'a,
    B: PackedCells,
    const N: usize,
    const C: usize,
    const BITS: usize,
    const MIRROR: bool,
    const FAR: bool,
> Search<'a, B, N, C, BITS, MIRROR, FAR>
{
    pub(crate) fn new(
        grid: &'a Context<'a, N, C, BITS>,
        budget: Budget,
        watch: &'a mut dyn Watch,
    ) -> Self {
        Search {
            grid,
            budget,
            watch,
            journal: None,
            poll_countdown: 1,
            path: Vec::new(),
            stats: Stats::default(),
            board: std::marker::PhantomData,
        }
    }

    pub(crate) fn run(
        mut self,
        labels: &[u8],
        effort: Resources,
        standing: SearchState,
    ) -> Result<SearchReport<Slide>, SearchState> {
        let root = self.root(labels);
        let mut bound = Self::estimate(&root) as Cost;
        // Bounds go in steps of two.
        bound += standing.bound.saturating_sub(bound).next_multiple_of(2);
        self.stats = standing.stats;
        let mut last_round = standing.last_round;
        let outcome = loop {
            if root.manhattan == 0 {
                break Outcome::Solved(Vec::new());
            }
            let (before, started) = (self.stats, Instant::now());
            let is_cut = match self.journal {
                // A round that is written down is cut into slices even for one thread.
                Some(_) => last_round >= LONG_ROUND,
                None => effort.threads > 1 && last_round >= SHARED_ROUND,
            };
            let end = if is_cut && self.budget.nodes.is_none() {
                self.dfs_in_parallel(&root, bound as i32, effort.threads, last_round)
            } else {
                self.dfs(&root, bound as i32)
            };
            last_round = self.stats.expanded - before.expanded;
            match end {
                ControlFlow::Break(End::Goal) => {
                    self.path.reverse();
                    break Outcome::Solved(self.path);
                }
                ControlFlow::Break(End::Stopped(limit)) => {
                    break Outcome::Stopped { limit, frontier: bound };
                }
                ControlFlow::Continue(()) => {
                    if let Some(journal) = &mut self.journal {
                        journal.round(bound, &before, &self.stats);
                    }
                    self.watch.round(bound, &self.stats);
                    bound += 2;
                }
            }
            if effort.patience.is_some_and(|patience| started.elapsed() > patience) {
                return Err(SearchState { bound, stats: self.stats, last_round });
            }
        };
        Ok(SearchReport::new(outcome, self.stats))
    }

    pub(crate) fn root(&self, labels: &[u8]) -> Node<B> {
        let home = self.grid.home as u8;
        let distance = |(cell, &label): (usize, &u8)| {
            self.grid.dims.distance(Cell::new(cell as u16), Cell::new(label.into()))
        };
        let tiles = labels.iter().enumerate().filter(|&(_, &label)| label != home);
        let transposed: Vec<u8> = if MIRROR {
            (0..labels.len())
                .map(|cell| transpose::<C>(labels[transpose::<C>(cell)].into()) as u8)
                .collect()
        } else {
            labels.to_vec()
        };
        Node {
            board: B::pack(labels),
            mirror: B::pack(&transposed),
            blank: labels.iter().position(|&label| label == home).unwrap_or(0),
            automaton: Automaton::START,
            manhattan: tiles.map(distance).sum::<usize>() as i32,
            seen: self.grid.view.look_at(labels),
            mirror_seen: self.grid.view.look_at(&transposed),
        }
    }

    /// The bound that the tables give.
    pub(crate) fn estimate(node: &Node<B>) -> i32 {
        node.manhattan + 2 * node.seen.sum.max(node.mirror_seen.sum)
    }

    /// Searches below a node for a goal at most `left` moves away.
    pub(crate) fn dfs(&mut self, node: &Node<B>, left: i32) -> ControlFlow<End> {
        self.poll_countdown -= 1;
        if self.poll_countdown == 0 {
            self.poll()?;
        }
        self.stats.expanded += 1;
        let next = self.grid.automaton.row(node.automaton);
        let left = left - 1;
        if !FAR {
            self.slide::<UP>(node, next, left)?;
            self.slide::<DOWN>(node, next, left)?;
            self.slide::<LEFT>(node, next, left)?;
            return self.slide::<RIGHT>(node, next, left);
        }
        let ahead = [
            self.ahead::<UP>(node, next, left),
            self.ahead::<DOWN>(node, next, left),
            self.ahead::<LEFT>(node, next, left),
            self.ahead::<RIGHT>(node, next, left),
        ];
        self.slide_ahead::<UP>(node, next, left, &ahead[UP])?;
        self.slide_ahead::<DOWN>(node, next, left, &ahead[DOWN])?;
        self.slide_ahead::<LEFT>(node, next, left, &ahead[LEFT])?;
        self.slide_ahead::<RIGHT>(node, next, left, &ahead[RIGHT])
    }

    /// Looks at the watch and the budget.
    #[cold]
    pub(crate) fn poll(&mut self) -> ControlFlow<End> {
        self.watch.poll(&self.stats).map_break(End::Stopped)?;
        let left = self.budget.nodes.map(|most| most.saturating_sub(self.stats.expanded));
        if left == Some(0) {
            return ControlFlow::Break(End::Stopped(Limit::Nodes));
        }
        // This node ran on what was left before; the one after the last allowed comes here again.
        self.poll_countdown =
            left.map_or(POLL_INTERVAL, |left| left.min(POLL_INTERVAL.into()) as u32);
        ControlFlow::Continue(())
    }

    /// [`slide`](Search::slide) to where it is known to lead.
    #[inline(always)]
    pub(crate) fn slide_ahead<const S: usize>(
        &mut self,
        node: &Node<B>,
        next: &[u16; 4],
        left: i32,
        ahead: &ChildStatus,
    ) -> ControlFlow<End> {
        let child = match *ahead {
            ChildStatus::Illegal => return ControlFlow::Continue(()),
            ChildStatus::Pruned => None,
            ChildStatus::Pending(slid, places) => self.child_at(node, next[S], left, slid, places),
        };
        self.stats.generated += 1;
        match child {
            Some(child) => self.go_on::<S>(&child, left),
            None => ControlFlow::Continue(()),
        }
    }

    /// Searches below a node after one slide, if it is legal, allowed and within reach.
    #[inline(always)]
    pub(crate) fn slide<const S: usize>(
        &mut self,
        node: &Node<B>,
        next: &[u16; 4],
        left: i32,
    ) -> ControlFlow<End> {
        if !self.is_open_to::<S>(node, next) {
            return ControlFlow::Continue(());
        }
        self.stats.generated += 1;
        match self.child::<S>(node, next[S], left) {
            Some(child) => self.go_on::<S>(&child, left),
            None => ControlFlow::Continue(()),
        }
    }

    /// Searches below a child, unless it is the goal.
    #[inline(always)]
    pub(crate) fn go_on<const S: usize>(&mut self, child: &Node<B>, left: i32) -> ControlFlow<End> {
        if child.manhattan > 0 {
            match self.dfs(child, left) {
                ControlFlow::Break(End::Goal) => {}
                other => return other,
            }
        }
        self.path.push(Slide::ALL[S]);
        ControlFlow::Break(End::Goal)
    }
}

pub(crate) const UP: usize = Slide::Up as usize;
pub(crate) const DOWN: usize = Slide::Down as usize;
pub(crate) const LEFT: usize = Slide::Left as usize;
pub(crate) const RIGHT: usize = Slide::Right as usize;
