//! Records as JSON text and as Python values.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Returns a record as the command line writes it, on one line.
pub(crate) fn to_json(record: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(record).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// Returns a record as Python dictionaries, lists, numbers, strings and `None`.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    record: &impl serde::Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (to_json(record)?,))
}
