//! Runs searches without the GIL and polls for signals such as Ctrl-C.

use std::cell::RefCell;
use std::ffi::CString;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use npuzzle::tables::Store;
use npuzzle::{Limit, Stats, Tables, Watch};
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;

/// The interval between two checks for signals. It costs nothing measurable and feels immediate.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Stops a search when a signal handler raises an exception.
struct SignalWatch {
    last_check: Instant,
    raised: Option<PyErr>,
}

impl Watch for SignalWatch {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        if self.raised.is_none() && self.last_check.elapsed() >= SIGNAL_INTERVAL {
            self.raised = Python::attach(|py| py.check_signals()).err();
            self.last_check = Instant::now();
        }
        match self.raised {
            Some(_) => ControlFlow::Break(Limit::Interrupted),
            None => ControlFlow::Continue(()),
        }
    }
}

/// Runs `work` without the GIL, with the tables that this thread has loaded before. If a signal handler
/// raises an exception, `work` is stopped and the exception is returned.
pub(crate) fn run_interruptible<T: Send>(
    py: Python<'_>,
    store: &Store,
    work: impl FnOnce(&mut Tables, &mut dyn Watch) -> T + Send,
) -> PyResult<T> {
    let mut signals = SignalWatch { last_check: Instant::now(), raised: None };
    let (result, warnings) = py.detach(|| {
        with_tables(store, |tables| {
            let result = work(tables, &mut signals);
            (result, tables.take_warnings())
        })
    });
    for warning in warnings {
        let message = CString::new(warning.to_string()).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &message, 1)?;
    }
    signals.raised.map_or(Ok(result), Err)
}

/// Passes the tables of this thread if they belong to this store, else new ones.
fn with_tables<T>(store: &Store, work: impl FnOnce(&mut Tables) -> T) -> T {
    thread_local! {
        static CACHED: RefCell<(Store, Tables)> = RefCell::default();
    }
    // Taken, not borrowed: a signal handler may start another search meanwhile.
    let (cached_store, mut tables) = CACHED.take();
    if cached_store != *store {
        tables = Tables::with_store(store.clone());
    }
    let result = work(&mut tables);
    CACHED.set((store.clone(), tables));
    result
}
