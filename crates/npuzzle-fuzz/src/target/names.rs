//! Names of sizes, goals, metrics, algorithms, heuristics, tables, orders of moves, sets of boards.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use npuzzle::format::Format;
use npuzzle::tables::TableName;
use npuzzle::teaching::{BoardSet, NamedHeuristic, TieBreak, TraceAlgorithm};
use npuzzle::{
    Algorithm, Dims, Effort, Goal, HeuristicChoice, HeuristicKind, Metric, MoveOrder, Notation,
    TableSize,
};

use crate::assertions::{assert_message, text};

/// Parses the text as every kind of name.
pub(super) fn run(bytes: &[u8]) -> bool {
    let text = &*text(bytes);
    let checks = [
        check::<Dims>,
        check::<Goal>,
        check::<Metric>,
        check::<Notation>,
        check::<Format>,
        check::<Algorithm>,
        check::<Effort>,
        check::<HeuristicKind>,
        check::<HeuristicChoice>,
        check::<NamedHeuristic>,
        check::<TieBreak>,
        check::<TableSize>,
        check::<TableName>,
        check::<TraceAlgorithm>,
        check::<MoveOrder>,
        check::<BoardSet>,
    ];
    checks.into_iter().filter(|check| check(text)).count() > 0
}

/// Asserts that an accepted name prints as a name for the same value, and that a rejected one has an
/// error message. Returns whether the name is accepted.
fn check<T: FromStr<Err: Display> + Display + PartialEq + Debug>(text: &str) -> bool {
    match text.parse::<T>() {
        Ok(value) => match value.to_string().parse::<T>() {
            Ok(again) => assert_eq!(again, value),
            Err(error) => panic!("{value} is printed but not accepted: {error}"),
        },
        Err(error) => {
            assert_message(&error.to_string());
            return false;
        }
    }
    true
}
