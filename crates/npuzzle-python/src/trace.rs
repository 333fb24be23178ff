//! A search step by step.

use std::sync::{Arc, Mutex, PoisonError};

use npuzzle::Algorithm;
use npuzzle::record::{NodeRecord, TraceEndRecord, TraceRecord, TraceStepRecord};
use npuzzle::search::Duplicates;
use npuzzle::teaching::{Replayer, Trace, Tracer};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{Arguments, Asked};
use crate::error::{bad_input, of_trace};
use crate::report::stats_dict;
use crate::watch::watched;
use crate::{json, python_of};

/// A search that was written down. To iterate gives its steps.
#[pyclass(name = "Trace", module = "npuzzle", frozen)]
pub(crate) struct PyTrace {
    tracer: Tracer,
    trace: Arc<Trace>,
}

/// Runs a best-first search and writes down its steps.
///
/// >>> for step in trace("1 2 3/4 5 0/7 8 6"):
/// ...     print(step["node"]["board"], step["fate"])
/// 1 2 3/4 5 0/7 8 6 expanded
/// 1 2 3/4 5 6/7 8 0 goal
///
/// A step is a dictionary: the node that leaves the queue, what becomes of it, the queue before and
/// after, the children that enter it and those that are refused.
///
/// algorithm: astar, wastar, greedy, uniform, bfs or ida.
/// heuristic: a name; also those that are wrong on purpose.
/// tie_break: which of equals leaves first: fifo, lifo or heap.
/// duplicates: what is done about states that are met again: closed, parent or none; unless given,
/// what the algorithm usually does.
/// steps: how many at most.
#[pyfunction]
#[pyo3(
    signature = (board, /, **options),
    text_signature = "(board, /, *, goal=None, algorithm='astar', heuristic='manhattan', \
                      weight=None, tie_break=None, duplicates=None, steps=100)"
)]
pub(crate) fn trace(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyTrace> {
    let names = ["goal", "algorithm", "heuristic", "weight", "tie_break", "duplicates", "steps"];
    let arguments = Arguments::new("trace", options, &names)?;
    let usual = Tracer::new(arguments.named("algorithm")?.unwrap_or(Algorithm::Astar));
    let tracer = Tracer {
        weight: arguments.weight()?,
        heuristic: arguments.named("heuristic")?.unwrap_or(usual.heuristic),
        tie_break: arguments.named("tie_break")?.unwrap_or(usual.tie_break),
        duplicates: duplicates(&arguments)?.unwrap_or(usual.duplicates),
        max_steps: arguments.whole("steps")?.unwrap_or(usual.max_steps),
        ..usual
    };
    let instance = Asked::for_goal(arguments.goal()?).instance(board)?;
    let trace = watched(py, &npuzzle::tables::Store::none(), |tables, watch| {
        tracer.trace(&instance, tables, watch)
    })?;
    let trace = Arc::new(trace.map_err(|error| of_trace(py, error))?);
    Ok(PyTrace { tracer, trace })
}

fn duplicates(arguments: &Arguments<'_, '_>) -> PyResult<Option<Duplicates>> {
    let name: Option<String> =
        arguments.get("duplicates")?.map(|name| name.extract()).transpose()?;
    match name.as_deref() {
        None => Ok(None),
        Some("closed") => Ok(Some(Duplicates::Closed)),
        Some("parent") => Ok(Some(Duplicates::Parent)),
        Some("none") => Ok(Some(Duplicates::None)),
        Some(other) => {
            Err(bad_input(format!("duplicates: {other:?} is not closed, parent or none")))
        }
    }
}

#[pymethods]
impl PyTrace {
    /// How it ended: 'goal', 'exhausted', 'cut', or the limit.
    #[getter]
    fn ending(&self) -> String {
        TraceEndRecord::new(&self.trace).ending
    }

    /// The numbers of the nodes from the start to the goal, if it was found.
    #[getter]
    fn solution(&self) -> Option<Vec<usize>> {
        self.trace.solution()
    }

    /// What was counted.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        stats_dict(py, &self.trace.stats)
    }

    /// All of it with the nodes in a list of their own.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python_of(py, &json(&TraceRecord::new(&self.tracer, &self.trace))?)
    }

    fn __len__(&self) -> usize {
        self.trace.steps.len()
    }

    fn __iter__(&self) -> PySteps {
        PySteps { player: Mutex::new(self.trace.replayer()), trace: Arc::clone(&self.trace) }
    }

    fn __repr__(&self) -> String {
        let start = self.trace.instance.start().slash();
        format!("<Trace of {start}: {} steps, {}>", self.trace.steps.len(), self.ending())
    }
}

/// The steps of a trace, one after the other.
#[pyclass(name = "Steps", module = "npuzzle", frozen)]
pub(crate) struct PySteps {
    trace: Arc<Trace>,
    player: Mutex<Replayer>,
}

#[pymethods]
impl PySteps {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut player = self.player.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(played) = player.step(&self.trace) else { return Ok(None) };
        let record =
            TraceStepRecord::new(&self.trace, &played, |node| NodeRecord::new(&self.trace, node));
        python_of(py, &json(&record)?).map(Some)
    }
}
