//! Which mistake is it?
//!
//! Every suspect is a program with one mistake. What it would answer to a board is simulated, in as
//! many variants as people write it (the order of the moves, who is first among equals), so that an
//! answer has a probability under each suspect: the share of the variants that give it. The suspect
//! under which all answers together are most probable is named, if they are far more probable than
//! by a mistake of which nothing is known, and than under all others. Otherwise nothing is said.

mod mutant_search;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::ControlFlow;

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Goal, Instance};

use crate::course::{Course, Priority, Search, SolutionSpec};
use crate::grade::{Behavior, Case, QueueSign, Seen};
use crate::run;
use mutant_search::{Habits, MutantHeuristic, Refuses, SearchEnd};

/// A mistake that people make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mutant {
    /// The blank counts in the estimate.
    BlankCounted,
    /// The goal is looked for when a state is put into the queue.
    GoalOnInsertion,
    /// A state is compared with another than its parent's parent, so that steps back are not refused.
    WrongAncestor,
    /// The moves made do not count.
    Greedy,
    /// Boards are counted instead of moves.
    OffByOne,
    /// Ways are those of the blank.
    WaysSwapped,
    /// The goal is another.
    WrongGoal(Goal),
    /// Linear conflicts are counted by pairs.
    ConflictPairs,
    /// Boards without a solution are not told.
    NoDetection,
    /// A state is closed when it is put into the queue.
    ClosedOnInsertion,
}

impl Mutant {
    /// A short name that does not change.
    pub fn name(&self) -> &'static str {
        match self {
            Mutant::BlankCounted => "blank-counted",
            Mutant::GoalOnInsertion => "goal-on-insertion",
            Mutant::WrongAncestor => "wrong-ancestor",
            Mutant::Greedy => "greedy",
            Mutant::OffByOne => "off-by-one",
            Mutant::WaysSwapped => "ways-swapped",
            Mutant::WrongGoal(_) => "wrong-goal",
            Mutant::ConflictPairs => "conflict-pairs",
            Mutant::NoDetection => "no-detection",
            Mutant::ClosedOnInsertion => "closed-on-insertion",
        }
    }

    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Mutant::BlankCounted => {
                "leave the blank (0) out of the sum: it is no tile, and with it the estimate can be \
                 more than the moves that are needed"
            }
            Mutant::GoalOnInsertion => {
                "ask whether a state is the goal when it leaves the queue; a start that is the goal \
                 never enters as a child"
            }
            Mutant::WrongAncestor => {
                "compare a new board with the board of the parent of the node being expanded, by \
                 its tiles; otherwise every step is taken back and forth, and the queue grows \
                 without need"
            }
            Mutant::Greedy => "the key is g + h: the moves made so far count as well",
            Mutant::OffByOne => {
                "a way of n moves has n + 1 boards, the start and the goal included"
            }
            Mutant::WaysSwapped => "the way is that of the tile; the blank goes the opposite way",
            Mutant::WrongGoal(_) => "look at the goal in the assignment again",
            Mutant::ConflictPairs => {
                "of three tiles in reverse order two must leave the line, not three: count tiles \
                 that must leave, not pairs"
            }
            Mutant::NoDetection => {
                "half of all boards cannot be solved: tell them by parity, or by a twin searched \
                 beside the board"
            }
            Mutant::ClosedOnInsertion => {
                "close a state when it leaves the queue: until then a shorter way to it may be found"
            }
        }
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mutant::BlankCounted => f.write_str("the blank is counted in the heuristic"),
            Mutant::GoalOnInsertion => {
                f.write_str("the goal is tested when a state is inserted, not when it is removed")
            }
            Mutant::WrongAncestor => f.write_str("the parent check looks at the wrong ancestor"),
            Mutant::Greedy => f.write_str("greedy search instead of A*"),
            Mutant::OffByOne => f.write_str("off by one between boards and moves"),
            Mutant::WaysSwapped => f.write_str("the ways of tile and blank are swapped"),
            Mutant::WrongGoal(Goal::Board(board)) => {
                write!(f, "wrong goal layout: {}", board.slash())
            }
            Mutant::WrongGoal(goal) => {
                let name = match goal {
                    Goal::First => "the blank first",
                    Goal::Snail => "the snail",
                    _ => "the blank last",
                };
                write!(f, "wrong goal layout: {name}")
            }
            Mutant::ConflictPairs => f.write_str("linear conflicts are counted by pairs"),
            Mutant::NoDetection => f.write_str("boards without a solution are not detected"),
            Mutant::ClosedOnInsertion => {
                f.write_str("states are closed when they are inserted, not when they are removed")
            }
        }
    }
}

/// A suspect that fits what was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnosis {
    /// The mistake.
    pub suspect: Mutant,
    /// On how many of the boards that fail the program does what this mistake leads to.
    pub failed: (usize, usize),
    /// And on how many of those that pass.
    pub passed: (usize, usize),
    /// The boards that give it away, in words.
    pub evidence: String,
}

/// How much more probable the answers must be than by some unknown mistake.
const MARGIN: f64 = 3.0;
/// How much more than under another suspect: else both are named.
const CLEAR: f64 = 1.0;

/// The mistake that explains what was seen; two if they cannot be told apart, none if nothing fits
/// or nothing is wrong. Simulations take a while and look at the watch.
pub fn diagnose(
    course: &Course,
    seen: &[(&Case, &Seen)],
    watch: &mut dyn Watch,
) -> Result<Vec<Diagnosis>, Limit> {
    if seen.iter().all(|(_, seen)| seen.is_right) {
        return Ok(Vec::new());
    }
    let unknown: f64 = seen.iter().map(|(_, seen)| by_chance(seen).ln()).sum();
    // Boards that fail tell most, so that the rest need not be simulated for most suspects.
    let mut seen = seen.to_vec();
    seen.sort_by_key(|(_, seen)| seen.is_right);
    let mut fits = Vec::new();
    for suspect in suspects(course, &seen) {
        let mut fit = 0.0;
        let mut chances = Vec::new();
        for (case, seen) in &seen {
            if let ControlFlow::Break(limit) = watch.poll(&Stats::default()) {
                return Err(limit);
            }
            let chance = suspect.chance(course, &case.instance, seen);
            fit += chance.ln();
            chances.push(chance);
            if fit <= unknown + MARGIN {
                break;
            }
        }
        if fit <= unknown + MARGIN {
            continue;
        }
        let diagnosis = diagnosis(suspect, &seen, &chances);
        if 3 * diagnosis.failed.0 >= 2 * diagnosis.failed.1 {
            fits.push((fit, diagnosis));
        }
    }
    fits.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let best = fits.first().map_or(0.0, |(fit, _)| *fit);
    let close: Vec<Diagnosis> = fits
        .into_iter()
        .filter(|(fit, _)| best - fit < CLEAR)
        .map(|(_, diagnosis)| diagnosis)
        .collect();
    Ok(if close.len() > 2 { Vec::new() } else { close })
}

/// How probable an answer is by a mistake of which nothing is known: a way that is two moves too long
/// is more likely than one of any other length, and long ones are each less likely than the last.
fn by_chance(seen: &Seen) -> f64 {
    match (&seen.did, seen.shortest) {
        _ if seen.is_right => 0.6,
        (Behavior::Found(moves), Some(shortest)) => {
            0.04 / (1.0 + (f64::from(moves.abs_diff(shortest)) / 2.0).powf(1.3))
        }
        _ => 0.02,
    }
}

/// Those that the course leaves room for. Goals are those that are known, and where it ended.
fn suspects(course: &Course, seen: &[(&Case, &Seen)]) -> Vec<Mutant> {
    let mut suspects = vec![Mutant::OffByOne, Mutant::WaysSwapped, Mutant::NoDetection];
    if course.grading.asks == SolutionSpec::Shortest {
        suspects.extend([
            Mutant::BlankCounted,
            Mutant::GoalOnInsertion,
            Mutant::WrongAncestor,
            Mutant::Greedy,
            Mutant::ConflictPairs,
            Mutant::ClosedOnInsertion,
        ]);
    }
    let mut goals = vec![];
    for (case, seen) in seen {
        let Behavior::Strayed(end) = &seen.did else { continue };
        let named = [Goal::Last, Goal::First, Goal::Snail]
            .into_iter()
            .find(|goal| goal.board(end.dims()).as_ref() == Some(end));
        let goal = named.unwrap_or_else(|| Goal::Board(end.clone()));
        if end != case.instance.goal() && !goals.contains(&goal) {
            goals.push(goal);
        }
    }
    suspects.extend(goals.into_iter().take(4).map(Mutant::WrongGoal));
    suspects
}

/// Never: nothing is quite impossible, since programs may have more than one mistake.
const NEVER: f64 = 0.001;
const RARELY: f64 = 0.02;
const SURELY: f64 = 0.95;

/// States that a simulated program may put into its queue.
const MOST: usize = 50_000;
/// States that no program of a course puts into its queue within its limits.
const TOO_MANY: usize = 2_000_000;

impl Mutant {
    /// How probable what was seen is, if this is the mistake.
    fn chance(&self, course: &Course, puzzle: &Instance, seen: &Seen) -> f64 {
        let goes_right = if seen.is_right { SURELY } else { NEVER };
        match self {
            Mutant::OffByOne => match seen.did {
                _ if !puzzle.is_solvable() => goes_right,
                Behavior::Miscounted { claimed, moves } if claimed.abs_diff(moves) == 1 => SURELY,
                Behavior::Found(moves) if is_odd(moves, seen.shortest) => SURELY,
                Behavior::Short => SURELY,
                Behavior::Found(1..) if seen.has_shifted_moves => SURELY,
                // Where no move is made and no number shown, there is nothing to miscount.
                Behavior::Found(0) => goes_right,
                _ => goes_right.min(0.1),
            },
            Mutant::WaysSwapped => match seen.did {
                Behavior::Found(1..) if seen.has_opposite_ways => SURELY,
                Behavior::Found(1..) => NEVER,
                _ => goes_right,
            },
            Mutant::WrongGoal(goal) => {
                let Some(goal) = goal.board(puzzle.dims()) else { return by_chance(seen) };
                let other = Instance::new(puzzle.start().clone(), &Goal::Board(goal.clone()));
                let is_reached = other.is_ok_and(|other| other.is_solvable());
                match &seen.did {
                    _ if goal == *puzzle.goal() => goes_right,
                    Behavior::Strayed(end) if *end == goal => SURELY,
                    Behavior::SaidNone | Behavior::WentOn if !is_reached => 0.5,
                    _ => NEVER,
                }
            }
            Mutant::NoDetection => match seen.did {
                Behavior::WentOn if !puzzle.is_solvable() => SURELY,
                Behavior::Other if !puzzle.is_solvable() && !seen.is_right => 0.1,
                _ if !puzzle.is_solvable() => RARELY,
                _ => goes_right,
            },
            // The rest search boards that have a solution, and are right about others.
            _ if !puzzle.is_solvable() => goes_right,
            Mutant::WrongAncestor => self.chance_of_size(course, puzzle, seen),
            Mutant::GoalOnInsertion => match seen.did {
                _ if seen.queue == Some(QueueSign::GoalNotRemoved) => SURELY,
                _ if puzzle.start() != puzzle.goal() => goes_right,
                Behavior::Found(2 | 12) => SURELY,
                Behavior::SaidNone | Behavior::WentOn => 0.5,
                Behavior::Found(0) => RARELY,
                _ => NEVER,
            },
            Mutant::BlankCounted
            | Mutant::Greedy
            | Mutant::ConflictPairs
            | Mutant::ClosedOnInsertion => {
                let length = self.chance_of_length(course, puzzle, seen);
                length * self.chance_of_estimates(course, puzzle, seen)
            }
        }
    }

    /// Of a search that takes every step back and forth: it is too much for hard boards alone.
    fn chance_of_size(&self, course: &Course, puzzle: &Instance, seen: &Seen) -> f64 {
        let goes_on = seen.did == Behavior::WentOn;
        if seen.queue == Some(QueueSign::StartAgain) {
            return SURELY;
        }
        if !seen.is_right && !goes_on {
            return NEVER;
        }
        let right = Habits { estimate: estimate(course), ..Habits::RIGHT };
        let wrong = Habits { refuses: Refuses::Nothing, ..right };
        match wrong.search(puzzle, TOO_MANY) {
            None => 0.5,
            Some(SearchEnd::On) if goes_on => match right.search(puzzle, TOO_MANY) {
                // Too much for everybody.
                Some(SearchEnd::On) => 0.5,
                _ => SURELY,
            },
            Some(SearchEnd::On) => RARELY,
            Some(_) if wrong.search(puzzle, TOO_MANY / 20) == Some(SearchEnd::On) => 0.5,
            Some(_) if goes_on => RARELY,
            Some(_) => SURELY,
        }
    }

    /// Of searches that find ways of other lengths.
    fn chance_of_length(&self, course: &Course, puzzle: &Instance, seen: &Seen) -> f64 {
        let right = Habits { estimate: estimate(course), ..Habits::RIGHT };
        let (habits, counts_endless) = match self {
            Mutant::BlankCounted => (Habits { estimate: with_blank(course), ..right }, false),
            Mutant::ConflictPairs => {
                (Habits { estimate: MutantHeuristic::PairsInConflict, ..right }, false)
            }
            Mutant::ClosedOnInsertion => (Habits { refuses: Refuses::Entered, ..right }, false),
            _ => (Habits { is_greedy: true, ..right }, true),
        };
        let variants = habits.variants();
        let all: Vec<SearchEnd> =
            variants.iter().filter_map(|habits| habits.search(puzzle, MOST)).collect();
        let came: Vec<SearchEnd> =
            all.iter().copied().filter(|&came| came != SearchEnd::On).collect();
        let n_on = (all.len() - came.len()) as f64;
        if all.is_empty() || came.is_empty() && !counts_endless {
            // Nobody knows.
            return by_chance(seen);
        }
        let share = |wanted: SearchEnd| {
            let n_wanted = came.iter().filter(|&&came| came == wanted).count();
            n_wanted as f64 / came.len().max(1) as f64
        };
        match seen.did {
            Behavior::Found(moves) => {
                // Greedy ways are of any length, so that those of nine variants say little.
                let reach = seen.shortest.filter(|_| counts_endless);
                NEVER + 0.6 * share(SearchEnd::Home(moves)) + 0.35 * within(&came, reach, moves)
            }
            Behavior::WentOn => {
                NEVER + 0.5 * n_on / all.len() as f64 + 0.2 * share(SearchEnd::Nowhere)
            }
            Behavior::SaidNone => NEVER + 0.5 * share(SearchEnd::Nowhere),
            _ => NEVER,
        }
    }

    /// Of the estimates that are shown.
    fn chance_of_estimates(&self, course: &Course, puzzle: &Instance, seen: &Seen) -> f64 {
        let told_by = |estimate: MutantHeuristic| {
            let mut told = seen.estimates.iter();
            told.all(|(board, told)| estimate.of(board, puzzle.goal()) == Some(*told))
        };
        let fits = match self {
            Mutant::BlankCounted => told_by(with_blank(course)),
            Mutant::ConflictPairs => told_by(MutantHeuristic::PairsInConflict),
            _ => seen.estimates.iter().all(|(board, told)| {
                run::estimate(priority(course), board, puzzle.goal()) == *told
            }),
        };
        if fits { 1.0 } else { NEVER }
    }
}

fn priority(course: &Course) -> Priority {
    match course.search {
        Search::BestFirst { heuristic, .. } => heuristic,
        Search::Free => Priority::Manhattan,
    }
}

fn estimate(course: &Course) -> MutantHeuristic {
    match priority(course) {
        Priority::Misplaced => MutantHeuristic::Misplaced,
        Priority::Manhattan | Priority::LinearConflict => MutantHeuristic::Manhattan,
    }
}

fn with_blank(course: &Course) -> MutantHeuristic {
    match priority(course) {
        Priority::Misplaced => MutantHeuristic::MisplacedWithBlank,
        Priority::Manhattan | Priority::LinearConflict => MutantHeuristic::ManhattanWithBlank,
    }
}

/// All ways from one board to another are even, or all are odd.
fn is_odd(moves: Cost, shortest: Option<Cost>) -> bool {
    shortest.is_some_and(|shortest| moves.abs_diff(shortest) == 1)
}

/// The chance of a length if all between the least and the most that were found are alike: programs
/// have more variants than are simulated. With a reach, from there to half as much again.
fn within(came: &[SearchEnd], reach: Option<Cost>, moves: Cost) -> f64 {
    let lengths = came.iter().filter_map(|came| match came {
        SearchEnd::Home(moves) => Some(*moves),
        _ => None,
    });
    let (least, most) =
        lengths.fold((Cost::MAX, 0), |(least, most), n| (least.min(n), most.max(n)));
    let (least, most) = reach.map_or((least, most), |from| (from, most + most / 2));
    if least <= moves && moves <= most && (moves - least).is_multiple_of(2) {
        1.0 / f64::from((most - least) / 2 + 1)
    } else {
        0.0
    }
}

fn diagnosis(suspect: Mutant, seen: &[(&Case, &Seen)], chances: &[f64]) -> Diagnosis {
    let mut counts = [(0, 0); 2];
    let mut telling = Vec::new();
    for ((case, seen), &chance) in seen.iter().zip(chances) {
        let (n_explained, n_all) = &mut counts[usize::from(seen.is_right)];
        *n_all += 1;
        if chance >= by_chance(seen).min(0.3) {
            *n_explained += 1;
            telling.extend((!seen.is_right).then(|| told(case, seen)));
        }
    }
    let [failed, passed] = counts;
    let boards = |(n, all): (usize, usize)| format!("{n} of {all}");
    let mut evidence = format!("it does what this leads to on {} failed boards", boards(failed));
    if passed.1 > 0 {
        evidence += &format!(" and {} passed ones", boards(passed));
    }
    telling.truncate(3);
    if !telling.is_empty() {
        evidence += &format!(" ({})", telling.join("; "));
    }
    Diagnosis { suspect, failed, passed, evidence }
}

/// What a program did, in a few words.
fn told(case: &Case, seen: &Seen) -> String {
    let did = match (&seen.did, seen.shortest) {
        (Behavior::Found(_), _) if seen.has_shifted_moves => {
            "all moves are counted one off".to_owned()
        }
        (Behavior::Found(_), _) if seen.has_opposite_ways => "all ways are opposite".to_owned(),
        (Behavior::Found(moves), Some(shortest)) if *moves != shortest => {
            format!("{moves} moves instead of {shortest}")
        }
        (Behavior::Found(_), _) if seen.queue == Some(QueueSign::StartAgain) => {
            "the start leaves the queue twice".to_owned()
        }
        (Behavior::Found(_), _) if seen.queue == Some(QueueSign::GoalNotRemoved) => {
            "the goal does not leave the queue".to_owned()
        }
        (Behavior::Found(_), _) => "the figures it shows".to_owned(),
        (Behavior::Miscounted { claimed, moves }, _) => format!("says {claimed}, has {moves}"),
        (Behavior::Short, _) => "one board is missing".to_owned(),
        (Behavior::Strayed(end), _) => format!("ends at {}", end.slash()),
        (Behavior::SaidNone, _) => "says there is no solution".to_owned(),
        (Behavior::WentOn, _) => "comes to no end".to_owned(),
        (Behavior::Other, _) => "no answer".to_owned(),
    };
    format!("{}: {did}", case.name)
}
