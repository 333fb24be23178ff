//! Judges answers of models that reason: finds the moves in a free text, replays them, and returns a score with the
//! reason.
//!
//! The steps, each in one file: `answer_block` finds the part of the text that is the answer, `tokens` and
//! `read_answer` read its moves, `replay` makes them on the board, `scoring` turns the result into a number. `batch`
//! judges many answers on several threads. Nothing depends on time, so a judgment is the same on every machine.

mod answer_block;
mod answer_moves;
mod batch;
mod judgment;
mod read_answer;
mod replay;
mod scoring;
#[cfg(test)]
mod tests;
mod tokens;

use npuzzle_core::search::{Cost, Watch};
use npuzzle_core::{Board, Instance, Metric, Moves, Notation};

use super::check::SolutionForm;
use super::exact_distance::ExactDistances;
use crate::tables::cache::Tables;

pub use answer_block::AnswerMark;
pub use answer_moves::{AnswerError, MAX_ANSWER_MOVES};
pub use batch::{JudgeTask, judge_many};
pub use judgment::{AnswerStatus, IllegalMove, Judgment};
pub use scoring::Scoring;

use replay::Replayed;

/// The rules of a task.
///
/// ```
/// use npuzzle::teaching::{Judge, JudgeRules};
/// use npuzzle::Notation;
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let blank = JudgeRules { notation: Some(Notation::Blank), ..JudgeRules::default() };
/// let mut score = |rules| Judge::default().judge(&rules, &puzzle, "Answer: right, down", &mut ()).score;
/// assert_eq!((score(blank), score(JudgeRules::default())), (1.0, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JudgeRules {
    /// The metric in which a solution should be short.
    pub metric: Metric,
    /// The notation that the task asks for. It decides whose directions the answer names. `None` tries the directions
    /// of the tiles and of the blank, and takes the better result.
    pub notation: Option<Notation>,
    /// How the result becomes a number.
    pub scoring: Scoring,
}

/// Single slides, directions of the tiles, graded scores.
impl Default for JudgeRules {
    fn default() -> JudgeRules {
        let (metric, scoring) = (Metric::default(), Scoring::default());
        JudgeRules { metric, notation: Some(Notation::Tile), scoring }
    }
}

/// Judges answers. It keeps tables and the distances of boards that it has searched.
///
/// ```
/// use npuzzle::teaching::{AnswerStatus, Judge, JudgeRules};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let mut judge = Judge::default();
/// let mut judge = |text| judge.judge(&JudgeRules::default(), &puzzle, text, &mut ());
/// assert_eq!(judge("I slide 5, then 6. Answer: L U").score, 1.0);
/// let detour = judge("<answer>left, right, left, up</answer>");
/// assert_eq!((detour.status, detour.wasted(), detour.score), (AnswerStatus::Solved, Some(2), 0.75));
/// let illegal = judge("<answer>L L</answer>");
/// assert_eq!(illegal.to_string(), "move 2 (L) is not legal; 1 of 2 moves nearer to the goal");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Judge {
    distances: ExactDistances,
}

impl Judge {
    /// The default node limit of a search: a fraction of a second, and enough for most 15-puzzles.
    pub const DEFAULT_NODES: u64 = 1_000_000;

    /// Creates a judge that uses these tables. A distance that is not in a table of at most 12 cells is searched
    /// for; a search expands at most `max_nodes` states.
    pub fn new(tables: Tables, max_nodes: u64) -> Judge {
        Judge { distances: ExactDistances::new(tables, max_nodes) }
    }

    /// Returns the tables, including those that were built.
    pub fn into_tables(self) -> Tables {
        self.distances.into_tables()
    }

    /// Judges a text as the answer to a puzzle. Every text has a judgment; time and memory are linear in its length,
    /// and only its last MiB is read. `watch` can stop a search; the distance is then unknown.
    pub fn judge(
        &mut self,
        rules: &JudgeRules,
        puzzle: &Instance,
        text: &str,
        watch: &mut dyn Watch,
    ) -> Judgment {
        let found = read_answer::read(text, puzzle.dims(), rules.notation);
        let mark = found.as_ref().map(|found| found.mark);
        let moves = match found.map_or(Err(AnswerError::NotFound), |found| found.moves) {
            Ok(moves) => moves,
            Err(error) => {
                let distance = self.distance(rules, puzzle, puzzle.start(), watch);
                return Judgment::unreadable(mark, error, puzzle.is_solvable(), distance);
            }
        };
        let mut best: Option<Judgment> = None;
        for replayed in replay::readings(&moves, rules.notation, puzzle) {
            let judgment = self.assess(rules, puzzle, replayed, watch);
            // The first reading is that of the tiles; it wins ties.
            if best.as_ref().is_none_or(|best| judgment.rank() > best.rank()) {
                best = Some(judgment);
            }
        }
        let Some(judgment) = best else { unreachable!("every answer has a reading") };
        Judgment { mark, ..judgment }
    }

    /// Returns the distance of a board to the goal of a puzzle; `None` if the goal cannot be reached.
    fn distance(
        &mut self,
        rules: &JudgeRules,
        puzzle: &Instance,
        board: &Board,
        watch: &mut dyn Watch,
    ) -> Option<Cost> {
        match puzzle.is_solvable() {
            true => self.distances.distance(board, puzzle.goal(), rules.metric, watch),
            false => None,
        }
    }

    /// Compares replayed moves with the shortest solution.
    fn assess(
        &mut self,
        rules: &JudgeRules,
        puzzle: &Instance,
        replayed: Replayed,
        watch: &mut dyn Watch,
    ) -> Judgment {
        let is_solvable = puzzle.is_solvable();
        let mut distance = |board: &Board| self.distance(rules, puzzle, board, watch);
        let length = replayed.moves.len(rules.metric) as Cost;
        let start = distance(puzzle.start());
        let end = distance(&replayed.end);
        let first_move = board_after_first(puzzle, &replayed.moves, rules.metric);
        let after_first = first_move.as_ref().and_then(distance);
        let status = match (replayed.illegal, start) {
            _ if replayed.form == SolutionForm::NoSolution && !is_solvable => {
                AnswerStatus::Shortest
            }
            (Some(_), _) => AnswerStatus::Illegal,
            _ if !replayed.solves(puzzle) => AnswerStatus::Unsolved,
            (None, Some(start)) if length <= start => AnswerStatus::Shortest,
            (None, _) => AnswerStatus::Solved,
        };
        let judgment = Judgment {
            score: 0.0,
            status,
            mark: None,
            form: Some(replayed.form),
            moves: replayed.moves,
            length,
            distance: start,
            distance_after: end,
            is_first_optimal: start.zip(after_first).map(|(start, after)| after < start),
            is_solvable,
            illegal: replayed.illegal,
            other_sense_solves: replayed.other_sense_solves,
            unreadable: None,
        };
        Judgment { score: rules.scoring.score(&judgment), ..judgment }
    }
}

/// A judge without tables.
impl Default for Judge {
    fn default() -> Judge {
        Judge::new(Tables::new(), Judge::DEFAULT_NODES)
    }
}

/// Returns the board after the first move in a metric.
fn board_after_first(puzzle: &Instance, moves: &Moves, metric: Metric) -> Option<Board> {
    let (slide, n) = moves.runs().next()?;
    let n = match metric {
        Metric::Stm => 1,
        Metric::Mtm => n,
    };
    let mut board = puzzle.start().clone();
    for _ in 0..n {
        board.slide(slide);
    }
    Some(board)
}
