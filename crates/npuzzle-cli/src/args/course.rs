//! The flags of `npuzzle course`.
//!
//! Every course describes its own command line ([`npuzzle_courses::CommandLine`]); this module
//! translates the descriptions to clap and applies the flags to the course.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{
    Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, Error, FromArgMatches, Parser, Subcommand,
    value_parser,
};
use npuzzle::{Dims, Random};
use npuzzle_courses::{ALL, Choice, Course, FileArg, Flag, FlagAction, find, find_variant};

use super::groups::LimitArgs;
use super::values;
use super::variant::{self, VariantCommand};

const EXIT_CODES: &str = "\
Exit codes: 0 solved · 1 unsolvable · 2 bad usage, bad input or a file that cannot be read · 3 a \
limit was reached · 4 the answer could not be written · 130 interrupted";

/// Run the program of a university course.
#[derive(Parser, Debug)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
#[command(disable_help_subcommand = true, after_help = EXIT_CODES)]
pub(crate) struct CourseArgs {
    /// List the courses, one per line
    #[arg(long, action = ArgAction::SetTrue)]
    pub(crate) list: bool,

    #[command(subcommand)]
    pub(crate) course: Option<AnyCourseCommand>,
}

/// The subcommand of `npuzzle course`.
#[derive(Debug)]
pub(crate) enum AnyCourseCommand {
    Standard(CourseCommand),
    Variant(VariantCommand),
}

/// A course with its flags applied, and its files.
#[derive(Debug)]
pub(crate) struct CourseCommand {
    pub(crate) course: Course,
    pub(crate) input: CourseInput,
    /// The file for the answer; standard output if the course writes no file.
    pub(crate) output: Option<PathBuf>,
}

/// The board that a course program solves.
#[derive(Debug)]
pub(crate) enum CourseInput {
    File(PathBuf),
    Random { make: RandomBoard, side: u16, seed: Option<u64>, solvable: bool },
}

/// Writes a random board in the course's input format.
type RandomBoard = fn(Dims, bool, &mut Random) -> String;

/// The flags of courses that also solve random boards.
#[derive(Args, Debug)]
struct RandomArgs {
    /// Solve a random board with this side length instead of a file
    #[arg(long, value_name = "SIDE", value_parser = values::number(2_u16..=127))]
    random: Option<u16>,
    /// Seed of the random board [default: a new one, printed on stderr]
    #[arg(long, value_name = "N", requires = "random", value_parser = values::number::<u64>(..))]
    seed: Option<u64>,
    /// Make the random board unsolvable
    #[arg(long, requires = "random")]
    unsolvable: bool,
}

impl Subcommand for AnyCourseCommand {
    fn augment_subcommands(command: Command) -> Command {
        CourseCommand::augment_subcommands(command).subcommands(variant::subcommands())
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        AnyCourseCommand::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        CourseCommand::has_subcommand(name) || find_variant(name).is_some()
    }
}

impl FromArgMatches for AnyCourseCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<AnyCourseCommand, Error> {
        let variant =
            matches.subcommand().and_then(|(name, args)| Some((find_variant(name)?, args)));
        match variant {
            Some((course, matches)) => {
                variant::variant_command(course, matches).map(AnyCourseCommand::Variant)
            }
            None => CourseCommand::from_arg_matches(matches).map(AnyCourseCommand::Standard),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = AnyCourseCommand::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for CourseCommand {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(ALL.iter().map(subcommand))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        CourseCommand::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        find(name).is_some()
    }
}

/// The subcommand of a course.
fn subcommand(course: &Course) -> Command {
    let line = course.command_line;
    let mut command = Command::new(course.name);
    let mut input = file_arg(line.input);
    if line.random_board.is_some() {
        input = input.required(false);
    }
    command = command.arg(input).args(line.output.map(file_arg));
    if line.random_board.is_some() {
        let board = ArgGroup::new("board").args([line.input.name, "random"]).required(true);
        // Clap does not require what conflicts with another argument, so these two also exclude a file.
        let excludes_file = |arg: Arg| arg.conflicts_with(line.input.name);
        command = RandomArgs::augment_args(command).group(board);
        command = command.mut_arg("seed", excludes_file).mut_arg("unsolvable", excludes_file);
    }
    command = command.args(line.flags.iter().map(flag_arg));
    if line.has_limit_flags {
        command = LimitArgs::augment_args(command);
    }
    // Last, because the groups of flags set a text of their own.
    command.about(course.about)
}

fn file_arg(file: FileArg) -> Arg {
    let arg = Arg::new(file.name).help(file.help).value_name(file.name.to_uppercase());
    let arg = arg.value_parser(value_parser!(PathBuf));
    match file.default {
        Some(default) => arg.default_value(default),
        None => arg.required(true),
    }
}

fn flag_arg(flag: &Flag) -> Arg {
    let arg = Arg::new(flag.name).long(flag.name).help(flag.help);
    match flag.action {
        FlagAction::Switch(_) => arg.action(ArgAction::SetTrue),
        FlagAction::NodeLimit { default } => {
            let arg = arg.value_name("N").value_parser(values::number::<u64>(..));
            arg.default_value(default.to_string())
        }
        FlagAction::Choice { default, choices } => {
            let values = PossibleValuesParser::new(choices.iter().map(choice_value));
            let arg = arg.value_name(flag.name.to_uppercase()).value_parser(values);
            arg.default_values(default)
        }
    }
}

fn choice_value(choice: &Choice) -> PossibleValue {
    PossibleValue::new(choice.name).aliases(choice.alias).help(choice.help)
}

impl FromArgMatches for CourseCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<CourseCommand, Error> {
        let named = matches.subcommand().and_then(|(name, args)| Some((find(name)?, args)));
        let Some((mut course, matches)) = named else {
            return Err(Error::new(clap::error::ErrorKind::MissingSubcommand));
        };
        let line = course.command_line;
        line.flags.iter().for_each(|flag| apply(flag, matches, &mut course));
        if line.has_limit_flags {
            course.limits = LimitArgs::from_arg_matches(matches)?.get();
        }
        let path = |file: FileArg| matches.get_one::<PathBuf>(file.name).cloned();
        let file = CourseInput::File(path(line.input).unwrap_or_default());
        let input = match line.random_board {
            Some(make) => match RandomArgs::from_arg_matches(matches)? {
                RandomArgs { random: Some(side), seed, unsolvable } => {
                    CourseInput::Random { make, side, seed, solvable: !unsolvable }
                }
                _ => file,
            },
            None => file,
        };
        Ok(CourseCommand { course, input, output: line.output.and_then(path) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = CourseCommand::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Applies a flag of the command line to the course.
fn apply(flag: &Flag, matches: &ArgMatches, course: &mut Course) {
    match flag.action {
        FlagAction::Switch(change) => {
            if matches.get_flag(flag.name) {
                change(&mut course.search);
            }
        }
        FlagAction::Choice { choices, .. } => {
            let value = matches.get_one::<String>(flag.name);
            let choice =
                value.and_then(|value| choices.iter().find(|choice| choice.is_named(value)));
            if let Some(choice) = choice {
                (choice.apply)(&mut course.search);
            }
        }
        FlagAction::NodeLimit { .. } => {
            course.limits.nodes = matches.get_one::<u64>(flag.name).copied();
        }
    }
}
