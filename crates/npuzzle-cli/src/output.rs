//! Where answers go: standard output as they are found, or a file, whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::exit::{Exit, Failure};

/// A place for answers. A file is written under its name and `.partial`, and gets its own name by
/// [`finish`](Output::finish); dropped without it, nothing has happened.
pub(crate) enum Output {
    Stdout(io::Stdout),
    File(WholeFile),
}

impl Output {
    /// Standard output, or a file.
    pub(crate) fn open(path: Option<&Path>) -> Result<Output, Failure> {
        match path {
            None => Ok(Output::Stdout(io::stdout())),
            Some(path) => Ok(Output::File(WholeFile::create(path)?)),
        }
    }

    /// Writes, and shows it at once if somebody may be waiting.
    pub(crate) fn write(&mut self, text: &[u8]) -> Result<(), Failure> {
        self.write_with(&mut |out| out.write_all(text))
    }

    /// The same of what is too long to be there all at once.
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

    /// Writes the last of it.
    pub(crate) fn write_all(mut self, text: &[u8]) -> Result<(), Failure> {
        self.write(text)?;
        self.finish()
    }

    /// Leaves a file as it is, under its name and `.partial`; its path, if it is a file.
    pub(crate) fn leave(self) -> Result<Option<PathBuf>, Failure> {
        match self {
            Output::Stdout(_) => Ok(None),
            Output::File(file) => file.leave(),
        }
    }

    /// Puts a file in its place.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self {
            Output::Stdout(_) => Ok(()),
            Output::File(file) => file.finish(),
        }
    }
}

/// Standard output of a verb whose files and exit code matter more: what goes wrong with it is told at
/// the end.
#[derive(Default)]
pub(crate) struct Aside {
    failure: Option<Failure>,
}

impl Aside {
    /// Writes, unless nothing can be written any more.
    pub(crate) fn write(&mut self, text: &str) {
        if self.failure.is_none() {
            let written = Output::open(None).and_then(|mut output| output.write(text.as_bytes()));
            self.failure = written.err();
        }
    }

    /// A reader that had enough changes nothing.
    pub(crate) fn end(self, exit: Exit) -> Result<Exit, Failure> {
        match self.failure {
            Some(failure) if !failure.is_closed_pipe() => Err(failure),
            _ => Ok(exit),
        }
    }
}

/// Writes a whole file or nothing.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    Output::open(Some(path))?.write_all(bytes)
}

/// Opens several files before the work for them begins. No two may be the same.
pub(crate) fn open_all<const N: usize>(
    paths: [Option<&Path>; N],
) -> Result<[Option<Output>; N], Failure> {
    let mut outputs = [const { None }; N];
    let mut taken = Vec::new();
    for (output, path) in outputs.iter_mut().zip(paths) {
        let Some(path) = path else { continue };
        let file = WholeFile::create(path)?;
        // What is written in place, as a device, may serve twice.
        if let Some(real) = file.partial.as_ref().and_then(|partial| fs::canonicalize(partial).ok())
        {
            if taken.contains(&real) {
                let message = format!("{}: named for two outputs", path.display());
                return Err(Failure::usage(message));
            }
            taken.push(real);
        }
        *output = Some(Output::File(file));
    }
    Ok(outputs)
}

/// A file that appears under its name when it is complete.
pub(crate) struct WholeFile {
    path: PathBuf,
    /// Where it is written until then; devices and pipes are written in place.
    partial: Option<PathBuf>,
    writer: BufWriter<File>,
}

impl WholeFile {
    pub(crate) fn create(path: &Path) -> Result<WholeFile, Failure> {
        let failure = |error: io::Error| Failure::io(path.display(), &error);
        // Through a link, the file it leads to is replaced, not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let in_place = fs::metadata(&target).is_ok_and(|meta| !meta.is_file() && !meta.is_dir());
        if in_place {
            let file = OpenOptions::new().write(true).open(&target).map_err(failure)?;
            return Ok(WholeFile { path: target, partial: None, writer: BufWriter::new(file) });
        }
        let Some(name) = target.file_name().filter(|_| !target.is_dir()) else {
            return Err(failure(io::Error::from(io::ErrorKind::IsADirectory)));
        };
        let mut unfinished = name.to_owned();
        unfinished.push(".partial");
        let partial = target.with_file_name(unfinished);
        let writer = BufWriter::new(File::create(&partial).map_err(failure)?);
        Ok(WholeFile { path: target, partial: Some(partial), writer })
    }

    fn write_with(
        &mut self,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        // What has been found is safe from now on, whatever happens to the rest of a batch.
        let result = write(&mut self.writer).and_then(|()| self.writer.flush());
        result.map_err(|error| Failure::io(self.path.display(), &error))
    }

    fn leave(mut self) -> Result<Option<PathBuf>, Failure> {
        let result = self.writer.flush();
        result.map_err(|error| Failure::io(self.path.display(), &error))?;
        Ok(self.partial.take())
    }

    fn finish(mut self) -> Result<(), Failure> {
        let finish = || {
            self.writer.flush()?;
            if let Some(partial) = &self.partial {
                // A full disk may be noticed only here; better than after the rename.
                self.writer.get_ref().sync_all()?;
                if let Ok(meta) = fs::metadata(&self.path) {
                    fs::set_permissions(partial, meta.permissions())?;
                }
                fs::rename(partial, &self.path)?;
                self.partial = None;
            }
            Ok(())
        };
        let result: io::Result<()> = { finish }();
        result.map_err(|error| Failure::io(self.path.display(), &error))
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(partial) = &self.partial {
            // Nothing more can be done about a leftover than to try.
            let _ = fs::remove_file(partial);
        }
    }
}
