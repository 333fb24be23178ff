//! The class `Report`: the result of a search.

use npuzzle::record::{SavedReport, SolveRecord};
use npuzzle::search::{Count, Limit, Stats};
use npuzzle::{Answer, Board, Moves, Notation, Options, Report, Slide};
use npuzzle_draw::{Replay, Style, Timing, gif, html, svg};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::board::PyBoard;
use crate::error::input_error;
use crate::json::{to_json, to_python};

/// The result of a search. Notebooks show a player of the solution.
#[pyclass(name = "Report", module = "npuzzle", frozen)]
pub(crate) struct PyReport {
    pub(crate) report: Report,
    /// Whether all shortest solutions were counted.
    counts_all: bool,
    /// The notation of `solution` and `solutions`, and the default one of the other methods.
    notation: Notation,
}

impl PyReport {
    pub(crate) fn new(report: Report, options: &Options, notation: Notation) -> PyReport {
        PyReport { report, counts_all: options.all.is_some(), notation }
    }

    /// Returns the limit that stopped the search or the count of all solutions.
    pub(crate) fn stopped_by(&self) -> Option<Limit> {
        let counting = || self.report.optimal_solutions.as_ref()?.stopped;
        self.report.stopped_by().or_else(counting)
    }

    fn write_moves(&self, moves: &Moves, notation: Notation) -> PyResult<String> {
        moves.write(notation, self.report.instance.start()).map_err(input_error)
    }

    fn record(&self, notation: Option<&str>) -> PyResult<SolveRecord> {
        let notation = match notation {
            Some(name) => name.parse().map_err(input_error)?,
            None => self.notation,
        };
        let record = SolveRecord::new(&self.report, notation);
        Ok(match self.counts_all {
            true => record.with_optimal_solutions(Some(&self.report), notation),
            false => record,
        })
    }

    fn replay(&self) -> PyResult<Replay> {
        let moves = self.report.moves().cloned().unwrap_or_default();
        Replay::new(&self.report.instance, moves).map_err(input_error)
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

    /// The start board.
    #[getter]
    fn start(&self) -> PyBoard {
        PyBoard(self.report.instance.start().clone())
    }

    /// The goal board.
    #[getter]
    fn goal(&self) -> PyBoard {
        PyBoard(self.report.instance.goal().clone())
    }

    /// Whether the start can reach the goal.
    #[getter]
    fn solvable(&self) -> bool {
        self.report.answer != Answer::Unsolvable
    }

    /// The metric of `moves` and the bounds: 'stm' or 'mtm'.
    #[getter]
    fn metric(&self) -> String {
        self.report.metric.to_string()
    }

    /// The length of the solution in the metric; None without a solution.
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

    /// Whether the solution is proved optimal.
    #[getter]
    fn optimal(&self) -> bool {
        self.report.is_optimal()
    }

    /// A lower bound on the length of every solution.
    #[getter]
    fn lower_bound(&self) -> Option<u32> {
        self.report.lower_bound
    }

    /// An upper bound on the length of the shortest solutions.
    #[getter]
    fn upper_bound(&self) -> Option<u32> {
        self.report.upper_bound()
    }

    /// The solution in the notation of `solve`, by default directions of tiles, such as 'U L2 D'; None
    /// without a solution.
    #[getter]
    fn solution(&self) -> PyResult<Option<String>> {
        self.report.moves().map(|moves| self.write_moves(moves, self.notation)).transpose()
    }

    /// The solution as a list with one letter per slide; None without a solution.
    #[getter]
    fn slides(&self) -> Option<Vec<char>> {
        let moves = self.report.moves()?;
        Some(moves.slides().iter().copied().map(Slide::letter).collect())
    }

    /// The number of shortest solutions, if `all` was given and the count is complete.
    #[getter]
    fn optimal_solutions(&self) -> Option<u128> {
        match self.report.optimal_solutions.as_ref()?.count {
            Count::Exactly(count) => Some(count),
            Count::AtLeast(_) => None,
        }
    }

    /// The listed shortest solutions in the notation of `solve`, if `all` was given.
    #[getter]
    fn solutions(&self) -> PyResult<Option<Vec<String>>> {
        let Some(solutions) = &self.report.optimal_solutions else { return Ok(None) };
        let write = |moves| self.write_moves(moves, self.notation);
        solutions.listed.iter().map(write).collect::<PyResult<_>>().map(Some)
    }

    /// The algorithm; None if no search was necessary.
    #[getter]
    fn algorithm(&self) -> Option<String> {
        self.report.plan.as_ref().map(|plan| plan.algorithm.to_string())
    }

    /// The heuristic; None if the algorithm uses none.
    #[getter]
    fn heuristic(&self) -> Option<String> {
        let heuristic = self.report.plan.as_ref()?.engine.heuristic()?;
        Some(heuristic.to_string())
    }

    /// Explains the choice of the algorithm, or why there is no solution.
    #[getter]
    fn reason(&self) -> String {
        match &self.report.plan {
            Some(plan) => plan.to_string(),
            None => self.report.instance.solvability().to_string(),
        }
    }

    /// The limit that stopped the search: 'time', 'nodes' or 'memory'; None otherwise.
    #[getter]
    fn limit(&self) -> Option<String> {
        self.stopped_by().map(|limit| limit.to_string())
    }

    /// The time of the search in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.report.time.as_secs_f64()
    }

    /// The counters of the search.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        stats_dict(py, &self.report.stats)
    }

    /// Returns the solution in a notation: 'tile', 'blank', 'numbers' or 'boards'; None without a
    /// solution.
    fn write(&self, notation: &str) -> PyResult<Option<String>> {
        let notation: Notation = notation.parse().map_err(input_error)?;
        self.report.moves().map(|moves| self.write_moves(moves, notation)).transpose()
    }

    /// Returns an iterator over the boards from the start to the goal; None without a solution.
    fn boards(&self) -> Option<PyBoards> {
        let moves = self.report.moves()?.clone();
        let next = Some(self.report.instance.start().clone());
        Some(PyBoards { next, slides: moves.into_iter() })
    }

    /// Returns the record of `npuzzle solve --json`, on one line; by default in the notation of `solve`.
    #[pyo3(signature = (notation = None))]
    fn to_json(&self, notation: Option<&str>) -> PyResult<String> {
        to_json(&self.record(notation)?)
    }

    /// Returns the record of `npuzzle solve --json` as a dictionary; by default in the notation of
    /// `solve`.
    #[pyo3(signature = (notation = None))]
    fn to_dict<'py>(&self, py: Python<'py>, notation: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.record(notation)?)
    }

    /// Returns a self-contained web page that plays the solution.
    #[pyo3(signature = (title = None))]
    fn to_html(&self, title: Option<&str>) -> PyResult<String> {
        let summary = self.__str__();
        let title = title.unwrap_or(&summary);
        html::player(&self.replay()?, &Style::default(), Timing::default(), title)
            .map_err(input_error)
    }

    /// Returns an animated GIF of the solution.
    fn to_gif<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let replay = self.replay()?;
        let drawn = py.detach(|| {
            let mut bytes = Vec::new();
            gif::solution(&replay, &Style::default(), Timing::default(), &mut bytes)?;
            Ok::<_, npuzzle_draw::DrawError>(bytes)
        });
        Ok(PyBytes::new(py, &drawn.map_err(input_error)?))
    }

    /// Returns the player in a frame or, without a solution, the board.
    fn _repr_html_(&self) -> PyResult<String> {
        if self.report.moves().is_none() {
            let board =
                svg::board(&self.report.instance, &Style::default()).map_err(input_error)?;
            return Ok(format!("{board}<p>{}</p>", svg::escaped(&self.__str__())));
        }
        let page = svg::escaped(&self.to_html(None)?);
        Ok(format!(
            "<iframe sandbox=\"allow-scripts\" srcdoc=\"{page}\" width=\"100%\" height=\"480\" \
             style=\"border:0\"></iframe>"
        ))
    }

    /// Returns one line: the length of the solution and its bounds.
    pub(crate) fn __str__(&self) -> String {
        self.report.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Report of {}: {}>", self.report.instance.start().slash(), self.__str__())
    }

    /// For pickle and copy.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let restore = py.import("npuzzle._npuzzle")?.getattr("_restore_report")?;
        let state = (SavedReport::new(&self.report), self.counts_all, self.notation);
        Ok((restore, (to_json(&state)?,)))
    }
}

/// Restores a pickled report.
#[pyfunction]
#[pyo3(name = "_restore_report", signature = (state, /))]
pub(crate) fn restore_report(state: &str) -> PyResult<PyReport> {
    let saved = serde_json::from_str::<(SavedReport, bool, Notation)>(state).ok();
    let restored = saved.and_then(|(saved, counts_all, notation)| {
        Some(PyReport { report: saved.restore()?, counts_all, notation })
    });
    restored.ok_or_else(|| input_error("the pickled report is damaged or from another version"))
}

/// An iterator over the boards of a solution. A list of them could exceed the memory.
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

/// Returns the counters of a search under their names in the library.
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
