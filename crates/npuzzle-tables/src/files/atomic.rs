//! Files that are complete or do not exist.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::lock::{is_at, open, try_lock};

/// A file that is written under another name, the *partial* file in the same folder, and renamed by
/// [`commit`](AtomicFile::commit). If it is dropped before that, the partial file is removed.
///
/// ```
/// use std::io::Write;
/// use npuzzle_tables::files::AtomicFile;
/// # let folder = tempfile::tempdir()?;
/// let (path, partial) = (folder.path().join("answer"), folder.path().join("answer.partial"));
/// let mut file = AtomicFile::create(&path, &partial)?;
/// file.write_all(b"42")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"42");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    partial: PathBuf,
    file: File,
    /// Whether the partial file exists and is to be removed.
    is_pending: bool,
}

impl AtomicFile {
    /// Creates the partial file, for reading and writing. An existing one is overwritten: the caller
    /// ensures that no other process writes it.
    pub fn create(path: impl Into<PathBuf>, partial: impl Into<PathBuf>) -> io::Result<AtomicFile> {
        let (path, partial) = (path.into(), partial.into());
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(true).open(&partial)?;
        Ok(AtomicFile { path, partial, file, is_pending: true })
    }

    /// Creates the partial file and locks it. Fails with [`io::ErrorKind::ResourceBusy`] if another
    /// process is writing it. A partial file that a killed process has left is renamed, and its new name is
    /// returned.
    pub fn claim(
        path: impl Into<PathBuf>,
        partial: impl Into<PathBuf>,
    ) -> io::Result<(AtomicFile, Option<PathBuf>)> {
        let (path, partial) = (path.into(), partial.into());
        let mut kept = None;
        loop {
            let file = open(&partial)?;
            match try_lock(&file) {
                // The last holder may have renamed the file since it was opened.
                Ok(true) if !is_at(&file, &partial) => continue,
                Ok(false) => return Err(io::ErrorKind::ResourceBusy.into()),
                // Not all file systems have locks.
                Ok(true) | Err(_) => {}
            }
            if file.metadata()?.len() == 0 {
                return Ok((AtomicFile { path, partial, file, is_pending: true }, kept));
            }
            kept = Some(put_aside(&partial)?);
        }
    }

    /// The open partial file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The final path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes everything to the disk and renames the file. The file takes over the permissions of the one
    /// that it replaces. If this fails, the partial file still exists, until it is dropped or
    /// [kept](AtomicFile::keep_partial).
    pub fn commit(&mut self) -> io::Result<()> {
        // A full disk may be noticed only here: before the rename.
        self.file.sync_all()?;
        if let Ok(meta) = fs::metadata(&self.path) {
            fs::set_permissions(&self.partial, meta.permissions())?;
        }
        self.commit_unsynced()
    }

    /// Renames the file. After a crash of the machine, it may be incomplete. Fails if another process has
    /// replaced the partial file.
    pub fn commit_unsynced(&mut self) -> io::Result<()> {
        if !is_at(&self.file, &self.partial) {
            let message = "another process has replaced the partial file";
            return Err(io::Error::other(message));
        }
        fs::rename(&self.partial, &self.path)?;
        self.is_pending = false;
        Ok(())
    }

    /// Leaves the partial file in the folder, and returns its path. Returns `None` after a commit.
    pub fn keep_partial(&mut self) -> Option<&Path> {
        std::mem::take(&mut self.is_pending).then_some(&self.partial)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if self.is_pending {
            // If this fails, the file stays: there is nothing else to try.
            let _ = fs::remove_file(&self.partial);
        }
    }
}

/// Writes the names of a folder's files to the disk, where the system can do that. Otherwise a crash of
/// the machine may undo a rename.
pub fn sync_folder(folder: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = folder;
}

/// Appends the first free number to the name of a file. Returns the new name.
fn put_aside(path: &Path) -> io::Result<PathBuf> {
    let numbered = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{number}"));
        PathBuf::from(name)
    };
    let kept = (1..).map(numbered).find(|kept| !kept.exists());
    let kept = kept.ok_or(io::ErrorKind::AlreadyExists)?;
    fs::rename(path, &kept).map(|()| kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn atomic_file_appears_by_commit_only() {
        let folder = tempfile::tempdir().unwrap();
        let [path, partial] = ["a", "a.tmp"].map(|name| folder.path().join(name));
        fs::write(&partial, "left by a killed process").unwrap();
        let mut file = AtomicFile::create(&path, &partial).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert!(names(folder.path()).is_empty());
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path, &partial).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        file.commit().unwrap();
        assert_eq!(file.keep_partial(), None);
        drop(file);
        assert_eq!(
            (names(folder.path()), fs::read(&path).unwrap()),
            (vec!["a".into()], b"new".into())
        );
        let mut file = AtomicFile::create(&path, &partial).unwrap();
        file.write_all(b"half").unwrap();
        assert_eq!(file.keep_partial(), Some(&*partial));
        drop(file);
        assert_eq!(fs::read(&partial).unwrap(), b"half");
    }

    #[cfg(unix)]
    #[test]
    fn commit_refuses_a_replaced_partial_file() {
        let folder = tempfile::tempdir().unwrap();
        let [path, partial, forged] = ["a", "a.partial", "b"].map(|name| folder.path().join(name));
        let (mut file, _) = AtomicFile::claim(&path, &partial).unwrap();
        file.write_all(b"true").unwrap();
        fs::write(&forged, "false").unwrap();
        fs::rename(&forged, &partial).unwrap();
        assert!(file.commit().is_err());
        assert!(!path.exists());
        fs::remove_file(&partial).unwrap();
        assert!(file.commit().is_err());
    }

    #[cfg(unix)]
    #[test]
    fn commit_keeps_the_permissions_of_the_replaced_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let [path, partial] = ["a", "a.tmp"].map(|name| folder.path().join(name));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        AtomicFile::create(&path, &partial).unwrap().commit().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn claim_refuses_a_second_writer_and_keeps_leftovers() {
        let folder = tempfile::tempdir().unwrap();
        let [path, partial] = ["a", "a.partial"].map(|name| folder.path().join(name));
        fs::write(&partial, "left by a killed process").unwrap();
        let (mut first, kept) = AtomicFile::claim(&path, &partial).unwrap();
        let kept = kept.unwrap();
        assert_eq!(fs::read(&kept).unwrap(), b"left by a killed process");
        let busy = AtomicFile::claim(&path, &partial).unwrap_err();
        assert_eq!(busy.kind(), io::ErrorKind::ResourceBusy);
        first.commit().unwrap();
        assert_eq!(AtomicFile::claim(&path, &partial).unwrap().1, None);
        assert_eq!(names(folder.path()), ["a", "a.partial.1"]);
    }
}
