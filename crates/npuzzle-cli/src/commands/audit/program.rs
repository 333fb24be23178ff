//! A program as a heuristic: it reads boards from standard input and prints one number for each.
//!
//! It runs in the [sandbox], which kills it and all processes it started when it ends, exceeds a limit or
//! is interrupted.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use npuzzle::teaching::AuditError;
use npuzzle::{Board, Limit, Stats, Watch};
use npuzzle_courses::ProcessEnd;

use crate::args::SandboxArgs;
use crate::exit::Failure;
use crate::io::temp_dir::TempDir;
use crate::io::units::counted;
use crate::sandbox::{self, Isolation, ProgramRun, ResourceLimits, WritableFolder};

/// The limits of the program; the watch limits the time.
const LIMITS: ResourceLimits = ResourceLimits { time: None, memory: Some(4 << 30) };

/// The number of characters of standard error that are shown.
const MAX_STDERR: usize = 2000;

pub(super) struct Program {
    command: Vec<OsString>,
    isolation: Isolation,
}

impl Program {
    pub(super) fn new(command: &[String], sandbox: &SandboxArgs) -> Result<Program, Failure> {
        let command: Vec<OsString> = command.iter().map(OsString::from).collect();
        let isolation = Isolation::choose(&command, &sandbox.request(Vec::new())?)?;
        Ok(Program { command, isolation })
    }

    /// Runs the program once on all boards, and returns one estimate per board.
    pub(super) fn estimates(
        &self,
        boards: &[Board],
        watch: &mut dyn Watch,
    ) -> Result<Vec<f64>, AuditError> {
        let mut text = String::new();
        for board in boards {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", board.slash());
        }
        let folder = TempDir::create().map_err(|failure| self.failed(failure))?;
        let path = folder.path("boards.txt");
        let written: io::Result<File> = fs::write(&path, text).and_then(|()| File::open(&path));
        let boards_file = written.map_err(|error| self.failed(error))?;
        let run = self.run(folder.as_path(), boards_file, watch)?;
        self.parse(&run, boards)
    }

    fn failed(&self, what: impl std::fmt::Display) -> AuditError {
        let name = self.command.first().map_or("".into(), |name| name.to_string_lossy());
        AuditError::Heuristic(format!("{name}: {what}").into())
    }

    fn run(
        &self,
        folder: &Path,
        stdin: File,
        watch: &mut dyn Watch,
    ) -> Result<ProgramRun, AuditError> {
        let mut limit = None;
        let mut is_stopped = || {
            limit = watch.poll(&Stats::default()).break_value();
            limit.is_some()
        };
        let folder = WritableFolder { path: folder, is_current: false };
        let run =
            sandbox::run(&self.isolation, &self.command, folder, stdin, LIMITS, &mut is_stopped);
        let run = run.map_err(|error| self.failed(error))?;
        match run.ended {
            Some(_) => Ok(run),
            None => Err(AuditError::Limit(limit.unwrap_or(Limit::Interrupted))),
        }
    }

    /// Parses the output: one finite number per line.
    fn parse(&self, run: &ProgramRun, boards: &[Board]) -> Result<Vec<f64>, AuditError> {
        let stderr: String = run.stderr.trim_end().chars().take(MAX_STDERR).collect();
        let stderr = if stderr.is_empty() { stderr } else { format!("\n{stderr}") };
        match run.ended {
            Some(ProcessEnd::Output) => {
                return Err(self.failed("prints far more than one number per board"));
            }
            Some(ended) if ended != ProcessEnd::Code(0) => {
                return Err(self.failed(format!("{}{stderr}", ended)));
            }
            _ => {}
        }
        let mut estimates = Vec::with_capacity(boards.len());
        let lines = (1..).zip(run.stdout.lines()).map(|(number, line)| (number, line.trim()));
        for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
            let Some(board) = boards.get(estimates.len()) else {
                let n_boards = counted(boards.len() as u64, "board");
                let message = format!("line {number}: more numbers than the {n_boards}");
                return Err(self.failed(message));
            };
            match line.parse::<f64>() {
                Ok(estimate) if estimate.is_finite() => estimates.push(estimate),
                _ => {
                    let line: String = line.chars().take(60).collect();
                    return Err(self.failed(format!(
                        "line {number}: {line:?} is not a number (for the board {})",
                        board.slash()
                    )));
                }
            }
        }
        if estimates.len() < boards.len() {
            return Err(self.failed(format!(
                "printed {} for {}{stderr}",
                counted(estimates.len() as u64, "number"),
                counted(boards.len() as u64, "board")
            )));
        }
        Ok(estimates)
    }
}
