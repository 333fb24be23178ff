//! The function `check` and the class `Check`: the verdict on a solution.

use npuzzle::record::CheckRecord;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::arguments::{Arguments, SolveArguments};
use crate::error::check_error;
use crate::json::to_python;
use crate::report::PyReport;
use crate::watch::run_interruptible;

/// The verdict on a solution.
#[pyclass(name = "Check", module = "npuzzle", frozen)]
pub(crate) struct PyCheck(CheckRecord);

/// Checks whether a solution is valid and shortest, and which moves it wastes.
///
/// >>> verdict = check("1 2 3/4 0 5/7 8 6", "L R L U")
/// >>> verdict.valid, verdict.shortest, verdict.lost, verdict.lost_at
/// (True, False, 2, [2])
///
/// The solution is a text with boards as course programs print them, directions of the tiles or of the
/// blank, or numbers of tiles; or a list of letters or numbers; or a Report.
#[pyfunction]
#[pyo3(
    signature = (board, solution, /, **options),
    text_signature = "(board, solution, /, *, goal=None, metric='stm', time=None, cache=None)"
)]
pub(crate) fn check(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    solution: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyCheck> {
    let names = ["goal", "metric", "time", "cache"];
    let arguments = SolveArguments::new(&Arguments::new("check", options, &names)?)?;
    let instance = arguments.instance(board)?;
    let text = solution_text(solution)?;
    let options = &arguments.options;
    let checked = run_interruptible(py, &arguments.store, |tables, watch| {
        options.check(&instance, &text, tables, watch)
    })?;
    let checked = checked.map_err(check_error)?;
    Ok(PyCheck(CheckRecord::new(&instance, options.metric, &checked)))
}

fn solution_text(solution: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = solution.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned());
    }
    if let Ok(report) = solution.cast::<PyReport>() {
        let moves = report.get().report.moves();
        return Ok(moves.map_or("no solution".to_owned(), ToString::to_string));
    }
    let parts: PyResult<Vec<String>> =
        solution.try_iter()?.map(|part| Ok(part?.str()?.to_cow()?.into_owned())).collect();
    Ok(parts?.join(" "))
}

#[pymethods]
impl PyCheck {
    /// Whether it solves the puzzle, or correctly claims that the puzzle is unsolvable.
    #[getter]
    fn valid(&self) -> bool {
        self.0.valid
    }

    /// Whether it is a shortest solution; None if that is unknown.
    #[getter]
    fn shortest(&self) -> Option<bool> {
        self.0.shortest
    }

    /// The error in the solution; None if it is valid.
    #[getter]
    fn fault(&self) -> Option<&str> {
        self.0.fault.as_deref()
    }

    /// How the text was interpreted: 'boards', 'letters', 'numbers', 'claim' or 'none'.
    #[getter]
    fn read_as(&self) -> &'static str {
        self.0.read_as
    }

    /// Whether letters are directions of the 'tile' or of the 'blank'; None without letters.
    #[getter]
    fn sense(&self) -> Option<&'static str> {
        self.0.sense
    }

    /// The length of the solution in slides.
    #[getter]
    fn stm(&self) -> Option<usize> {
        self.0.moves_stm
    }

    /// The length of the solution in straight runs of slides.
    #[getter]
    fn mtm(&self) -> Option<usize> {
        self.0.moves_mtm
    }

    /// The number of wasted moves; None if that is unknown.
    #[getter]
    fn lost(&self) -> Option<u32> {
        self.0.lost
    }

    /// The numbers, from 1, of the moves that are on no shortest path.
    #[getter]
    fn lost_at(&self) -> Vec<usize> {
        self.0.lost_at.clone()
    }

    /// Returns the record of `npuzzle check --json` as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0)
    }

    fn __repr__(&self) -> String {
        let verdict = match (&self.0.fault, self.0.shortest, self.0.lost) {
            (Some(fault), ..) => format!("not valid: {fault}"),
            (None, Some(true), _) => "valid, shortest".to_owned(),
            (None, Some(false), Some(lost)) => format!("valid, {lost} more than the shortest"),
            (None, Some(false), None) => "valid, not shortest".to_owned(),
            (None, None, _) => "valid".to_owned(),
        };
        format!("<Check: {verdict}>")
    }
}
