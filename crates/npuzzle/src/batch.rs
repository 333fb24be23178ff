//! Many boards, several at a time.
//!
//! A board is solved on one thread, as many of them at once as there are threads: short searches are
//! not worth sharing, and boards share nothing but tables. The first worker, the *lead*, gets large
//! tables when they pay, as a batch on one thread does, and is the only one to do so; the others take
//! over what it has got.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use npuzzle_core::Instance;
use npuzzle_core::search::{Limit, Stats, Watch};

use crate::options::{Options, TableSize};
use crate::report::Report;
use crate::solve::SolveError;
use crate::tables::Tables;
use crate::watch::Cancel;

/// How often the watch is asked.
const TICK: Duration = Duration::from_millis(10);

/// What comes of a board.
type Solved = Result<Report, SolveError>;

impl Options {
    /// Solves many boards, several at a time. `tell` hears of them in their order, on the thread that
    /// calls, each as soon as all before it are done. Limits are those of each board; the watch is
    /// asked on the thread that calls, and an error says that it has stopped the batch.
    ///
    /// Solutions do not hang on the number of threads, nor do counts, with [`TableSize::Small`] or
    /// [`TableSize::Large`].
    ///
    /// ```
    /// use npuzzle::{Instance, Options, Tables};
    /// let boards: Vec<Instance> = ["1 2 3/4 0 5/7 8 6".parse()?, "8 6 7/2 5 4/3 0 1".parse()?].into();
    /// let mut lengths = Vec::new();
    /// let mut tell = |_, solved: Result<npuzzle::Report, _>| {
    ///     lengths.push(solved.ok().and_then(|report| report.upper_bound()));
    /// };
    /// let ended = Options::default().solve_many(&boards, &mut Tables::new(), &mut (), &mut tell);
    /// assert_eq!((ended, lengths), (Ok(()), vec![Some(2), Some(31)]));
    /// # Ok::<(), npuzzle::FormatError>(())
    /// ```
    pub fn solve_many(
        &self,
        boards: &[Instance],
        tables: &mut Tables,
        watch: &mut dyn Watch,
        tell: &mut dyn FnMut(usize, Result<Report, SolveError>),
    ) -> Result<(), Limit> {
        let n_workers = self.resources().threads.clamp(1, boards.len().max(1));
        let batch = Batch {
            boards,
            next: AtomicUsize::new(0),
            cancel: Cancel::new(),
            shared: Mutex::new(tables.clone()),
            version: AtomicUsize::new(0),
        };
        let (sender, receiver) = mpsc::channel();
        let mut stopped = None;
        std::thread::scope(|scope| {
            for worker in 0..n_workers {
                let (batch, sender) = (&batch, sender.clone());
                scope.spawn(move || match worker {
                    0 => batch.lead(self, &sender),
                    _ => batch.follow(self, &sender),
                });
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut n_told = 0;
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok((index, solved)) => drop(waiting.insert(index, solved)),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if stopped.is_none()
                    && let ControlFlow::Break(limit) = watch.poll(&Stats::default())
                {
                    stopped = Some(limit);
                    batch.cancel.cancel();
                }
                while stopped.is_none()
                    && let Some(solved) = waiting.remove(&n_told)
                {
                    tell(n_told, solved);
                    n_told += 1;
                }
            }
        });
        *tables = batch.shared.into_inner().unwrap_or_default();
        stopped.map_or(Ok(()), Err)
    }
}

/// What the workers share.
struct Batch<'a> {
    boards: &'a [Instance],
    /// The board that is next.
    next: AtomicUsize,
    cancel: Cancel,
    /// What the lead has got so far.
    shared: Mutex<Tables>,
    /// Counts up when the lead has got something.
    version: AtomicUsize,
}

impl Batch<'_> {
    fn lead(&self, options: &Options, sender: &Sender<(usize, Solved)>) {
        let mut tables = self.tables();
        let mut n_tables = tables.len();
        while let Some((index, board)) = self.take() {
            let solved = options.solve_with(board, &mut tables, &mut self.cancel.clone());
            if tables.len() != n_tables {
                n_tables = tables.len();
                self.share(&tables);
            }
            if sender.send((index, solved)).is_err() {
                return;
            }
        }
        // With its warnings, and the time that searches took without large tables.
        self.share(&tables);
    }

    fn follow(&self, options: &Options, sender: &Sender<(usize, Solved)>) {
        let alone = Options { threads: Some(NonZeroUsize::MIN), ..options.clone() };
        let frugal = Options { tables: TableSize::Small, ..alone.clone() };
        let (mut tables, mut version) = (self.tables(), 0);
        while let Some((index, board)) = self.take() {
            let newest = self.version.load(Ordering::Acquire);
            if newest != version {
                (tables, version) = (self.tables(), newest);
            }
            // Large tables that are there are used; none is waited for, nor built twice.
            let has_large = || tables.has_large(board.goal(), options.metric);
            let is_frugal = options.tables == TableSize::Auto && !has_large();
            let options = if is_frugal { &frugal } else { &alone };
            let solved = options.solve_with(board, &mut tables, &mut self.cancel.clone());
            if sender.send((index, solved)).is_err() {
                return;
            }
        }
    }

    fn take(&self) -> Option<(usize, &Instance)> {
        if self.cancel.is_cancelled() {
            return None;
        }
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        Some((index, self.boards.get(index)?))
    }

    fn tables(&self) -> Tables {
        self.shared.lock().map(|tables| tables.clone()).unwrap_or_default()
    }

    fn share(&self, tables: &Tables) {
        if let Ok(mut shared) = self.shared.lock() {
            *shared = tables.clone();
            self.version.fetch_add(1, Ordering::Release);
        }
    }
}
