//! Is this a solution, is it shortest, where were moves lost?

use npuzzle::record::CheckRecord;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::arguments::{Arguments, Asked};
use crate::error::of_check;
use crate::report::PyReport;
use crate::watch::watched;
use crate::{json, python_of};

/// What is found of a solution.
#[pyclass(name = "Check", module = "npuzzle", frozen)]
pub(crate) struct PyCheck(CheckRecord);

/// Checks a solution: is it valid, is it shortest, which moves are lost.
///
/// >>> found = check("1 2 3/4 0 5/7 8 6", "L R L U")
/// >>> found.valid, found.shortest, found.lost, found.lost_at
/// (True, False, 2, [2])
///
/// The solution is a text: boards as any course program prints them, letters for the ways of tiles or
/// of the blank, numbers of tiles. A list of letters or numbers and a Report will do as well.
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
    let asked = Asked::new(&Arguments::new("check", options, &names)?)?;
    let puzzle = asked.instance(board)?;
    let text = text_of(solution)?;
    let options = &asked.options;
    let checked =
        watched(py, &asked.store, |tables, watch| options.check(&puzzle, &text, tables, watch))?;
    let checked = checked.map_err(of_check)?;
    Ok(PyCheck(CheckRecord::new(&puzzle, options.metric, &checked)))
}

fn text_of(solution: &Bound<'_, PyAny>) -> PyResult<String> {
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
    /// Whether it solves the puzzle, or rightly says that nothing does.
    #[getter]
    fn valid(&self) -> bool {
        self.0.valid
    }

    /// Whether it is shortest; None if that is not known.
    #[getter]
    fn shortest(&self) -> Option<bool> {
        self.0.shortest
    }

    /// What is wrong with it.
    #[getter]
    fn fault(&self) -> Option<&str> {
        self.0.fault.as_deref()
    }

    /// How it was read: 'boards', 'letters', 'numbers', 'claim' or 'none'.
    #[getter]
    fn read_as(&self) -> &'static str {
        self.0.read_as
    }

    /// What letters name: the ways of the 'tile' or of the 'blank'.
    #[getter]
    fn sense(&self) -> Option<&'static str> {
        self.0.sense
    }

    /// Its length in slides.
    #[getter]
    fn stm(&self) -> Option<usize> {
        self.0.moves_stm
    }

    /// Its length in straight runs of slides.
    #[getter]
    fn mtm(&self) -> Option<usize> {
        self.0.moves_mtm
    }

    /// How much longer it is than a shortest one, if that is known.
    #[getter]
    fn lost(&self) -> Option<u32> {
        self.0.lost
    }

    /// The moves, from 1, that led away from all shortest ways.
    #[getter]
    fn lost_at(&self) -> Vec<usize> {
        self.0.lost_at.clone()
    }

    /// The record that `npuzzle check --json` writes, as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python_of(py, &json(&self.0)?)
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
