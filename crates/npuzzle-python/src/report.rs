//! What is known about a board in the end.

use npuzzle::record::SolveRecord;
use npuzzle::search::Count;
use npuzzle::search::{Limit, Stats};
use npuzzle::{Answer, Board, Moves, Notation, Options, Report, Slide};
use npuzzle_draw::{Replay, Style, Timing, gif, html, svg};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::board::PyBoard;
use crate::error::bad_input;
use crate::{json, python_of};

/// What is known about a board in the end. Notebooks show a player of the solution.
#[pyclass(name = "Report", module = "npuzzle", frozen)]
pub(crate) struct PyReport {
    pub(crate) report: Report,
    /// Whether all shortest solutions were asked for.
    counts_all: bool,
}

impl PyReport {
    pub(crate) fn new(report: Report, options: &Options) -> PyReport {
        PyReport { report, counts_all: options.all.is_some() }
    }

    /// The limit that ended the search, or the count of all solutions.
    pub(crate) fn stopped_by(&self) -> Option<Limit> {
        let counting = || {
            self.report
                .optimal_solutions
                .as_ref()
                .and_then(|optimal_solutions| optimal_solutions.stopped)
        };
        self.report.stopped_by().or_else(counting)
    }

    fn written(&self, moves: &Moves, notation: Notation) -> PyResult<String> {
        moves.write(notation, self.report.instance.start()).map_err(bad_input)
    }

    fn replay(&self) -> PyResult<Replay> {
        let moves = self.report.moves().cloned().unwrap_or_default();
        Replay::new(&self.report.instance, moves).map_err(bad_input)
    }
}

#[pymethods]
impl PyReport {
    /// 'solved', 'unsolvable' or 'limit'.
    #[getter]
    fn status(&self) -> &'static str {
        match self.report.answer {
            Answer::Solved(_) => "solved",
            Answer::Unsolvable => "unsolvable",
            Answer::Stopped(_) => "limit",
        }
    }

    /// The board.
    #[getter]
    fn start(&self) -> PyBoard {
        PyBoard(self.report.instance.start().clone())
    }

    /// The board that was to be reached.
    #[getter]
    fn goal(&self) -> PyBoard {
        PyBoard(self.report.instance.goal().clone())
    }

    /// Whether the goal can be reached.
    #[getter]
    fn solvable(&self) -> bool {
        self.report.answer != Answer::Unsolvable
    }

    /// What `moves` and the bounds count: 'stm' or 'mtm'.
    #[getter]
    fn metric(&self) -> String {
        self.report.metric.to_string()
    }

    /// The length of the solution in this metric; None without a solution.
    #[getter]
    fn moves(&self) -> Option<usize> {
        self.report.moves().map(|moves| moves.len(self.report.metric))
    }

    /// The length of the solution in slides.
    #[getter]
    fn stm(&self) -> Option<usize> {
        self.report.moves().map(Moves::stm)
    }

    /// The length of the solution in straight runs of slides.
    #[getter]
    fn mtm(&self) -> Option<usize> {
        self.report.moves().map(Moves::mtm)
    }

    /// Whether the solution is proved to be shortest.
    #[getter]
    fn optimal(&self) -> bool {
        self.report.is_optimal()
    }

    /// No solution is shorter.
    #[getter]
    fn lower_bound(&self) -> Option<u32> {
        self.report.lower_bound
    }

    /// No shortest solution is longer.
    #[getter]
    fn upper_bound(&self) -> Option<u32> {
        self.report.upper_bound()
    }

    /// The solution, as letters for the ways of the tiles: 'U L2 D'. None without one.
    #[getter]
    fn solution(&self) -> Option<String> {
        self.report.moves().map(ToString::to_string)
    }

    /// The solution, a letter for each slide.
    #[getter]
    fn slides(&self) -> Option<Vec<char>> {
        let moves = self.report.moves()?;
        Some(moves.slides().iter().copied().map(Slide::letter).collect())
    }

    /// How many shortest solutions there are, if that was asked for and is known.
    #[getter]
    fn optimal_solutions(&self) -> Option<u128> {
        match self.report.optimal_solutions.as_ref()?.count {
            Count::Exactly(count) => Some(count),
            Count::AtLeast(_) => None,
        }
    }

    /// The shortest solutions that were asked for, as letters for the ways of the tiles.
    #[getter]
    fn solutions(&self) -> Option<Vec<String>> {
        let optimal_solutions = self.report.optimal_solutions.as_ref()?;
        Some(optimal_solutions.listed.iter().map(ToString::to_string).collect())
    }

    /// The algorithm that was used; None if there was nothing to search.
    #[getter]
    fn algorithm(&self) -> Option<String> {
        self.report.plan.as_ref().map(|plan| plan.algorithm.to_string())
    }

    /// The heuristic that was used, if the algorithm has one.
    #[getter]
    fn heuristic(&self) -> Option<String> {
        let heuristic = self.report.plan.as_ref()?.engine.heuristic()?;
        Some(heuristic.to_string())
    }

    /// Why this algorithm was used, or why there is no solution.
    #[getter]
    fn reason(&self) -> String {
        match &self.report.plan {
            Some(plan) => plan.to_string(),
            None => self.report.instance.solvability().to_string(),
        }
    }

    /// The limit that was reached: 'time', 'nodes' or 'memory'.
    #[getter]
    fn limit(&self) -> Option<String> {
        self.stopped_by().map(|limit| limit.to_string())
    }

    /// How long it took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.report.time.as_secs_f64()
    }

    /// What the search counted.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        stats_dict(py, &self.report.stats)
    }

    /// The solution in a notation: 'tile', 'blank', 'numbers' or 'boards'. None without one.
    fn write(&self, notation: &str) -> PyResult<Option<String>> {
        let notation: Notation = notation.parse().map_err(bad_input)?;
        self.report.moves().map(|moves| self.written(moves, notation)).transpose()
    }

    /// The boards from the start to the goal, one by one. None without a solution.
    fn boards(&self) -> Option<PyBoards> {
        let moves = self.report.moves()?.clone();
        let next = Some(self.report.instance.start().clone());
        Some(PyBoards { next, slides: moves.into_iter() })
    }

    /// The record that `npuzzle solve --json` writes, on one line.
    #[pyo3(signature = (notation = "tile"))]
    fn to_json(&self, notation: &str) -> PyResult<String> {
        let notation: Notation = notation.parse().map_err(bad_input)?;
        let mut record = SolveRecord::new(&self.report, notation);
        if self.counts_all {
            record = record.with_optimal_solutions(Some(&self.report), notation);
        }
        json(&record)
    }

    /// The same as a dictionary.
    #[pyo3(signature = (notation = "tile"))]
    fn to_dict<'py>(&self, py: Python<'py>, notation: &str) -> PyResult<Bound<'py, PyAny>> {
        python_of(py, &self.to_json(notation)?)
    }

    /// A page of one file that plays the solution and loads nothing.
    #[pyo3(signature = (title = None))]
    fn to_html(&self, title: Option<&str>) -> PyResult<String> {
        let summary = self.__str__();
        let title = title.unwrap_or(&summary);
        html::player(&self.replay()?, &Style::default(), Timing::default(), title)
            .map_err(bad_input)
    }

    /// An animated picture of the solution.
    fn to_gif<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let replay = self.replay()?;
        let drawn = py.detach(|| {
            let mut bytes = Vec::new();
            gif::solution(&replay, &Style::default(), Timing::default(), &mut bytes)?;
            Ok::<_, npuzzle_draw::DrawError>(bytes)
        });
        Ok(PyBytes::new(py, &drawn.map_err(bad_input)?))
    }

    /// The player in a frame of its own; of boards without a solution, the board.
    fn _repr_html_(&self) -> PyResult<String> {
        if self.report.moves().is_none() {
            let board = svg::board(&self.report.instance, &Style::default()).map_err(bad_input)?;
            return Ok(format!("{board}<p>{}</p>", escaped(&self.__str__())));
        }
        let page = escaped(&self.to_html(None)?);
        Ok(format!(
            "<iframe sandbox=\"allow-scripts\" srcdoc=\"{page}\" width=\"100%\" height=\"480\" \
             style=\"border:0\"></iframe>"
        ))
    }

    /// One line: the lengths, and what is known of them.
    pub(crate) fn __str__(&self) -> String {
        self.report.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Report of {}: {}>", self.report.instance.start().slash(), self.__str__())
    }
}

/// The boards of a solution. Those of a large board would not fit into memory all at once.
#[pyclass(name = "Boards", module = "npuzzle")]
pub(crate) struct PyBoards {
    next: Option<Board>,
    slides: std::vec::IntoIter<Slide>,
}

#[pymethods]
impl PyBoards {
    fn __iter__(boards: PyRef<'_, Self>) -> PyRef<'_, Self> {
        boards
    }

    fn __next__(&mut self) -> Option<PyBoard> {
        let board = self.next.take()?;
        self.next = self.slides.next().map(|slide| {
            let mut next = board.clone();
            next.slide(slide);
            next
        });
        Some(PyBoard(board))
    }

    fn __length_hint__(&self) -> usize {
        self.slides.len() + usize::from(self.next.is_some())
    }
}

/// The figures of a search under the names of the library.
pub(crate) fn stats_dict<'py>(py: Python<'py>, stats: &Stats) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, count) in [
        ("expanded", stats.expanded),
        ("generated", stats.generated),
        ("enqueued", stats.enqueued),
        ("dequeued", stats.dequeued),
        ("duplicates", stats.duplicates),
        ("reopened", stats.reopened),
        ("max_open", stats.max_open),
        ("max_states", stats.max_states),
        ("peak_bytes", stats.peak_bytes),
    ] {
        dict.set_item(name, count)?;
    }
    Ok(dict)
}

/// A text within quotes of HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}
