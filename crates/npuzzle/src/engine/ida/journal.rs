//! The journal of a long search: a log of completed work, so that an interrupted search can continue.
//!
//! A journal is an [`AppendLog`] of lines like these, each with a checksum at its end. A line is
//! appended and synced when a round of iterative deepening is complete, or a subtree of the current
//! round. If the program is killed while it writes a line, that line is ignored. A changed line before other
//! lines has another cause: such a file is rejected and not modified.
//!
//! ```text
//! npuzzle journal 2
//! start 14 5 9 2 18/…
//! goal 0 1 2 3 4/…
//! round 85 10012 21730                bound, expanded, generated
//! cut 87 1024 tables 0a1b2c3d         bound, number of subtrees, tables, checksum of the subtrees
//! slice 87 17 100123 210772           bound, subtree, expanded, generated
//! ```

use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use npuzzle_core::search::Cost;
use npuzzle_core::{Board, Goal, Instance};
use npuzzle_tables::files::{AppendLog, LogEnd};

use crate::engine::ida::bounded_dfs::NodeCounts;

/// The first line of a journal.
const TITLE: &str = "npuzzle journal 2";

/// The beginning of the first line, in all versions.
const TITLE_START: &str = "npuzzle journal ";

/// The maximum size in bytes: millions of subtrees.
const MAX_BYTES: u64 = 256 << 20;

/// The number of lines before those of rounds.
const N_HEAD: usize = 3;

/// The maximum bound: searches with a journal are of boards of up to 25 cells.
const MAX_BOUND: Cost = 1 << 10;

/// The maximum number of states: more than any search generates, and far from an overflow.
const MAX_STATES: u64 = 1 << 60;

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
    /// The first error of a write. Nothing is written after it.
    error: Option<io::Error>,
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
        Ok(Journal { path, log, instance, rounds: Vec::new(), current: None, error: None })
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
            if completed.add(line).is_none() {
                return Err(JournalError::Damaged { path, line: number });
            }
        }
        log.resume(&content).map_err(failed)?;
        let CompletedWork { rounds, current, .. } = completed;
        Ok(Journal { path, log, instance, rounds, current, error: None })
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

/// The completed work that the lines of a journal record.
#[derive(Default)]
struct CompletedWork {
    rounds: Vec<CompletedRound>,
    current: Option<CurrentRound>,
    /// The indices of the completed subtrees of the current round.
    indices: HashSet<usize>,
    /// The number of all states.
    n_states: u64,
}

impl CompletedWork {
    /// Adds a line. Returns `None` if no search writes such numbers. Unknown lines, of a later version,
    /// are ignored.
    fn add(&mut self, line: &str) -> Option<()> {
        let words: Vec<&str> = line.split(' ').collect();
        let bound = |at: usize| {
            let bound: Cost = words.get(at)?.parse().ok()?;
            Some(bound).filter(|&bound| bound <= MAX_BOUND)
        };
        match words[0] {
            "round" => {
                let (bound, counts) = (bound(1)?, self.counts(words.get(2..)?)?);
                self.rounds.push(CompletedRound { bound, counts });
                self.current = None;
            }
            "cut" => {
                let n_subtrees = words.get(2)?.parse().ok()?;
                let tables = words.get(3)?.to_string();
                let checksum = u32::from_str_radix(words.get(4)?, 16).ok()?;
                let (bound, completed) = (bound(1)?, Vec::new());
                self.current =
                    Some(CurrentRound { bound, n_subtrees, checksum, tables, completed });
                self.indices.clear();
            }
            "slice" => {
                let (bound, index) = (bound(1)?, words.get(2)?.parse().ok()?);
                let counts = self.counts(words.get(3..)?)?;
                if let Some(round) = self.current.as_mut().filter(|round| round.bound == bound) {
                    if index >= round.n_subtrees {
                        return None;
                    }
                    if self.indices.insert(index) {
                        round.completed.push(CompletedSubtree { index, counts });
                    }
                }
            }
            _ => {}
        }
        Some(())
    }

    /// The counts of a completed round or subtree.
    fn counts(&mut self, words: &[&str]) -> Option<NodeCounts> {
        let [expanded, generated] = [words.first()?.parse().ok()?, words.get(1)?.parse().ok()?];
        let n_states = self.n_states.checked_add(expanded)?.checked_add(generated)?;
        self.n_states = Some(n_states).filter(|&n| n <= MAX_STATES)?;
        Some(NodeCounts { expanded, generated })
    }
}

/// The reason why a journal cannot be used.
///
/// ```
/// use npuzzle::search::{Journal, JournalError};
/// assert!(matches!(Journal::resume("no/such/journal"), Err(JournalError::Io { .. })));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be created, read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file is not a journal.
    NotOne {
        /// The file.
        path: PathBuf,
    },
    /// Another version of the program wrote the journal.
    OtherVersion {
        /// The file.
        path: PathBuf,
    },
    /// A line has changed since it was written, and is not the last one.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the first such line, from 1.
        line: usize,
    },
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::Io { path, error } => write!(f, "{}: {error}", path.display()),
            JournalError::NotOne { path } => {
                write!(f, "{}: not a checkpoint of npuzzle", path.display())
            }
            JournalError::OtherVersion { path } => write!(
                f,
                "{}: written by another version of npuzzle; start the search again",
                path.display()
            ),
            JournalError::Damaged { path, line } => write!(
                f,
                "{}:{line}: damaged; remove this line and all after it to resume the search",
                path.display()
            ),
        }
    }
}

impl Error for JournalError {}

#[cfg(test)]
mod tests {
    use npuzzle_tables::files;

    use super::*;

    fn counts(expanded: u64) -> NodeCounts {
        NodeCounts { expanded, generated: 2 * expanded }
    }

    /// A line as [`AppendLog`] writes it.
    fn with_checksum(line: &str) -> String {
        format!("{line} {:016x}\n", files::checksum(line.as_bytes()))
    }

    #[test]
    fn journal_cut_at_any_byte_is_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let instance: Instance = "8 1 3/4 0 2/7 6 5".parse().unwrap();
        let mut journal = Journal::create(&path, &instance).unwrap();
        journal.record_round(10, counts(5));
        assert_eq!(journal.record_split(12, 3, 9, "t"), []);
        journal.record_subtree(12, 2, counts(7));
        journal.record_subtree(12, 0, counts(8));
        assert!(journal.take_error().is_none());
        drop(journal);
        assert!(matches!(Journal::create(&path, &instance), Err(JournalError::Io { .. })));
        let empty = folder.path().join("empty");
        std::fs::write(&empty, "").unwrap();
        assert!(Journal::create(&empty, &instance).is_ok());

        let whole = std::fs::read(&path).unwrap();
        let n_head = whole.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(2).unwrap().0 + 1;
        for len in 0..=whole.len() {
            std::fs::write(&path, &whole[..len]).unwrap();
            let Ok(mut journal) = Journal::resume(&path) else {
                assert!(len < n_head, "{len}");
                continue;
            };
            assert_eq!(journal.instance().start(), instance.start());
            let n_lines = whole[..len].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(journal.rounds().len(), usize::from(n_lines > 3));
            assert_eq!(journal.record_split(12, 3, 9, "t").len(), n_lines.saturating_sub(5));
            // Other tables split the round in another way, and so may another version.
            assert_eq!(journal.record_split(12, 3, 9, "u"), []);
            assert_eq!(journal.record_split(12, 3, 8, "u"), []);
            drop(journal);
            assert!(std::fs::read(&path).unwrap().ends_with(b"\n"));
        }
        // Every changed byte is detected.
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 4;
            std::fs::write(&path, &changed).unwrap();
            let line = whole[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
            match Journal::resume(&path) {
                Ok(mut journal) => {
                    assert_eq!(at, whole.len() - 1, "only a last line may be incomplete");
                    assert_eq!(journal.record_split(12, 3, 9, "t").len(), 1);
                }
                Err(error) => {
                    let is_expected = match error {
                        JournalError::Damaged { line: found, .. } => found == line,
                        JournalError::OtherVersion { .. } => line == 1,
                        JournalError::NotOne { .. } => line <= 3,
                        JournalError::Io { .. } => false,
                    };
                    assert!(is_expected, "{at}: {error}");
                    assert_eq!(std::fs::read(&path).unwrap(), changed, "not modified");
                }
            }
        }
    }

    #[test]
    fn impossible_numbers_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let instance: Instance = "8 1 3/4 0 2/7 6 5".parse().unwrap();
        drop(Journal::create(&path, &instance).unwrap());
        let head = std::fs::read_to_string(&path).unwrap();
        for (lines, expected) in [
            (&["round 1024 5 9"][..], None),
            (&["a word of a later version"], None),
            (&["round 1025 5 9"], Some(4)),
            (&["round 4294967295 5 9"], Some(4)),
            (&["round 10 5 9", "round 12 18446744073709551615 9"], Some(5)),
            (&["round 10 1152921504606846976 0", "round 12 0 1"], Some(5)),
            (&["cut 4294967296 3 t 00000009"], Some(4)),
            (&["cut 12 3 t 00000009", "slice 12 0 7"], Some(5)),
            (&["cut 12 3 t 00000009", "slice 12 2 7 9"], None),
            (&["cut 12 3 t 00000009", "slice 12 3 7 9"], Some(5)),
            (&["round"], Some(4)),
        ] {
            let lines: Vec<String> = lines.iter().map(|line| with_checksum(line)).collect();
            let text = head.clone() + &lines.concat();
            std::fs::write(&path, &text).unwrap();
            match (Journal::resume(&path), expected) {
                (Ok(_), None) => {}
                (Err(JournalError::Damaged { line, .. }), Some(expected)) => {
                    assert_eq!(line, expected)
                }
                (found, _) => panic!("{lines:?}: {found:?}"),
            }
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "not modified");
        }
    }

    #[test]
    fn journal_of_another_version_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        // The first version had a checksum of 32 bits.
        std::fs::write(&path, "npuzzle journal 1 ef2a1c04\nstart 1 2/3 0 00000000\n").unwrap();
        assert!(matches!(Journal::resume(&path), Err(JournalError::OtherVersion { .. })));
    }
}
