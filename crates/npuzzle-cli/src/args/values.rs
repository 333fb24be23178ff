//! Parsers of flag values.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use npuzzle::search::Weight;
use npuzzle::{FormatError, Goal};
use npuzzle_courses::{Course, VariantCourse};

use super::course_choice::CourseChoice;

pub(super) fn goal(text: &str) -> Result<Goal, String> {
    text.parse().map_err(|error: FormatError| {
        format!("not last, first, snail or a board: {}", error.message())
    })
}

/// A value with the error message of its type.
pub(super) fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// A whole number in a range. The messages of clap's own parsers come from the standard library.
pub(super) fn number<T: FromStr + PartialOrd + Display>(
    range: impl RangeBounds<T> + Clone,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let is_huge = text.len() > 19 && text.bytes().all(|byte| byte.is_ascii_digit());
            match (range.start_bound(), range.end_bound()) {
                (Bound::Included(min), Bound::Included(max)) => {
                    format!("expected a number from {min} to {max}")
                }
                _ if is_huge => "the number is too large".to_owned(),
                (Bound::Included(min), _) => format!("expected a whole number of at least {min}"),
                _ => "expected a whole number".to_owned(),
            }
        })
    }
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

pub(super) fn course() -> impl TypedValueParser<Value = CourseChoice> {
    const ALL: &[Course] = &npuzzle_courses::ALL;
    let all = ALL.iter().map(|course| (course.name, CourseChoice::Standard(course)));
    let variants =
        npuzzle_courses::VARIANTS.map(|course| (course.name, CourseChoice::Variant(course)));
    by_name(all.chain(variants).map(|(name, course)| (name.to_owned(), course)).collect())
}

pub(super) fn variant_course() -> impl TypedValueParser<Value = VariantCourse> {
    by_name(npuzzle_courses::VARIANTS.map(|course| (course.name.to_owned(), course)).to_vec())
}

/// One of these, by its name.
pub(super) fn one_of<T: Display + Clone + Send + Sync + 'static>(
    choices: &[T],
) -> impl TypedValueParser<Value = T> + use<T> {
    by_name(choices.iter().map(|choice| (choice.to_string(), choice.clone())).collect())
}

/// One of these, by its name or an alias, which the help does not list.
pub(super) fn one_of_aliased<T: Display + Clone + PartialEq + Send + Sync + 'static>(
    choices: &[T],
    aliases: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> + use<T> {
    let values = choices.iter().map(|choice| {
        let own = aliases.iter().filter(|(_, aliased)| aliased == choice).map(|&(alias, _)| alias);
        PossibleValue::new(choice.to_string()).aliases(own)
    });
    let named = choices.iter().map(|choice| (choice.to_string(), choice.clone()));
    let aliased = aliases.iter().map(|(alias, choice)| ((*alias).to_owned(), choice.clone()));
    lookup(PossibleValuesParser::new(values.collect::<Vec<_>>()), named.chain(aliased).collect())
}

/// Accepts the names of the choices, which the help lists.
fn by_name<T: Clone + Send + Sync + 'static>(
    choices: Vec<(String, T)>,
) -> impl TypedValueParser<Value = T> {
    let names: Vec<String> = choices.iter().map(|(name, _)| name.clone()).collect();
    lookup(PossibleValuesParser::new(names), choices)
}

/// The value of a name that the parser accepts.
fn lookup<T: Clone + Send + Sync + 'static>(
    names: PossibleValuesParser,
    choices: Vec<(String, T)>,
) -> impl TypedValueParser<Value = T> {
    names.try_map(move |name| {
        let choice = choices.iter().find(|(known, _)| *known == name);
        choice.map(|(_, choice)| choice.clone()).ok_or("unknown name")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_says_what_is_expected() {
        let percent = number(1_u8..=100);
        assert_eq!(percent("100"), Ok(100));
        for bad in ["0", "101", "1000", "x", "", "-1", "1.5"] {
            assert_eq!(percent(bad), Err("expected a number from 1 to 100".to_owned()));
        }
        let expected = "expected a whole number of at least 1".to_owned();
        assert_eq!(number(std::num::NonZeroUsize::MIN..)("0"), Err(expected));
        let too_large = Err("the number is too large".to_owned());
        assert_eq!(number::<u64>(..)("99999999999999999999"), too_large);
    }
}
