//! The function `trace` and the class `Trace`: a search step by step.

use std::sync::{Arc, Mutex, PoisonError};

use npuzzle::record::{NodeRecord, TraceEndRecord, TraceRecord, TraceStepRecord};
use npuzzle::search::Duplicates;
use npuzzle::teaching::{Replayer, Trace, TraceAlgorithm, Tracer};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{Arguments, SolveArguments};
use crate::error::{input_error, trace_error};
use crate::json::to_python;
use crate::report::stats_dict;
use crate::watch::run_interruptible;

/// A recorded search. Iterating over it yields its steps.
#[pyclass(name = "Trace", module = "npuzzle", frozen)]
pub(crate) struct PyTrace {
    tracer: Tracer,
    trace: Arc<Trace>,
}

/// Runs a search and records its steps.
///
/// >>> for step in trace("1 2 3/4 5 0/7 8 6"):
/// ...     print(step["node"]["board"], step["fate"])
/// 1 2 3/4 5 0/7 8 6 expanded
/// 1 2 3/4 5 6/7 8 0 goal
///
/// A step is a dictionary: the node that leaves the queue, its fate, the queue before and after the
/// step, the children that enter the queue, and the children that are pruned.
///
/// algorithm: astar, wastar, greedy, uniform, bfs, dfs, iddfs or ida.
/// heuristic: a name; the deliberately buggy heuristics are allowed, too.
/// order: the order in which the blank moves when children are generated; 'uldr' by default.
/// tie_break: the order of nodes with equal priority: fifo, lifo or heap.
/// duplicates: the detection of repeated states: closed, parent or none; the default depends on the
/// algorithm.
/// goal_test: generation or expansion (default).
/// depth_limit: the largest depth of bfs, dfs (20 by default) and iddfs.
/// steps: the maximum number of steps.
#[pyfunction]
#[pyo3(
    signature = (board, /, **options),
    text_signature = "(board, /, *, goal=None, algorithm='astar', heuristic='manhattan', \
                      weight=None, order=None, tie_break=None, duplicates=None, goal_test=None, \
                      depth_limit=None, steps=100)"
)]
pub(crate) fn trace(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyTrace> {
    let names = [
        "goal",
        "algorithm",
        "heuristic",
        "weight",
        "order",
        "tie_break",
        "duplicates",
        "goal_test",
        "depth_limit",
        "steps",
    ];
    let arguments = Arguments::new("trace", options, &names)?;
    let default = Tracer::new(arguments.parsed("algorithm")?.unwrap_or(TraceAlgorithm::Astar));
    let tracer = Tracer {
        weight: arguments.weight()?,
        order: arguments.parsed("order")?.unwrap_or_default(),
        heuristic: arguments.parsed("heuristic")?.unwrap_or(default.heuristic),
        tie_break: arguments.parsed("tie_break")?.unwrap_or(default.tie_break),
        duplicates: duplicates(&arguments)?.unwrap_or(default.duplicates),
        goal_test: arguments.parsed("goal_test")?.unwrap_or(default.goal_test),
        depth_limit: arguments.integer("depth_limit")?.or(default.depth_limit),
        max_steps: arguments.integer("steps")?.unwrap_or(default.max_steps),
        ..default
    };
    let instance = SolveArguments::for_goal(arguments.goal()?).instance(board)?;
    let trace = run_interruptible(py, &npuzzle::tables::Store::none(), |tables, watch| {
        tracer.trace(&instance, tables, watch)
    })?;
    let trace = Arc::new(trace.map_err(trace_error)?);
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
            let message =
                format!("duplicates: unknown name {other:?}: expected closed, parent or none");
            Err(input_error(message))
        }
    }
}

#[pymethods]
impl PyTrace {
    /// How the search ended: 'goal', 'exhausted', 'unsolvable', 'cut' (after `steps` steps), or a limit.
    #[getter]
    fn ending(&self) -> String {
        TraceEndRecord::new(&self.trace).ending
    }

    /// The numbers of the nodes from the start to the goal; None if the goal was not reached.
    #[getter]
    fn solution(&self) -> Option<Vec<usize>> {
        self.trace.solution()
    }

    /// The counters of the search.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        stats_dict(py, &self.trace.stats)
    }

    /// Returns the record of `npuzzle trace --json`: the nodes in one list, the steps in another.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &TraceRecord::new(&self.tracer, &self.trace))
    }

    fn __len__(&self) -> usize {
        self.trace.steps.len()
    }

    fn __iter__(&self) -> PySteps {
        PySteps { replayer: Mutex::new(self.trace.replayer()), trace: Arc::clone(&self.trace) }
    }

    fn __repr__(&self) -> String {
        let start = self.trace.instance.start().slash();
        format!("<Trace of {start}: {} steps, {}>", self.trace.steps.len(), self.ending())
    }
}

/// An iterator over the steps of a trace.
#[pyclass(name = "Steps", module = "npuzzle", frozen)]
pub(crate) struct PySteps {
    trace: Arc<Trace>,
    replayer: Mutex<Replayer>,
}

#[pymethods]
impl PySteps {
    fn __iter__(steps: PyRef<'_, Self>) -> PyRef<'_, Self> {
        steps
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut replayer = self.replayer.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(state) = replayer.step(&self.trace) else { return Ok(None) };
        let record =
            TraceStepRecord::new(&self.trace, &state, |node| NodeRecord::new(&self.trace, node));
        to_python(py, &record).map(Some)
    }
}
