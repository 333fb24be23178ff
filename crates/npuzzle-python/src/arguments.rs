//! Keyword arguments. They have the names of the command line's flags.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use npuzzle::search::Weight;
use npuzzle::tables::Store;
use npuzzle::{Effort, Goal, Instance, Limits, Notation, Options};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::board::{board_and_goal, to_goal};
use crate::error::input_error;

/// The number of solutions that `all=True` lists, as on the command line.
const DEFAULT_LISTED: usize = Options::DEFAULT_LISTED;

/// The keyword arguments of a call. `None` counts as not given.
pub(crate) struct Arguments<'a, 'py>(Option<&'a Bound<'py, PyDict>>);

impl<'a, 'py> Arguments<'a, 'py> {
    /// Raises TypeError for an argument that is not in `known`.
    pub(crate) fn new(
        function: &str,
        given: Option<&'a Bound<'py, PyDict>>,
        known: &[&str],
    ) -> PyResult<Arguments<'a, 'py>> {
        for name in given.iter().flat_map(|given| given.keys()) {
            let name: String = name.extract()?;
            if !known.contains(&name.as_str()) {
                return Err(PyTypeError::new_err(format!(
                    "{function}() got an unexpected keyword argument '{name}'"
                )));
            }
        }
        Ok(Arguments(given))
    }

    pub(crate) fn get(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(given) = self.0 else { return Ok(None) };
        Ok(given.get_item(name)?.filter(|value| !value.is_none()))
    }

    /// Parses an argument that is a name of the library.
    pub(crate) fn parsed<T: FromStr<Err: Display>>(&self, name: &str) -> PyResult<Option<T>> {
        let Some(value) = self.get(name)? else { return Ok(None) };
        let text: String = value.extract()?;
        text.parse().map(Some).map_err(input_error)
    }

    pub(crate) fn flag(&self, name: &str) -> PyResult<bool> {
        self.get(name)?.map_or(Ok(false), |value| value.is_truthy())
    }

    pub(crate) fn goal(&self) -> PyResult<Option<Goal>> {
        self.get("goal")?.map(|value| to_goal(&value)).transpose()
    }

    /// Returns a time limit in seconds; infinity means no limit.
    pub(crate) fn time(&self) -> PyResult<Option<Duration>> {
        let Some(value) = self.get("time")? else { return Ok(Limits::default().time) };
        let seconds: f64 = value.extract()?;
        if seconds == f64::INFINITY {
            return Ok(None);
        }
        let time = Duration::try_from_secs_f64(seconds);
        time.map(Some).map_err(|_| input_error("time: expected seconds, or math.inf"))
    }

    /// Returns an integer limit, which may be a float such as `1e6`; infinity means no limit.
    fn limit(&self, name: &str, default: Option<u64>) -> PyResult<Option<u64>> {
        let Some(value) = self.get(name)? else { return Ok(default) };
        if let Ok(count) = value.extract::<u64>() {
            return Ok(Some(count));
        }
        match value.extract::<f64>()? {
            f64::INFINITY => Ok(None),
            n if n.fract() == 0.0 && (0.0..1e18).contains(&n) => Ok(Some(n as u64)),
            _ => Err(input_error(format!("{name}: expected an integer, or math.inf"))),
        }
    }

    /// Returns an integer that is not negative.
    pub(crate) fn integer<T>(&self, name: &str) -> PyResult<Option<T>>
    where
        T: for<'b> FromPyObject<'b, 'py, Error = PyErr>,
    {
        let Some(value) = self.get(name)? else { return Ok(None) };
        let py = value.py();
        // Replaces the message about the size of the integer type.
        value.extract::<T>().map(Some).map_err(|error| {
            if error.is_instance_of::<PyOverflowError>(py) {
                input_error(format!("{name}: {value} is out of range: expected an integer from 0"))
            } else {
                error
            }
        })
    }

    /// Returns a limit on expanded states; infinity means no limit.
    pub(crate) fn nodes(&self, default: u64) -> PyResult<u64> {
        Ok(self.limit("nodes", Some(default))?.unwrap_or(u64::MAX))
    }

    pub(crate) fn limits(&self) -> PyResult<Limits> {
        let default = Limits::default();
        Ok(Limits {
            time: self.time()?,
            nodes: self.limit("nodes", default.nodes)?,
            memory: self.limit("memory", default.memory)?,
        })
    }

    pub(crate) fn weight(&self) -> PyResult<Option<Weight>> {
        let Some(value) = self.get("weight")? else { return Ok(None) };
        let weight = Weight::new(value.extract()?);
        let expected =
            || input_error(format!("weight: expected a number from 1 to {}", Weight::MAX));
        weight.map(Some).ok_or_else(expected)
    }

    pub(crate) fn threads(&self) -> PyResult<Option<NonZeroUsize>> {
        let Some(value) = self.get("threads")? else { return Ok(None) };
        let threads = value.extract().ok().and_then(NonZeroUsize::new);
        threads.map(Some).ok_or_else(|| input_error("threads: expected an integer from 1"))
    }

    /// Returns the store of tables: none, the user's cache folder, or a given folder.
    pub(crate) fn store(&self) -> PyResult<Store> {
        let Some(value) = self.get("cache")? else { return Ok(Store::none()) };
        if let Ok(is_enabled) = value.cast::<PyBool>() {
            return Ok(if is_enabled.is_true() { Store::default_folder() } else { Store::none() });
        }
        Ok(Store::at(value.extract::<PathBuf>()?))
    }

    fn all(&self) -> PyResult<Option<usize>> {
        let Some(value) = self.get("all")? else { return Ok(None) };
        match value.cast::<PyBool>() {
            Ok(is_enabled) => Ok(is_enabled.is_true().then_some(DEFAULT_LISTED)),
            Err(_) => self.integer("all"),
        }
    }

    /// Returns a range given as a number, a pair (minimum, maximum), or a `range`.
    pub(crate) fn range<T>(&self, name: &str) -> PyResult<Option<RangeInclusive<T>>>
    where
        T: for<'b> FromPyObject<'b, 'py, Error = PyErr> + Copy,
    {
        let Some(value) = self.get(name)? else { return Ok(None) };
        if let Ok(n) = value.extract::<T>() {
            return Ok(Some(n..=n));
        }
        if let (Ok(from), Ok(to)) = (value.getattr("start"), value.getattr("stop")) {
            return Ok(Some(from.extract()?..=to.sub(1)?.extract()?));
        }
        match value.extract::<Vec<T>>().as_deref() {
            Ok([from, to]) => Ok(Some(*from..=*to)),
            _ => Err(input_error(format!("{name}: expected an integer or a pair of integers"))),
        }
    }
}

/// The arguments of `solve` and similar functions.
pub(crate) struct SolveArguments {
    goal: Option<Goal>,
    pub(crate) options: Options,
    pub(crate) store: Store,
    /// Whether reaching a limit raises an exception.
    pub(crate) is_strict: bool,
    /// The notation of solutions.
    pub(crate) notation: Notation,
}

impl SolveArguments {
    /// The names of the arguments.
    pub(crate) const NAMES: [&'static str; 17] = [
        "goal",
        "metric",
        "algorithm",
        "heuristic",
        "weight",
        "order",
        "time",
        "nodes",
        "memory",
        "threads",
        "effort",
        "optimal",
        "all",
        "tables",
        "cache",
        "strict",
        "notation",
    ];

    pub(crate) fn new(arguments: &Arguments<'_, '_>) -> PyResult<SolveArguments> {
        // A caller that sets a time limit wants it to be used.
        let has_time = arguments.get("time")?.is_some();
        let default_effort = has_time.then_some(Effort::Best);
        let options = Options {
            algorithm: arguments.parsed("algorithm")?.unwrap_or_default(),
            heuristic: arguments.parsed("heuristic")?.unwrap_or_default(),
            metric: arguments.parsed("metric")?.unwrap_or_default(),
            weight: arguments.weight()?,
            order: arguments.parsed("order")?,
            all: arguments.all()?,
            limits: arguments.limits()?,
            effort: arguments.parsed("effort")?.or(default_effort),
            optimal: arguments.flag("optimal")?,
            tables: arguments.parsed("tables")?.unwrap_or_default(),
            threads: arguments.threads()?,
            bound: None,
        };
        Ok(SolveArguments {
            goal: arguments.goal()?,
            options,
            store: arguments.store()?,
            is_strict: arguments.flag("strict")?,
            notation: arguments.parsed("notation")?.unwrap_or_default(),
        })
    }

    /// Returns default options with a goal.
    pub(crate) fn for_goal(goal: Option<Goal>) -> SolveArguments {
        SolveArguments {
            goal,
            options: Options::default(),
            store: Store::none(),
            is_strict: false,
            notation: Notation::default(),
        }
    }

    /// Combines a board with the goal argument, else with the goal in its text, else with the default.
    pub(crate) fn instance(&self, board: &Bound<'_, PyAny>) -> PyResult<Instance> {
        let (board, goal) = board_and_goal(board)?;
        self.with_goal(board, goal)
    }

    pub(crate) fn with_goal(
        &self,
        board: npuzzle::Board,
        own: Option<npuzzle::Board>,
    ) -> PyResult<Instance> {
        let goal = self.goal.clone().or(own.map(Goal::Board)).unwrap_or_default();
        Instance::new(board, &goal).map_err(input_error)
    }
}
