//! The command lines of the courses on variants of the puzzle.
//!
//! Every course lists its arguments ([`npuzzle_courses::Argument`]); this module translates them to clap.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};
use npuzzle_courses::{Argument, ArgumentKind, VARIANTS, VariantCourse};

use super::groups::LimitArgs;
use super::values;

/// A course on a variant of the puzzle, with the arguments of its program.
#[derive(Debug)]
pub(crate) struct VariantCommand {
    /// The course, with the limits of the flags.
    pub(crate) course: VariantCourse,
    /// The arguments that were given or have a default. Files are named by their paths.
    pub(crate) values: Vec<(Argument, String)>,
}

/// The subcommands of the courses.
pub(super) fn subcommands() -> impl Iterator<Item = Command> {
    VARIANTS.iter().map(subcommand)
}

fn subcommand(course: &VariantCourse) -> Command {
    let command = Command::new(course.name).args(course.arguments.iter().map(arg));
    // Last, because the groups of flags set a text of their own.
    LimitArgs::augment_args(command)
        .mut_arg("time", |arg| match course.limits.time {
            Some(time) => arg.default_value(format!("{}s", time.as_secs())),
            None => arg,
        })
        .about(course.about)
}

fn arg(argument: &Argument) -> Arg {
    let arg = Arg::new(argument.name).help(argument.help);
    let arg = arg.value_name(argument.name.to_uppercase());
    match argument.kind {
        ArgumentKind::File => arg.required(true).value_parser(value_parser!(PathBuf)),
        ArgumentKind::Board | ArgumentKind::Word { default: None } => arg.required(true),
        ArgumentKind::Word { default: Some(default) } => arg.default_value(default),
        ArgumentKind::Choice(choices) => {
            let values = choices.iter().map(|(name, help)| PossibleValue::new(*name).help(*help));
            let arg = arg.long(argument.name).value_parser(PossibleValuesParser::new(values));
            arg.default_values(choices.first().map(|(name, _)| *name))
        }
        ArgumentKind::Number => {
            arg.long(argument.name).value_name("N").value_parser(values::number::<u32>(..))
        }
    }
}

/// The command of a course with these arguments.
pub(super) fn variant_command(
    course: VariantCourse,
    matches: &ArgMatches,
) -> Result<VariantCommand, Error> {
    let value = |argument: &Argument| {
        let value = match argument.kind {
            ArgumentKind::File => {
                matches.get_one::<PathBuf>(argument.name)?.to_string_lossy().into_owned()
            }
            ArgumentKind::Number => matches.get_one::<u32>(argument.name)?.to_string(),
            _ => matches.get_one::<String>(argument.name)?.clone(),
        };
        Some((*argument, value))
    };
    let values = course.arguments.iter().filter_map(value).collect();
    let limits = LimitArgs::from_arg_matches(matches)?.get();
    Ok(VariantCommand { course: VariantCourse { limits, ..course }, values })
}
