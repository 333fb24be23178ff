//! Tables kept in a folder from one run to the next.
//!
//! The store knows nothing of what is in a table: it has a name, a length and bytes. What it sees to
//! is that a table under its name is whole and right, or is not there:
//!
//! 1. A table is written under another name in the same folder, brought to the disk, and renamed.
//! 2. It is read by mapping it; its header and its payload have checksums, looked at every time.
//! 3. Who builds a table holds a lock. Others wait for it, looking at their watch, and then find the
//!    table there. The lock of a builder that was killed is gone with it; what it left in the folder
//!    is removed by the next builder.
//! 4. A table that cannot be stored is handed out all the same, with a warning. So is a table that
//!    was damaged and had to be built anew. The store prints nothing.
//!
//! 5. A build that takes long writes down what it has done, under the same lock, and goes on from
//!    there if it was cut off. The [`Checkpoint`] goes when the table is there.
//!
//! `docs/tables.md` tells users about the folder and the format of its files.

mod bytes;
mod checkpoint;
mod checksum;
mod error;
mod header;
mod lock;
mod name;

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use npuzzle_core::search::{Limit, Stats, Watch};
use tempfile::NamedTempFile;

pub use bytes::TableBytes;
pub use checkpoint::Checkpoint;
pub use error::{Damage, StoreError, StoreWarning};
pub use name::{TableName, TableNameError};

use checksum::checksum;
use header::{HEADER_LEN, Header};
pub(crate) use lock::Lock;

/// The endings of names: of a table, of what a build has done of one so far, of a file being
/// written, of the lock of a table being built.
const TABLE: &str = "table";
const DRAFT: &str = "draft";
const UNFINISHED: &str = "tmp";
const LOCK: &str = "lock";

/// How long to wait before asking for a lock again.
const WAIT: Duration = Duration::from_millis(20);

/// How much is written, and brought to the disk, between two looks at the watch.
const WRITTEN_AT_ONCE: usize = 1 << 22;

/// A folder of tables, or none.
///
/// ```
/// use npuzzle_tables::Store;
/// # let folder = std::env::temp_dir().join(format!("npuzzle-doc-{}", std::process::id()));
/// let store = Store::at(&folder);
/// let name = "squares-256".parse()?;
/// let build = |_: &mut dyn npuzzle_core::search::Watch| {
///     Ok((0..=255u8).map(|n| n.wrapping_mul(n)).collect())
/// };
/// let first = store.get_or_build(&name, 256, &mut (), build).unwrap();
/// let again = store.load(&name, 256, &mut ())?.expect("it is there by now");
/// assert_eq!((first.bytes[3], again[4]), (9, 16));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Store {
    folder: Option<PathBuf>,
    /// How much work builds may lose, if not as much as usual.
    pace: Option<Duration>,
}

/// A table from a store.
///
/// ```
/// use npuzzle_tables::Store;
/// let got = Store::none().get_or_build(&"ones".parse()?, 3, &mut (), |_| Ok(vec![1; 3])).unwrap();
/// assert!(got.is_built && got.warnings.is_empty());
/// assert_eq!(*got.bytes, [1, 1, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LoadedTable {
    /// The table.
    pub bytes: TableBytes,
    /// Whether it was built, and not found.
    pub is_built: bool,
    /// What people should be told.
    pub warnings: Vec<StoreWarning>,
}

/// A table file of a store, as its header has it.
///
/// ```
/// use npuzzle_tables::Store;
/// # let folder = tempfile::tempdir()?;
/// let store = Store::at(folder.path());
/// store.get_or_build(&"ones".parse()?, 3, &mut (), |_| Ok(vec![1; 3])).unwrap();
/// let stored = store.list()?;
/// assert_eq!((stored[0].name.as_str(), stored[0].len.as_ref().ok()), ("ones", Some(&3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Stored {
    /// The table.
    pub name: TableName,
    /// Its file.
    pub path: PathBuf,
    /// The size of the file.
    pub file_len: u64,
    /// The length of the payload, or what is wrong with the file. The payload itself is not looked
    /// at: that is for [`Store::verify`].
    pub len: Result<u64, StoreError>,
}

impl Store {
    /// The tables of a folder, which is made when there is something to put in it.
    pub fn at(folder: impl Into<PathBuf>) -> Store {
        Store { folder: Some(folder.into()), pace: None }
    }

    /// No folder: nothing is found, nothing is kept.
    pub fn none() -> Store {
        Store::default()
    }

    /// The folder named by the variable `NPUZZLE_CACHE`, else `npuzzle` in the user's folder for
    /// caches, such as `~/.cache/npuzzle`. None if the system knows no such folder.
    pub fn default_folder() -> Store {
        use etcetera::BaseStrategy;
        let named = std::env::var_os("NPUZZLE_CACHE").filter(|folder| !folder.is_empty());
        let usual = || Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("npuzzle"));
        Store { folder: named.map(PathBuf::from).or_else(usual), pace: None }
    }

    /// The same folder, where long builds write down what they have done whenever that was so much
    /// work; every five seconds of work unless given.
    pub fn checkpoint_every(self, pace: Duration) -> Store {
        Store { pace: Some(pace), ..self }
    }

    /// The folder.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Where a table of this name is, or would be.
    pub fn path(&self, name: &TableName) -> Option<PathBuf> {
        self.beside(name, TABLE)
    }

    fn draft_path(&self, name: &TableName) -> Option<PathBuf> {
        self.beside(name, DRAFT)
    }

    fn beside(&self, name: &TableName, ending: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{name}.{ending}")))
    }

    /// The table of this name and this length, if it is there and right.
    pub fn load(
        &self,
        name: &TableName,
        len: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<TableBytes>, StoreError> {
        let Some(path) = self.path(name) else { return Ok(None) };
        let Some(opened) = open(&path, name)? else { return Ok(None) };
        if opened.header.len != len as u64 {
            let [found, expected] = [opened.header.len, len as u64].map(|n| n + HEADER_LEN as u64);
            return Err(StoreError::Damaged { path, damage: Damage::Length { found, expected } });
        }
        opened.check(&path, watch).map(Some)
    }

    /// The table of this name and this length: found, or else built, and kept if possible.
    ///
    /// Another process that is building it is waited for. The watch is asked all the while and may
    /// end this; then nothing has happened.
    pub fn get_or_build(
        &self,
        name: &TableName,
        len: usize,
        watch: &mut dyn Watch,
        build: impl FnOnce(&mut dyn Watch) -> Result<Vec<u8>, Limit>,
    ) -> Result<LoadedTable, Limit> {
        self.get_or_resume(name, len, watch, |watch, _| build(watch))
    }

    /// The same with a draft for a build that takes long.
    pub(crate) fn get_or_resume(
        &self,
        name: &TableName,
        len: usize,
        watch: &mut dyn Watch,
        build: impl FnOnce(&mut dyn Watch, Checkpoint) -> Result<Vec<u8>, Limit>,
    ) -> Result<LoadedTable, Limit> {
        let warning = match self.load(name, len, watch) {
            Ok(Some(bytes)) => return Ok(LoadedTable { bytes, is_built: false, warnings: vec![] }),
            Ok(None) => None,
            Err(StoreError::Stopped(limit)) => return Err(limit),
            Err(error) => Some(StoreWarning::Rebuilt(error)),
        };
        let lock = match self.lock(name, watch) {
            Ok(lock) => Ok(lock),
            Err(StoreError::Stopped(limit)) => return Err(limit),
            Err(error) => Err(error),
        };
        // Another process may have built it in the meantime.
        if let Ok(Some(bytes)) = self.load(name, len, watch) {
            return Ok(LoadedTable { bytes, is_built: false, warnings: vec![] });
        }
        let draft = match lock {
            Ok(Some(_)) => Checkpoint::of(self, name),
            _ => Checkpoint::none(),
        };
        let payload = build(watch, draft)?;
        let mut warnings = Vec::from_iter(warning);
        let kept = match lock {
            Ok(Some(_lock)) => match self.keep_instead_of_draft(name, len, &payload, watch) {
                Ok(bytes) => Some(bytes),
                Err(StoreError::Stopped(limit)) => return Err(limit),
                Err(error) => {
                    warnings.push(StoreWarning::NotKept(error));
                    None
                }
            },
            Ok(None) => None,
            Err(error) => {
                warnings.push(StoreWarning::NotKept(error));
                None
            }
        };
        let bytes = kept.unwrap_or_else(|| TableBytes::aligned(payload));
        Ok(LoadedTable { bytes, is_built: true, warnings })
    }

    /// Makes the folder and sees whether files can be made in it.
    pub fn prepare(&self) -> Result<(), StoreError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let made = fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
        made.map(drop).map_err(|error| StoreError::io(folder, error))
    }

    /// Checks the table of this name; its length, or `None` if it is not there.
    pub fn verify(
        &self,
        name: &TableName,
        watch: &mut dyn Watch,
    ) -> Result<Option<u64>, StoreError> {
        let Some(path) = self.path(name) else { return Ok(None) };
        let Some(opened) = open(&path, name)? else { return Ok(None) };
        opened.check(&path, watch).map(|bytes| Some(bytes.len() as u64))
    }

    /// All table files of the folder, by name.
    pub fn list(&self) -> Result<Vec<Stored>, StoreError> {
        let stored = |(name, path): (TableName, PathBuf)| {
            let file_len = path.metadata().map_or(0, |meta| meta.len());
            let len = match open(&path, &name).transpose()? {
                Ok(opened) => Ok(opened.header.len),
                Err(error) => Err(error),
            };
            Some(Stored { name, path, file_len, len })
        };
        Ok(self.files(TABLE)?.into_iter().filter_map(stored).collect())
    }

    /// Removes the table of this name, and what builders that were cut off have left of it; whether
    /// it was there. Those who have it mapped keep it.
    pub fn remove(&self, name: &TableName) -> Result<bool, StoreError> {
        let Some(path) = self.path(name) else { return Ok(false) };
        let was_there = match fs::remove_file(&path) {
            Ok(()) => true,
            Err(error) if is_absent(&error) => false,
            Err(error) => return Err(StoreError::io(path, error)),
        };
        // Of a builder that is alive, nothing is touched.
        if let Some(path) = self.beside(name, LOCK)
            && self.draft_path(name).is_some_and(|draft| draft.exists())
            && let Ok(Some(_lock)) = Lock::try_take(&path)
        {
            checkpoint::remove(self, name);
        }
        self.sweep(None, |leftover| leftover == name);
        Ok(was_there)
    }

    /// Waits for the lock of a table; `None` without a folder.
    fn lock(&self, name: &TableName, watch: &mut dyn Watch) -> Result<Option<Lock>, StoreError> {
        let (Some(folder), Some(path)) = (&self.folder, self.beside(name, LOCK)) else {
            return Ok(None);
        };
        let failed = |path: &Path| {
            let path = path.to_owned();
            |error| StoreError::io(path, error)
        };
        fs::create_dir_all(folder).map_err(failed(folder))?;
        loop {
            if let Some(lock) = Lock::try_take(&path).map_err(failed(folder))? {
                self.sweep(Some(name), |_| true);
                return Ok(Some(lock));
            }
            if let Some(limit) = watch.poll(&Stats::default()).break_value() {
                return Err(StoreError::Stopped(limit));
            }
            std::thread::sleep(WAIT);
        }
    }

    /// Stores a table, maps it, and removes its draft.
    fn keep_instead_of_draft(
        &self,
        name: &TableName,
        len: usize,
        payload: &[u8],
        watch: &mut dyn Watch,
    ) -> Result<TableBytes, StoreError> {
        let kept = self.keep(name, len, payload, watch);
        match kept {
            Err(StoreError::Stopped(_)) => kept,
            Ok(_) => {
                checkpoint::remove(self, name);
                kept
            }
            // Without the draft there may be room.
            Err(_) => match self.draft_path(name).map(fs::remove_file) {
                Some(Ok(())) => self.keep(name, len, payload, watch),
                _ => kept,
            },
        }
    }

    /// Stores a table and maps it. Whoever calls this holds the lock.
    fn keep(
        &self,
        name: &TableName,
        len: usize,
        payload: &[u8],
        watch: &mut dyn Watch,
    ) -> Result<TableBytes, StoreError> {
        let path = self.path(name).unwrap_or_default();
        if payload.len() != len {
            let (found, expected) = (payload.len() as u64, len as u64);
            return Err(StoreError::Damaged { path, damage: Damage::Length { found, expected } });
        }
        let checksum = checksum(payload, watch).map_err(StoreError::Stopped)?;
        let header = Header { name: name.clone(), len: len as u64, checksum };
        let failed = |error| StoreError::io(&path, error);
        let mut file = self.unfinished(name).map_err(failed)?;
        file.as_file_mut().write_all(&header.to_bytes()).map_err(failed)?;
        for part in payload.chunks(WRITTEN_AT_ONCE) {
            if let Some(limit) = watch.poll(&Stats::default()).break_value() {
                return Err(StoreError::Stopped(limit));
            }
            file.as_file_mut().write_all(part).map_err(failed)?;
            // All at once at the end could take seconds, during which nobody could stop it.
            file.as_file().sync_data().map_err(failed)?;
        }
        // A full disk may be noticed only here; better than after the rename.
        file.as_file().sync_all().map_err(failed)?;
        let bytes = TableBytes::map(file.as_file(), HEADER_LEN).map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        self.sync_folder();
        bytes.expect_random_access();
        Ok(bytes)
    }

    /// A new file for a table being written, which goes if it is not renamed.
    fn unfinished(&self, name: &TableName) -> io::Result<NamedTempFile> {
        let (prefix, suffix) = (format!("{name}."), format!(".{UNFINISHED}"));
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(&suffix);
        #[cfg(unix)]
        {
            // As open to others as the user's other files: a folder may be shared.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        builder.tempfile_in(self.folder.as_deref().unwrap_or(Path::new(".")))
    }

    /// Brings the new name to the disk, where that is possible. If it is lost, the table is.
    fn sync_folder(&self) {
        #[cfg(unix)]
        if let Some(folder) = self.folder.as_ref().and_then(|folder| File::open(folder).ok()) {
            let _ = folder.sync_all();
        }
    }

    /// Removes what killed builders have left of some tables. Files of a builder that is alive are
    /// under its lock and stay; `locked` is the table whose lock the caller holds.
    fn sweep(&self, locked: Option<&TableName>, is_meant: impl Fn(&TableName) -> bool) {
        for ending in [UNFINISHED, LOCK] {
            for (name, path) in self.files(ending).unwrap_or_default() {
                if Some(&name) == locked {
                    if ending == UNFINISHED {
                        let _ = fs::remove_file(path);
                    }
                } else if is_meant(&name)
                    && let Some(lock_path) = self.beside(&name, LOCK)
                    && let Ok(Some(_lock)) = Lock::try_take(&lock_path)
                    && ending == UNFINISHED
                {
                    let _ = fs::remove_file(path);
                }
            }
        }
    }

    /// The files of the folder with this ending, and the tables they belong to, by name.
    fn files(&self, ending: &str) -> Result<Vec<(TableName, PathBuf)>, StoreError> {
        let Some(folder) = &self.folder else { return Ok(vec![]) };
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(vec![]),
            Err(error) => return Err(StoreError::io(folder, error)),
        };
        let table = |entry: fs::DirEntry| {
            let file_name = entry.file_name();
            let stem = file_name.to_str()?.strip_suffix(ending)?.strip_suffix('.')?;
            // Those being written have a part in the middle that tells them apart.
            let name = if ending == UNFINISHED { stem.rsplit_once('.')?.0 } else { stem };
            Some((name.parse().ok()?, entry.path()))
        };
        let mut files: Vec<_> = entries.flatten().filter_map(table).collect();
        files.sort();
        Ok(files)
    }
}

/// Whether a path leads nowhere.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// A table file whose header is right.
struct Opened {
    file: File,
    header: Header,
}

/// Opens the file of a table; `None` if it is not there.
fn open(path: &Path, name: &TableName) -> Result<Option<Opened>, StoreError> {
    let failed = |error| StoreError::io(path, error);
    let damaged = |damage| StoreError::Damaged { path: path.to_owned(), damage };
    match path.metadata() {
        Ok(meta) if meta.is_file() => {}
        // To open a pipe would be to wait for its writer.
        Ok(_) => return Err(damaged(Damage::Foreign)),
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(failed(error)),
    }
    let mut file = match File::open(path) {
        Ok(file) => file,
        // Removed by somebody just now.
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let file_len = file.metadata().map_err(failed)?.len();
    let mut start = Vec::new();
    Read::by_ref(&mut file).take(HEADER_LEN as u64).read_to_end(&mut start).map_err(failed)?;
    let header = Header::read(&start, file_len, name).map_err(damaged)?;
    Ok(Some(Opened { file, header }))
}

impl Opened {
    /// Maps the file and checks its payload.
    fn check(self, path: &Path, watch: &mut dyn Watch) -> Result<TableBytes, StoreError> {
        let failed = |error| StoreError::io(path, error);
        let bytes = TableBytes::map(&self.file, HEADER_LEN).map_err(failed)?;
        let found = checksum(&bytes, watch).map_err(StoreError::Stopped)?;
        if bytes.len() as u64 != self.header.len || found != self.header.checksum {
            let damage = Damage::Payload;
            return Err(StoreError::Damaged { path: path.to_owned(), damage });
        }
        bytes.expect_random_access();
        Ok(bytes)
    }
}
