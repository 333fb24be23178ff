//! One process at a time: an exclusive lock on a file.
//!
//! The system releases the lock when its holder ends, however that happens. The holder removes the file
//! before it releases the lock. Another process may have opened the file before that, and then gets the lock
//! of a file that no longer has a name. It detects this and opens the file of that name again.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// An exclusive lock on a file of its own, held until it is dropped.
///
/// ```
/// use npuzzle_tables::files::LockFile;
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("lock");
/// let lock = LockFile::try_acquire(&path)?.expect("nobody holds it");
/// assert!(LockFile::try_acquire(&path)?.is_none());
/// drop(lock);
/// assert!(LockFile::try_acquire(&path)?.is_some());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct LockFile {
    path: PathBuf,
    _file: File,
}

impl LockFile {
    /// Acquires the lock, and creates the file if necessary. Returns `None` if another holder has the
    /// lock.
    pub fn try_acquire(path: &Path) -> io::Result<Option<LockFile>> {
        loop {
            let file = open(path)?;
            if !try_lock(&file)? {
                return Ok(None);
            }
            if is_at(&file, path) {
                return Ok(Some(LockFile { path: path.to_owned(), _file: file }));
            }
        }
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // The lock is released after this. Where `is_at` cannot tell, the empty file stays.
        if cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Opens a file for reading and writing, and creates it if necessary. Its content stays.
pub(super) fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// Locks a file for this process. Returns `false` if another process has locked it.
pub(super) fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether an open file is still the one at a path.
#[cfg(unix)]
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |meta: fs::Metadata| (meta.dev(), meta.ino());
    let [open, named] = [file.metadata(), path.metadata()].map(|meta| meta.ok().map(id));
    open.is_some() && open == named
}

#[cfg(not(unix))]
pub(super) fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test may panic if the system refuses a thread")]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn lock_file_has_one_holder_at_a_time_and_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        let (n_holders, n_acquired) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while n_acquired.load(Ordering::SeqCst) < 50 {
                        let Some(lock) = LockFile::try_acquire(&path).unwrap() else {
                            std::thread::yield_now();
                            continue;
                        };
                        assert_eq!(n_holders.fetch_add(1, Ordering::SeqCst), 0);
                        n_acquired.fetch_add(1, Ordering::SeqCst);
                        std::thread::yield_now();
                        n_holders.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert!(!cfg!(unix) || !path.exists());
    }

    #[test]
    fn lock_file_that_cannot_be_created_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(LockFile::try_acquire(&folder.path().join("no/such/folder.lock")).is_err());
    }
}
