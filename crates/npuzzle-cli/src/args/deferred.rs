//! Arguments of a verb that are described to clap when somebody uses it.
//!
//! There are hundreds of them, and to describe all was two thirds of what a process does that solves an
//! 8-puzzle.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// The arguments of a verb.
#[derive(Clone, Debug)]
pub(crate) struct Later<T>(pub(crate) T);

impl<T: Args> Args for Later<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(T::augment_args)
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(T::augment_args_for_update)
    }
}

impl<T: Args> FromArgMatches for Later<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Later<T>, Error> {
        T::from_arg_matches(matches).map(Later)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
