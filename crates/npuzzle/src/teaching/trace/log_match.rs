//! Somebody's log of expanded states against every search that could have written it.
//!
//! A best-first search may take any of the states with the smallest key. So a log is followed state
//! by state: each must wait in the open list with the smallest key there is. What waits is known
//! whatever ties were broken how, with one exception: where a state is kept from generating its
//! parent and waits several times, with several parents, nobody sees which of the copies has left.
//! Then all of these parents are let into the open list, but need not be there: a right log is never
//! said to be wrong.

use std::collections::HashMap;

use npuzzle_core::search::{Cost, Duplicates, Evaluation, Heuristic, Watch};
use npuzzle_core::{Board, Dims, Instance, Sliding};

use crate::tables::cache::Tables;
use crate::teaching::check::boards_in as boards;

use super::{TraceError, Tracer};

/// A state that somebody has expanded.
///
/// ```
/// let log = npuzzle::teaching::parse_log("expanding\n1 2\n0 3\n", "2x2".parse()?);
/// assert_eq!((log[0].line, log[0].board.slash().to_string().as_str()), (2, "1 2/0 3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogStep {
    /// The line of the log where it begins.
    pub line: usize,
    /// The state.
    pub board: Board,
}

/// The states in a log: all boards of this size, whatever stands between them.
///
/// ```
/// let log = npuzzle::teaching::parse_log("1 2/0 3\n1 2/3 0\n", "2x2".parse()?);
/// assert_eq!(log.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_log(text: &str, dims: Dims) -> Vec<LogStep> {
    boards(text, dims).into_iter().map(|(line, board)| LogStep { line, board }).collect()
}

/// A log that a search could have written.
///
/// ```
/// use npuzzle::teaching::{Tracer, parse_log};
/// use npuzzle::{Algorithm, Instance, Tables};
/// let puzzle: Instance = "1 2 3/4 5 0/7 8 6".parse()?;
/// let log = parse_log("1 2 3/4 5 0/7 8 6\n1 2 3/4 5 6/7 8 0", puzzle.dims());
/// let followed =
///     Tracer::new(Algorithm::Astar).explain(&puzzle, &log, None, &mut Tables::new(), &mut ())?;
/// assert!(followed.is_ok_and(|explained| explained.reaches_goal));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explained {
    /// What the search does about duplicates.
    pub duplicates: Duplicates,
    /// Whether the log ends with the goal.
    pub reaches_goal: bool,
}

/// The first state of a log that no tie-break explains.
///
/// ```
/// use npuzzle::teaching::{Tracer, parse_log};
/// use npuzzle::{Algorithm, Instance, Tables};
/// let puzzle: Instance = "1 2 3/4 5 0/7 8 6".parse()?;
/// let log = parse_log("1 2 3/4 5 0/7 8 6\n1 2 0/4 5 3/7 8 6", puzzle.dims());
/// let followed =
///     Tracer::new(Algorithm::Astar).explain(&puzzle, &log, None, &mut Tables::new(), &mut ())?;
/// let unexplained = followed.expect_err("the goal has a smaller key");
/// assert_eq!((unexplained.step, unexplained.legal.len()), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unexplained {
    /// What the search does about duplicates that explains most of the log.
    pub duplicates: Duplicates,
    /// The number of the state in the log, from 1.
    pub step: usize,
    /// The state and its line.
    pub parse_log: LogStep,
    /// What is wrong with it.
    pub why: MismatchReason,
    /// The states that could have been there, with `g`, `h` and the key, each once.
    pub legal: Vec<(Board, [Cost; 3])>,
}

/// Why a state cannot be the next.
///
/// ```
/// use npuzzle::teaching::{Tracer, MismatchReason, parse_log};
/// use npuzzle::{Algorithm, Instance, Tables};
/// let puzzle: Instance = "1 2 3/4 5 0/7 8 6".parse()?;
/// let log = parse_log("1 2 3/4 5 6/7 8 0", puzzle.dims());
/// let followed =
///     Tracer::new(Algorithm::Astar).explain(&puzzle, &log, None, &mut Tables::new(), &mut ())?;
/// assert!(followed.is_err_and(|unexplained| unexplained.why == MismatchReason::NotTheStart));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MismatchReason {
    /// It is not the start, which must be the first.
    NotTheStart,
    /// It has not been generated.
    NotGenerated,
    /// It was expanded before, and no shorter way to it has been found.
    Expanded,
    /// There are states with smaller keys.
    LargerKey {
        /// Its `g`, `h` and key.
        costs: [Cost; 3],
        /// The smallest key.
        least: Cost,
    },
    /// The goal has been found.
    AfterGoal,
}

impl Tracer {
    /// Follows a log. Unless it is said what is done about duplicates, whatever explains the log best
    /// is tried.
    pub fn explain(
        &self,
        instance: &Instance,
        log: &[LogStep],
        duplicates: Option<Duplicates>,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Result<Explained, Unexplained>, TraceError> {
        let evaluation = self.evaluation()?;
        let heuristic = self.heuristic_for(instance, tables, watch)?;
        let all = [Duplicates::Closed, Duplicates::Parent, Duplicates::None];
        let tried = match &duplicates {
            Some(one) => std::slice::from_ref(one),
            None => &all[..],
        };
        let mut best: Option<Unexplained> = None;
        for &duplicates in tried {
            let mut follower = Follower::new(evaluation, instance, &heuristic, duplicates);
            match follower.follow(log, watch).map_err(TraceError::Limit)? {
                Ok(explained) => return Ok(Ok(explained)),
                Err(unexplained) => {
                    if best.as_ref().is_none_or(|best| unexplained.step > best.step) {
                        best = Some(unexplained);
                    }
                }
            }
        }
        match best {
            Some(unexplained) => Ok(Err(unexplained)),
            None => unreachable!("something is tried"),
        }
    }
}

/// A state that waits.
#[derive(Clone, Debug)]
struct Waiting {
    board: Board,
    costs: [Cost; 3],
    /// The states that it may have been made from.
    parents: Vec<Board>,
    /// Whether it waits whatever ties were broken how.
    is_certain: bool,
}

/// A search that goes where a log leads.
struct Follower<'a, H> {
    evaluation: Evaluation,
    instance: &'a Instance,
    heuristic: &'a H,
    duplicates: Duplicates,
    open: Vec<Waiting>,
    /// What has been expanded, at the smallest cost so far.
    closed: HashMap<Board, Cost>,
}

impl<'a, H: Heuristic<Sliding<Board>>> Follower<'a, H> {
    fn new(
        evaluation: Evaluation,
        instance: &'a Instance,
        heuristic: &'a H,
        duplicates: Duplicates,
    ) -> Follower<'a, H> {
        let (open, closed) = (Vec::new(), HashMap::new());
        let mut follower = Follower { evaluation, instance, heuristic, duplicates, open, closed };
        follower.put(instance.start().clone(), 0, Vec::new(), true);
        follower
    }

    fn follow(
        &mut self,
        log: &[LogStep],
        watch: &mut dyn Watch,
    ) -> Result<Result<Explained, Unexplained>, npuzzle_core::search::Limit> {
        let mut reaches_goal = false;
        for (step, parse_log) in (1..).zip(log) {
            if let Some(limit) = watch.poll(&Default::default()).break_value() {
                return Err(limit);
            }
            let legal = self.legal();
            let taken = if reaches_goal {
                Err(MismatchReason::AfterGoal)
            } else {
                self.take(&parse_log.board, step == 1)
            };
            let taken = match taken {
                Ok(taken) => taken,
                Err(why) => {
                    let (duplicates, parse_log) = (self.duplicates, parse_log.clone());
                    let legal = if reaches_goal { Vec::new() } else { legal };
                    return Ok(Err(Unexplained { duplicates, step, parse_log, why, legal }));
                }
            };
            if taken.board == *self.instance.goal() {
                reaches_goal = true;
            } else {
                self.expand(&taken);
            }
        }
        Ok(Ok(Explained { duplicates: self.duplicates, reaches_goal }))
    }

    fn put(&mut self, board: Board, g: Cost, parents: Vec<Board>, is_certain: bool) {
        let h = self.heuristic.value(&self.heuristic.eval(&board));
        let f = self.evaluation.key(g, h);
        if !self.is_stale(&board, g) {
            self.open.push(Waiting { board, costs: [g, h, f], parents, is_certain });
        }
    }

    /// Whether a state has been expanded, at no larger cost.
    fn is_stale(&self, board: &Board, g: Cost) -> bool {
        let reopens = self.evaluation.reopens();
        self.duplicates == Duplicates::Closed
            && self.closed.get(board).is_some_and(|&known| !reopens || g >= known)
    }

    /// The smallest key that somebody has for certain.
    fn least(&self) -> Cost {
        let certain = self.open.iter().filter(|waiting| waiting.is_certain);
        certain.map(|waiting| waiting.costs[2]).min().unwrap_or(Cost::MAX)
    }

    fn legal(&self) -> Vec<(Board, [Cost; 3])> {
        let least = self.least();
        let mut legal: Vec<(Board, [Cost; 3])> = Vec::new();
        for waiting in self.open.iter().filter(|waiting| waiting.costs[2] <= least) {
            if !legal.iter().any(|(board, _)| *board == waiting.board) {
                legal.push((waiting.board.clone(), waiting.costs));
            }
        }
        legal
    }

    /// Takes a state out of the open list, if it may be taken.
    fn take(&mut self, board: &Board, is_first: bool) -> Result<Taken, MismatchReason> {
        let least = self.least();
        let costs = |waiting: &Waiting| (waiting.costs[2], waiting.costs[0]);
        let copies = self.open.iter().filter(|waiting| waiting.board == *board);
        let Some(best) = copies.min_by_key(|copy| costs(copy)) else {
            return Err(if is_first {
                MismatchReason::NotTheStart
            } else if self.closed.contains_key(board) {
                MismatchReason::Expanded
            } else {
                MismatchReason::NotGenerated
            });
        };
        if best.costs[2] > least {
            return Err(MismatchReason::LargerKey { costs: best.costs, least });
        }
        // Which of the copies it was nobody knows. If one of them may not have been there, that one
        // may be what is left.
        let is_legal = |copy: &Waiting| copy.board == *board && copy.costs[2] <= least;
        let (mut gs, mut parents) = (Vec::new(), Vec::new());
        for copy in self.open.iter().filter(|copy| is_legal(copy)) {
            gs.push(copy.costs[0]);
            parents.extend(copy.parents.iter().cloned());
        }
        gs.sort_unstable();
        gs.dedup();
        parents.sort_by(|a: &Board, b| a.tiles().cmp(b.tiles()));
        parents.dedup();
        // The key of a greedy search does not hang on the way.
        if self.evaluation == Evaluation::Greedy {
            gs.truncate(1);
        }
        let legal = (0..self.open.len()).filter(|&at| is_legal(&self.open[at]));
        let gone = legal.min_by_key(|&at| (!self.open[at].is_certain, costs(&self.open[at])));
        if let Some(gone) = gone {
            self.open.swap_remove(gone);
        }
        for copy in self.open.iter_mut().filter(|copy| is_legal(copy)) {
            copy.parents.clone_from(&parents);
            copy.is_certain &= gs.len() == 1;
        }
        Ok(Taken { board: board.clone(), gs, parents })
    }

    fn expand(&mut self, taken: &Taken) {
        let Taken { board, gs, parents } = taken;
        for &g in gs {
            let known = self.closed.entry(board.clone()).or_insert(g);
            *known = g.min(*known);
        }
        // What waits for a state that has been expanded is dropped when it leaves.
        let mut open = std::mem::take(&mut self.open);
        open.retain(|waiting| !self.is_stale(&waiting.board, waiting.costs[0]));
        self.open = open;
        for child in board.neighbors() {
            let is_parent = self.duplicates != Duplicates::None && parents.contains(&child);
            if is_parent && parents.len() == 1 {
                continue;
            }
            for g in gs {
                let is_certain = !is_parent && gs.len() == 1;
                self.put(child.clone(), g + 1, vec![board.clone()], is_certain);
            }
        }
    }
}

/// A state that has left the open list.
struct Taken {
    board: Board,
    /// The costs of the ways to it, one of which has been taken.
    gs: Vec<Cost>,
    /// The states that it may have been made from.
    parents: Vec<Board>,
}
