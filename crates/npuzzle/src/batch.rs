//! Solves many boards on several threads.
//!
//! Each board is solved on one thread, since most searches are too short to share. The workers share
//! only tables. The first board that needs a set of tables builds them while other boards that need
//! the same tables wait, so that each table is built once; boards that need other tables do not wait.
//! The first worker, the *lead*, builds large tables when they pay off, as a batch on one thread does.
//! The other workers build only small tables and use the large ones of the lead.

mod once_per_key;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_core::{Instance, Metric};
use npuzzle_tables::parallel::{WorkerSender, run_workers};

use crate::limits::Cancel;
use crate::options::{Algorithm, Options, TableSize};
use crate::plan::MAX_QUICK_TABLE_CELLS;
use crate::report::Report;
use crate::solver::SolveError;
use crate::tables::cache::{BoardKind, Tables};
use crate::tables::canonical::CanonicalForm;

use once_per_key::OncePerKey;

/// The result of a board.
type Solved = Result<Report, SolveError>;

impl Options {
    /// Solves many boards on several threads.
    ///
    /// `receive` is called on the calling thread with the index and the result of each board, in
    /// order, as soon as all boards before it are solved. The limits of the options hold for each
    /// board. `watch` is polled on the calling thread. `tables` receives the tables that are built.
    ///
    /// Solutions do not depend on the number of threads. Counts do not either, with
    /// [`TableSize::Small`] or [`TableSize::Large`].
    ///
    /// # Errors
    ///
    /// `watch` stopped the batch; the remaining boards have no result.
    ///
    /// ```
    /// use npuzzle::{Instance, Options, Tables};
    /// let boards: Vec<Instance> = ["1 2 3/4 0 5/7 8 6".parse()?, "8 6 7/2 5 4/3 0 1".parse()?].into();
    /// let mut lengths = Vec::new();
    /// let mut receive = |_, solved: Result<npuzzle::Report, _>| {
    ///     lengths.push(solved.ok().and_then(|report| report.upper_bound()));
    /// };
    /// let ended = Options::default().solve_many(&boards, &mut Tables::new(), &mut (), &mut receive);
    /// assert_eq!((ended, lengths), (Ok(()), vec![Some(2), Some(31)]));
    /// # Ok::<(), npuzzle::FormatError>(())
    /// ```
    pub fn solve_many(
        &self,
        boards: &[Instance],
        tables: &mut Tables,
        watch: &mut dyn Watch,
        receive: &mut dyn FnMut(usize, Result<Report, SolveError>),
    ) -> Result<(), Limit> {
        let n_workers = self.resources().threads.clamp(1, boards.len().max(1));
        let batch = SharedBatch {
            boards,
            next: AtomicUsize::new(0),
            cancel: Cancel::new(),
            shared: Mutex::new(tables.clone()),
            version: AtomicUsize::new(0),
            built: OncePerKey::default(),
        };
        let options = &self.for_each_of(boards.len());
        let mut stopped = None;
        let mut out_of_order = BTreeMap::new();
        let mut n_received = 0;
        let work = |worker: usize, sender: &dyn WorkerSender<(usize, Solved)>| match worker {
            0 => batch.lead(options, sender),
            _ => batch.follow(options, sender),
        };
        run_workers(n_workers, work, |sent| {
            out_of_order.extend(sent);
            if stopped.is_none()
                && let ControlFlow::Break(limit) = watch.poll(&Stats::default())
            {
                stopped = Some(limit);
                batch.cancel.cancel();
            }
            while stopped.is_none()
                && let Some(solved) = out_of_order.remove(&n_received)
            {
                receive(n_received, solved);
                n_received += 1;
            }
        });
        *tables = batch.shared.into_inner().unwrap_or_default();
        stopped.map_or(Ok(()), Err)
    }

    /// The options of each board of a batch. A* has one thread per board if there are several boards: with
    /// more, its counts depend on the run.
    fn for_each_of(&self, n_boards: usize) -> Options {
        let is_alone = n_boards < 2 || self.algorithm != Algorithm::Astar;
        let threads = if is_alone { self.threads } else { Some(NonZeroUsize::MIN) };
        Options { threads, ..self.clone() }
    }
}

/// The state that the workers share.
struct SharedBatch<'a> {
    boards: &'a [Instance],
    /// The index of the next board.
    next: AtomicUsize,
    cancel: Cancel,
    /// The tables built so far.
    shared: Mutex<Tables>,
    /// The number of additions to `shared`.
    version: AtomicUsize,
    /// The sets of tables that have been built.
    built: OncePerKey<BoardKind>,
}

impl SharedBatch<'_> {
    fn lead(&self, options: &Options, sender: &dyn WorkerSender<(usize, Solved)>) {
        let (mut own, mut watch) = (self.tables(), WorkerWatch { cancel: &self.cancel, sender });
        let mut n_tables = own.tables.len();
        while let Some((index, board)) = self.take() {
            let solved = self
                .solve_first(board, [options; 2], &mut own, &mut watch)
                .unwrap_or_else(|| options.solve_with(board, &mut own.tables, &mut watch));
            if own.tables.len() != n_tables {
                n_tables = own.tables.len();
                self.share(&mut own.tables);
            }
            sender.send((index, solved));
        }
        // Includes the warnings, and the search time spent without large tables.
        self.share(&mut own.tables);
    }

    fn follow(&self, options: &Options, sender: &dyn WorkerSender<(usize, Solved)>) {
        let small = match options.tables {
            TableSize::Auto => TableSize::Small,
            size => size,
        };
        let with_small = Options { tables: small, ..options.clone() };
        let on_one_thread =
            |options: &Options| Options { threads: Some(NonZeroUsize::MIN), ..options.clone() };
        let (any_size, small_only) = (on_one_thread(options), on_one_thread(&with_small));
        let (mut own, mut watch) = (self.tables(), WorkerWatch { cancel: &self.cancel, sender });
        while let Some((index, board)) = self.take() {
            let solved = self
                .solve_first(board, [options, &with_small], &mut own, &mut watch)
                .unwrap_or_else(|| {
                    self.refresh(&mut own);
                    // Existing large tables are used. This worker neither waits for one nor builds one.
                    let has_large = own.tables.has_large(board.goal(), options.metric);
                    let options = if has_large { &any_size } else { &small_only };
                    options.solve_with(board, &mut own.tables, &mut watch)
                });
            sender.send((index, solved));
        }
    }

    /// Solves a board whose tables are not built yet, while other boards that need them wait. Returns
    /// `None` if the tables exist or are built in milliseconds. `requested` are the options of the
    /// batch, `options` those of this worker.
    fn solve_first(
        &self,
        board: &Instance,
        [requested, options]: [&Options; 2],
        own: &mut WorkerTables,
        watch: &mut dyn Watch,
    ) -> Option<Solved> {
        let key = table_key(board, requested).filter(|key| !own.known.contains(key))?;
        own.known.push(key);
        let solved = self.built.run(key, || {
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

    /// Returns the next board, or `None` if there is none or the batch is cancelled.
    fn take(&self) -> Option<(usize, &Instance)> {
        if self.cancel.is_cancelled() {
            return None;
        }
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        Some((index, self.boards.get(index)?))
    }

    fn tables(&self) -> WorkerTables {
        let mut own =
            WorkerTables { tables: Tables::new(), version: usize::MAX, known: Vec::new() };
        self.refresh(&mut own);
        own
    }

    /// Copies the shared tables if they have changed. Warnings stay with the shared tables, so that
    /// each is reported once.
    fn refresh(&self, own: &mut WorkerTables) {
        let newest = self.version.load(Ordering::Acquire);
        if newest != own.version
            && let Ok(shared) = self.shared.lock()
        {
            own.tables = shared.clone();
            own.tables.take_warnings();
            own.version = newest;
        }
    }

    /// Adds the tables of a worker to the shared ones, and copies those of the others.
    fn exchange(&self, own: &mut WorkerTables) {
        self.share(&mut own.tables);
        self.refresh(own);
    }

    /// Adds the tables of a worker and its warnings to the shared ones.
    fn share(&self, tables: &mut Tables) {
        if let Ok(mut shared) = self.shared.lock() {
            shared.merge(tables.clone());
            tables.take_warnings();
            self.version.fetch_add(1, Ordering::Release);
        }
    }
}

/// The watch of a worker, which stops when the batch is cancelled.
struct WorkerWatch<'a> {
    cancel: &'a Cancel,
    sender: &'a dyn WorkerSender<(usize, Solved)>,
}

impl Watch for WorkerWatch<'_> {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.sender.tick();
        self.cancel.clone().poll(stats)
    }
}

/// A worker's own copy of the tables.
struct WorkerTables {
    tables: Tables,
    /// The version of the shared tables that was copied last.
    version: usize,
    /// The sets of tables that this worker has built or waited for.
    known: Vec<BoardKind>,
}

/// Returns the key of the tables that a board needs, or `None` if it needs none or they are built in
/// milliseconds.
fn table_key(board: &Instance, options: &Options) -> Option<BoardKind> {
    let canonical = CanonicalForm::new(board.goal()).filter(|_| board.is_solvable())?;
    let is_quick = canonical.dims().cells() <= MAX_QUICK_TABLE_CELLS
        || options.tables != TableSize::Large
            && options.metric == Metric::Stm
            && npuzzle_tables::is_embedded(canonical.dims(), canonical.blank());
    (!is_quick).then(|| BoardKind {
        dims: canonical.dims(),
        blank: canonical.blank(),
        metric: options.metric,
    })
}
