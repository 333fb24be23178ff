//! One builder at a time: a lock on a file beside the table.
//!
//! The system drops the lock when its holder ends, however that happens. The file goes with the
//! lock: its holder removes it, and whoever has opened it before, and gets the lock of a file that
//! has no name any more, opens the next one.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock; `None` if somebody else has it.
    pub(crate) fn try_take(path: &Path) -> io::Result<Option<Lock>> {
        loop {
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(path)?;
            match file.try_lock() {
                Ok(()) if is_named(&file, path) => {
                    return Ok(Some(Lock { path: path.to_owned(), _file: file }));
                }
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Before the lock goes. Where the next holder could not tell, the file stays: it is empty.
        if cfg!(unix) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Whether this open file is still the one of that name.
#[cfg(unix)]
fn is_named(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |meta: std::fs::Metadata| (meta.dev(), meta.ino());
    let [held, named] = [file.metadata(), path.metadata()].map(|meta| meta.ok().map(id));
    held.is_some() && held == named
}

#[cfg(not(unix))]
fn is_named(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test without threads may stop where it is")]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn one_at_a_time_and_nothing_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        let (holders, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while taken.load(Ordering::SeqCst) < 50 {
                        let Some(lock) = Lock::try_take(&path).unwrap() else {
                            std::thread::yield_now();
                            continue;
                        };
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        taken.fetch_add(1, Ordering::SeqCst);
                        std::thread::yield_now();
                        holders.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert!(!cfg!(unix) || !path.exists());
    }

    #[test]
    fn a_lock_that_cannot_be_made_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Lock::try_take(&folder.path().join("no/such/folder.lock")).is_err());
    }
}
