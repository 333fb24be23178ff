//! Many boards, several at a time.
//!
//! A board is solved on one thread, as many of them at once as there are threads: short searches are
//! not worth sharing, and boards share nothing but tables. The first board of a kind that has tables
//! to be built is solved while all others of its kind wait, so that each table is built once. The
//! first worker, the *lead*, gets large tables when they pay, as a batch on one thread does, and is the
//! only one to do so; the others take over what it has got.

mod once_per_key;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_core::{Instance, Metric};
use npuzzle_tables::PdbSet;
use npuzzle_tables::parallel::{WorkerSender, run_workers};

use crate::limits::Cancel;
use crate::options::{Options, TableSize};
use crate::report::Report;
use crate::solver::SolveError;
use crate::tables::cache::{BoardKind, Tables};
use crate::tables::canonical::CanonicalForm;

use once_per_key::Firsts;

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
            firsts: Firsts::default(),
        };
        let mut stopped = None;
        let mut waiting = BTreeMap::new();
        let mut n_told = 0;
        let work = |worker: usize, post: &dyn WorkerSender<(usize, Solved)>| match worker {
            0 => batch.lead(self, post),
            _ => batch.follow(self, post),
        };
        run_workers(n_workers, work, |sent| {
            waiting.extend(sent);
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
    /// What there is so far.
    shared: Mutex<Tables>,
    /// Counts up when something is added to it.
    version: AtomicUsize,
    /// The kinds of boards whose tables are there.
    firsts: Firsts<BoardKind>,
}

impl Batch<'_> {
    fn lead(&self, options: &Options, post: &dyn WorkerSender<(usize, Solved)>) {
        let (mut own, mut watch) = (self.tables(), Worker { cancel: &self.cancel, post });
        let mut n_tables = own.tables.len();
        while let Some((index, board)) = self.take() {
            let solved = self
                .solve_first(board, [options; 2], &mut own, &mut watch)
                .unwrap_or_else(|| options.solve_with(board, &mut own.tables, &mut watch));
            if own.tables.len() != n_tables {
                n_tables = own.tables.len();
                self.share(&mut own.tables);
            }
            post.send((index, solved));
        }
        // With its warnings, and the time that searches took without large tables.
        self.share(&mut own.tables);
    }

    fn follow(&self, options: &Options, post: &dyn WorkerSender<(usize, Solved)>) {
        let small = match options.tables {
            TableSize::Auto => TableSize::Small,
            asked => asked,
        };
        let frugal = Options { tables: small, ..options.clone() };
        let alone =
            |options: &Options| Options { threads: Some(NonZeroUsize::MIN), ..options.clone() };
        let (alone, frugal_alone) = (alone(options), alone(&frugal));
        let (mut own, mut watch) = (self.tables(), Worker { cancel: &self.cancel, post });
        while let Some((index, board)) = self.take() {
            let solved = self
                .solve_first(board, [options, &frugal], &mut own, &mut watch)
                .unwrap_or_else(|| {
                    self.refresh(&mut own);
                    // Large tables that are there are used; none is waited for, nor built twice.
                    let has_large = own.tables.has_large(board.goal(), options.metric);
                    let options = if has_large { &alone } else { &frugal_alone };
                    options.solve_with(board, &mut own.tables, &mut watch)
                });
            post.send((index, solved));
        }
    }

    /// Solves a board that is the first of its kind, while others of its kind wait for its tables;
    /// `None` if it is not, or has none to be built.
    fn solve_first(
        &self,
        board: &Instance,
        [asked, options]: [&Options; 2],
        own: &mut Own,
        watch: &mut dyn Watch,
    ) -> Option<Solved> {
        let kind = kind(board, asked).filter(|kind| !own.known.contains(kind))?;
        own.known.push(kind);
        let solved = self.firsts.first(kind, || {
            self.exchange(own);
            let solved = options.solve_with(board, &mut own.tables, watch);
            self.share(&mut own.tables);
            solved
        });
        if solved.is_none() {
            self.exchange(own);
        }
        solved
    }

    fn take(&self) -> Option<(usize, &Instance)> {
        if self.cancel.is_cancelled() {
            return None;
        }
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        Some((index, self.boards.get(index)?))
    }

    fn tables(&self) -> Own {
        let mut own = Own { tables: Tables::new(), version: usize::MAX, known: Vec::new() };
        self.refresh(&mut own);
        own
    }

    /// Takes over what is new, but for warnings, which are told once.
    fn refresh(&self, own: &mut Own) {
        let newest = self.version.load(Ordering::Acquire);
        if newest != own.version
            && let Ok(shared) = self.shared.lock()
        {
            own.tables = shared.clone();
            own.tables.take_warnings();
            own.version = newest;
        }
    }

    /// Adds what a worker has got, and takes over what the others have.
    fn exchange(&self, own: &mut Own) {
        self.share(&mut own.tables);
        self.refresh(own);
    }

    /// Adds what a worker has got, with its warnings.
    fn share(&self, tables: &mut Tables) {
        if let Ok(mut shared) = self.shared.lock() {
            shared.merge(tables.clone());
            tables.take_warnings();
            self.version.fetch_add(1, Ordering::Release);
        }
    }
}

/// Tells a worker when the batch is over.
struct Worker<'a> {
    cancel: &'a Cancel,
    post: &'a dyn WorkerSender<(usize, Solved)>,
}

impl Watch for Worker<'_> {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.post.tick();
        self.cancel.clone().poll(stats)
    }
}

/// What a worker has for itself.
struct Own {
    tables: Tables,
    /// Of the shared ones, when they were taken over.
    version: usize,
    /// The kinds of boards it has met.
    known: Vec<BoardKind>,
}

/// What the tables of a board are for; `None` if there are none to be built, or within milliseconds.
fn kind(board: &Instance, options: &Options) -> Option<BoardKind> {
    const MILLISECONDS: usize = 10;
    let frame = CanonicalForm::new(board.goal()).filter(|_| board.is_solvable())?;
    let is_quick = frame.dims().cells() <= MILLISECONDS
        || options.tables != TableSize::Large
            && options.metric == Metric::Stm
            && PdbSet::is_embedded(frame.dims(), frame.blank());
    (!is_quick).then(|| BoardKind {
        dims: frame.dims(),
        blank: frame.blank(),
        metric: options.metric,
    })
}
