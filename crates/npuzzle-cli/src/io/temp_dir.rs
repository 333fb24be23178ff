//! A temporary directory.

use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

use crate::exit::Failure;

/// A directory that is removed with all its files when it is dropped.
pub(crate) struct TempDir(PathBuf);

impl TempDir {
    /// Creates a new directory in the system's temporary directory.
    pub(crate) fn create() -> Result<TempDir, Failure> {
        for number in 0.. {
            let path = env::temp_dir().join(format!("npuzzle-{}-{number}", process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(TempDir(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Failure::io(path.display(), &error)),
            }
        }
        unreachable!("some number is free")
    }

    pub(crate) fn as_path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        // A directory that cannot be removed is left behind.
        let _ = fs::remove_dir_all(&self.0);
    }
}
