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
use npuzzle_courses::{
    ALL, AnswerTarget, Choice, Course, FileArg, Flag, FlagAction, Method, RandomBoard, find,
    find_variant,
};

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
    Standard(Box<CourseCommand>),
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
    /// The text of the board, or a file with it.
    Text(String),
    Random {
        make: fn(Dims, bool, &mut Random) -> String,
        side: u16,
        seed: Option<u64>,
        solvable: bool,
    },
    Scrambled {
        make: fn(u32, &mut Random) -> String,
        n_moves: u32,
        seed: Option<u64>,
    },
}

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

/// The flags of courses that scramble a board if none is given.
#[derive(Args, Debug)]
struct ScrambleArgs {
    /// Number of random moves of the board that is solved if none is given
    #[arg(long = "moves", value_name = "N", value_parser = values::number(0_u32..=1_000_000))]
    n_moves: Option<u32>,
    /// Seed of these moves [default: a new one, printed on stderr]
    #[arg(long, value_name = "N", value_parser = values::number::<u64>(..))]
    seed: Option<u64>,
}

/// The name of the argument that selects the method.
const METHOD: &str = "method";

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
            None => CourseCommand::from_arg_matches(matches)
                .map(|command| AnyCourseCommand::Standard(Box::new(command))),
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
    let answer = match line.answer {
        AnswerTarget::Argument(file) => Some(file_arg(file)),
        AnswerTarget::Stdout | AnswerTarget::WorkingFolder(_) => None,
    };
    command = command.args(line.method.map(method_arg)).arg(file_arg(line.input)).args(answer);
    // Clap does not require what conflicts with another argument, so these flags also exclude a file.
    let excludes_file = |arg: Arg| arg.conflicts_with(line.input.name);
    command = match line.random_board {
        RandomBoard::None => command,
        RandomBoard::OfSize(_) => {
            let board = ArgGroup::new("board").args([line.input.name, "random"]).required(true);
            let command = command.mut_arg(line.input.name, |arg| arg.required(false));
            let command = RandomArgs::augment_args(command).group(board);
            command.mut_arg("seed", excludes_file).mut_arg("unsolvable", excludes_file)
        }
        RandomBoard::Scrambled { n_moves, .. } => {
            let command = command.mut_arg(line.input.name, |arg| arg.required(false));
            let command = ScrambleArgs::augment_args(command);
            let help = |arg: Arg| {
                let text = arg.get_help().map(ToString::to_string).unwrap_or_default();
                arg.help(format!("{text} [default: {n_moves}]"))
            };
            command.mut_arg("n_moves", help).mut_args(|arg| match arg.get_id().as_str() {
                "n_moves" | "seed" => excludes_file(arg),
                _ => arg,
            })
        }
    };
    command = command.args(line.flags.iter().map(flag_arg));
    if line.has_limit_flags {
        command = LimitArgs::augment_args(command);
    }
    // Last, because the groups of flags set a text of their own.
    command.about(course.about)
}

fn method_arg(method: Method) -> Arg {
    let values = PossibleValuesParser::new(method.choices.iter().map(choice_value));
    let arg = Arg::new(METHOD).help(method.help).value_name(METHOD.to_uppercase());
    arg.value_parser(values).ignore_case(true).required(true)
}

fn file_arg(file: FileArg) -> Arg {
    let arg = Arg::new(file.name).help(file.help).value_name(file.name.to_uppercase());
    let arg = match file.accepts_text {
        false => arg.value_parser(value_parser!(PathBuf)),
        true => arg.value_parser(value_parser!(String)),
    };
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
        if let Some(method) = line.method
            && let Some(name) = matches.get_one::<String>(METHOD)
        {
            apply_choice(method.choices, name, &mut course);
        }
        line.flags.iter().for_each(|flag| apply(flag, matches, &mut course));
        if line.has_limit_flags {
            course.limits = LimitArgs::from_arg_matches(matches)?.get();
        }
        let path = |file: FileArg| matches.get_one::<PathBuf>(file.name).cloned();
        let given = match line.input.accepts_text {
            true => matches.get_one::<String>(line.input.name).cloned().map(CourseInput::Text),
            false => path(line.input).map(CourseInput::File),
        };
        let input = match (given, line.random_board) {
            (Some(given), _) => given,
            (None, random) => random_input(random, matches)?,
        };
        let output = match line.answer {
            AnswerTarget::Stdout => None,
            AnswerTarget::Argument(file) => path(file),
            AnswerTarget::WorkingFolder(name) => Some(PathBuf::from(name)),
        };
        Ok(CourseCommand { course, input, output })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = CourseCommand::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The random board that the flags request.
fn random_input(random: RandomBoard, matches: &ArgMatches) -> Result<CourseInput, Error> {
    match random {
        RandomBoard::OfSize(make) => {
            let RandomArgs { random, seed, unsolvable } = RandomArgs::from_arg_matches(matches)?;
            let side = random.ok_or(Error::new(clap::error::ErrorKind::MissingRequiredArgument))?;
            Ok(CourseInput::Random { make, side, seed, solvable: !unsolvable })
        }
        RandomBoard::Scrambled { n_moves: default, make } => {
            let ScrambleArgs { n_moves, seed } = ScrambleArgs::from_arg_matches(matches)?;
            Ok(CourseInput::Scrambled { make, n_moves: n_moves.unwrap_or(default), seed })
        }
        // Clap requires the input of all other courses.
        RandomBoard::None => Err(Error::new(clap::error::ErrorKind::MissingRequiredArgument)),
    }
}

/// Applies the choice with this name to the course.
pub(crate) fn apply_choice(choices: &[Choice], name: &str, course: &mut Course) {
    let choice = choices.iter().find(|choice| choice.is_named(&name.to_lowercase()));
    if let Some(choice) = choice {
        (choice.apply)(course);
    }
}

/// Applies a flag of the command line to the course.
fn apply(flag: &Flag, matches: &ArgMatches, course: &mut Course) {
    match flag.action {
        FlagAction::Switch(change) => {
            if matches.get_flag(flag.name) {
                change(course);
            }
        }
        FlagAction::Choice { choices, .. } => {
            if let Some(name) = matches.get_one::<String>(flag.name) {
                apply_choice(choices, name, course);
            }
        }
        FlagAction::NodeLimit { .. } => {
            course.limits.nodes = matches.get_one::<u64>(flag.name).copied();
        }
    }
}
