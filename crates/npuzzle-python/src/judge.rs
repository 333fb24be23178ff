//! The functions `judge`, `reward` and their batches, and the class `Judgment`.

use std::num::NonZeroUsize;

use npuzzle::record::JudgmentRecord;
use npuzzle::teaching::{Judge, JudgeRules, JudgeTask, Judgment, judge_many as judge_all};
use npuzzle::{Instance, Notation};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::arguments::{Arguments, SolveArguments};
use crate::error::input_error;
use crate::json::to_python;
use crate::watch::run_interruptible;

/// The judgment of an answer.
#[pyclass(name = "Judgment", module = "npuzzle", frozen)]
pub(crate) struct PyJudgment(JudgmentRecord);

/// The names of the arguments that all functions have.
const NAMES: [&str; 6] = ["goal", "metric", "notation", "scoring", "nodes", "cache"];

/// Finds the moves in the answer of a model and judges them.
///
/// >>> judgment = judge("1 2 3/4 0 5/7 8 6", "I slide 5 and 6. <answer>L U</answer>")
/// >>> judgment.score, judgment.status
/// (1.0, 'shortest')
/// >>> judge("1 2 3/4 0 5/7 8 6", "Answer: left, left").reason
/// 'move 2 (L) is not legal; 1 of 2 moves nearer to the goal'
///
/// The answer is any text: no text raises an exception. None counts as an empty text.
///
/// goal: 'last' (1 2 … 0), 'first' (0 1 2 …), 'snail', or a board.
/// metric: what counts as a move: 'stm' a slide, 'mtm' a straight run of slides.
/// notation: whose directions letters name: 'tile' or 'blank'; 'any' takes the better reading. With
/// 'numbers' or 'boards' directions are unreadable.
/// scoring: 'graded' gives partial credit, 'solved' 1 for every solution, 'shortest' 1 for shortest ones.
/// nodes: the maximum number of states that the search for a distance expands; boards of up to 12 cells
/// need no search.
#[pyfunction]
#[pyo3(
    signature = (board, answer, /, **options),
    text_signature = "(board, answer, /, *, goal=None, metric='stm', notation='tile', \
                      scoring='graded', nodes=None, cache=None)"
)]
pub(crate) fn judge(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    answer: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyJudgment> {
    judge_one(py, "judge", board, answer, options).map(PyJudgment::new)
}

/// Returns the score of an answer, from 0 to 1: `judge(board, answer).score`.
///
/// >>> reward("1 2 3/4 0 5/7 8 6", "<answer>L R L U</answer>")
/// 0.75
#[pyfunction]
#[pyo3(
    signature = (board, answer, /, **options),
    text_signature = "(board, answer, /, *, goal=None, metric='stm', notation='tile', \
                      scoring='graded', nodes=None, cache=None)"
)]
pub(crate) fn reward(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    answer: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<f64> {
    Ok(judge_one(py, "reward", board, answer, options)?.score)
}

/// Judges many answers in parallel. The GIL is released.
///
/// >>> [judgment.status for judgment in judge_many(["1 2/0 3"] * 2, ["L", "no idea"])]
/// ['shortest', 'unreadable']
///
/// The boards and the answers are two iterables of the same length. The other arguments are those of
/// `judge`; threads is the number of threads, all cores by default.
#[pyfunction]
#[pyo3(
    signature = (boards, answers, /, **options),
    text_signature = "(boards, answers, /, *, goal=None, metric='stm', notation='tile', \
                      scoring='graded', nodes=None, cache=None, threads=None)"
)]
pub(crate) fn judge_many(
    py: Python<'_>,
    boards: &Bound<'_, PyAny>,
    answers: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<PyJudgment>> {
    let judgments = judge_batch(py, "judge_many", boards, answers, options)?;
    Ok(judgments.into_iter().map(PyJudgment::new).collect())
}

/// Returns the scores of many answers, judged in parallel.
///
/// >>> rewards(["1 2/0 3"] * 2, ["L", "no idea"])
/// [1.0, 0.0]
///
/// The arguments are those of `judge_many`.
#[pyfunction]
#[pyo3(
    signature = (boards, answers, /, **options),
    text_signature = "(boards, answers, /, *, goal=None, metric='stm', notation='tile', \
                      scoring='graded', nodes=None, cache=None, threads=None)"
)]
pub(crate) fn rewards(
    py: Python<'_>,
    boards: &Bound<'_, PyAny>,
    answers: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<f64>> {
    let judgments = judge_batch(py, "rewards", boards, answers, options)?;
    Ok(judgments.into_iter().map(|judgment| judgment.score).collect())
}

fn judge_one(
    py: Python<'_>,
    function: &str,
    board: &Bound<'_, PyAny>,
    answer: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Judgment> {
    let arguments = Arguments::new(function, options, &NAMES)?;
    let rules = rules(&arguments)?;
    let nodes = arguments.nodes(Judge::DEFAULT_NODES)?;
    let puzzle = SolveArguments::for_goal(arguments.goal()?).instance(board)?;
    let text = text(answer)?;
    run_interruptible(py, &arguments.store()?, |tables, watch| {
        let mut judge = Judge::new(std::mem::take(tables), nodes);
        let judgment = judge.judge(&rules, &puzzle, &text, watch);
        *tables = judge.into_tables();
        judgment
    })
}

fn judge_batch(
    py: Python<'_>,
    function: &str,
    boards: &Bound<'_, PyAny>,
    answers: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Judgment>> {
    let mut names = NAMES.to_vec();
    names.push("threads");
    let arguments = Arguments::new(function, options, &names)?;
    let rules = rules(&arguments)?;
    let nodes = arguments.nodes(Judge::DEFAULT_NODES)?;
    let threads: Option<NonZeroUsize> = arguments.threads()?;
    let of_goal = SolveArguments::for_goal(arguments.goal()?);
    let puzzles: PyResult<Vec<Instance>> =
        boards.try_iter()?.map(|board| of_goal.instance(&board?)).collect();
    let texts: PyResult<Vec<String>> = answers.try_iter()?.map(|answer| text(&answer?)).collect();
    let (puzzles, texts) = (puzzles?, texts?);
    if puzzles.len() != texts.len() {
        let (n_boards, n_answers) = (puzzles.len(), texts.len());
        return Err(input_error(format!("{n_boards} boards, but {n_answers} answers")));
    }
    let task = |(puzzle, text)| JudgeTask { rules, puzzle, text };
    run_interruptible(py, &arguments.store()?, |tables, watch| {
        let texts = texts.iter().map(String::as_str);
        let tasks: Vec<JudgeTask<'_>> = puzzles.iter().zip(texts).map(task).collect();
        let mut judgments = Vec::with_capacity(tasks.len());
        // Only a signal stops the batch, and `run_interruptible` raises its exception.
        let _ = judge_all(&tasks, nodes, threads, tables, watch, &mut judgments);
        judgments
    })
}

fn rules(arguments: &Arguments<'_, '_>) -> PyResult<JudgeRules> {
    let notation: Option<String> =
        arguments.get("notation")?.map(|name| name.extract()).transpose()?;
    let notation = match notation.as_deref() {
        None => Some(Notation::Tile),
        Some("any") => None,
        Some(name) => Some(name.parse().map_err(input_error)?),
    };
    let metric = arguments.parsed("metric")?.unwrap_or_default();
    let scoring = arguments.parsed("scoring")?.unwrap_or_default();
    Ok(JudgeRules { metric, notation, scoring })
}

/// Returns the text of an answer. Python's texts may have code points that no encoding has; they are replaced.
fn text(answer: &Bound<'_, PyAny>) -> PyResult<String> {
    if answer.is_none() {
        return Ok(String::new());
    }
    match answer.cast::<PyString>() {
        Ok(text) => Ok(text.to_string_lossy().into_owned()),
        Err(_) => {
            let name = answer.get_type().name()?;
            Err(PyTypeError::new_err(format!("expected an answer as str or None, not {name}")))
        }
    }
}

impl PyJudgment {
    fn new(judgment: Judgment) -> PyJudgment {
        PyJudgment(JudgmentRecord::new(&judgment))
    }
}

#[pymethods]
impl PyJudgment {
    /// The score, from 0 to 1.
    #[getter]
    fn score(&self) -> f64 {
        self.0.score
    }

    /// 'shortest', 'solved', 'unsolved', 'illegal' or 'unreadable'.
    #[getter]
    fn status(&self) -> &'static str {
        self.0.status
    }

    /// Explains the score.
    #[getter]
    fn reason(&self) -> &str {
        &self.0.reason
    }

    /// Whether the answer was read and all of its moves are legal.
    #[getter]
    fn legal(&self) -> bool {
        self.0.legal
    }

    /// Whether the answer is a solution.
    #[getter]
    fn solved(&self) -> bool {
        self.0.solved
    }

    /// Whether the answer is a shortest solution.
    #[getter]
    fn shortest(&self) -> bool {
        self.0.shortest
    }

    /// The number of legal moves in the metric.
    #[getter]
    fn moves(&self) -> u32 {
        self.0.moves
    }

    /// The number of the slide that is not legal, from 1; None if all are legal.
    #[getter]
    fn illegal_at(&self) -> Option<usize> {
        self.0.illegal_at
    }

    /// The length of a shortest solution; None if there is none or it is not known.
    #[getter]
    fn distance(&self) -> Option<u32> {
        self.0.distance
    }

    /// The distance to the goal after the legal moves; None if it is not known.
    #[getter]
    fn distance_after(&self) -> Option<u32> {
        self.0.distance_after
    }

    /// The number of moves by which the answer comes nearer to the goal; None if that is not known.
    #[getter]
    fn progress(&self) -> Option<u32> {
        self.0.progress
    }

    /// The number of moves by which a solution is longer than the shortest; None without a solution.
    #[getter]
    fn wasted(&self) -> Option<u32> {
        self.0.wasted
    }

    /// Whether the first move is part of a shortest solution; None without a legal move.
    #[getter]
    fn first_move_optimal(&self) -> Option<bool> {
        self.0.first_move_optimal
    }

    /// What marked the answer: 'tag', 'boxed', 'label', 'fence' or 'lines'; None without an answer.
    #[getter]
    fn found_in(&self) -> Option<&'static str> {
        self.0.found_in
    }

    /// How the answer was written: 'letters', 'numbers', 'boards' or 'none'; None if it is unreadable.
    #[getter]
    fn read_as(&self) -> Option<&'static str> {
        self.0.read_as
    }

    /// Whether letters were read as directions of the 'tile' or of the 'blank'; None without letters.
    #[getter]
    fn sense(&self) -> Option<&'static str> {
        self.0.sense
    }

    /// The legal moves as directions of tiles.
    #[getter]
    fn answer(&self) -> &str {
        &self.0.answer
    }

    /// Returns the record of `npuzzle judge --json` as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0)
    }

    fn __repr__(&self) -> String {
        format!("<Judgment: {:.3}, {}>", self.0.score, self.0.reason)
    }
}
