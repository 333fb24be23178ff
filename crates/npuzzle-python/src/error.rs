//! Errors as Python exceptions, with the messages of the command line. `_errors.py` defines the classes.

use std::fmt::Display;

use npuzzle::format::FormatError;
use npuzzle::teaching::{CheckError, DatasetError, GenerateError, HeuristicError, TraceError};
use npuzzle::{Limit, SolveError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

pyo3::import_exception!(npuzzle._errors, InputError);
pyo3::import_exception!(npuzzle._errors, LimitReached);
pyo3::import_exception!(npuzzle._errors, PlanError);

/// An `InputError` for a text that is not a board, rendered as on the command line.
pub(crate) fn format_error(error: &FormatError) -> PyErr {
    let rendered = error.render("<board>").trim_end().to_owned();
    InputError::new_err((rendered, error.message(), error.line(), error.column()))
}

/// An `InputError` without a position in a text.
pub(crate) fn input_error(message: impl Display) -> PyErr {
    InputError::new_err(message.to_string())
}

/// A `PlanError`: the request is valid but cannot be done.
pub(crate) fn plan_error(message: impl Display) -> PyErr {
    PlanError::new_err(message.to_string())
}

/// A `LimitReached` with the partial report, if there is one.
pub(crate) fn limit_reached(
    message: impl Display,
    limit: Limit,
    report: Option<Py<PyAny>>,
) -> PyErr {
    LimitReached::new_err((message.to_string(), limit.to_string(), report))
}

pub(crate) fn solve_error(error: SolveError) -> PyErr {
    match error {
        SolveError::Plan(error) => plan_error(error),
        internal => PyRuntimeError::new_err(internal.to_string()),
    }
}

pub(crate) fn check_error(error: CheckError) -> PyErr {
    match error {
        CheckError::Solve(error) => solve_error(error),
        unreadable => input_error(unreadable),
    }
}

pub(crate) fn trace_error(error: TraceError) -> PyErr {
    match error {
        TraceError::Limit(limit) => limit_reached(error, limit, None),
        _ => plan_error(error),
    }
}

pub(crate) fn heuristic_error(error: HeuristicError) -> PyErr {
    match error {
        HeuristicError::Limit(limit) => limit_reached(error, limit, None),
        _ => plan_error(error),
    }
}

pub(crate) fn generate_error(error: GenerateError) -> PyErr {
    match error {
        GenerateError::Limit(limit) => limit_reached(error, limit, None),
        GenerateError::Broken(error) => solve_error(error),
        _ => plan_error(error),
    }
}

pub(crate) fn dataset_error(error: DatasetError) -> PyErr {
    match error {
        DatasetError::Limit(limit) => limit_reached(error, limit, None),
        DatasetError::Generate(error) => generate_error(error),
        DatasetError::TooFew { .. } | DatasetError::Exhausted { .. } => plan_error(error),
        _ => input_error(error),
    }
}
