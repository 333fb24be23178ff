//! Tables in a folder, from one run of the program to the next.
//!
//! ```text
//! ~/.cache/npuzzle/
//!     full-3x4-0-stm.table           a complete table
//!     mtm-4x4-….draft                the checkpoint of a long build
//!     mtm-4x4-….4711.tmp             a file that process 4711 is writing
//!     mtm-4x4-….lock                 held while a table is built
//! ```
//!
//! The store does not interpret tables. A table is a name, a length and bytes. The invariant: a file
//! with the name of a table is complete and unchanged, or it is not used.
//!
//! 1. A table is written under another name in the same folder, synced and renamed.
//! 2. It is read by mapping it into memory. Its header and its payload have checksums, which are checked
//!    every time.
//! 3. A builder holds a lock. Other processes wait for it while they poll their watch, and then load
//!    the table. The system releases the lock of a killed builder, and the next builder removes the
//!    files that it has left.
//! 4. A table that cannot be stored is returned with a warning. So is a damaged table that had to be
//!    rebuilt. The store prints nothing.
//! 5. A long build saves [`Checkpoint`]s under the same lock, and continues from the last one after an
//!    interruption. The checkpoint is removed when the table is stored.
//!
//! `docs/tables.md` describes the folder and the file format for users.

mod bytes;
mod checkpoint;
mod error;
mod header;
mod map;
mod name;
mod table_file;

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use npuzzle_core::search::{Limit, Stats, Watch};

use crate::files::{AtomicFile, LockFile};

pub use bytes::TableBytes;
pub use checkpoint::Checkpoint;
pub use error::{Damage, StoreError, StoreWarning};
pub use name::{TableName, TableNameError};

use error::unless_stopped;
use table_file::{TableFile, is_absent};

/// The file name extensions.
const TABLE: &str = "table";
const CHECKPOINT: &str = "draft";
const PARTIAL: &str = "tmp";
const LOCK: &str = "lock";

/// The time between two attempts to acquire a lock.
const LOCK_RETRY: Duration = Duration::from_millis(20);

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
/// let again = store.load(&name, 256, &mut ())?.expect("it is stored by now");
/// assert_eq!((first.bytes[3], again[4]), (9, 16));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Store {
    folder: Option<PathBuf>,
    /// The time between two checkpoints, if not the default.
    checkpoint_interval: Option<Duration>,
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
    /// Whether it was built, not loaded.
    pub is_built: bool,
    /// Problems that the user should know about.
    pub warnings: Vec<StoreWarning>,
}

/// A table file of a store.
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
pub struct StoredTable {
    /// The table's name.
    pub name: TableName,
    /// The file.
    pub path: PathBuf,
    /// The size of the file in bytes.
    pub file_len: u64,
    /// The length of the payload, or the damage of the file. Only the header is checked:
    /// [`Store::verify`] checks the payload.
    pub len: Result<u64, StoreError>,
}

/// `npuzzle` in the user's cache folder.
#[cfg(feature = "files")]
fn usual_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("npuzzle"))
}

#[cfg(not(feature = "files"))]
fn usual_folder() -> Option<PathBuf> {
    None
}

impl Store {
    /// The tables of a folder, which is created when the first table is stored.
    pub fn at(folder: impl Into<PathBuf>) -> Store {
        Store { folder: Some(folder.into()), checkpoint_interval: None }
    }

    /// A store without a folder: it contains nothing and stores nothing.
    pub fn none() -> Store {
        Store::default()
    }

    /// The folder in the environment variable `NPUZZLE_CACHE`, or else `npuzzle` in the user's cache
    /// folder, such as `~/.cache/npuzzle`. No folder if the system has no cache folder.
    pub fn default_folder() -> Store {
        let named = std::env::var_os("NPUZZLE_CACHE").filter(|folder| !folder.is_empty());
        let folder = named.map(PathBuf::from).or_else(usual_folder);
        Store { folder, checkpoint_interval: None }
    }

    /// The same folder with another time between two checkpoints of a build. The default is five
    /// seconds.
    pub fn checkpoint_every(self, interval: Duration) -> Store {
        Store { checkpoint_interval: Some(interval), ..self }
    }

    /// The folder.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The path of a table file, which need not exist.
    pub fn path(&self, name: &TableName) -> Option<PathBuf> {
        self.path_with(name, TABLE)
    }

    fn path_with(&self, name: &TableName, extension: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{name}.{extension}")))
    }

    /// Loads the table of this name and length. Returns `None` if it is not stored.
    pub fn load(
        &self,
        name: &TableName,
        len: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<TableBytes>, StoreError> {
        let Some(path) = self.path(name) else { return Ok(None) };
        let Some(file) = TableFile::open(&path, name)? else { return Ok(None) };
        file.expect_len(&path, len)?;
        file.check(&path, watch).map(Some)
    }

    /// Loads the table of this name and length, or else builds it and stores it if possible.
    ///
    /// Waits while another process is building the table. The watch is polled regularly. If it stops the
    /// operation, nothing has changed.
    pub fn get_or_build(
        &self,
        name: &TableName,
        len: usize,
        watch: &mut dyn Watch,
        build: impl FnOnce(&mut dyn Watch) -> Result<Vec<u8>, Limit>,
    ) -> Result<LoadedTable, Limit> {
        self.get_or_resume(name, len, watch, |watch, _| build(watch))
    }

    /// [`get_or_build`](Store::get_or_build) with a checkpoint for long builds.
    pub(crate) fn get_or_resume(
        &self,
        name: &TableName,
        len: usize,
        watch: &mut dyn Watch,
        build: impl FnOnce(&mut dyn Watch, Checkpoint) -> Result<Vec<u8>, Limit>,
    ) -> Result<LoadedTable, Limit> {
        let loaded = |bytes| LoadedTable { bytes, is_built: false, warnings: vec![] };
        let mut warnings = Vec::new();
        match unless_stopped(self.load(name, len, watch))? {
            Ok(Some(bytes)) => return Ok(loaded(bytes)),
            Ok(None) => {}
            Err(error) => warnings.push(StoreWarning::Rebuilt(error)),
        }
        let lock = unless_stopped(self.lock(name, watch))?.unwrap_or_else(|error| {
            warnings.push(StoreWarning::NotKept(error));
            None
        });
        // Another process may have built it in the meantime.
        if let Ok(Some(bytes)) = self.load(name, len, watch) {
            return Ok(loaded(bytes));
        }
        let checkpoint =
            lock.as_ref().map_or_else(Checkpoint::none, |_| Checkpoint::of(self, name));
        let payload = build(watch, checkpoint)?;
        let stored = lock.as_ref().map(|_| self.store_completed(name, len, &payload, watch));
        let stored = match stored.map(unless_stopped).transpose()? {
            Some(Ok(bytes)) => Some(bytes),
            Some(Err(error)) => {
                warnings.push(StoreWarning::NotKept(error));
                None
            }
            None => None,
        };
        let bytes = stored.unwrap_or_else(|| TableBytes::aligned(payload));
        Ok(LoadedTable { bytes, is_built: true, warnings })
    }

    /// Creates the folder and tests whether files can be created in it.
    pub fn prepare(&self) -> Result<(), StoreError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let probe = folder.join(format!("probe.{}.{PARTIAL}", std::process::id()));
        let created = fs::create_dir_all(folder)
            .and_then(|()| AtomicFile::create(folder.join("probe"), probe));
        created.map(drop).map_err(|error| StoreError::io(folder, error))
    }

    /// Checks the header and the payload of a table. Returns its length, or `None` if it is not stored.
    pub fn verify(
        &self,
        name: &TableName,
        watch: &mut dyn Watch,
    ) -> Result<Option<u64>, StoreError> {
        let Some(path) = self.path(name) else { return Ok(None) };
        let Some(file) = TableFile::open(&path, name)? else { return Ok(None) };
        file.check(&path, watch).map(|bytes| Some(bytes.len() as u64))
    }

    /// All table files of the folder, by name.
    pub fn list(&self) -> Result<Vec<StoredTable>, StoreError> {
        let stored = |(name, path): (TableName, PathBuf)| {
            let file_len = path.metadata().map_or(0, |meta| meta.len());
            let len = TableFile::open(&path, &name).transpose()?.map(|file| file.len());
            Some(StoredTable { name, path, file_len, len })
        };
        Ok(self.files(TABLE)?.into_iter().filter_map(stored).collect())
    }

    /// Removes a table, and all files that interrupted builds have left of it. Returns whether the table
    /// was stored. Processes that have mapped it can still use it.
    pub fn remove(&self, name: &TableName) -> Result<bool, StoreError> {
        let Some(path) = self.path(name) else { return Ok(false) };
        let was_stored = match fs::remove_file(&path) {
            Ok(()) => true,
            Err(error) if is_absent(&error) => false,
            Err(error) => return Err(StoreError::io(path, error)),
        };
        // The checkpoint of a running build stays.
        if let Some(lock_path) = self.path_with(name, LOCK)
            && self.path_with(name, CHECKPOINT).is_some_and(|checkpoint| checkpoint.exists())
            && let Ok(Some(_lock)) = LockFile::try_acquire(&lock_path)
        {
            checkpoint::remove(self, name);
        }
        self.sweep(None, |leftover| leftover == name);
        Ok(was_stored)
    }

    /// Waits for the lock of a table. Returns `None` if the store has no folder.
    fn lock(
        &self,
        name: &TableName,
        watch: &mut dyn Watch,
    ) -> Result<Option<LockFile>, StoreError> {
        let (Some(folder), Some(path)) = (&self.folder, self.path_with(name, LOCK)) else {
            return Ok(None);
        };
        let failed = |error| StoreError::io(folder, error);
        fs::create_dir_all(folder).map_err(failed)?;
        loop {
            if let Some(lock) = LockFile::try_acquire(&path).map_err(failed)? {
                self.sweep(Some(name), |_| true);
                return Ok(Some(lock));
            }
            if let Some(limit) = watch.poll(&Stats::default()).break_value() {
                return Err(StoreError::Stopped(limit));
            }
            std::thread::sleep(LOCK_RETRY);
        }
    }

    /// Stores a completed table, maps it, and removes its checkpoint. The caller holds the lock.
    fn store_completed(
        &self,
        name: &TableName,
        len: usize,
        payload: &[u8],
        watch: &mut dyn Watch,
    ) -> Result<TableBytes, StoreError> {
        let mut store = || {
            let path = self.path(name).unwrap_or_default();
            let partial =
                self.partial(name, &path).map_err(|error| StoreError::io(&path, error))?;
            TableFile::write(partial, name, len, payload, watch)
        };
        let stored = store();
        match stored {
            Err(StoreError::Stopped(_)) => stored,
            Ok(_) => {
                checkpoint::remove(self, name);
                stored
            }
            // Without the checkpoint there may be enough room.
            Err(_) => match self.path_with(name, CHECKPOINT).map(fs::remove_file) {
                Some(Ok(())) => store(),
                _ => stored,
            },
        }
    }

    /// A partial file of a table or of its checkpoint. The caller holds the lock.
    fn partial(&self, name: &TableName, path: &Path) -> io::Result<AtomicFile> {
        let partial = self.path_with(name, &format!("{}.{PARTIAL}", std::process::id()));
        AtomicFile::create(path, partial.unwrap_or_default())
    }

    /// Removes the files that killed builders have left of some tables. A running builder holds its
    /// lock, so its files stay. `locked` is the table whose lock the caller holds.
    fn sweep(&self, locked: Option<&TableName>, is_included: impl Fn(&TableName) -> bool) {
        for extension in [PARTIAL, LOCK] {
            for (name, path) in self.files(extension).unwrap_or_default() {
                if Some(&name) == locked {
                    if extension == PARTIAL {
                        let _ = fs::remove_file(path);
                    }
                } else if is_included(&name)
                    && let Some(lock_path) = self.path_with(&name, LOCK)
                    // The lock file is removed with the lock.
                    && let Ok(Some(_lock)) = LockFile::try_acquire(&lock_path)
                    && extension == PARTIAL
                {
                    let _ = fs::remove_file(path);
                }
            }
        }
    }

    /// The files of the folder with this extension and the names of their tables, by name.
    fn files(&self, extension: &str) -> Result<Vec<(TableName, PathBuf)>, StoreError> {
        let Some(folder) = &self.folder else { return Ok(vec![]) };
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(vec![]),
            Err(error) => return Err(StoreError::io(folder, error)),
        };
        let table = |entry: fs::DirEntry| {
            let file_name = entry.file_name();
            let stem = file_name.to_str()?.strip_suffix(extension)?.strip_suffix('.')?;
            // The names of partial files contain the number of their process.
            let name = if extension == PARTIAL { stem.rsplit_once('.')?.0 } else { stem };
            Some((name.parse().ok()?, entry.path()))
        };
        let mut files: Vec<_> = entries.flatten().filter_map(table).collect();
        files.sort();
        Ok(files)
    }
}
