//! Errors as Python's exceptions, with the messages of the command line. The classes are Python's
//! (`_errors.py`).

use std::fmt::Display;

use npuzzle::format::FormatError;
use npuzzle::teaching::{CheckError, GenerateError, HeuristicError, TraceError};
use npuzzle::{Limit, SolveError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::report::PyReport;

pyo3::import_exception!(npuzzle._errors, InputError);
pyo3::import_exception!(npuzzle._errors, LimitReached);
pyo3::import_exception!(npuzzle._errors, PlanError);

/// What is no board, shown as the command line shows it.
pub(crate) fn unread(error: &FormatError) -> PyErr {
    let shown = error.render("<board>").trim_end().to_owned();
    InputError::new_err((shown, error.message(), error.line(), error.column()))
}

/// What is no board, or no value of an argument, and has no place in a text.
pub(crate) fn bad_input(message: impl Display) -> PyErr {
    InputError::new_err(message.to_string())
}

/// What was asked for cannot be done.
pub(crate) fn no_plan(message: impl Display) -> PyErr {
    PlanError::new_err(message.to_string())
}

/// A limit was reached, with what is known by then.
pub(crate) fn limit_reached(
    py: Python<'_>,
    message: String,
    limit: Limit,
    report: Option<PyReport>,
) -> PyErr {
    match report.map(|report| Py::new(py, report)).transpose() {
        Ok(report) => LimitReached::new_err((message, limit.to_string(), report)),
        Err(error) => error,
    }
}

pub(crate) fn of_solve(error: SolveError) -> PyErr {
    match error {
        SolveError::Plan(error) => no_plan(error),
        broken => PyRuntimeError::new_err(broken.to_string()),
    }
}

pub(crate) fn of_check(error: CheckError) -> PyErr {
    match error {
        CheckError::Solve(error) => of_solve(error),
        unread => bad_input(unread),
    }
}

pub(crate) fn of_trace(py: Python<'_>, error: TraceError) -> PyErr {
    match error {
        TraceError::Limit(limit) => limit_reached(py, error.to_string(), limit, None),
        _ => no_plan(error),
    }
}

pub(crate) fn of_estimate(py: Python<'_>, error: HeuristicError) -> PyErr {
    match error {
        HeuristicError::Limit(limit) => limit_reached(py, error.to_string(), limit, None),
        _ => no_plan(error),
    }
}

pub(crate) fn of_wish(py: Python<'_>, error: GenerateError) -> PyErr {
    match error {
        GenerateError::Limit(limit) => limit_reached(py, error.to_string(), limit, None),
        GenerateError::Broken(error) => of_solve(error),
        _ => no_plan(error),
    }
}
