//! The names of stored tables.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// What a table is called, in the store and by people.
///
/// A name stands for its bytes: whatever changes what a table holds (size, metric, place of the
/// blank, tiles, packing) is part of its name, so that a table from an older version of the program
/// is never taken for another.
///
/// ```
/// use npuzzle_tables::TableName;
/// assert!("pattern-4x4-stm-0-1.2.3.4.5.6.7".parse::<TableName>().is_ok());
/// assert!("../escape".parse::<TableName>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TableName(String);

impl TableName {
    /// The most characters: file systems take 255, and endings are added.
    pub const MAX_LEN: usize = 200;

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for TableName {
    type Err = TableNameError;

    fn from_str(text: &str) -> Result<TableName, TableNameError> {
        let is_good = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-');
        let begins_well = text.starts_with(|first: char| first.is_ascii_lowercase());
        if begins_well && text.len() <= TableName::MAX_LEN && text.bytes().all(is_good) {
            Ok(TableName(text.to_owned()))
        } else {
            Err(TableNameError { found: text.to_owned() })
        }
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Something that cannot be the name of a table.
///
/// ```
/// let error = "../escape".parse::<npuzzle_tables::TableName>().unwrap_err();
/// assert!(error.to_string().starts_with("\"../escape\" is no name of a table"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableNameError {
    found: String,
}

impl fmt::Display for TableNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 40;
        let found: String = self.found.chars().take(SHOWN).collect();
        write!(
            f,
            "{found:?} is no name of a table: up to {} lower-case letters, digits, dots and hyphens, \
             a letter first",
            TableName::MAX_LEN
        )
    }
}

impl Error for TableNameError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_names_of_files() {
        let longest = "a".repeat(TableName::MAX_LEN);
        for good in ["a", "full-3x4-0-stm", "mtm-4x4-15", "pattern-4x4-stm-0-1.2.3", &longest] {
            assert_eq!(good.parse::<TableName>().unwrap().as_str(), good);
        }
        let too_long = "a".repeat(TableName::MAX_LEN + 1);
        for bad in
            ["", ".", "..", "-a", ".a", "3x4", "A", "a/b", "a\\b", "a b", "ä", "a\0", &too_long]
        {
            assert!(bad.parse::<TableName>().is_err(), "{bad:?}");
        }
    }
}
