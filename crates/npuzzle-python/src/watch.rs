//! Ctrl-C: a search runs without the interpreter's lock, and looks every now and then whether the
//! interpreter has a signal for it.

use std::cell::RefCell;
use std::ffi::CString;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use npuzzle::tables::Store;
use npuzzle::{Limit, Stats, Tables, Watch};
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;

/// How often signals are looked for: seldom enough to cost nothing, often enough for people.
const PACE: Duration = Duration::from_millis(50);

/// A watch that stops a search when a handler of signals raises an exception.
struct Signals {
    last: Instant,
    raised: Option<PyErr>,
}

impl Watch for Signals {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        if self.raised.is_none() && self.last.elapsed() >= PACE {
            self.raised = Python::attach(|py| py.check_signals()).err();
            self.last = Instant::now();
        }
        match self.raised {
            Some(_) => ControlFlow::Break(Limit::Interrupted),
            None => ControlFlow::Continue(()),
        }
    }
}

/// Does something that may take long, without the interpreter's lock, with tables kept from what this
/// thread has done before. What a handler of signals raises ends it.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    store: &Store,
    work: impl FnOnce(&mut Tables, &mut dyn Watch) -> T + Send,
) -> PyResult<T> {
    let mut signals = Signals { last: Instant::now(), raised: None };
    let (done, warnings) = py.detach(|| {
        with_tables(store, |tables| {
            let done = work(tables, &mut signals);
            (done, tables.take_warnings())
        })
    });
    for warning in warnings {
        let message = CString::new(warning.to_string()).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &message, 1)?;
    }
    signals.raised.map_or(Ok(done), Err)
}

/// The tables of this thread, if they are of this store; else new ones.
fn with_tables<T>(store: &Store, work: impl FnOnce(&mut Tables) -> T) -> T {
    thread_local! {
        static KEPT: RefCell<(Store, Tables)> = RefCell::default();
    }
    // Taken, not borrowed: a handler of signals may ask for another board meanwhile.
    let (kept, mut tables) = KEPT.take();
    if kept != *store {
        tables = Tables::with_store(store.clone());
    }
    let done = work(&mut tables);
    KEPT.set((store.clone(), tables));
    done
}
