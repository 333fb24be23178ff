//! Short words: sizes, goals, metrics, algorithms, heuristics, tables.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use npuzzle::format::Format;
use npuzzle::tables::TableName;
use npuzzle::teaching::{NamedHeuristic, TieBreak};
use npuzzle::{
    Algorithm, Dims, Effort, Goal, HeuristicChoice, HeuristicKind, Metric, Notation, TableSize,
};

use crate::place::{assert_words, text};

/// One text as every kind of name.
pub(super) fn feed(bytes: &[u8]) -> bool {
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
    ];
    checks.into_iter().filter(|check| check(text)).count() > 0
}

/// A name that is taken is printed and taken again; one that is not is told of in words. Whether it is
/// taken.
fn check<T: FromStr<Err: Display> + Display + PartialEq + Debug>(text: &str) -> bool {
    match text.parse::<T>() {
        Ok(value) => match value.to_string().parse::<T>() {
            Ok(again) => assert_eq!(again, value),
            Err(error) => panic!("{value} is printed and not taken: {error}"),
        },
        Err(error) => {
            assert_words(&error.to_string());
            return false;
        }
    }
    true
}
