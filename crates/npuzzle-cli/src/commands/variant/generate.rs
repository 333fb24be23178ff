//! `npuzzle generate --course` with a variant of the puzzle.

use npuzzle::{Metric, Random};
use npuzzle_courses::{VariantCourse, VariantSpec};

use super::failure;
use crate::args::GenerateArgs;
use crate::commands::new_seed;
use crate::exit::{Exit, Failure};
use crate::io::output::Output;
use crate::io::signals;
use crate::messages;
use crate::report::progress::SearchProgress;

/// Writes the start of each puzzle in the format of the course.
pub(crate) fn run(args: &GenerateArgs, course: &VariantCourse) -> Result<Exit, Failure> {
    reject_other_flags(args, course)?;
    let mut output = Output::open(args.out.path())?;
    let seed = args.seed.unwrap_or_else(new_seed);
    if args.seed.is_none() && !args.quiet.quiet {
        messages::note(format!("seed: {seed}"));
    }
    let mut random = Random::new(seed);
    let spec = VariantSpec { cost: args.moves.clone(), is_unsolvable: args.unsolvable };
    let mut progress = SearchProgress::new(signals::cancel()?, args.quiet.quiet, 1);
    for _ in 0..args.count {
        let case = (course.generate)(&spec, &mut random, &mut progress);
        let case = case.map_err(|error| failure(error, &Vec::new()))?;
        let text = case.files.first().map_or("", |(_, text)| text);
        progress.suspend(|| output.write(text.as_bytes()))?;
    }
    drop(progress);
    output.finish()?;
    Ok(Exit::Yes)
}

/// Rejects flags that have no meaning for boards of a course.
fn reject_other_flags(args: &GenerateArgs, course: &VariantCourse) -> Result<(), Failure> {
    let given = [
        ("--unique", args.unique),
        ("--expanded", args.expanded.is_some()),
        ("--metric", args.metric.metric != Metric::Stm),
        ("--for", !args.ids.is_empty()),
        ("--for-each", args.for_each.is_some()),
        ("--key", args.key.is_some()),
        ("--out-dir", args.out_dir.is_some()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => {
            Err(Failure::usage(format!("{flag} cannot be used with --course {}", course.name)))
        }
        None => Ok(()),
    }
}
