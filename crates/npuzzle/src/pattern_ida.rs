//! Iterative deepening with additive pattern databases, for boards of up to 16 cells.
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

mod parallel;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use npuzzle_core::search::{Budget, Cost, Limit, Outcome, SearchReport, Stats, Watch};
use npuzzle_core::{Board, Cell, Slide};
use npuzzle_tables::{Automaton, PatternSet};

use crate::patterns::Patterns;

/// A shortest solution by iterative deepening with these patterns, which must be for the goal.
pub(crate) fn pattern_ida(
    start: &Board,
    patterns: &Patterns,
    automaton: &Automaton,
    effort: Effort,
    watch: &mut dyn Watch,
) -> SearchReport<Slide> {
    let is_mirrored = patterns.is_mirrored();
    let (frame, patterns) = (patterns.frame(), patterns.set());
    let labels = frame.labels(start);
    let run = match (frame.dims().cols(), is_mirrored) {
        (2, false) => run::<2, false>,
        (2, true) => run::<2, true>,
        (3, false) => run::<3, false>,
        (3, true) => run::<3, true>,
        (4, false) => run::<4, false>,
        (4, true) => run::<4, true>,
        (5, _) => run::<5, false>,
        (6, _) => run::<6, false>,
        (7, _) => run::<7, false>,
        _ => run::<8, false>,
    };
    let report = run(patterns, automaton, effort, watch, &labels);
    let outcome = match report.outcome {
        Outcome::Solved(path) => {
            Outcome::Solved(path.into_iter().map(|slide| frame.slide(slide)).collect())
        }
        other => other,
    };
    SearchReport { outcome, stats: report.stats }
}

fn run<const C: usize, const MIRROR: bool>(
    patterns: &PatternSet,
    automaton: &Automaton,
    effort: Effort,
    watch: &mut dyn Watch,
    labels: &[u8],
) -> SearchReport<Slide> {
    Search::<C, MIRROR>::new(patterns, automaton, effort.budget, watch).run(labels, effort.threads)
}

/// What a search may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) budget: Budget,
    /// At least one. A limit of nodes is kept to the node, which takes one thread.
    pub(crate) threads: usize,
}

/// A round is worth several threads if the round before it has expanded so many nodes: some
/// milliseconds.
const LONG_ROUND: u64 = 1 << 18;

/// How many nodes go by between two looks at the watch.
const POLL_INTERVAL: u32 = 1 << 14;

/// What the rank of a pattern needs to know of a tile.
#[derive(Clone, Copy, Default)]
struct TileInPattern {
    /// What the rank gains when it jumps another tile, toward higher cells.
    jump: [i32; 16],
    /// Its weight in the rank of its pattern.
    weight: i32,
    pattern: u8,
}

/// What has been looked up for a board: the rank and the value of every pattern.
#[derive(Clone, Copy, Default)]
struct Seen {
    ranks: [u32; PatternSet::MAX_PATTERNS],
    excess: [u8; PatternSet::MAX_PATTERNS],
    /// Of the values.
    sum: i32,
}

/// A new look at one pattern.
#[derive(Clone, Copy)]
struct Look {
    pattern: usize,
    rank: u32,
    excess: u8,
    /// Of the values of all patterns.
    sum: i32,
}

impl Seen {
    #[inline(always)]
    fn with(&self, look: Look) -> Seen {
        let mut seen = *self;
        seen.ranks[look.pattern] = look.rank;
        seen.excess[look.pattern] = look.excess;
        seen.sum = look.sum;
        seen
    }
}

#[derive(Clone, Copy)]
struct Node {
    state: u64,
    /// The transposed board.
    mirror: u64,
    blank: usize,
    automaton: u16,
    manhattan: i32,
    seen: Seen,
    mirror_seen: Seen,
}

/// A search under way, on boards of `C` columns.
struct Search<'a, const C: usize, const MIRROR: bool> {
    patterns: &'a PatternSet,
    tables: [&'a [u8]; PatternSet::MAX_PATTERNS],
    tiles: [TileInPattern; 16],
    automaton: &'a Automaton,
    /// The label of the blank.
    home: usize,
    /// Bit `slide` is set if the slide is legal, for every place of the blank.
    legal: [u8; 16],
    /// What a slide of a tile from a cell adds to Manhattan distance, 1 or -1.
    nearer: [[[i8; 16]; 16]; 4],
    budget: Budget,
    watch: &'a mut dyn Watch,
    /// Nodes until the next look at the watch.
    fuel: u32,
    /// The slides of the solution, last first.
    path: Vec<Slide>,
    stats: Stats,
}

enum End {
    Goal,
    Stopped(Limit),
}

impl<'a, const C: usize, const MIRROR: bool> Search<'a, C, MIRROR> {
    fn new(
        patterns: &'a PatternSet,
        automaton: &'a Automaton,
        budget: Budget,
        watch: &'a mut dyn Watch,
    ) -> Self {
        let dims = patterns.dims();
        let mut search = Search {
            patterns,
            tables: [&[]; PatternSet::MAX_PATTERNS],
            tiles: [TileInPattern::default(); 16],
            automaton,
            home: patterns.blank().index(),
            legal: [0; 16],
            nearer: [[[0; 16]; 16]; 4],
            budget,
            watch,
            fuel: 1,
            path: Vec::new(),
            stats: Stats::default(),
        };
        for (index, (pattern, excess)) in patterns.tables().iter().enumerate() {
            search.tables[index] = excess.bytes();
            let weight = |at: usize| pattern.weights()[at] as i32;
            for (i, &tile) in pattern.tiles().iter().enumerate() {
                let info = &mut search.tiles[usize::from(tile)];
                (info.pattern, info.weight) = (index as u8, weight(i));
                for (j, &other) in pattern.tiles().iter().enumerate() {
                    // A jumped tile with an earlier digit takes a cell before this one from then
                    // on; a tile with a later digit no longer has this one before it.
                    info.jump[usize::from(other)] = match j.cmp(&i) {
                        std::cmp::Ordering::Less => -weight(i),
                        std::cmp::Ordering::Equal => 0,
                        std::cmp::Ordering::Greater => weight(j),
                    };
                }
            }
        }
        for cell in (0..dims.cells() as u16).map(Cell::new) {
            for slide in Slide::ALL {
                let is_legal = dims.source(cell, slide).is_some();
                search.legal[cell.index()] |= u8::from(is_legal) << slide as u8;
                let Some(to) = dims.source(cell, slide.opposite()) else { continue };
                for tile in (0..dims.cells() as u16).map(Cell::new) {
                    let change = dims.distance(to, tile) as i8 - dims.distance(cell, tile) as i8;
                    search.nearer[slide as usize][tile.index()][cell.index()] = change;
                }
            }
        }
        search
    }

    fn run(mut self, labels: &[u8], threads: usize) -> SearchReport<Slide> {
        let root = self.root(labels);
        let mut bound = (root.manhattan + 2 * root.seen.sum.max(root.mirror_seen.sum)) as Cost;
        let mut last_round = 0;
        let outcome = loop {
            if root.manhattan == 0 {
                break Outcome::Solved(Vec::new());
            }
            let before = self.stats.expanded;
            let is_parallel =
                threads > 1 && last_round >= LONG_ROUND && self.budget.nodes.is_none();
            let end = if is_parallel {
                self.dive_in_parallel(&root, bound as i32, threads)
            } else {
                self.dive(&root, bound as i32)
            };
            last_round = self.stats.expanded - before;
            match end {
                ControlFlow::Break(End::Goal) => {
                    self.path.reverse();
                    break Outcome::Solved(self.path);
                }
                ControlFlow::Break(End::Stopped(limit)) => {
                    break Outcome::Stopped { limit, frontier: bound };
                }
                ControlFlow::Continue(()) => {
                    self.watch.round(bound, &self.stats);
                    bound += 2;
                }
            }
        };
        SearchReport { outcome, stats: self.stats }
    }

    fn root(&self, labels: &[u8]) -> Node {
        let dims = self.patterns.dims();
        let home = self.patterns.blank().index() as u8;
        let distance = |(cell, &label): (usize, &u8)| {
            dims.distance(Cell::new(cell as u16), Cell::new(label.into()))
        };
        let tiles = labels.iter().enumerate().filter(|&(_, &label)| label != home);
        let transposed: Vec<u8> = if MIRROR {
            (0..labels.len())
                .map(|cell| transpose::<C>(labels[transpose::<C>(cell)].into()) as u8)
                .collect()
        } else {
            labels.to_vec()
        };
        let pack = |labels: &[u8]| {
            labels.iter().rev().fold(0, |state, &label| state << 4 | u64::from(label))
        };
        Node {
            state: pack(labels),
            mirror: pack(&transposed),
            blank: labels.iter().position(|&label| label == home).unwrap_or(0),
            automaton: Automaton::START,
            manhattan: tiles.map(distance).sum::<usize>() as i32,
            seen: self.look(labels),
            mirror_seen: self.look(&transposed),
        }
    }

    /// Looks up a whole board.
    fn look(&self, labels: &[u8]) -> Seen {
        let mut seen = Seen::default();
        for (index, (pattern, excess)) in self.patterns.tables().iter().enumerate() {
            let cell_of = |tile| labels.iter().position(|label| label == tile).unwrap_or(0) as u8;
            let cells: Vec<u8> = pattern.tiles().iter().map(cell_of).collect();
            seen.ranks[index] = pattern.rank(&cells);
            seen.excess[index] = excess.get(seen.ranks[index]);
            seen.sum += i32::from(seen.excess[index]);
        }
        seen
    }

    /// Searches below a node for a goal at most `left` moves away.
    fn dive(&mut self, node: &Node, left: i32) -> ControlFlow<End> {
        self.fuel -= 1;
        if self.fuel == 0 {
            self.refuel()?;
        }
        self.stats.expanded += 1;
        let next = self.automaton.row(node.automaton);
        let legal = self.legal[node.blank & 15];
        self.slide::<UP>(node, legal, next, left - 1)?;
        self.slide::<DOWN>(node, legal, next, left - 1)?;
        self.slide::<LEFT>(node, legal, next, left - 1)?;
        self.slide::<RIGHT>(node, legal, next, left - 1)
    }

    /// Looks at the watch and the budget.
    #[cold]
    fn refuel(&mut self) -> ControlFlow<End> {
        self.watch.poll(&self.stats).map_break(End::Stopped)?;
        let left = self.budget.nodes.map(|most| most.saturating_sub(self.stats.expanded));
        if left == Some(0) {
            return ControlFlow::Break(End::Stopped(Limit::Nodes));
        }
        // This node ran on what was left before; the one after the last allowed comes here again.
        self.fuel = left.map_or(POLL_INTERVAL, |left| left.min(POLL_INTERVAL.into()) as u32);
        ControlFlow::Continue(())
    }

    /// Searches below a node after one slide, if it is legal, allowed and within reach.
    #[inline(always)]
    fn slide<const S: usize>(
        &mut self,
        node: &Node,
        legal: u8,
        next: &[u16; 4],
        left: i32,
    ) -> ControlFlow<End> {
        if legal >> S & 1 == 0 || next[S] == Automaton::DEAD {
            return ControlFlow::Continue(());
        }
        self.stats.generated += 1;
        let Some(child) = self.child::<S>(node, next[S], left) else {
            return ControlFlow::Continue(());
        };
        if child.manhattan > 0 {
            match self.dive(&child, left) {
                ControlFlow::Break(End::Goal) => {}
                other => return other,
            }
        }
        self.path.push(Slide::ALL[S]);
        ControlFlow::Break(End::Goal)
    }

    /// Whether a slide is legal and allowed.
    fn is_open(&self, node: &Node, next: &[u16; 4], slide: Slide) -> bool {
        let is_legal = self.legal[node.blank & 15] >> slide as u8 & 1 == 1;
        is_legal && next[slide as usize] != Automaton::DEAD
    }

    /// [`child`](Search::child) for a slide that is known only now.
    fn child_after(&self, slide: Slide, node: &Node, automaton: u16, left: i32) -> Option<Node> {
        match slide {
            Slide::Up => self.child::<UP>(node, automaton, left),
            Slide::Down => self.child::<DOWN>(node, automaton, left),
            Slide::Left => self.child::<LEFT>(node, automaton, left),
            Slide::Right => self.child::<RIGHT>(node, automaton, left),
        }
    }

    /// The node after a legal slide, unless it is more than `left` moves from the goal.
    #[inline(always)]
    fn child<const S: usize>(&self, node: &Node, automaton: u16, left: i32) -> Option<Node> {
        let from = match S {
            UP => node.blank + C,
            DOWN => node.blank - C,
            LEFT => node.blank + 1,
            _ => node.blank - 1,
        };
        let tile = nibble(node.state, from);
        let manhattan = node.manhattan + i32::from(self.nearer[S][tile][from & 15]);
        let is_vertical = S == UP || S == DOWN;
        let is_forward = S == DOWN || S == RIGHT;
        // The jumped tiles lie above the lower one of the two cells.
        let lower = if is_forward { from } else { node.blank };
        let look = self.step(&node.seen, node.state, tile, lower, is_vertical, is_forward);
        if manhattan + 2 * look.sum > left {
            return None;
        }
        let (mirror_from, mirror_blank, mirror_tile) =
            (transpose::<C>(from), transpose::<C>(node.blank), transpose::<C>(tile) & 15);
        let mut mirror_look = look;
        if MIRROR {
            let lower = if is_forward { mirror_from } else { mirror_blank };
            let (seen, state) = (&node.mirror_seen, node.mirror);
            mirror_look = self.step(seen, state, mirror_tile, lower, !is_vertical, is_forward);
            if manhattan + 2 * mirror_look.sum > left {
                return None;
            }
        }
        let home = self.home;
        Some(Node {
            state: swapped(node.state, tile ^ home, from, node.blank),
            mirror: if MIRROR {
                // The blank belongs on the diagonal: its label is the same on both sides.
                swapped(node.mirror, mirror_tile ^ home, mirror_from, mirror_blank)
            } else {
                0
            },
            blank: from,
            automaton,
            manhattan,
            seen: node.seen.with(look),
            mirror_seen: if MIRROR { node.mirror_seen.with(mirror_look) } else { node.seen },
        })
    }

    /// Looks up the pattern of a tile after a slide; `lower` is the lower of its two cells.
    #[inline(always)]
    fn step(
        &self,
        seen: &Seen,
        state: u64,
        tile: usize,
        lower: usize,
        is_across: bool,
        is_forward: bool,
    ) -> Look {
        let info = &self.tiles[tile];
        let gain = if is_across {
            let jumped = state >> (4 * (lower + 1));
            let jump = |at: usize| info.jump[nibble(jumped, at)];
            C as i32 * info.weight + (0..C - 1).map(jump).sum::<i32>()
        } else {
            info.weight
        };
        let pattern = usize::from(info.pattern) % PatternSet::MAX_PATTERNS;
        let gain = if is_forward { gain } else { -gain };
        let rank = seen.ranks[pattern].wrapping_add_signed(gain);
        let excess = self.tables[pattern][rank as usize / 4] >> (2 * (rank % 4)) & 3;
        let sum = seen.sum + i32::from(excess) - i32::from(seen.excess[pattern]);
        Look { pattern, rank, excess, sum }
    }
}

const UP: usize = Slide::Up as usize;
const DOWN: usize = Slide::Down as usize;
const LEFT: usize = Slide::Left as usize;
const RIGHT: usize = Slide::Right as usize;

/// The cell, or the label, that takes the place of another on the transposed board.
#[inline(always)]
fn transpose<const C: usize>(cell: usize) -> usize {
    cell % C * C + cell / C
}

#[inline(always)]
fn nibble(state: u64, cell: usize) -> usize {
    (state >> (4 * cell) & 0xf) as usize
}

/// The board with two cells exchanged whose labels differ in the bits of `difference`.
#[inline(always)]
fn swapped(state: u64, difference: usize, a: usize, b: usize) -> u64 {
    let difference = difference as u64;
    state ^ (difference << (4 * a) | difference << (4 * b))
}
