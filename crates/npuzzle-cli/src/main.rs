//! The binary `npuzzle`.
//!
//! Arguments are parsed (`args`), their command runs (`commands`), and its [`Exit`] becomes the exit
//! code. Answers go to standard output, everything else to standard error.

#![forbid(unsafe_code)]

mod args;
mod commands;
mod exit;
mod io;
mod messages;
mod report;
mod sandbox;

use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::args::Args;
use crate::exit::{Exit, Failure};

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    if let Some(code) = sandbox::run_launcher() {
        return ExitCode::from(code);
    }
    io::signals::ignore_file_size_signal();
    let exit = match Args::try_parse() {
        Ok(args) => commands::run(args.command).unwrap_or_else(|failure| failure.report()),
        Err(message) => print_usage(&message),
    };
    ExitCode::from(exit as u8)
}

/// Prints the help, the version, or what is wrong with the arguments.
fn print_usage(message: &clap::Error) -> Exit {
    if let Some(board) = board_without_command(message) {
        return Failure::usage(format!(
            "no command: to solve a board, run npuzzle solve \"{board}\""
        ))
        .report();
    }
    match message.print() {
        Err(error) if !message.use_stderr() => Failure::io("standard output", &error).report(),
        // Nothing can be done about a standard error that is closed.
        _ if message.use_stderr() => Exit::Usage,
        _ => Exit::Yes,
    }
}

/// The argument in place of a command, if it is a board or an existing file of boards.
fn board_without_command(message: &clap::Error) -> Option<&str> {
    let is_command = message.kind() == ErrorKind::InvalidSubcommand;
    let Some(ContextValue::String(word)) = message.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let names_boards = || {
        let input = io::input::Input::from_arg(word).ok();
        input
            .is_some_and(|input| npuzzle::format::read(&input.text, None).iter().any(Result::is_ok))
    };
    (is_command && word != "-" && names_boards()).then_some(word)
}
