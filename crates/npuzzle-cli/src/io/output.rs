//! Output to standard output, immediately, or to a file that appears only when it is complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use npuzzle::Cancel;
use npuzzle_tables::files::AtomicFile;

use crate::exit::{Exit, Failure};
use crate::messages;

/// The destination of answers. A file is written under its name plus `.partial` and renamed by
/// [`finish`](Output::finish). Dropped before that, it leaves nothing behind.
pub(crate) enum Output {
    Stdout(io::Stdout),
    File(WholeFile),
}

impl Output {
    /// Opens a file, or standard output for `None`, `-` and `/dev/stdout`.
    pub(crate) fn open(path: Option<&Path>) -> Result<Output, Failure> {
        match path {
            Some(path) if !is_stdout(path) => Ok(Output::File(WholeFile::create(path)?)),
            _ => Ok(Output::Stdout(io::stdout())),
        }
    }

    /// Checks that a file can be written, for a caller whose child processes write it. Devices and pipes
    /// are not touched.
    pub(crate) fn check(path: &Path) -> Result<(), Failure> {
        match Destination::of(path)? {
            Destination::InPlace(_) => Ok(()),
            Destination::Replace { .. } if is_stdout(path) => Ok(()),
            Destination::Replace { .. } => WholeFile::create(path).map(drop),
        }
    }

    /// Writes and flushes.
    pub(crate) fn write(&mut self, text: &[u8]) -> Result<(), Failure> {
        self.write_with(&mut |out| out.write_all(text))
    }

    /// Writes what `write` produces piece by piece, and flushes. For texts too long for memory.
    pub(crate) fn write_with(
        &mut self,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        match self {
            Output::Stdout(stdout) => {
                let mut out = BufWriter::new(stdout.lock());
                let result = write(&mut out).and_then(|()| out.flush());
                result.map_err(|error| Failure::io("standard output", &error))
            }
            Output::File(file) => file.write_with(write),
        }
    }

    /// Writes what `write` produces until `cancel` is set, which is a failure.
    pub(crate) fn write_until_cancelled(
        &mut self,
        cancel: &Cancel,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let written = self.write_with(&mut |out| write(&mut CancellableWriter { out, cancel }));
        written.map_err(|failure| match cancel.is_cancelled() {
            true => Failure::usage("interrupted").with_exit(Exit::Interrupted),
            false => failure,
        })
    }

    /// Writes the last part and finishes.
    pub(crate) fn write_all(mut self, text: &[u8]) -> Result<(), Failure> {
        self.write(text)?;
        self.finish()
    }

    /// Finishes a batch, which may have taken hours. After an interrupt or a failure, the complete
    /// answers stay in the `.partial` file, and a message says so.
    pub(crate) fn end_batch(
        mut self,
        result: Result<Exit, Failure>,
        what: &str,
    ) -> Result<Exit, Failure> {
        let result = match result {
            Ok(exit) if exit != Exit::Interrupted => self.put_in_place().map(|()| exit),
            result => result,
        };
        match result {
            Ok(Exit::Interrupted) => {
                if let Some(path) = self.keep_partial() {
                    let path = path.display();
                    messages::error(format!("interrupted: the {what} so far are in {path}"));
                }
                Ok(Exit::Interrupted)
            }
            Ok(exit) => Ok(exit),
            Err(failure) => Err(match self.keep_partial() {
                Some(path) => {
                    failure.with_suffix(&format!("; the {what} so far are in {}", path.display()))
                }
                None => failure,
            }),
        }
    }

    fn keep_partial(mut self) -> Option<PathBuf> {
        match &mut self {
            Output::Stdout(_) => None,
            Output::File(file) => file.keep(),
        }
    }

    /// Renames the file to its own name.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.put_in_place()
    }

    fn put_in_place(&mut self) -> Result<(), Failure> {
        match self {
            Output::Stdout(_) => Ok(()),
            Output::File(file) => file.finish(),
        }
    }
}

/// Fails when it is cancelled.
struct CancellableWriter<'a> {
    out: &'a mut dyn Write,
    cancel: &'a Cancel,
}

impl Write for CancellableWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("interrupted"));
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Standard output of a command whose files and exit code matter more. The first error is kept, and
/// reported at the end.
#[derive(Default)]
pub(crate) struct SecondaryOutput {
    failure: Option<Failure>,
}

impl SecondaryOutput {
    /// Writes, unless an earlier write failed.
    pub(crate) fn write(&mut self, text: &str) {
        if self.failure.is_none() {
            let written = Output::open(None).and_then(|mut output| output.write(text.as_bytes()));
            self.failure = written.err();
        }
    }

    /// Returns the first error, if any. A pipe that its reader closed is not an error.
    pub(crate) fn end(self, exit: Exit) -> Result<Exit, Failure> {
        match self.failure {
            Some(failure) if !failure.is_closed_pipe() => Err(failure),
            _ => Ok(exit),
        }
    }
}

/// Writes a whole file, or nothing on failure.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    Output::open(Some(path))?.write_all(bytes)
}

/// Opens several files, so that errors are reported before the work begins. No two may be the same.
pub(crate) fn open_all<const N: usize>(
    paths: [Option<&Path>; N],
) -> Result<[Option<Output>; N], Failure> {
    let mut outputs = [const { None }; N];
    let mut taken = Vec::new();
    for (output, path) in outputs.iter_mut().zip(paths) {
        let Some(path) = path else { continue };
        // A device is written in place and may be used twice.
        if let Destination::Replace { path: real, .. } = Destination::of(path)? {
            let real = canonical(&real);
            if taken.contains(&real) {
                return Err(named_twice(path));
            }
            taken.push(real);
        }
        *output = Some(Output::open(Some(path))?);
    }
    Ok(outputs)
}

/// Checks that two output files are not the same.
pub(crate) fn check_distinct(
    path: &Option<PathBuf>,
    other: &Option<PathBuf>,
) -> Result<(), Failure> {
    match (path, other) {
        (Some(path), Some(other)) if canonical(path) == canonical(other) => Err(named_twice(path)),
        _ => Ok(()),
    }
}

fn named_twice(path: &Path) -> Failure {
    Failure::usage(format!("{}: used for two outputs", path.display()))
}

/// Checks that no output file is also an input file, which it would replace.
pub(crate) fn check_inputs<P: AsRef<Path>>(
    inputs: impl IntoIterator<Item = P>,
    outputs: &[&Option<PathBuf>],
) -> Result<(), Failure> {
    for input in inputs {
        let input = input.as_ref();
        let file = if input == Path::new("-") { Path::new("/dev/stdin") } else { input };
        let is_input = |output: &&PathBuf| file.is_file() && canonical(file) == canonical(output);
        if let Some(output) = outputs.iter().copied().flatten().find(is_input) {
            let message = format!("{}: used both as input and as output", output.display());
            return Err(Failure::usage(message));
        }
    }
    Ok(())
}

/// Whether a path means standard output. That may be a file that other processes write to, so it must
/// not be replaced.
fn is_stdout(path: &Path) -> bool {
    ["-", "/dev/stdout"].into_iter().any(|name| path == Path::new(name))
}

/// Where a file is written.
enum Destination {
    /// In place: a device or a pipe.
    InPlace(PathBuf),
    /// Under another name until it is complete.
    Replace { path: PathBuf, partial: PathBuf },
}

impl Destination {
    fn of(path: &Path) -> Result<Destination, Failure> {
        // A symbolic link stays, and its target is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if fs::metadata(&target).is_ok_and(|meta| !meta.is_file() && !meta.is_dir()) {
            return Ok(Destination::InPlace(target));
        }
        if target.file_name().is_none() || target.is_dir() {
            let error = io::Error::from(io::ErrorKind::IsADirectory);
            return Err(Failure::io(path.display(), &error));
        };
        let partial = partial_path(&target);
        Ok(Destination::Replace { path: target, partial })
    }
}

/// The name of a file while it is incomplete.
pub(crate) fn partial_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    path.with_file_name(name)
}

/// The absolute path of a file without links, even if the file does not exist yet.
fn canonical(path: &Path) -> PathBuf {
    if let Ok(path) = fs::canonicalize(path) {
        return path;
    }
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return path.to_owned();
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    fs::canonicalize(folder).map_or_else(|_| path.to_owned(), |folder| folder.join(name))
}

/// A file that appears under its name when it is complete.
pub(crate) struct WholeFile {
    target: Target,
    /// The length in bytes after the last successful write. A failed write may leave a part behind it.
    n_whole: u64,
}

/// The open file.
enum Target {
    /// A device or a pipe, which is written in place.
    InPlace(PathBuf, File),
    /// A file that is renamed when it is complete.
    Atomic(AtomicFile),
}

impl Target {
    fn path(&self) -> &Path {
        match self {
            Target::InPlace(path, _) => path,
            Target::Atomic(file) => file.path(),
        }
    }

    fn file(&self) -> &File {
        match self {
            Target::InPlace(_, file) => file,
            Target::Atomic(file) => file.file(),
        }
    }
}

impl WholeFile {
    pub(crate) fn create(path: &Path) -> Result<WholeFile, Failure> {
        let failure = |error: io::Error| Failure::io(path.display(), &error);
        let target = match Destination::of(path)? {
            Destination::InPlace(path) => {
                let file = OpenOptions::new().write(true).open(&path).map_err(failure)?;
                Target::InPlace(path, file)
            }
            Destination::Replace { path, partial } => {
                // Renaming would replace a read-only file, which its owner does not expect.
                if fs::metadata(&path).is_ok_and(|meta| meta.permissions().readonly()) {
                    return Err(failure(io::ErrorKind::PermissionDenied.into()));
                }
                Target::Atomic(claim(path, &partial).map_err(failure)?)
            }
        };
        Ok(WholeFile { target, n_whole: 0 })
    }

    fn write_with(
        &mut self,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut out = BufWriter::new(self.target.file());
        let result = write(&mut out).and_then(|()| out.flush());
        // Dropping the writer would try again to write what failed.
        let _ = out.into_parts();
        result.map_err(|error| Failure::io(self.target.path().display(), &error))?;
        self.n_whole = self.target.file().stream_position().unwrap_or(0);
        Ok(())
    }

    /// Keeps the complete answers in the `.partial` file, and returns its path if there are any.
    fn keep(&mut self) -> Option<PathBuf> {
        if self.n_whole == 0 {
            return None;
        }
        // Truncating fails only on broken file systems; then an incomplete answer stays at the end.
        let _ = self.target.file().set_len(self.n_whole);
        match &mut self.target {
            Target::InPlace(..) => None,
            Target::Atomic(file) => file.keep_partial().map(Path::to_owned),
        }
    }

    fn finish(&mut self) -> Result<(), Failure> {
        let committed = match &mut self.target {
            Target::InPlace(..) => Ok(()),
            Target::Atomic(file) => file.file().set_len(self.n_whole).and_then(|()| file.commit()),
        };
        committed.map_err(|error| Failure::io(self.target.path().display(), &error))
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        // A panic must not lose the answers before it.
        if std::thread::panicking() {
            let _ = self.keep();
        }
    }
}

/// Creates and locks the partial file of an output. Warns if an earlier run has left one.
fn claim(path: PathBuf, partial: &Path) -> io::Result<AtomicFile> {
    let claimed = AtomicFile::claim(path, partial).map_err(|error| match error.kind() {
        io::ErrorKind::ResourceBusy => {
            let message = "another process is writing it (it holds the .partial file)";
            io::Error::new(error.kind(), message)
        }
        _ => error,
    });
    let (file, kept) = claimed?;
    if let Some(kept) = kept {
        let (partial, kept) = (partial.display(), kept.display());
        messages::warning(format!("{partial} already exists and is kept as {kept}"));
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_keeps_complete_answers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let write = |text: &str| {
            let ended = std::panic::catch_unwind(|| {
                let mut file = WholeFile::create(&path).unwrap();
                file.write_with(&mut |out| out.write_all(text.as_bytes())).unwrap();
                // Half of the next answer.
                file.target.file().write_all(&text.as_bytes()[..text.len() / 2]).unwrap();
                panic!("deliberate");
            });
            assert!(ended.is_err());
            assert!(!path.exists());
            fs::read_to_string(folder.path().join("out.partial"))
        };
        // Without a complete answer there is nothing to keep.
        assert!(write("").is_err());
        assert_eq!(write("L U\n").unwrap(), "L U\n");
    }
}
