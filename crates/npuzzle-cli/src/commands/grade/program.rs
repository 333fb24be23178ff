//! Runs the graded program on one board.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use npuzzle::Cancel;
use npuzzle_courses::AnswerTarget;

use crate::args::GradeArgs;
use crate::exit::Failure;
use crate::io::temp_dir::TempDir;
use crate::sandbox::{
    self, Isolation, IsolationRequest, ProgramRun, Protection, ResourceLimits, WritableFolder,
};

/// The largest answer in a file, in bytes: more than the longest solution of a course.
const MAX_ANSWER: u64 = 8 << 20;
/// The name of the file in which `{output}` is.
const ANSWER: &str = "answer.txt";
/// How long to try to start a program while the system has no room for it, and the time between tries.
const START_TIMEOUT: Duration = Duration::from_secs(5);
const START_INTERVAL: Duration = Duration::from_millis(100);

#[cfg(unix)]
const NULL_DEVICE: &str = "/dev/null";
#[cfg(not(unix))]
const NULL_DEVICE: &str = "NUL";

/// The program that is graded.
pub(super) struct GradedProgram {
    /// The command, with placeholders for what depends on the board.
    command: Vec<OsString>,
    /// The file in its working folder into which the program writes its answer.
    answer_file: Option<&'static str>,
    isolation: Isolation,
}

impl GradedProgram {
    /// A program that writes its answer into its working folder runs in a folder of its own, so that the
    /// paths of its command become absolute.
    pub(super) fn new(
        args: &GradeArgs,
        answer: AnswerTarget,
        request: &IsolationRequest,
    ) -> Result<GradedProgram, Failure> {
        let command = &args.command;
        let answer_file = match answer {
            AnswerTarget::WorkingFolder(name) if !contains(command, "{output}") => Some(name),
            _ => None,
        };
        let method = [("{method}", args.method.clone().unwrap_or_default())];
        let fill = |arg: &OsString| match answer_file {
            Some(_) => filled(&absolute_path(arg), &method),
            None => filled(arg, &method),
        };
        let isolation = Isolation::choose(command, request)?;
        let command = command.iter().map(fill).collect();
        Ok(GradedProgram { command, answer_file, isolation })
    }

    /// The protections against the program that are on.
    pub(super) fn protections(&self) -> &[Protection] {
        self.isolation.protections()
    }

    /// Runs the program on a board, and returns its run and its answer. Placeholders in the command stand
    /// for the files with these texts and for the board; without the first one and `{board}`, the program
    /// reads the first text from standard input.
    pub(super) fn run_on(
        &self,
        files: &[(&str, &str)],
        board: &str,
        limits: ResourceLimits,
        cancel: &Cancel,
    ) -> Result<(ProgramRun, String), Failure> {
        // A new directory for every board: the program may do anything to it.
        let folder = TempDir::create()?;
        let input = folder.path("board.txt");
        let output = folder.path(self.answer_name());
        let mut values = vec![("{output}", output.to_string_lossy().into_owned())];
        for (index, (placeholder, text)) in files.iter().enumerate() {
            let path = if index == 0 { input.clone() } else { folder.path(format!("{index}.txt")) };
            fs::write(&path, text).map_err(|error| Failure::io(path.display(), &error))?;
            values.push((placeholder, path.to_string_lossy().into_owned()));
        }
        values.push(("{board}", board.to_owned()));
        let reads_stdin = !["{input}", "{board}"].iter().any(|name| contains(&self.command, name));
        let writes_file = self.answer_file.is_some() || contains(&self.command, "{output}");
        let command: Vec<OsString> = self.command.iter().map(|arg| filled(arg, &values)).collect();
        let stdin = if reads_stdin { &input } else { Path::new(NULL_DEVICE) };
        let run = self.start(&command, &folder, stdin, limits, cancel)?;
        let answer = if writes_file { read_answer(&output) } else { run.stdout.clone() };
        Ok((run, answer))
    }

    /// Runs the program. Tries again for a while if the system has no process or thread for it.
    fn start(
        &self,
        command: &[OsString],
        folder: &TempDir,
        stdin: &Path,
        limits: ResourceLimits,
        cancel: &Cancel,
    ) -> Result<ProgramRun, Failure> {
        let program = command.first().map(|arg| arg.to_string_lossy()).unwrap_or_default();
        let folder =
            WritableFolder { path: folder.as_path(), is_current: self.answer_file.is_some() };
        let mut is_interrupted = || cancel.is_cancelled();
        let end = Instant::now() + START_TIMEOUT;
        loop {
            let stdin = File::open(stdin).map_err(|error| Failure::io(stdin.display(), &error))?;
            let isolation = &self.isolation;
            match sandbox::run(isolation, command, folder, stdin, limits, &mut is_interrupted) {
                Ok(run) => return Ok(run),
                Err(error) if !is_shortage(&error) => {
                    return Ok(ProgramRun::not_started(error.kind()));
                }
                Err(error) if cancel.is_cancelled() || Instant::now() > end => {
                    return Err(Failure::io(program, &error));
                }
                Err(_) => {
                    std::thread::sleep(START_INTERVAL);
                    // Left by a program that was killed because there was no thread to read its output.
                    let _ = fs::remove_file(folder.path.join(self.answer_name()));
                }
            }
        }
    }

    /// The name of the file in which the answer is expected.
    fn answer_name(&self) -> &'static str {
        self.answer_file.unwrap_or(ANSWER)
    }
}

/// The absolute path of an argument that names a file, or a folder with a separator in its path;
/// otherwise the argument itself.
fn absolute_path(arg: &OsString) -> OsString {
    let path = Path::new(arg);
    let is_path = path.is_file() || path.components().count() > 1 && path.exists();
    let absolute = is_path.then(|| std::path::absolute(path).ok()).flatten();
    absolute.map_or_else(|| arg.clone(), Into::into)
}

/// Whether an error means that the system is short of processes or memory.
fn is_shortage(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::OutOfMemory)
}

/// The text of the output file; empty if the program wrote none.
fn read_answer(path: &Path) -> String {
    let mut bytes = Vec::new();
    if let Some(file) = open_regular_file(path) {
        // After an error, the answer is the part before it.
        let _ = file.take(MAX_ANSWER).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Opens a regular file. A link may point anywhere, and reading a pipe may block forever.
fn open_regular_file(path: &Path) -> Option<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags.bits() as i32);
    }
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    options.open(path).ok().filter(|file| file.metadata().is_ok_and(|meta| meta.is_file()))
}

fn contains(command: &[OsString], placeholder: &str) -> bool {
    command.iter().any(|arg| arg.to_str().is_some_and(|text| text.contains(placeholder)))
}

/// An argument of the command with these values in place of placeholders.
fn filled(arg: &OsStr, values: &[(&str, String)]) -> OsString {
    let Some(text) = arg.to_str() else { return arg.to_owned() };
    let fill =
        |text: String, (placeholder, value): &(&str, String)| text.replace(placeholder, value);
    values.iter().fold(text.to_owned(), fill).into()
}
