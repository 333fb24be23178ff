//! The Python package `npuzzle`: converts between Python's values and the library's, and nothing else.
//!
//! `python/npuzzle` has the Python sources around this module, and the stubs that say what it has for
//! editors and type checkers. One file here for each thing that Python sees.

#![forbid(unsafe_op_in_unsafe_fn)]

mod arguments;
mod board;
mod check;
mod error;
mod generate;
mod report;
mod solve;
mod trace;
mod watch;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// What is written in Rust. The package `npuzzle` is the door to it.
#[pymodule]
mod _npuzzle {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::board::PyBoard;
    #[pymodule_export]
    use crate::check::{PyCheck, check};
    #[pymodule_export]
    use crate::generate::generate;
    #[pymodule_export]
    use crate::report::{PyBoards, PyReport};
    #[pymodule_export]
    use crate::solve::{distance, heuristic, solve, solve_many};
    #[pymodule_export]
    use crate::trace::{PySteps, PyTrace, trace};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// A record as the command line writes it, on one line.
fn json(record: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(record).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// A record as Python has it: dictionaries, lists, numbers, strings, `None`.
fn python_of<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json,))
}
