//! The record of `npuzzle judge`.

use serde::Serialize;

use super::SCHEMA;
use crate::teaching::check::{Sense, SolutionForm};
use crate::teaching::judge::{AnswerStatus, IllegalMove, Judgment};

/// The judgment of an answer. `docs/json.md` describes the fields.
///
/// ```
/// use npuzzle::record::JudgmentRecord;
/// use npuzzle::teaching::{Judge, JudgeRules};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let judgment = Judge::default().judge(&JudgeRules::default(), &puzzle, "Answer: L R L U", &mut ());
/// let record = JudgmentRecord::new(&judgment);
/// assert_eq!((record.status, record.wasted, record.found_in), ("solved", Some(2), Some("label")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Debug)]
#[non_exhaustive]
pub struct JudgmentRecord {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The `id` of the task, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// From 0 to 1.
    pub score: f64,
    /// `shortest`, `solved`, `unsolved`, `illegal` or `unreadable`.
    pub status: &'static str,
    /// The reason of the score, as a sentence.
    pub reason: String,
    /// Whether the answer was read and all of its moves are legal.
    pub legal: bool,
    /// Whether the answer is a solution.
    pub solved: bool,
    /// Whether it is a shortest solution.
    pub shortest: bool,
    /// The number of legal moves, in the metric of the task.
    pub moves: u32,
    /// The slide that is not legal, from 1.
    pub illegal_at: Option<usize>,
    /// The length of a shortest solution.
    pub distance: Option<u32>,
    /// The distance to the goal after the legal moves.
    pub distance_after: Option<u32>,
    /// The moves by which the answer comes nearer to the goal.
    pub progress: Option<u32>,
    /// The moves by which a solution is longer than the shortest.
    pub wasted: Option<u32>,
    /// Whether the first move is part of a shortest solution.
    pub first_move_optimal: Option<bool>,
    /// What marked the answer: `tag`, `boxed`, `label`, `fence` or `lines`.
    pub found_in: Option<&'static str>,
    /// `letters`, `numbers`, `boards` or `none` (the claim that there is no solution).
    pub read_as: Option<&'static str>,
    /// Whose directions letters were read as: `tile` or `blank`.
    pub sense: Option<&'static str>,
    /// The legal moves as directions of tiles.
    pub answer: String,
}

impl JudgmentRecord {
    /// Returns the record of a judgment.
    pub fn new(judgment: &Judgment) -> JudgmentRecord {
        JudgmentRecord {
            schema: SCHEMA,
            id: None,
            score: judgment.score,
            status: judgment.status.name(),
            reason: judgment.to_string(),
            legal: judgment.is_legal(),
            solved: judgment.is_solved(),
            shortest: judgment.status == AnswerStatus::Shortest,
            moves: judgment.length,
            illegal_at: judgment.illegal.map(IllegalMove::step),
            distance: judgment.distance,
            distance_after: judgment.distance_after,
            progress: judgment.progress(),
            wasted: judgment.wasted(),
            first_move_optimal: judgment.is_first_optimal,
            found_in: judgment.mark.map(|mark| mark.name()),
            read_as: judgment.form.map(|form| match form {
                SolutionForm::Boards => "boards",
                SolutionForm::Letters(_) => "letters",
                SolutionForm::Numbers => "numbers",
                SolutionForm::MoveCount | SolutionForm::NoSolution => "none",
            }),
            sense: match judgment.form {
                Some(SolutionForm::Letters(Sense::Tile)) => Some("tile"),
                Some(SolutionForm::Letters(Sense::Blank)) => Some("blank"),
                _ => None,
            },
            answer: judgment.moves.to_string(),
        }
    }

    /// Adds the `id` of the task.
    pub fn with_id(self, id: Option<String>) -> JudgmentRecord {
        JudgmentRecord { id, ..self }
    }
}
