//! Somebody's program as a heuristic: boards on its standard input, numbers on its standard output.
//!
//! It runs in the [sandbox], so that it and all that it has started are ended when it is over, or the
//! time is, or somebody asks for it.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;

use npuzzle::teaching::AuditError;
use npuzzle::{Board, Limit, Stats, Watch};
use npuzzle_courses::{Ended, Wrong};

use crate::io::temp_dir::Folder;
use crate::sandbox::{self, Allowance, Ran};

/// What it may hold with all that it has started; the watch has the time.
const ALLOWANCE: Allowance = Allowance { time: None, memory: Some(4 << 30) };

/// Characters of standard error that are shown.
const MAX_TOLD: usize = 2000;

pub(super) struct Program<'a> {
    command: &'a [String],
}

impl Program<'_> {
    pub(super) fn new(command: &[String]) -> Program<'_> {
        Program { command }
    }

    /// Runs it once for all of these boards.
    pub(super) fn estimates(
        &self,
        boards: &[Board],
        watch: &mut dyn Watch,
    ) -> Result<Vec<f64>, AuditError> {
        let mut text = String::new();
        for board in boards {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}", board.slash());
        }
        let folder = Folder::create().map_err(|failure| self.failed(failure))?;
        let path = folder.path("boards.txt");
        let written: io::Result<File> = fs::write(&path, text).and_then(|()| File::open(&path));
        let ran = self.run(written.map_err(|error| self.failed(error))?, watch)?;
        self.read(&ran, boards)
    }

    fn failed(&self, what: impl std::fmt::Display) -> AuditError {
        let name = self.command.first().map_or("", String::as_str);
        AuditError::Heuristic(format!("{name}: {what}").into())
    }

    fn run(&self, stdin: File, watch: &mut dyn Watch) -> Result<Ran, AuditError> {
        let command: Vec<OsString> = self.command.iter().map(OsString::from).collect();
        let mut limit = None;
        let mut is_over = || {
            limit = watch.poll(&Stats::default()).break_value();
            limit.is_some()
        };
        let ran = sandbox::run(&command, stdin, ALLOWANCE, &mut is_over);
        let ran = ran.map_err(|error| self.failed(error))?;
        match ran.ended {
            Some(_) => Ok(ran),
            None => Err(AuditError::Limit(limit.unwrap_or(Limit::Interrupted))),
        }
    }

    fn read(&self, ran: &Ran, boards: &[Board]) -> Result<Vec<f64>, AuditError> {
        let told: String = ran.stderr.trim_end().chars().take(MAX_TOLD).collect();
        let told = if told.is_empty() { told } else { format!("\n{told}") };
        match ran.ended {
            Some(Ended::Flood) => {
                return Err(self.failed("it prints far more than a number for each board"));
            }
            Some(ended) if ended != Ended::Code(0) => {
                return Err(self.failed(format!("{}{told}", Wrong::Ended(ended))));
            }
            _ => {}
        }
        let mut estimates = Vec::with_capacity(boards.len());
        let lines = (1..).zip(ran.stdout.lines()).map(|(at, line)| (at, line.trim()));
        for (at, line) in lines.filter(|(_, line)| !line.is_empty()) {
            let Some(board) = boards.get(estimates.len()) else {
                let n_boards = boards.len();
                let message = format!("line {at}: there are {n_boards} boards, and more lines");
                return Err(self.failed(message));
            };
            match line.parse::<f64>() {
                Ok(estimate) if estimate.is_finite() => estimates.push(estimate),
                _ => {
                    let line: String = line.chars().take(60).collect();
                    return Err(self.failed(format!(
                        "line {at}: {line:?} is not a number (for the board {})",
                        board.slash()
                    )));
                }
            }
        }
        if estimates.len() < boards.len() {
            return Err(self.failed(format!(
                "it printed {} numbers for {} boards{told}",
                estimates.len(),
                boards.len()
            )));
        }
        Ok(estimates)
    }
}
