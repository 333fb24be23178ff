//! Parsers of flag values.

use std::error::Error;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use npuzzle::format::Format;
use npuzzle::search::Weight;
use npuzzle::teaching::{NamedHeuristic, TieBreak};
use npuzzle::{
    Algorithm, Dims, DimsError, Effort, FormatError, Goal, HeuristicChoice, Metric, NameError,
    TableSize,
};

pub(super) fn goal(text: &str) -> Result<Goal, String> {
    text.parse().map_err(|error: FormatError| {
        format!("not last, first, snail or a board: {}", error.message())
    })
}

pub(super) fn heuristic(text: &str) -> Result<HeuristicChoice, String> {
    text.parse().map_err(|error: NameError| error.to_string())
}

/// A heuristic, or one of the deliberately wrong ones.
pub(super) fn named_heuristic(text: &str) -> Result<NamedHeuristic, String> {
    text.parse().map_err(|error: NameError| error.to_string())
}

pub(super) fn dims(text: &str) -> Result<Dims, String> {
    text.parse().map_err(|error: DimsError| error.to_string())
}

pub(super) fn weight(text: &str) -> Result<Weight, String> {
    let weight = text.parse().ok().and_then(Weight::new);
    weight.ok_or_else(|| format!("expected a number from 1 to {}", Weight::MAX))
}

/// The path of a chart. Any extension other than `svg` would name a file that no viewer opens.
pub(super) fn svg_file(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    match path.extension() {
        Some(extension) if !extension.eq_ignore_ascii_case("svg") => {
            Err("charts are SVG files".to_owned())
        }
        _ => Ok(path),
    }
}

pub(super) fn algorithm() -> impl TypedValueParser<Value = Algorithm> {
    one_of(Algorithm::ALL)
}

pub(super) fn metric() -> impl TypedValueParser<Value = Metric> {
    one_of(&Metric::ALL)
}

pub(super) fn effort() -> impl TypedValueParser<Value = Effort> {
    one_of(Effort::ALL)
}

pub(super) fn table_size() -> impl TypedValueParser<Value = TableSize> {
    one_of(TableSize::ALL)
}

pub(super) fn format() -> impl TypedValueParser<Value = Format> {
    one_of(&Format::ALL)
}

pub(super) fn tie_break() -> impl TypedValueParser<Value = TieBreak> {
    one_of(TieBreak::ALL)
}

/// Accepts the names of `choices`, which the help lists.
fn one_of<T>(choices: &[T]) -> impl TypedValueParser<Value = T> + use<T>
where
    T: Display + FromStr<Err: Error + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    let names: Vec<String> = choices.iter().map(ToString::to_string).collect();
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>())
}
