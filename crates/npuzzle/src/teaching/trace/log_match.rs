//! Compares a log of expanded states with all searches that could have written it.
//!
//! A best-first search may expand any of the states with the smallest key. So each state of the log
//! must be in the open list with the smallest key. The contents of the open list do not depend on how
//! ties were broken, with one exception: if a state does not generate its parent and is in the open
//! list several times, with different parents, the log does not show which copy was expanded. All
//! these parents are then added to the open list as *uncertain* entries, which may be expanded but
//! need not exist. A correct log is therefore never rejected.

use std::collections::HashMap;

use npuzzle_core::search::{Cost, Duplicates, Evaluation, Heuristic, Limit, Stats, Watch};
use npuzzle_core::{Board, Dims, Instance, Sliding};

use crate::tables::cache::Tables;
use crate::teaching::check::find_boards;

use super::{TraceError, Tracer};

/// An expanded state in a log.
///
/// ```
/// let log = npuzzle::teaching::parse_log("expanding\n1 2\n0 3\n", "2x2".parse()?);
/// assert_eq!((log[0].line, log[0].board.slash().to_string().as_str()), (2, "1 2/0 3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogStep {
    /// The line of the log on which the state starts, from 1.
    pub line: usize,
    /// The state.
    pub board: Board,
}

/// Finds the states in a log: all boards of this size. Any other text is skipped.
///
/// ```
/// let log = npuzzle::teaching::parse_log("1 2/0 3\n1 2/3 0\n", "2x2".parse()?);
/// assert_eq!(log.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_log(text: &str, dims: Dims) -> Vec<LogStep> {
    find_boards(text, dims).into_iter().map(|(line, board)| LogStep { line, board }).collect()
}

/// A log that the search could have written.
///
/// ```
/// use npuzzle::teaching::{TraceAlgorithm, Tracer, parse_log};
/// use npuzzle::{Instance, Tables};
/// let puzzle: Instance = "1 2 3/4 5 0/7 8 6".parse()?;
/// let log = parse_log("1 2 3/4 5 0/7 8 6\n1 2 3/4 5 6/7 8 0", puzzle.dims());
/// let tracer = Tracer::new(TraceAlgorithm::Astar);
/// let matched = tracer.match_log(&puzzle, &log, None, &mut Tables::new(), &mut ())?;
/// assert!(matched.is_ok_and(|found| found.reaches_goal));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogMatch {
    /// How the search handles duplicate states.
    pub duplicates: Duplicates,
    /// Whether the log ends with the goal.
    pub reaches_goal: bool,
}

/// The first state of a log that the search cannot expand with any tie-break.
///
/// ```
/// use npuzzle::teaching::{TraceAlgorithm, Tracer, parse_log};
/// use npuzzle::{Instance, Tables};
/// let puzzle: Instance = "1 2 3/4 5 0/7 8 6".parse()?;
/// let log = parse_log("1 2 3/4 5 0/7 8 6\n1 2 0/4 5 3/7 8 6", puzzle.dims());
/// let tracer = Tracer::new(TraceAlgorithm::Astar);
/// let matched = tracer.match_log(&puzzle, &log, None, &mut Tables::new(), &mut ())?;
/// let mismatch = matched.expect_err("the goal has a smaller key");
/// assert_eq!((mismatch.step, mismatch.legal.len()), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogMismatch {
    /// The handling of duplicate states that matches the largest part of the log.
    pub duplicates: Duplicates,
    /// The number of the state in the log, from 1.
    pub step: usize,
    /// The state and its line.
    pub found: LogStep,
    /// Why the search cannot expand the state.
    pub reason: MismatchReason,
    /// The states that the search could have expanded instead, without repetition, each with `g`, `h`
    /// and the key.
    pub legal: Vec<(Board, [Cost; 3])>,
}

/// Why a search cannot expand a state next.
///
/// ```
/// use npuzzle::teaching::{MismatchReason, TraceAlgorithm, Tracer, parse_log};
/// use npuzzle::{Instance, Tables};
/// let puzzle: Instance = "1 2 3/4 5 0/7 8 6".parse()?;
/// let log = parse_log("1 2 3/4 5 6/7 8 0", puzzle.dims());
/// let tracer = Tracer::new(TraceAlgorithm::Astar);
/// let matched = tracer.match_log(&puzzle, &log, None, &mut Tables::new(), &mut ())?;
/// assert!(matched.is_err_and(|mismatch| mismatch.reason == MismatchReason::NotTheStart));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MismatchReason {
    /// The first state is not the start.
    NotTheStart,
    /// The state has not been generated.
    NotGenerated,
    /// The state was expanded before, and no shorter path to it has been found since.
    AlreadyExpanded,
    /// The open list has states with smaller keys.
    LargerKey {
        /// The state's `g`, `h` and key.
        costs: [Cost; 3],
        /// The smallest key.
        min_key: Cost,
    },
    /// The goal has been reached before.
    AfterGoal,
}

impl Tracer {
    /// Returns whether the search could have expanded the states of a log, in this order, with some
    /// tie-break.
    ///
    /// If `duplicates` is `None`, all ways to handle duplicate states are tried, and a mismatch is that
    /// of the way that matches the most states. `tables` receives the tables that the heuristic needs,
    /// and `watch` can stop the comparison.
    ///
    /// # Errors
    ///
    /// The algorithm has no queue, the settings cannot be combined, or `watch` stopped the comparison.
    pub fn match_log(
        &self,
        instance: &Instance,
        log: &[LogStep],
        duplicates: Option<Duplicates>,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Result<LogMatch, LogMismatch>, TraceError> {
        self.check()?;
        let evaluation = self.evaluation().ok_or(TraceError::NoQueue(self.algorithm))?;
        let heuristic = self.build_heuristic(instance, tables, watch)?;
        let all = [Duplicates::Closed, Duplicates::Parent, Duplicates::None];
        let tried = match &duplicates {
            Some(one) => std::slice::from_ref(one),
            None => &all[..],
        };
        let mut best: Option<LogMismatch> = None;
        for &duplicates in tried {
            let mut search = LogSearch::new(evaluation, instance, &heuristic, duplicates);
            match search.follow(log, watch).map_err(TraceError::Limit)? {
                Ok(matched) => return Ok(Ok(matched)),
                Err(mismatch) => {
                    if best.as_ref().is_none_or(|best| mismatch.step > best.step) {
                        best = Some(mismatch);
                    }
                }
            }
        }
        match best {
            Some(mismatch) => Ok(Err(mismatch)),
            None => unreachable!("at least one way is tried"),
        }
    }
}

/// An entry of the open list.
#[derive(Clone, Debug)]
struct OpenEntry {
    board: Board,
    /// `g`, `h` and the key.
    costs: [Cost; 3],
    /// The states that may have generated the entry.
    parents: Vec<Board>,
    /// Whether the entry exists however ties were broken.
    is_certain: bool,
}

/// A best-first search that expands the states of a log.
struct LogSearch<'a, H> {
    evaluation: Evaluation,
    instance: &'a Instance,
    heuristic: &'a H,
    duplicates: Duplicates,
    open: Vec<OpenEntry>,
    /// The expanded states, each with its smallest cost so far.
    closed: HashMap<Board, Cost>,
}

impl<'a, H: Heuristic<Sliding<Board>>> LogSearch<'a, H> {
    fn new(
        evaluation: Evaluation,
        instance: &'a Instance,
        heuristic: &'a H,
        duplicates: Duplicates,
    ) -> LogSearch<'a, H> {
        let (open, closed) = (Vec::new(), HashMap::new());
        let mut search = LogSearch { evaluation, instance, heuristic, duplicates, open, closed };
        search.push(instance.start().clone(), 0, Vec::new(), true);
        search
    }

    /// Expands the states of the log, up to the first that is impossible.
    fn follow(
        &mut self,
        log: &[LogStep],
        watch: &mut dyn Watch,
    ) -> Result<Result<LogMatch, LogMismatch>, Limit> {
        let mut reaches_goal = false;
        for (step, found) in (1..).zip(log) {
            if let Some(limit) = watch.poll(&Stats::default()).break_value() {
                return Err(limit);
            }
            let legal = if reaches_goal { Vec::new() } else { self.legal() };
            let popped = if reaches_goal {
                Err(MismatchReason::AfterGoal)
            } else {
                self.pop(&found.board, step == 1)
            };
            let popped = match popped {
                Ok(popped) => popped,
                Err(reason) => {
                    let (duplicates, found) = (self.duplicates, found.clone());
                    return Ok(Err(LogMismatch { duplicates, step, found, reason, legal }));
                }
            };
            if popped.board == *self.instance.goal() {
                reaches_goal = true;
            } else {
                self.expand(&popped);
            }
        }
        Ok(Ok(LogMatch { duplicates: self.duplicates, reaches_goal }))
    }

    fn push(&mut self, board: Board, g: Cost, parents: Vec<Board>, is_certain: bool) {
        let h = self.heuristic.value(&self.heuristic.eval(&board));
        let f = self.evaluation.key(g, h);
        if !self.is_stale(&board, g) {
            self.open.push(OpenEntry { board, costs: [g, h, f], parents, is_certain });
        }
    }

    /// Returns whether a state has been expanded before, so that cost `g` is no improvement.
    fn is_stale(&self, board: &Board, g: Cost) -> bool {
        let reopens = self.evaluation.reopens();
        self.duplicates == Duplicates::Closed
            && self.closed.get(board).is_some_and(|&known| !reopens || g >= known)
    }

    /// Returns the smallest key of a certain entry.
    fn min_key(&self) -> Cost {
        let certain = self.open.iter().filter(|entry| entry.is_certain);
        certain.map(|entry| entry.costs[2]).min().unwrap_or(Cost::MAX)
    }

    /// Returns the states that can be expanded next, without repetition.
    fn legal(&self) -> Vec<(Board, [Cost; 3])> {
        let min_key = self.min_key();
        let mut legal: Vec<(Board, [Cost; 3])> = Vec::new();
        for entry in self.open.iter().filter(|entry| entry.costs[2] <= min_key) {
            if !legal.iter().any(|(board, _)| *board == entry.board) {
                legal.push((entry.board.clone(), entry.costs));
            }
        }
        legal
    }

    /// Takes a state out of the open list, if the search can expand it next.
    fn pop(&mut self, board: &Board, is_first: bool) -> Result<Popped, MismatchReason> {
        let min_key = self.min_key();
        let copies = self.open.iter().filter(|entry| entry.board == *board);
        let Some(best) = copies.min_by_key(|copy| key_and_g(copy)) else {
            return Err(if is_first {
                MismatchReason::NotTheStart
            } else if self.closed.contains_key(board) {
                MismatchReason::AlreadyExpanded
            } else {
                MismatchReason::NotGenerated
            });
        };
        if best.costs[2] > min_key {
            return Err(MismatchReason::LargerKey { costs: best.costs, min_key });
        }
        Ok(self.pop_one_copy(board, min_key))
    }

    /// Removes one of the copies of a state with a legal key. The log does not show which copy it was;
    /// if an uncertain one is among them, it may be the one that is left.
    fn pop_one_copy(&mut self, board: &Board, min_key: Cost) -> Popped {
        let is_legal = |copy: &OpenEntry| copy.board == *board && copy.costs[2] <= min_key;
        let (mut gs, mut parents) = (Vec::new(), Vec::new());
        for copy in self.open.iter().filter(|copy| is_legal(copy)) {
            gs.push(copy.costs[0]);
            parents.extend(copy.parents.iter().cloned());
        }
        gs.sort_unstable();
        gs.dedup();
        parents.sort_by(|a: &Board, b| a.tiles().cmp(b.tiles()));
        parents.dedup();
        // The key of a greedy search does not depend on g.
        if self.evaluation == Evaluation::Greedy {
            gs.truncate(1);
        }
        let legal = (0..self.open.len()).filter(|&index| is_legal(&self.open[index]));
        let order = |&index: &usize| (!self.open[index].is_certain, key_and_g(&self.open[index]));
        if let Some(index) = legal.min_by_key(order) {
            self.open.swap_remove(index);
        }
        for copy in self.open.iter_mut().filter(|copy| is_legal(copy)) {
            copy.parents.clone_from(&parents);
            copy.is_certain &= gs.len() == 1;
        }
        Popped { board: board.clone(), gs, parents }
    }

    fn expand(&mut self, popped: &Popped) {
        let Popped { board, gs, parents } = popped;
        for &g in gs {
            let known = self.closed.entry(board.clone()).or_insert(g);
            *known = g.min(*known);
        }
        // The search drops stale entries when they leave the queue, so they can be removed now.
        let mut open = std::mem::take(&mut self.open);
        open.retain(|entry| !self.is_stale(&entry.board, entry.costs[0]));
        self.open = open;
        for child in board.neighbors() {
            let is_parent = self.duplicates != Duplicates::None && parents.contains(&child);
            if is_parent && parents.len() == 1 {
                continue;
            }
            for g in gs {
                let is_certain = !is_parent && gs.len() == 1;
                self.push(child.clone(), g + 1, vec![board.clone()], is_certain);
            }
        }
    }
}

fn key_and_g(entry: &OpenEntry) -> (Cost, Cost) {
    (entry.costs[2], entry.costs[0])
}

/// A state that has left the open list.
struct Popped {
    board: Board,
    /// The possible costs of the path to the state.
    gs: Vec<Cost>,
    /// The states that may have generated it.
    parents: Vec<Board>,
}
