//! Boards, goals and moves as texts in files of others: `#[serde(with = "npuzzle::text")]`.
//!
//! Each is written in one way (a board as `8 1 3/4 0 2/7 6 5`, a goal by its name, moves as `U L2 D`)
//! and read in any that the library reads. [`Text`] does the same inside of lists and maps.
//!
//! ```
//! use npuzzle::text::Text;
//! use npuzzle::{Board, Goal, Moves};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Exercise {
//!     #[serde(with = "npuzzle::text")]
//!     board: Board,
//!     #[serde(with = "npuzzle::text")]
//!     goal: Goal,
//!     answers: Vec<Text<Moves>>,
//! }
//!
//! let json = r#"{"board":"1 2 3/4 0 6/7 5 8","goal":"last","answers":["U L"]}"#;
//! let exercise: Exercise = serde_json::from_str(json)?;
//! assert!(exercise.answers[0].0.replay(&exercise.board)?.is_goal());
//! assert_eq!(serde_json::to_string(&exercise)?, json);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::Display;
use std::str::FromStr;

use npuzzle_core::{Board, Dims, Goal, Metric, Moves};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::options::{Algorithm, Effort, HeuristicChoice, TableSize};

/// What is written as one text, and read from it.
pub trait Canonical: FromStr<Err: Display> {
    /// The text.
    fn text(&self) -> impl Display;
}

impl Canonical for Board {
    fn text(&self) -> impl Display {
        self.slash()
    }
}

macro_rules! as_displayed {
    ($($type:ty),+) => {
        $(impl Canonical for $type {
            fn text(&self) -> impl Display {
                self
            }
        })+
    };
}

as_displayed!(Goal, Moves, Dims, Metric, Algorithm, HeuristicChoice, Effort, TableSize);

/// Writes the text.
pub fn serialize<T: Canonical, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&value.text())
}

/// Reads a text. The error is the library's own, with the place of what is wrong.
pub fn deserialize<'de, T: Canonical, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

/// A value that is its text, wherever it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Text<T>(pub T);

impl<T: Canonical> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(&self.0, serializer)
    }
}

impl<'de, T: Canonical> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text<T>, D::Error> {
        deserialize(deserializer).map(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Canonical + PartialEq + std::fmt::Debug>(text: &str) {
        let json = format!("{text:?}");
        let value: Text<T> = serde_json::from_str(&json).unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
    }

    #[test]
    fn texts_are_read_as_they_are_written() {
        check::<Board>("8 1 3/4 0 2/7 6 5");
        check::<Goal>("snail");
        check::<Goal>("1 2/0 3");
        check::<Moves>("U L2 D");
        check::<Dims>("3x4");
        check::<Metric>("mtm");
        check::<Algorithm>("wastar");
        check::<HeuristicChoice>("max(walking,inversion)");
    }

    #[test]
    fn what_is_wrong_is_said_by_the_library() {
        let error = serde_json::from_str::<Text<Board>>("\"1 2/3 3\"").unwrap_err();
        assert!(error.to_string().contains("tile 3 is there twice"), "{error}");
        assert!(serde_json::from_str::<Text<Board>>("7").is_err());
    }
}
