//! The state of a census in a folder, so that it can continue after an interruption.
//!
//! Next to the ranks of the last levels there is one small text file, the *index*. It says what is
//! counted and what has been found, and ends with a checksum. It is replaced after the files of a level
//! are complete. So whenever the program is killed, the levels of the index exist. The next run removes
//! all files that are not in the index.
//!
//! ```text
//! npuzzle census 2
//! about 3x4 stm 1 2 3 4/5 6 7 8/9 10 11 0      what is counted
//! shards 0..2 of 2                            the shards in this folder
//! depth 25                                    the last depth to count; without it, all are counted
//! level 0 1 0                                 a depth, and the number of boards in each shard
//! level 1 1 1
//! done                                        there are no more levels
//! checksum 25ef38f6c1d50d21
//! ```
//!
//! Three levels are kept: the last one, the one before it, which the neighbors are compared with, and
//! one more, because some of several processes may be one level behind.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::files::{AtomicFile, LockFile, checksum, sync_folder};

use super::error::CensusError;

const TITLE: &str = "npuzzle census 2\n";
/// The beginning of the title in all versions.
const TITLE_START: &str = "npuzzle census ";
/// The file names of the index and of the lock.
const INDEX: &str = "census";
const LOCK: &str = "lock";
/// The maximum size of the index in bytes.
const MAX_BYTES: u64 = 1 << 24;
/// The maximum number of shards in all folders together.
const MAX_SHARDS: usize = 1 << 16;
/// The number of solvable boards of 16 cells: no census counts more.
const MAX_BOARDS: u64 = 10_461_394_944_000;
/// The number of levels that are kept.
const N_LEVELS: usize = 3;

/// A census in a folder.
///
/// ```
/// use npuzzle_tables::CensusFolder;
/// # let parent = tempfile::tempdir()?;
/// # let path = parent.path().join("levels");
/// let folder = CensusFolder::create(&path, "stm 1 2/3 0", 0..1, 1)?;
/// assert_eq!((folder.about(), folder.is_done()), ("stm 1 2/3 0", false));
/// drop(folder); // another process may continue
/// assert_eq!(CensusFolder::open(&path)?.about(), "stm 1 2/3 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CensusFolder {
    path: PathBuf,
    about: String,
    shards: Range<usize>,
    n_shards: usize,
    max_depth: Option<usize>,
    /// By depth, then by shard of this folder.
    levels: Vec<Vec<u64>>,
    is_done: bool,
    /// Whether all levels are kept.
    keeps_all: bool,
    _lock: LockFile,
}

impl CensusFolder {
    /// Creates a census of some of `n_shards` shards. `about` is one line that says what is counted. The
    /// folder is created if necessary.
    pub fn create(
        path: &Path,
        about: &str,
        shards: Range<usize>,
        n_shards: usize,
    ) -> Result<CensusFolder, CensusError> {
        fs::create_dir_all(path).map_err(|error| CensusError::io(path, error))?;
        let lock = lock(path)?;
        if path.join(INDEX).exists() {
            return Err(CensusError::AlreadyExists { path: path.to_owned() });
        }
        let folder = CensusFolder {
            path: path.to_owned(),
            about: about.to_owned(),
            shards,
            n_shards,
            max_depth: None,
            levels: Vec::new(),
            is_done: false,
            keeps_all: false,
            _lock: lock,
        };
        folder.write()?;
        Ok(folder)
    }

    /// Opens the census of an earlier run.
    pub fn open(path: &Path) -> Result<CensusFolder, CensusError> {
        let index = path.join(INDEX);
        let no_census = || CensusError::NoCensus { path: path.to_owned() };
        if !index.is_file() {
            return Err(no_census());
        }
        let lock = lock(path)?;
        let mut text = String::new();
        let file = File::open(&index).map_err(|error| CensusError::io(&index, error))?;
        file.take(MAX_BYTES).read_to_string(&mut text).map_err(|error| match error.kind() {
            ErrorKind::InvalidData => CensusError::damaged(&index),
            _ => CensusError::io(&index, error),
        })?;
        if !text.starts_with(TITLE_START) {
            return Err(no_census());
        }
        let mut folder = read(&text, path, lock).ok_or_else(|| CensusError::damaged(&index))?;
        folder.keeps_all =
            folder.levels.len() > N_LEVELS && folder.level_file(0, folder.shards.start).exists();
        folder.sweep();
        Ok(folder)
    }

    /// Keeps all levels from now on.
    pub fn keep_all_levels(&mut self) {
        self.keeps_all = true;
    }

    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The line that says what is counted.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The shards in this folder.
    pub fn shards(&self) -> Range<usize> {
        self.shards.clone()
    }

    /// The number of shards in all folders.
    pub fn n_shards(&self) -> usize {
        self.n_shards
    }

    /// The last depth to count, if the census does not count all.
    pub fn max_depth(&self) -> Option<usize> {
        self.max_depth
    }

    /// Records the last depth to count, so that a later run stops there, too.
    pub fn set_max_depth(&mut self, max_depth: Option<usize>) -> Result<(), CensusError> {
        if max_depth == self.max_depth {
            return Ok(());
        }
        self.max_depth = max_depth;
        self.write()
    }

    /// The number of levels.
    pub fn n_levels(&self) -> usize {
        self.levels.len()
    }

    /// The number of boards at each depth, in the shards of this folder.
    pub fn counts(&self) -> Vec<u64> {
        self.levels.iter().map(|counts| counts.iter().sum()).collect()
    }

    /// Whether there are no more levels.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// The path of a shard's ranks at a depth.
    pub(crate) fn level_file(&self, depth: usize, shard: usize) -> PathBuf {
        self.path.join(format!("level-{depth}-{shard}.ranks"))
    }

    /// The beginning of the paths of the runs from one shard to another.
    pub(crate) fn run_stem(&self, from: usize, to: usize) -> PathBuf {
        self.path.join(format!("run-{from}-{to}"))
    }

    /// Adds a complete level, with the number of boards in each shard.
    pub(crate) fn add_level(&mut self, counts: Vec<u64>) -> Result<(), CensusError> {
        self.levels.push(counts);
        self.write()?;
        if let (Some(old), false) = (self.levels.len().checked_sub(N_LEVELS + 1), self.keeps_all) {
            for shard in self.shards() {
                let _ = fs::remove_file(self.level_file(old, shard));
            }
        }
        Ok(())
    }

    /// Ends the census: there are no more levels.
    pub(crate) fn finish(&mut self) -> Result<(), CensusError> {
        self.is_done = true;
        self.write()
    }

    /// Removes all levels but the first `n_levels`, because another process has no more.
    pub fn truncate_levels(&mut self, n_levels: usize) -> Result<(), CensusError> {
        if self.levels.len() > n_levels || self.is_done {
            self.levels.truncate(n_levels);
            self.is_done = false;
            self.write()?;
            self.sweep();
        }
        Ok(())
    }

    /// Removes the files of the census, and the folder if it is empty then.
    pub fn remove(mut self) {
        self.levels.clear();
        self.keeps_all = false;
        let _ = fs::remove_file(self.path.join(INDEX));
        self.sweep();
        let path = self.path.clone();
        drop(self);
        let _ = fs::remove_dir(path);
    }

    /// Writes the index.
    fn write(&self) -> Result<(), CensusError> {
        let (path, partial) = (self.path.join(INDEX), self.path.join(format!("{INDEX}.tmp")));
        let written = AtomicFile::create(&path, partial).and_then(|mut file| {
            file.write_all(self.index().as_bytes())?;
            file.commit()
        });
        written.map_err(|error| CensusError::io(&path, error))?;
        sync_folder(&self.path);
        Ok(())
    }

    /// The text of the index.
    fn index(&self) -> String {
        let Range { start, end } = self.shards;
        let mut text =
            format!("{TITLE}about {}\nshards {start}..{end} of {}\n", self.about, self.n_shards);
        if let Some(depth) = self.max_depth {
            text += &format!("depth {depth}\n");
        }
        for (depth, counts) in self.levels.iter().enumerate() {
            let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
            text += &format!("level {depth} {}\n", counts.join(" "));
        }
        if self.is_done {
            text += "done\n";
        }
        text += &format!("checksum {:016x}\n", checksum(text.as_bytes()));
        text
    }

    /// Removes the files of the census that are not in the index.
    fn sweep(&self) {
        let Ok(entries) = fs::read_dir(&self.path) else { return };
        let n_levels = self.levels.len();
        let first = if self.keeps_all { 0 } else { n_levels.saturating_sub(N_LEVELS) };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let depth = name.strip_prefix("level-").and_then(|rest| rest.split('-').next());
            let is_old_level = name.ends_with(".ranks")
                && depth
                    .and_then(|d| d.parse().ok())
                    .is_some_and(|d| !(first..n_levels).contains(&d));
            let is_run = name.starts_with("run-") && name.ends_with(".ranks");
            let is_partial = ["level-", "run-", INDEX].iter().any(|start| name.starts_with(start))
                && name.ends_with(".tmp");
            if is_old_level || is_run || is_partial {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

fn lock(path: &Path) -> Result<LockFile, CensusError> {
    let lock =
        LockFile::try_acquire(&path.join(LOCK)).map_err(|error| CensusError::io(path, error))?;
    lock.ok_or_else(|| CensusError::Busy { path: path.to_owned() })
}

/// Reads the index. Returns `None` if it is not as it was written.
fn read(text: &str, path: &Path, lock: LockFile) -> Option<CensusFolder> {
    let (body, sum) =
        text.strip_suffix('\n').filter(|text| text.starts_with(TITLE))?.rsplit_once("checksum ")?;
    if u64::from_str_radix(sum, 16).ok()? != checksum(body.as_bytes()) {
        return None;
    }
    let mut lines = body.lines().skip(1).peekable();
    let about = lines.next()?.strip_prefix("about ")?.to_owned();
    let (range, n_shards) = lines.next()?.strip_prefix("shards ")?.split_once(" of ")?;
    let (start, end) = range.split_once("..")?;
    let shards: Range<usize> = start.parse().ok()?..end.parse().ok()?;
    let n_shards = n_shards.parse().ok().filter(|&n| n <= MAX_SHARDS && shards.end <= n)?;
    if shards.is_empty() {
        return None;
    }
    let max_depth = match lines.next_if(|line| line.starts_with("depth ")) {
        Some(line) => Some(line.strip_prefix("depth ")?.parse().ok()?),
        None => None,
    };
    let mut levels = Vec::new();
    let mut n_boards = 0u64;
    while let Some(line) = lines.next_if(|line| line.starts_with("level ")) {
        let mut numbers = line.split(' ').skip(1).map(|number| number.parse::<u64>().ok());
        let depth = numbers.next()??;
        let counts: Vec<u64> = numbers.collect::<Option<_>>()?;
        for &count in &counts {
            n_boards = n_boards.checked_add(count).filter(|&n| n <= MAX_BOARDS)?;
        }
        if depth != levels.len() as u64 || counts.len() != shards.len() {
            return None;
        }
        levels.push(counts);
    }
    let is_done = lines.next_if_eq(&"done").is_some();
    let path = path.to_owned();
    let is_all = lines.next().is_none();
    is_all.then_some(CensusFolder {
        path,
        about,
        shards,
        n_shards,
        max_depth,
        levels,
        is_done,
        keeps_all: false,
        _lock: lock,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_is_read_as_written_and_every_change_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        let mut census = CensusFolder::create(&path, "3x3 stm 1 2", 1..3, 4).unwrap();
        assert!(matches!(CensusFolder::create(&path, "x", 0..1, 1), Err(CensusError::Busy { .. })));
        assert!(matches!(CensusFolder::open(&path), Err(CensusError::Busy { .. })));
        census.add_level(vec![1, 0]).unwrap();
        census.add_level(vec![3, 4]).unwrap();
        census.set_max_depth(Some(7)).unwrap();
        census.finish().unwrap();
        drop(census);
        assert!(matches!(
            CensusFolder::create(&path, "x", 0..1, 1),
            Err(CensusError::AlreadyExists { .. })
        ));
        let mut census = CensusFolder::open(&path).unwrap();
        assert_eq!((census.about(), census.shards(), census.n_shards()), ("3x3 stm 1 2", 1..3, 4));
        assert_eq!((census.counts(), census.is_done()), (vec![1, 7], true));
        assert_eq!(census.max_depth(), Some(7));
        census.truncate_levels(1).unwrap();
        drop(census);
        let census = CensusFolder::open(&path).unwrap();
        assert_eq!((census.counts(), census.is_done()), (vec![1], false));
        drop(census);

        let whole = fs::read(path.join(INDEX)).unwrap();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            for bad in [&whole[..at], &changed] {
                fs::write(path.join(INDEX), bad).unwrap();
                let error = CensusFolder::open(&path).unwrap_err();
                let is_expected =
                    matches!(error, CensusError::Damaged { .. } | CensusError::NoCensus { .. });
                assert!(is_expected, "{at}: {error}");
            }
        }
        let open_lines = |lines| {
            let text = format!("{TITLE}about stm 1 2/3 0\n{lines}");
            let text = format!("{text}checksum {:016x}\n", checksum(text.as_bytes()));
            fs::write(path.join(INDEX), text).unwrap();
            CensusFolder::open(&path)
        };
        for lines in [
            "shards 0..0 of 0\n",
            "shards 2..1 of 4\n",
            "shards 1..5 of 4\n",
            "shards 0..4294967296 of 4294967296\n",
            "shards 0..1 of 1\nlevel 0 18446744073709551615\nlevel 1 1\n",
        ] {
            let error = open_lines(lines).unwrap_err();
            assert!(matches!(error, CensusError::Damaged { .. }), "{lines}: {error}");
        }
        // Correct lines are accepted.
        let census = open_lines("shards 0..1 of 1\nlevel 0 1\nlevel 1 2\n").unwrap();
        assert_eq!(census.counts(), [1, 2]);
        drop(census);
        fs::write(path.join(INDEX), whole).unwrap();
        fs::write(path.join("run-0-1-5.ranks"), "").unwrap();
        fs::write(path.join("level-7-1.ranks"), "").unwrap();
        fs::write(path.join("level-0-1.ranks"), "").unwrap();
        let census = CensusFolder::open(&path).unwrap();
        assert!(!path.join("run-0-1-5.ranks").exists() && !path.join("level-7-1.ranks").exists());
        assert!(path.join("level-0-1.ranks").exists());
        census.remove();
        assert!(!path.exists());
        assert!(matches!(CensusFolder::open(&path), Err(CensusError::NoCensus { .. })));
    }
}
