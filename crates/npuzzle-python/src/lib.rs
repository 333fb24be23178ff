//! The native module of the Python package `npuzzle`. It only converts between values of Python and of
//! the library.
//!
//! `python/npuzzle` contains the Python sources around this module, and the type stubs. Each function
//! or class of the module has a file here.

#![forbid(unsafe_op_in_unsafe_fn)]

mod arguments;
mod board;
mod check;
mod dataset;
mod error;
mod generate;
mod json;
mod judge;
mod report;
mod solve;
mod trace;
mod watch;

use pyo3::prelude::*;

/// The native module of the package `npuzzle`. Import the package instead.
#[pymodule]
mod _npuzzle {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::board::PyBoard;
    #[pymodule_export]
    use crate::check::{PyCheck, check};
    #[pymodule_export]
    use crate::dataset::dataset;
    #[pymodule_export]
    use crate::generate::generate;
    #[pymodule_export]
    use crate::judge::{PyJudgment, judge, judge_many, reward, rewards};
    #[pymodule_export]
    use crate::report::{PyBoards, PyReport, restore_report};
    #[pymodule_export]
    use crate::solve::{distance, heuristic, solve, solve_many};
    #[pymodule_export]
    use crate::trace::{PySteps, PyTrace, trace};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
