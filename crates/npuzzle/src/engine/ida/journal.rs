//! What a long search has done so far, in a file, so that it can go on after it was ended.
//!
//! Lines of text, each with a checksum at its end, appended and flushed to the disk as things get
//! done: a round of iterative deepening, or a slice of the round that is under way. A program may be
//! ended at any moment; of a last line that is not whole, nothing is believed. A broken line before
//! others is not our doing: such a file is left alone, and refused.
//!
//! ```text
//! npuzzle journal 1                          ef2a1c04
//! start 14 5 9 2 18/…                        …
//! goal 0 1 2 3 4/…                           …
//! round 85 10012 21730                       …   bound, expanded, generated
//! cut 87 1024 tables                         …   bound, number of slices, with which tables
//! slice 87 17 100123 210772                  …   bound, number, expanded, generated
//! ```

use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use npuzzle_core::search::{Cost, Stats};
use npuzzle_core::{Board, Goal, Instance};

/// The first line of a journal.
const TITLE: &str = "npuzzle journal 1";

/// The most bytes that are read: some millions of slices.
const MAX_BYTES: u64 = 256 << 20;

/// Lines before those of rounds.
const N_HEAD: usize = 3;

/// Larger bounds are of no search that keeps a journal: those are of boards of up to 25 cells.
const MAX_BOUND: Cost = 1 << 10;

/// More states than any search has met, and few enough to count on from.
const MAX_STATES: u64 = 1 << 60;

/// What a long search has done so far, kept in a file.
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
    file: File,
    instance: Instance,
    rounds: Vec<CompletedSlice>,
    cut: Option<Cut>,
    /// The first thing that could not be written; nothing is written after it.
    error: Option<io::Error>,
}

/// A round or a slice that is done, without a solution.
///
/// ```
/// use npuzzle::search::Journal;
/// use npuzzle::{Instance, Options, Tables};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("journal");
/// let puzzle: Instance = "7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse()?;
/// let mut journal = Journal::create(&path, &puzzle)?;
/// Options::default().solve_on(&mut journal, &mut Tables::new(), &mut ())?;
/// let bounds: Vec<usize> = journal.rounds().iter().map(|done| done.at).collect();
/// assert_eq!(bounds.last(), Some(&41)); // the solution has 43 slides
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompletedSlice {
    /// The bound of a round, the number of a slice.
    pub at: usize,
    /// States expanded.
    pub expanded: u64,
    /// States generated.
    pub generated: u64,
}

/// The round that is under way.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Cut {
    bound: Cost,
    n_slices: usize,
    /// A sum over the paths to the slices: other ones may be as many.
    shape: u32,
    tables: String,
    done: Vec<CompletedSlice>,
}

impl Journal {
    /// A new journal for a board; the file must not be there yet, or be empty: a search may have been
    /// killed when it had just made it.
    pub fn create(path: impl Into<PathBuf>, instance: &Instance) -> Result<Journal, JournalError> {
        let path = path.into();
        let failed = |error| JournalError::Io { path: path.clone(), error };
        let file = OpenOptions::new().append(true).create(true).open(&path).map_err(failed)?;
        lock(&file).map_err(failed)?;
        if file.metadata().map_err(failed)?.len() > 0 {
            let message = "there is a file already; --resume goes on with a search";
            return Err(failed(io::Error::new(io::ErrorKind::AlreadyExists, message)));
        }
        let mut journal = Journal {
            file,
            instance: instance.clone(),
            rounds: Vec::new(),
            cut: None,
            error: None,
            path,
        };
        // All in one piece: a file with half of it would be none to resume.
        let head = [
            TITLE.to_owned(),
            format!("start {}", instance.start().slash()),
            format!("goal {}", instance.goal().slash()),
        ];
        journal.write(&head.map(|line| with_sum(&line)).concat());
        match journal.error.take() {
            Some(error) => {
                // Half a head could be neither begun anew nor resumed; what is empty can.
                let _ = journal.file.set_len(0);
                Err(JournalError::Io { path: journal.path, error })
            }
            None => Ok(journal),
        }
    }

    /// The journal that an earlier search has left. A last line that is not whole is cut off.
    pub fn resume(path: impl Into<PathBuf>) -> Result<Journal, JournalError> {
        let path = path.into();
        let failed = |error| JournalError::Io { path: path.clone(), error };
        let file = OpenOptions::new().read(true).append(true).open(&path).map_err(failed)?;
        lock(&file).map_err(failed)?;
        let mut text = Vec::new();
        if file.metadata().map_err(failed)?.len() > MAX_BYTES {
            return Err(failed(io::Error::other("larger than any journal")));
        }
        (&file).take(MAX_BYTES).read_to_end(&mut text).map_err(failed)?;
        let (lines, n_read) = whole_lines(&text);
        let (n_lines, has_more) = (lines.len(), text[n_read..].contains(&b'\n'));
        let mut lines = lines.into_iter();
        let mut field = |name| lines.next()?.strip_prefix(name);
        let boards = (|| {
            field(TITLE).filter(|rest| rest.is_empty())?;
            let start: Board = field("start ")?.parse().ok()?;
            let goal: Board = field("goal ")?.parse().ok()?;
            Instance::new(start, &Goal::Board(goal)).ok()
        })();
        let Some(instance) = boards else { return Err(JournalError::NotOne { path }) };
        if has_more {
            return Err(JournalError::Damaged { path, line: n_lines + 1 });
        }
        let mut told = Told::default();
        for (number, line) in (N_HEAD + 1..).zip(lines) {
            if told.line(line).is_none() {
                return Err(JournalError::Damaged { path, line: number });
            }
        }
        let Told { rounds, cut, .. } = told;
        file.set_len(n_read as u64).map_err(failed)?;
        Ok(Journal { path, file, instance, rounds, cut, error: None })
    }

    /// The board that the journal is about.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// No solution is shorter than this, as far as the journal knows.
    pub fn lower_bound(&self) -> Option<Cost> {
        self.rounds.last().map(|round| round.at as Cost + 1)
    }

    /// Why nothing more is written, if so; told once.
    pub fn take_error(&mut self) -> Option<io::Error> {
        let kind = self.error.as_ref()?.kind();
        // What is left says that there is no use in writing.
        self.error.replace(kind.into())
    }

    /// The tables with which the round under way was cut.
    pub(crate) fn tables(&self) -> Option<&str> {
        self.cut.as_ref().map(|cut| cut.tables.as_str())
    }

    /// The rounds that are done, each on top of those before.
    pub fn rounds(&self) -> &[CompletedSlice] {
        &self.rounds
    }

    /// A round is done.
    #[doc(hidden)]
    pub fn round(&mut self, bound: Cost, before: &Stats, after: &Stats) {
        let done = CompletedSlice {
            at: bound as usize,
            expanded: after.expanded - before.expanded,
            generated: after.generated - before.generated,
        };
        self.append(&format!("round {bound} {} {}", done.expanded, done.generated));
        self.rounds.push(done);
        self.cut = None;
    }

    /// A round is cut into so many slices of this [shape](crate::search::CutRound::shape): those that are done
    /// already.
    #[doc(hidden)]
    pub fn cut(
        &mut self,
        bound: Cost,
        n_slices: usize,
        shape: u32,
        tables: &str,
    ) -> Vec<CompletedSlice> {
        let now = Cut { bound, n_slices, shape, tables: tables.to_owned(), done: Vec::new() };
        match &self.cut {
            Some(cut) if now == Cut { done: Vec::new(), ..cut.clone() } => cut.done.clone(),
            _ => {
                self.append(&format!("cut {bound} {n_slices} {tables} {shape:08x}"));
                self.cut = Some(now);
                Vec::new()
            }
        }
    }

    /// A slice is done.
    #[doc(hidden)]
    pub fn slice(&mut self, bound: Cost, number: usize, stats: &Stats) {
        self.append(&format!("slice {bound} {number} {} {}", stats.expanded, stats.generated));
    }

    fn append(&mut self, line: &str) {
        if self.error.is_some() {
            return;
        }
        self.write(&with_sum(line));
    }

    fn write(&mut self, lines: &str) {
        let written = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.sync_data());
        self.error = written.err();
    }
}

/// A line with its checksum.
fn with_sum(line: &str) -> String {
    format!("{line} {:08x}\n", checksum(line.as_bytes()))
}

/// Two searches must not write into one journal. The system lets go of the lock with the file.
fn lock(file: &File) -> io::Result<()> {
    file.try_lock().map_err(|error| match error {
        TryLockError::Error(error) => error,
        TryLockError::WouldBlock => io::Error::other("another search is writing into it"),
    })
}

/// The lines that are whole, and how many bytes they take.
fn whole_lines(text: &[u8]) -> (Vec<&str>, usize) {
    let mut lines = Vec::new();
    let mut n_read = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let whole = str::from_utf8(line).ok().and_then(|line| line.strip_suffix('\n'));
        let Some((line_text, sum)) = whole.and_then(|line| line.rsplit_once(' ')) else { break };
        if u32::from_str_radix(sum, 16) != Ok(checksum(line_text.as_bytes())) {
            break;
        }
        lines.push(line_text);
        n_read += line.len();
    }
    (lines, n_read)
}

/// What lines have told.
#[derive(Default)]
struct Told {
    rounds: Vec<CompletedSlice>,
    cut: Option<Cut>,
    /// The numbers of the slices of the cut that are done.
    numbers: HashSet<usize>,
    /// All states that are told of.
    n_states: u64,
}

impl Told {
    /// Takes in a line; `None` if its numbers are none that a search has written. Lines that say
    /// nothing here are of a later version.
    fn line(&mut self, line: &str) -> Option<()> {
        let words: Vec<&str> = line.split(' ').collect();
        let bound = |at: usize| {
            let bound: Cost = words.get(at)?.parse().ok()?;
            Some(bound).filter(|&bound| bound <= MAX_BOUND)
        };
        match words[0] {
            "round" => {
                let done = self.done(bound(1)? as usize, words.get(2..)?)?;
                self.rounds.push(done);
                self.cut = None;
            }
            "cut" => {
                let n_slices = words.get(2)?.parse().ok()?;
                let tables = words.get(3)?.to_string();
                let shape = u32::from_str_radix(words.get(4)?, 16).ok()?;
                self.cut =
                    Some(Cut { bound: bound(1)?, n_slices, shape, tables, done: Vec::new() });
                self.numbers.clear();
            }
            "slice" => {
                let (bound, number) = (bound(1)?, words.get(2)?.parse().ok()?);
                let done = self.done(number, words.get(3..)?)?;
                if let Some(cut) = self.cut.as_mut().filter(|cut| cut.bound == bound) {
                    if number >= cut.n_slices {
                        return None;
                    }
                    if self.numbers.insert(number) {
                        cut.done.push(done);
                    }
                }
            }
            _ => {}
        }
        Some(())
    }

    /// A round or a slice with what it has counted.
    fn done(&mut self, at: usize, counts: &[&str]) -> Option<CompletedSlice> {
        let [expanded, generated] = [counts.first()?.parse().ok()?, counts.get(1)?.parse().ok()?];
        let n_states = self.n_states.checked_add(expanded)?.checked_add(generated)?;
        self.n_states = Some(n_states).filter(|&n| n <= MAX_STATES)?;
        Some(CompletedSlice { at, expanded, generated })
    }
}

/// Tells a line from one that was written in part, or has changed since (FNV-1a).
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    let mix = |sum: u32, &byte: &u8| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    bytes.iter().fold(0x811c_9dc5, mix)
}

/// Why there is no journal.
///
/// ```
/// use npuzzle::search::{Journal, JournalError};
/// assert!(matches!(Journal::resume("no/such/journal"), Err(JournalError::Io { .. })));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be made, read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file is something else.
    NotOne {
        /// The file.
        path: PathBuf,
    },
    /// A line is not as it was written, and there are more after it.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The first such line, from 1.
        line: usize,
    },
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::Io { path, error } => write!(f, "{}: {error}", path.display()),
            JournalError::NotOne { path } => {
                write!(f, "{}: not a journal of npuzzle", path.display())
            }
            JournalError::Damaged { path, line } => write!(
                f,
                "{}:{line}: damaged; without this line and those after it the journal can be resumed",
                path.display()
            ),
        }
    }
}

impl Error for JournalError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats(expanded: u64) -> Stats {
        Stats { expanded, generated: 2 * expanded, ..Stats::default() }
    }

    #[test]
    fn what_is_written_is_read_whatever_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let instance: Instance = "8 1 3/4 0 2/7 6 5".parse().unwrap();
        let mut journal = Journal::create(&path, &instance).unwrap();
        journal.round(10, &stats(0), &stats(5));
        assert_eq!(journal.cut(12, 3, 9, "t"), []);
        journal.slice(12, 2, &stats(7));
        journal.slice(12, 0, &stats(8));
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
            assert_eq!(journal.cut(12, 3, 9, "t").len(), n_lines.saturating_sub(5));
            // Other tables cut the round in another way, and so may another version.
            assert_eq!(journal.cut(12, 3, 9, "u"), []);
            assert_eq!(journal.cut(12, 3, 8, "u"), []);
            drop(journal);
            assert!(std::fs::read(&path).unwrap().ends_with(b"\n"));
        }
        // A changed byte is noticed wherever it is.
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 4;
            std::fs::write(&path, &changed).unwrap();
            let line = whole[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
            match Journal::resume(&path) {
                Ok(mut journal) => {
                    assert_eq!(at, whole.len() - 1, "a last line alone may be without its end");
                    assert_eq!(journal.cut(12, 3, 9, "t").len(), 1);
                }
                Err(error) => {
                    assert!(
                        matches!(error, JournalError::Damaged { line: told, .. } if told == line)
                            || matches!(error, JournalError::NotOne { .. } if line <= 3)
                    );
                    assert_eq!(std::fs::read(&path).unwrap(), changed, "left as it was");
                }
            }
        }
    }

    #[test]
    fn numbers_that_no_search_has_written_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let instance: Instance = "8 1 3/4 0 2/7 6 5".parse().unwrap();
        drop(Journal::create(&path, &instance).unwrap());
        let head = std::fs::read_to_string(&path).unwrap();
        for (lines, expect) in [
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
            let text = head.clone() + &lines.iter().map(|line| with_sum(line)).collect::<String>();
            std::fs::write(&path, &text).unwrap();
            match (Journal::resume(&path), expect) {
                (Ok(_), None) => {}
                (Err(JournalError::Damaged { line, .. }), Some(expect)) => assert_eq!(line, expect),
                (found, _) => panic!("{lines:?}: {found:?}"),
            }
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "left as it was");
        }
    }
}
