//! Boards, goals, moves and other values as strings, with the feature `serde`.
//!
//! Every type is serialized in one text form (a board as `8 1 3/4 0 2/7 6 5`, a goal by its name, moves
//! as `U L2 D`) and deserialized from any form that its `FromStr` accepts, with the errors of `FromStr`.

use crate::{Board, Dims, Goal, Metric, Moves, Notation};

/// Serializes types as strings and deserializes them with `FromStr`. Not part of the public API.
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
    fn serialized_strings_round_trip() {
        check::<Board>("8 1 3/4 0 2/7 6 5");
        check::<Goal>("snail");
        check::<Goal>("1 2/0 3");
        check::<Moves>("U L2 D");
        check::<Dims>("3x4");
        check::<Metric>("mtm");
        check::<Notation>("numbers");
    }

    #[test]
    fn deserialization_reports_the_format_error() {
        let error = serde_json::from_str::<Board>("\"1 2/3 3\"").unwrap_err();
        assert!(error.to_string().contains("tile 3 appears twice"), "{error}");
        assert!(serde_json::from_str::<Board>("7").is_err());
    }
}
