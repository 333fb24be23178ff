//! A pseudo-terminal that runs the binary and keeps its screen.

use std::io::{ErrorKind, Read, Write};
use std::num::NonZeroU16;
use std::process::Command;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use vt100::{MouseProtocolMode, Parser};

/// Long enough for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

pub(crate) struct Terminal {
    master: Box<dyn MasterPty + Send>,
    /// `None` once it has ended.
    child: Option<Box<dyn Child + Send + Sync>>,
    input: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    screen: Parser,
    /// The terminal settings before the game.
    settings: String,
}

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn whole(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).unwrap()
}

impl Terminal {
    /// Starts the binary in a terminal of 24 lines and 80 columns.
    pub(crate) fn start(args: &[&str]) -> Terminal {
        let pair = native_pty_system().openpty(size(24, 80)).unwrap();
        let settings = settings(&*pair.master);
        let child = Some(pair.slave.spawn_command(binary(args)).unwrap());
        // The output ends when no process has the other side open.
        drop(pair.slave);
        let input = pair.master.take_writer().unwrap();
        let output = read(pair.master.try_clone_reader().unwrap());
        let screen = Parser::new(whole(24), whole(80), 0);
        Terminal { master: pair.master, child, input, output, screen, settings }
    }

    pub(crate) fn send(&mut self, keys: &str) {
        self.input.write_all(keys.as_bytes()).unwrap();
        self.input.flush().unwrap();
    }

    /// Clicks with the left button; rows and columns count from 0.
    pub(super) fn click(&mut self, row: u16, col: u16) {
        let (row, col) = (row + 1, col + 1);
        self.send(&format!("\x1b[<0;{col};{row}M\x1b[<0;{col};{row}m"));
    }

    pub(super) fn resize(&mut self, rows: u16, cols: u16) {
        self.screen.set_size(whole(rows), whole(cols));
        self.master.resize(size(rows, cols)).unwrap();
    }

    pub(crate) fn signal(&self, signal: &str) {
        let id = self.child.as_ref().unwrap().process_id().unwrap().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }

    pub(crate) fn text(&self) -> String {
        self.screen.screen().contents()
    }

    pub(crate) fn wait_for(&mut self, text: &str) {
        self.wait(&format!("{text:?}"), |screen| screen.contains(text));
    }

    pub(super) fn wait_until(&mut self, condition: impl Fn(&str) -> bool) {
        self.wait("the screen", condition);
    }

    fn wait(&mut self, what: &str, condition: impl Fn(&str) -> bool) {
        let began = Instant::now();
        while !condition(&self.text()) {
            let left = TIMEOUT.saturating_sub(began.elapsed());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(RecvTimeoutError::Timeout) => panic!("no {what} in\n{}", self.text()),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("ended before {what}\n{}", self.text())
                }
            }
        }
    }

    /// The row and column of a text on the screen.
    pub(super) fn place_of(&self, text: &str) -> (u16, u16) {
        let screen = self.text();
        let found = screen.lines().enumerate().find_map(|(row, line)| {
            let col = line[..line.find(text)?].chars().count();
            Some((row as u16, col as u16))
        });
        found.unwrap_or_else(|| panic!("no {text:?} in\n{screen}"))
    }

    /// Whether the alternate screen is active, without a cursor and with mouse events.
    pub(super) fn is_taken(&self) -> bool {
        let screen = self.screen.screen();
        let mouse = screen.mouse_protocol_mode() != MouseProtocolMode::None;
        let taken = [screen.alternate_screen(), screen.hide_cursor(), mouse];
        assert!(taken == [true; 3] || taken == [false; 3], "{taken:?}");
        taken[0]
    }

    /// Waits for the end, checks that the terminal is restored, and returns the exit code.
    pub(super) fn end(mut self) -> u32 {
        let code = self.exit_code();
        assert!(!self.is_taken());
        assert_eq!(self.text().trim(), "", "the main screen is empty");
        assert_eq!(settings(&*self.master), self.settings);
        code
    }

    /// Waits for the end and returns the exit code.
    pub(crate) fn exit_code(&mut self) -> u32 {
        let began = Instant::now();
        loop {
            match self.output.recv_timeout(TIMEOUT.saturating_sub(began.elapsed())) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(RecvTimeoutError::Timeout) => panic!("timeout at\n{}", self.text()),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.child.take().unwrap().wait().unwrap().exit_code()
    }
}

impl Drop for Terminal {
    /// Kills the process if the test failed.
    fn drop(&mut self) {
        let _ = self.child.as_mut().map(|child| child.kill());
    }
}

/// The settings of the terminal: line editing, echo, and so on.
fn settings(master: &dyn MasterPty) -> String {
    let settings = master.get_termios().unwrap();
    let (input, output) = (settings.input_flags, settings.output_flags);
    format!("{input:?} {output:?} {:?} {:?}", settings.control_flags, settings.local_flags)
}

/// Reads the output on a thread.
fn read(mut reader: Box<dyn Read + Send>) -> Receiver<Vec<u8>> {
    let (to, output) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        loop {
            match reader.read(&mut bytes) {
                Ok(0) => break,
                Ok(n) if to.send(bytes[..n].to_vec()).is_ok() => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // No process has the other side open.
                _ => break,
            }
        }
    });
    output
}

/// Starts the binary, closes its terminal after this text, and returns the exit code.
pub(super) fn close_after(args: &[&str], text: &[u8]) -> u32 {
    let pair = native_pty_system().openpty(size(24, 80)).unwrap();
    let mut child = pair.slave.spawn_command(binary(args)).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut all = Vec::new();
    while !all.windows(text.len()).any(|window| window == text) {
        let mut bytes = [0; 4096];
        let n = reader.read(&mut bytes).unwrap();
        all.extend_from_slice(&bytes[..n]);
    }
    drop((reader, pair.master));
    let began = Instant::now();
    loop {
        match child.try_wait().unwrap() {
            Some(status) => return status.exit_code(),
            None if began.elapsed() > TIMEOUT => {
                child.kill().unwrap();
                panic!("it continues without a terminal");
            }
            None => thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn binary(args: &[&str]) -> CommandBuilder {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_npuzzle"));
    command.args(args);
    command.env("NPUZZLE_CACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command.env("TERM", "xterm-256color");
    command
}
