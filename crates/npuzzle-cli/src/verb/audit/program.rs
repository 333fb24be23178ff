//! Somebody's program as a heuristic: boards on its standard input, numbers on its standard output.
//!
//! It is run in a process group of its own, so that it and all that it has started can be ended when
//! it is over, or the time is, or somebody asks for it.

use std::fmt::Write as _;
use std::io::{self, Read, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use npuzzle::{AuditError, Board, Stats, Watch};

/// How often the watch is asked.
const TICK: Duration = Duration::from_millis(5);

/// Bytes of standard error that are shown.
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
        let ended = self.run(&text, 64 * boards.len() + (1 << 20), watch)?;
        self.read(&ended, boards)
    }

    fn failed(&self, what: impl std::fmt::Display) -> AuditError {
        let name = self.command.first().map_or("", String::as_str);
        AuditError::Estimates(format!("{name}: {what}").into())
    }

    fn run(
        &self,
        text: &str,
        most_bytes: usize,
        watch: &mut dyn Watch,
    ) -> Result<Ended, AuditError> {
        let Some((name, arguments)) = self.command.split_first() else {
            return Err(self.failed("no program"));
        };
        let mut command = Command::new(name);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| self.failed(error))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            end(&mut child);
            return Err(self.failed("no pipes"));
        };
        thread::scope(|scope| {
            // A program that does not read to the end has its reasons: its output tells. What it
            // reads from is closed when all is written.
            scope.spawn(move || drop(stdin.write_all(text.as_bytes())));
            let output = scope.spawn(move || read_up_to(stdout, most_bytes));
            let told = scope.spawn(move || read_up_to(stderr, MAX_TOLD));
            let status = loop {
                match child.try_wait() {
                    Ok(Some(status)) => break Ok(status),
                    Ok(None) => {}
                    Err(error) => break Err(self.failed(error)),
                }
                if let Some(limit) = watch.poll(&Stats::default()).break_value() {
                    break Err(AuditError::Limit(limit));
                }
                thread::sleep(TICK);
            };
            end(&mut child);
            let (output, is_cut) = output.join().unwrap_or_default();
            let (told, _) = told.join().unwrap_or_default();
            Ok(Ended { status: status?, output, is_cut, told })
        })
    }

    fn read(&self, ended: &Ended, boards: &[Board]) -> Result<Vec<f64>, AuditError> {
        let told = ended.told.trim_end();
        let told = if told.is_empty() { String::new() } else { format!("\n{told}") };
        if !ended.status.success() {
            return Err(self.failed(format!("it failed with {}{told}", ended.status)));
        }
        if ended.is_cut {
            return Err(self.failed("it prints far more than a number for each board"));
        }
        let mut estimates = Vec::with_capacity(boards.len());
        let lines = (1..).zip(ended.output.lines()).map(|(at, line)| (at, line.trim()));
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

/// What is left of a run.
struct Ended {
    status: ExitStatus,
    output: String,
    /// Whether it had more to say.
    is_cut: bool,
    told: String,
}

/// Reads to the end, keeps so many bytes, and says whether there were more.
fn read_up_to(mut pipe: impl Read, most: usize) -> (String, bool) {
    let mut kept = Vec::new();
    // A pipe that breaks is at its end.
    let _ = pipe.by_ref().take(most as u64).read_to_end(&mut kept);
    // Whoever writes must not wait for a reader.
    let n_more = io::copy(&mut pipe, &mut io::sink()).unwrap_or(0);
    (String::from_utf8_lossy(&kept).into_owned(), n_more > 0)
}

/// Ends a program and whatever it has started. That it has ended by itself is no mistake.
fn end(child: &mut Child) {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, killpg};
        let group = i32::try_from(child.id()).map(nix::unistd::Pid::from_raw);
        let _ = group.map(|group| killpg(group, Signal::SIGKILL));
    }
    let _ = child.kill();
    let _ = child.wait();
}
