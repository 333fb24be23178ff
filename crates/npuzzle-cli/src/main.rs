//! The binary `npuzzle`.
//!
//! One file per verb in `verb/`, one per form of output in `form/`. Answers go to stdout,
//! everything else to stderr, and the exit code says how it went ([`exit::Exit`]).

#![forbid(unsafe_code)]

mod args;
mod chart;
mod exit;
mod folder;
mod form;
mod input;
mod output;
mod progress;
mod sandbox;
mod signals;
mod units;
mod verb;
mod written;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Later, Verb};
use crate::exit::{Exit, Failure};

fn main() -> ExitCode {
    signals::survive_large_files();
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(told) => return tell(&told),
    };
    let result = match args.verb {
        Verb::Solve(Later(args)) => verb::solve::run(&args),
        Verb::Course(Later(args)) => verb::course::run(&args),
        Verb::Check(Later(args)) => verb::check::run(&args),
        Verb::Generate(Later(args)) => verb::generate::run(&args),
        Verb::Audit(Later(args)) => verb::audit::run(&args),
        Verb::Census(Later(args)) => verb::census::run(&args),
        Verb::Cluster(Later(args)) => verb::cluster::run(&args),
        Verb::Compare(Later(args)) => verb::compare::run(&args),
        Verb::Trace(Later(args)) => verb::trace::run(&args),
        Verb::Grade(Later(args)) => verb::grade::run(&args),
        Verb::Convert(Later(args)) => verb::convert::run(&args),
        Verb::Render(Later(args)) => verb::render::run(&args),
        Verb::Play(Later(args)) => verb::play::run(&args),
        Verb::Serve(Later(args)) => verb::serve::run(&args),
        Verb::Tables(Later(args)) => verb::tables::run(&args),
        Verb::Completions(Later(args)) => verb::shell::completions(&args),
        Verb::Man(Later(args)) => verb::shell::man(&args),
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
        Err(error) if !told.use_stderr() && error.kind() != io::ErrorKind::BrokenPipe => {
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
