//! Keyword arguments, with the names of the command line's flags.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use npuzzle::search::Weight;
use npuzzle::tables::Store;
use npuzzle::{Effort, Goal, Instance, Limits, Options};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::board::{read, read_goal};
use crate::error::bad_input;

/// How many solutions `all=True` lists, as `--all` does.
const LISTED: usize = 100;

/// The keyword arguments of a call. What is `None` was not given.
pub(crate) struct Arguments<'a, 'py>(Option<&'a Bound<'py, PyDict>>);

impl<'a, 'py> Arguments<'a, 'py> {
    /// A TypeError if there are others than those that are known.
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

    /// A value that the library has a name for.
    pub(crate) fn named<T: FromStr<Err: Display>>(&self, name: &str) -> PyResult<Option<T>> {
        let Some(value) = self.get(name)? else { return Ok(None) };
        let text: String = value.extract()?;
        text.parse().map(Some).map_err(bad_input)
    }

    pub(crate) fn flag(&self, name: &str) -> PyResult<bool> {
        self.get(name)?.map_or(Ok(false), |value| value.is_truthy())
    }

    pub(crate) fn goal(&self) -> PyResult<Option<Goal>> {
        self.get("goal")?.map(|value| read_goal(&value)).transpose()
    }

    /// Seconds; infinity lifts the limit.
    pub(crate) fn time(&self) -> PyResult<Option<Duration>> {
        let Some(value) = self.get("time")? else { return Ok(Limits::default().time) };
        let seconds: f64 = value.extract()?;
        if seconds == f64::INFINITY {
            return Ok(None);
        }
        let time = Duration::try_from_secs_f64(seconds);
        time.map(Some).map_err(|_| bad_input("expected a time in seconds, or math.inf"))
    }

    /// A whole number, which may be written `1e6`; infinity lifts the limit.
    fn count(&self, name: &str, usual: Option<u64>) -> PyResult<Option<u64>> {
        let Some(value) = self.get(name)? else { return Ok(usual) };
        if let Ok(count) = value.extract::<u64>() {
            return Ok(Some(count));
        }
        match value.extract::<f64>()? {
            f64::INFINITY => Ok(None),
            n if n.fract() == 0.0 && (0.0..1e18).contains(&n) => Ok(Some(n as u64)),
            _ => Err(bad_input(format!("{name}: expected a whole number, or math.inf"))),
        }
    }

    /// A whole number from 0 on.
    pub(crate) fn whole<T>(&self, name: &str) -> PyResult<Option<T>>
    where
        T: for<'b> FromPyObject<'b, 'py, Error = PyErr>,
    {
        let Some(value) = self.get(name)? else { return Ok(None) };
        let py = value.py();
        // Of a number that is too small or too large there is more to say than how many bits it has.
        value.extract::<T>().map(Some).map_err(|error| {
            if error.is_instance_of::<PyOverflowError>(py) {
                bad_input(format!("{name}: expected a whole number from 0 on, not {value}"))
            } else {
                error
            }
        })
    }

    pub(crate) fn limits(&self) -> PyResult<Limits> {
        let usual = Limits::default();
        Ok(Limits {
            time: self.time()?,
            nodes: self.count("nodes", usual.nodes)?,
            memory: self.count("memory", usual.memory)?,
        })
    }

    pub(crate) fn weight(&self) -> PyResult<Option<Weight>> {
        let Some(value) = self.get("weight")? else { return Ok(None) };
        let weight = Weight::new(value.extract()?);
        let expected = || bad_input(format!("weight: expected a number from 1 to {}", Weight::MAX));
        weight.map(Some).ok_or_else(expected)
    }

    pub(crate) fn threads(&self) -> PyResult<Option<NonZeroUsize>> {
        let Some(value) = self.get("threads")? else { return Ok(None) };
        let threads = value.extract().ok().and_then(NonZeroUsize::new);
        threads.map(Some).ok_or_else(|| bad_input("threads: expected a whole number from 1 on"))
    }

    /// Where tables are kept: nowhere, in the user's folder, or in a folder with a name.
    pub(crate) fn store(&self) -> PyResult<Store> {
        let Some(value) = self.get("cache")? else { return Ok(Store::none()) };
        if let Ok(wanted) = value.cast::<PyBool>() {
            return Ok(if wanted.is_true() { Store::default_folder() } else { Store::none() });
        }
        Ok(Store::at(value.extract::<PathBuf>()?))
    }

    fn all(&self) -> PyResult<Option<usize>> {
        let Some(value) = self.get("all")? else { return Ok(None) };
        match value.cast::<PyBool>() {
            Ok(wanted) => Ok(wanted.is_true().then_some(LISTED)),
            Err(_) => self.whole("all"),
        }
    }

    /// A number, a pair of the least and the most, or a `range`.
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
            _ => Err(bad_input(format!("{name}: expected a number or a pair of them"))),
        }
    }
}

/// What `solve` and its like may be asked.
pub(crate) struct Asked {
    goal: Option<Goal>,
    pub(crate) options: Options,
    pub(crate) store: Store,
    /// Whether a limit is an exception.
    pub(crate) is_strict: bool,
}

impl Asked {
    /// The names of the arguments that are read here.
    pub(crate) const NAMES: [&'static str; 15] = [
        "goal",
        "metric",
        "algorithm",
        "heuristic",
        "weight",
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
    ];

    pub(crate) fn new(arguments: &Arguments<'_, '_>) -> PyResult<Asked> {
        // Who gives a time means it.
        let has_time = arguments.get("time")?.is_some();
        let usual = has_time.then_some(Effort::Best);
        let options = Options {
            algorithm: arguments.named("algorithm")?.unwrap_or_default(),
            heuristic: arguments.named("heuristic")?.unwrap_or_default(),
            metric: arguments.named("metric")?.unwrap_or_default(),
            weight: arguments.weight()?,
            all: arguments.all()?,
            limits: arguments.limits()?,
            effort: arguments.named("effort")?.or(usual),
            optimal: arguments.flag("optimal")?,
            tables: arguments.named("tables")?.unwrap_or_default(),
            threads: arguments.threads()?,
            bound: None,
        };
        Ok(Asked {
            goal: arguments.goal()?,
            options,
            store: arguments.store()?,
            is_strict: arguments.flag("strict")?,
        })
    }

    /// Nothing but a goal.
    pub(crate) fn for_goal(goal: Option<Goal>) -> Asked {
        Asked { goal, options: Options::default(), store: Store::none(), is_strict: false }
    }

    /// A board with the goal that was asked for, else its own, else the usual one.
    pub(crate) fn instance(&self, board: &Bound<'_, PyAny>) -> PyResult<Instance> {
        let (board, goal) = read(board)?;
        self.with_goal(board, goal)
    }

    pub(crate) fn with_goal(
        &self,
        board: npuzzle::Board,
        own: Option<npuzzle::Board>,
    ) -> PyResult<Instance> {
        let goal = self.goal.clone().or(own.map(Goal::Board)).unwrap_or_default();
        Instance::new(board, &goal).map_err(bad_input)
    }
}
