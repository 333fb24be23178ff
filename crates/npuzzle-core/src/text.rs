//! Boards, goals, moves and the like as texts in the files of others, with the feature `serde`.
//!
//! Each is written in one way (a board as `8 1 3/4 0 2/7 6 5`, a goal by its name, moves as `U L2 D`)
//! and read in any that the library reads. The error is the library's own, with the place of what is
//! wrong.

use crate::{Board, Dims, Goal, Metric, Moves, Notation};

/// Types that are written as a text, and read from it by their `FromStr`; no part of the interface.
#[doc(hidden)]
#[macro_export]
macro_rules! as_text {
    ($($type:ty: $value:ident => $text:expr),+ $(,)?) => {
        $(impl ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $value = self;
                serializer.collect_str(&$text)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                let text = <String as ::serde::Deserialize>::deserialize(from)?;
                text.parse().map_err(<D::Error as ::serde::de::Error>::custom)
            }
        })+
    };
}

as_text!(
    Board: board => board.slash(),
    Goal: goal => goal,
    Moves: moves => moves,
    Dims: dims => dims,
    Metric: metric => metric,
    Notation: notation => notation,
);

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use serde::Serialize;
    use serde::de::DeserializeOwned;

    use super::*;

    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(text: &str) {
        let json = format!("{text:?}");
        let value: T = serde_json::from_str(&json).unwrap();
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
        check::<Notation>("numbers");
    }

    #[test]
    fn what_is_wrong_is_said_by_the_library() {
        let error = serde_json::from_str::<Board>("\"1 2/3 3\"").unwrap_err();
        assert!(error.to_string().contains("tile 3 is there twice"), "{error}");
        assert!(serde_json::from_str::<Board>("7").is_err());
    }
}
