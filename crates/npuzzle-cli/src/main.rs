//! The binary `npuzzle`.
//!
//! One file per verb in `verb/`, one per form of output in `form/`. Answers go to stdout,
//! everything else to stderr, and the exit code says how it went ([`exit::Exit`]).

#![forbid(unsafe_code)]

mod args;
mod commands;
mod exit;
mod io;
mod report;
mod sandbox;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Later, Verb};
use crate::exit::{Exit, Failure};

fn main() -> ExitCode {
    crate::io::signals::survive_large_files();
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(told) => return tell(&told),
    };
    let result = match args.verb {
        Verb::Solve(Later(args)) => commands::solve::run(&args),
        Verb::Course(Later(args)) => commands::course::run(&args),
        Verb::Check(Later(args)) => commands::check::run(&args),
        Verb::Generate(Later(args)) => commands::generate::run(&args),
        Verb::Audit(Later(args)) => commands::audit::run(&args),
        Verb::Census(Later(args)) => commands::census::run(&args),
        Verb::Cluster(Later(args)) => commands::cluster::run(&args),
        Verb::Compare(Later(args)) => commands::compare::run(&args),
        Verb::Trace(Later(args)) => commands::trace::run(&args),
        Verb::Grade(Later(args)) => commands::grade::run(&args),
        Verb::Convert(Later(args)) => commands::convert::run(&args),
        Verb::Render(Later(args)) => commands::render::run(&args),
        Verb::Play(Later(args)) => commands::play::run(&args),
        Verb::Serve(Later(args)) => commands::serve::run(&args),
        Verb::Tables(Later(args)) => commands::tables::run(&args),
        Verb::Completions(Later(args)) => commands::completions::completions(&args),
        Verb::Man(Later(args)) => commands::completions::man(&args),
    };
    let exit = result.unwrap_or_else(|failure| {
        if !failure.is_closed_pipe() {
            exit::complain(&failure);
        }
        failure.exit()
    });
    ExitCode::from(exit as u8)
}

/// Shows help, the version, or what is wrong with the arguments.
fn tell(told: &clap::Error) -> ExitCode {
    match told.print() {
        // Nothing can be done about a stderr that is closed.
        Err(error) if !told.use_stderr() && error.kind() != std::io::ErrorKind::BrokenPipe => {
            exit::complain(Failure::io("standard output", &error));
            ExitCode::from(Exit::File as u8)
        }
        _ => ExitCode::from(told.exit_code() as u8),
    }
}

/// A new seed, short enough to be typed.
fn chosen_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id()) % 1_000_000_000
}
