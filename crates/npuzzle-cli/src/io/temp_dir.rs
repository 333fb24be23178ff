//! A folder for the files that a program reads and writes, gone when it is dropped.

use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

use crate::exit::Failure;

pub(crate) struct Folder(PathBuf);

impl Folder {
    /// A new one that nobody else has.
    pub(crate) fn create() -> Result<Folder, Failure> {
        for number in 0.. {
            let path = env::temp_dir().join(format!("npuzzle-{}-{number}", process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Folder(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Failure::io(path.display(), &error)),
            }
        }
        Err(Failure::usage("no name is free for a folder"))
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing more can be done about a leftover than to try.
        let _ = fs::remove_dir_all(&self.0);
    }
}
