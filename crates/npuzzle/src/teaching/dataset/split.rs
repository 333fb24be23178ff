//! The request for one split of a dataset.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use npuzzle_core::search::Cost;

/// A split: its name, its number of boards, and perhaps its own range of distances.
///
/// ```
/// use npuzzle::teaching::SplitSpec;
/// let hard: SplitSpec = "test=100@20..31".parse()?;
/// assert_eq!((hard.name(), hard.count(), hard.distances()), ("test", 100, Some(&(20..=31))));
/// assert_eq!("train=800".parse::<SplitSpec>()?.to_string(), "train=800");
/// assert!("train".parse::<SplitSpec>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SplitSpec {
    name: String,
    count: u64,
    distances: Option<RangeInclusive<Cost>>,
}

impl SplitSpec {
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of boards.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the distances of the boards, if they are not those of the dataset.
    pub fn distances(&self) -> Option<&RangeInclusive<Cost>> {
        self.distances.as_ref()
    }
}

/// Reads `NAME=COUNT` or `NAME=COUNT@A..B`. A name consists of letters, digits, `-` and `_`, so that it can be the name
/// of a file.
impl FromStr for SplitSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<SplitSpec, String> {
        let expected =
            || "expected NAME=COUNT or NAME=COUNT@A..B, such as test=100@20..31".to_owned();
        let (name, rest) = text.split_once('=').ok_or_else(expected)?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || name.len() > 64 || !name.chars().all(is_plain) {
            return Err(
                "the name of a split consists of up to 64 letters, digits, - and _".to_owned()
            );
        }
        let (count, distances) = match rest.split_once('@') {
            None => (rest, None),
            Some((count, distances)) => (count, Some(distances)),
        };
        let number = |text: &str| text.parse::<Cost>().map_err(|_| expected());
        let distances = match distances.map(|text| text.split_once("..").unwrap_or((text, text))) {
            None => None,
            Some((from, to)) => Some(number(from)?..=number(to.trim_start_matches('='))?),
        };
        let count = count.parse().map_err(|_| expected())?;
        Ok(SplitSpec { name: name.to_owned(), count, distances })
    }
}

/// Writes the form that is read.
impl fmt::Display for SplitSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.count)?;
        match &self.distances {
            None => Ok(()),
            Some(distances) => write!(f, "@{}..{}", distances.start(), distances.end()),
        }
    }
}
