//! The journal of a long search: a log of completed work, so that an interrupted search can continue.
//!
//! A journal is an [`AppendLog`] of lines like these, each with a checksum at its end. A line is
//! appended and synced when a round of iterative deepening is complete, or a subtree of the current
//! round, or a beam search for a better incumbent. If the program is killed while it writes a line, that line is ignored. A changed line before other
//! lines has another cause: such a file is rejected and not modified.
//!
//! ```text
//! npuzzle journal 2
//! start 14 5 9 2 18/…
//! goal 0 1 2 3 4/…
//! options tables=small threads=2      the options that --resume keeps
//! round 85 10012 21730                bound, expanded, generated
//! cut 87 1024 tables 0a1b2c3d         bound, number of subtrees, tables, checksum of the subtrees
//! slice 87 17 100123 210772           bound, subtree, expanded, generated
//! incumbent 2500 U L2 D …             width of the last beam search, best solution so far
//! ```

mod completed_work;
mod error;
#[cfg(test)]
mod tests;

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use npuzzle_core::search::Cost;
use npuzzle_core::{Board, Goal, Instance};
use npuzzle_tables::files::{AppendLog, LogEnd};

use crate::engine::ida::bounded_dfs::NodeCounts;
use crate::engine::upper_bound::KnownSolution;
use crate::options::{Options, TableSize};

use completed_work::CompletedWork;

pub use error::JournalError;

/// The first line of a journal.
const TITLE: &str = "npuzzle journal 2";

/// The beginning of the first line, in all versions.
const TITLE_START: &str = "npuzzle journal ";

/// The maximum size in bytes: millions of subtrees.
const MAX_BYTES: u64 = 256 << 20;

/// The number of lines before those of rounds.
const N_HEAD: usize = 3;

/// The completed work of a long search, in a file.
///
/// ```
/// use npuzzle::search::Journal;
/// use npuzzle::{Instance, Options, Tables};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("journal");
/// let puzzle: Instance = "7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse()?;
/// let mut journal = Journal::create(&path, &puzzle)?;
/// Options::default().with_nodes(1_000).solve_on(&mut journal, &mut Tables::new(), &mut ())?;
/// drop(journal); // the process may have been killed
/// let mut journal = Journal::resume(&path)?;
/// assert!(journal.lower_bound() > Some(30));
/// let report = Options::default().solve_on(&mut journal, &mut Tables::new(), &mut ())?;
/// assert_eq!(report.upper_bound(), Some(43));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    log: AppendLog,
    instance: Instance,
    rounds: Vec<CompletedRound>,
    current: Option<CurrentRound>,
    known: KnownSolution,
    options: Option<JournalOptions>,
    /// The first error of a write. Nothing is written after it.
    error: Option<io::Error>,
}

/// The options of a search that the next search with its journal should have, too. Limits belong to
/// each search.
///
/// ```
/// use npuzzle::search::Journal;
/// use npuzzle::{Instance, Options, TableSize, Tables};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("journal");
/// let puzzle: Instance = "7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse()?;
/// let mut journal = Journal::create(&path, &puzzle)?;
/// let small = Options::default().with_tables(TableSize::Small).with_nodes(1_000);
/// small.solve_on(&mut journal, &mut Tables::new(), &mut ())?;
/// assert_eq!(journal.options().map(|options| options.tables), Some(TableSize::Small));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct JournalOptions {
    /// The pattern databases.
    pub tables: TableSize,
    /// The number of threads; by default the number of cores.
    pub threads: Option<NonZeroUsize>,
}

/// A completed round, which found no solution.
///
/// ```
/// use npuzzle::search::Journal;
/// use npuzzle::{Instance, Options, Tables};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("journal");
/// let puzzle: Instance = "7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse()?;
/// let mut journal = Journal::create(&path, &puzzle)?;
/// Options::default().solve_on(&mut journal, &mut Tables::new(), &mut ())?;
/// let bounds: Vec<u32> = journal.rounds().iter().map(|round| round.bound).collect();
/// assert_eq!(bounds.last(), Some(&41)); // the solution has 43 slides
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompletedRound {
    /// The bound.
    pub bound: Cost,
    /// The nodes of this round, without those of earlier ones.
    pub counts: NodeCounts,
}

/// A completed subtree of the current round, in which there is no solution.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompletedSubtree {
    /// The index of the subtree.
    pub index: usize,
    /// Its nodes.
    pub counts: NodeCounts,
}

/// The round that is in progress, split into subtrees.
#[derive(Clone, PartialEq, Eq, Debug)]
struct CurrentRound {
    bound: Cost,
    n_subtrees: usize,
    /// The checksum of the paths to the subtrees: another split may have the same number of them.
    checksum: u32,
    tables: String,
    completed: Vec<CompletedSubtree>,
}

impl Journal {
    /// Creates a journal for a board. The file must not exist, or must be empty: a search may have been
    /// killed just after it created the file.
    pub fn create(path: impl Into<PathBuf>, instance: &Instance) -> Result<Journal, JournalError> {
        let path = path.into();
        let failed = |error| JournalError::Io { path: path.clone(), error };
        let mut log = AppendLog::open_or_create(&path).map_err(failed)?;
        if !log.is_empty().map_err(failed)? {
            let message = "the file exists already";
            return Err(failed(io::Error::new(io::ErrorKind::AlreadyExists, message)));
        }
        let start = format!("start {}", instance.start().slash());
        let goal = format!("goal {}", instance.goal().slash());
        // If this fails, the file is empty, and can be used again.
        log.start(&[TITLE, &start, &goal]).map_err(failed)?;
        let instance = instance.clone();
        Ok(Journal::new(path, log, instance, CompletedWork::default()))
    }

    /// Opens the journal of an earlier search. An incomplete last line is cut off.
    pub fn resume(path: impl Into<PathBuf>) -> Result<Journal, JournalError> {
        let path = path.into();
        let failed = |error| JournalError::Io { path: path.clone(), error };
        let mut log = AppendLog::open(&path).map_err(failed)?;
        let content = log.read(MAX_BYTES).map_err(failed)?;
        let mut lines = content.lines.iter();
        let mut field = |name| lines.next()?.strip_prefix(name);
        let boards = (|| {
            field(TITLE).filter(|rest| rest.is_empty())?;
            let start: Board = field("start ")?.parse().ok()?;
            let goal: Board = field("goal ")?.parse().ok()?;
            Instance::new(start, &Goal::Board(goal)).ok()
        })();
        let Some(instance) = boards else {
            let is_other = content.starts_with(TITLE_START) && !content.starts_with(TITLE);
            return Err(match is_other {
                true => JournalError::OtherVersion { path },
                false => JournalError::NotOne { path },
            });
        };
        if content.end() == LogEnd::Damaged {
            return Err(JournalError::Damaged { path, line: content.lines.len() + 1 });
        }
        let mut completed = CompletedWork::default();
        for (number, line) in (N_HEAD + 1..).zip(lines) {
            if completed.add(line, &instance).is_none() {
                return Err(JournalError::Damaged { path, line: number });
            }
        }
        log.resume(&content).map_err(failed)?;
        Ok(Journal::new(path, log, instance, completed))
    }

    fn new(path: PathBuf, log: AppendLog, instance: Instance, completed: CompletedWork) -> Journal {
        let CompletedWork { rounds, current, known, options, .. } = completed;
        Journal { path, log, instance, rounds, current, known, options, error: None }
    }

    /// The board of the search.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A lower bound on the solution length, from the completed rounds.
    pub fn lower_bound(&self) -> Option<Cost> {
        self.rounds.last().map(|round| round.bound + 1)
    }

    /// The error that ended the writing, if any. The first call returns it, later ones only its kind.
    pub fn take_error(&mut self) -> Option<io::Error> {
        let kind = self.error.as_ref()?.kind();
        // The remaining error still prevents writes.
        self.error.replace(kind.into())
    }

    /// The tables with which the current round was split.
    pub(crate) fn tables(&self) -> Option<&str> {
        self.current.as_ref().map(|round| round.tables.as_str())
    }

    /// The completed rounds.
    pub fn rounds(&self) -> &[CompletedRound] {
        &self.rounds
    }

    /// The best known solution.
    #[doc(hidden)]
    pub fn known(&self) -> &KnownSolution {
        &self.known
    }

    /// The options of the last search, if one was started.
    pub fn options(&self) -> Option<JournalOptions> {
        self.options
    }

    /// Records the options of a search if they are new.
    pub(crate) fn record_options(&mut self, options: &Options) {
        let Options { tables, threads, .. } = *options;
        let options = Some(JournalOptions { tables, threads });
        if options != self.options {
            let threads = threads.map_or(String::new(), |threads| format!(" threads={threads}"));
            self.append(&format!("options tables={tables}{threads}"));
            self.options = options;
        }
    }

    /// Records the best known solution and the width of the beam search, if one of them is new.
    pub(crate) fn record_known(&mut self, known: &KnownSolution) {
        if *known != self.known {
            let moves = known.moves.clone().unwrap_or_default();
            self.append(&format!("incumbent {} {moves}", known.width));
            self.known = known.clone();
        }
    }

    /// Records a completed round.
    #[doc(hidden)]
    pub fn record_round(&mut self, bound: Cost, counts: NodeCounts) {
        self.append(&format!("round {bound} {} {}", counts.expanded, counts.generated));
        self.rounds.push(CompletedRound { bound, counts });
        self.current = None;
    }

    /// Records that a round is split into subtrees with this checksum. If the round was split in the
    /// same way before, returns the completed subtrees.
    #[doc(hidden)]
    pub fn record_split(
        &mut self,
        bound: Cost,
        n_subtrees: usize,
        checksum: u32,
        tables: &str,
    ) -> Vec<CompletedSubtree> {
        let (tables, completed) = (tables.to_owned(), Vec::new());
        let round = CurrentRound { bound, n_subtrees, checksum, tables, completed };
        match &self.current {
            Some(current) if round == CurrentRound { completed: Vec::new(), ..current.clone() } => {
                current.completed.clone()
            }
            _ => {
                self.append(&format!("cut {bound} {n_subtrees} {} {checksum:08x}", round.tables));
                self.current = Some(round);
                Vec::new()
            }
        }
    }

    /// Records a completed subtree.
    #[doc(hidden)]
    pub fn record_subtree(&mut self, bound: Cost, index: usize, counts: NodeCounts) {
        self.append(&format!("slice {bound} {index} {} {}", counts.expanded, counts.generated));
    }

    fn append(&mut self, line: &str) {
        if self.error.is_none() {
            self.error = self.log.append(line).and_then(|()| self.log.sync()).err();
        }
    }
}
