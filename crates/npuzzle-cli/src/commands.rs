//! The commands, one file each.

mod audit;
mod census;
mod check;
mod cluster;
mod compare;
mod completions;
mod convert;
mod course;
mod dataset;
mod generate;
mod grade;
mod judge;
mod play;
mod render;
mod serve;
mod solve;
mod tables;
mod trace;
mod variant;

use crate::args::{Command, CourseChoice, Deferred};
use crate::exit::{Exit, Failure};

pub(crate) fn run(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Solve(Deferred(args)) => solve::run(&args),
        Command::Course(Deferred(args)) => course::run(&args),
        Command::Check(Deferred(args)) => match &args.course {
            Some(CourseChoice::Variant(course)) => variant::check::run(&args, course),
            _ => check::run(&args),
        },
        Command::Generate(Deferred(args)) => generate::run(&args),
        Command::Trace(Deferred(args)) => trace::run(&args),
        Command::Compare(Deferred(args)) => compare::run(&args),
        Command::Audit(Deferred(args)) => audit::run(&args),
        Command::Census(Deferred(args)) => census::run(&args),
        Command::Cluster(Deferred(args)) => cluster::run(&args),
        Command::Grade(Deferred(args)) => grade::run(&args),
        Command::Dataset(Deferred(args)) => dataset::run(&args),
        Command::Judge(Deferred(args)) => judge::run(&args),
        Command::Convert(Deferred(args)) => convert::run(&args),
        Command::Render(Deferred(args)) => render::run(&args),
        Command::Play(Deferred(args)) => play::run(&args),
        Command::Serve(Deferred(args)) => serve::run(&args),
        Command::Tables(Deferred(args)) => tables::run(&args),
        Command::Completions(Deferred(args)) => completions::completions(&args),
        Command::Man(Deferred(args)) => completions::man(&args),
    }
}

/// A new seed, short enough to be typed.
fn new_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id()) % 1_000_000_000
}
