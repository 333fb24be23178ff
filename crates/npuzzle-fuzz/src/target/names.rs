//! Short words: sizes, goals, metrics, algorithms, heuristics, tables.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use npuzzle::format::Format;
use npuzzle::{
    Algorithm, Dims, Effort, Estimate, HeuristicChoice, Metric, Suspect, TableName, TableSize,
};

use crate::place::{assert_words, text};

/// One text as every kind of name.
pub(super) fn feed(bytes: &[u8]) {
    let text = &*text(bytes);
    check::<Dims>(text);
    check::<Metric>(text);
    check::<Format>(text);
    check::<Algorithm>(text);
    check::<Effort>(text);
    check::<Estimate>(text);
    check::<HeuristicChoice>(text);
    check::<Suspect>(text);
    check::<TableSize>(text);
    check::<TableName>(text);
}

/// A name that is taken is printed and taken again; one that is not is told of in words.
fn check<T: FromStr<Err: Display> + Display + PartialEq + Debug>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => match value.to_string().parse::<T>() {
            Ok(again) => assert_eq!(again, value),
            Err(error) => panic!("{value} is printed and not taken: {error}"),
        },
        Err(error) => assert_words(&error.to_string()),
    }
}
