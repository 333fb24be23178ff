//! The names of stored tables.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The name of a table, in the store and for users.
///
/// A name determines the bytes of the table: everything that affects them (size, metric, the blank's
/// goal cell, tiles, packing) is part of the name. So a table of an older version of the program is
/// never taken for another.
///
/// ```
/// use npuzzle_tables::TableName;
/// assert!("pattern-4x4-stm-0-1.2.3.4.5.6.7".parse::<TableName>().is_ok());
/// assert!("../escape".parse::<TableName>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TableName(String);

impl TableName {
    /// The maximum number of characters. File systems allow 255, and extensions are added.
    pub const MAX_LEN: usize = 200;

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for TableName {
    type Err = TableNameError;

    fn from_str(text: &str) -> Result<TableName, TableNameError> {
        let is_allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-');
        let has_letter_first = text.starts_with(|first: char| first.is_ascii_lowercase());
        if has_letter_first && text.len() <= TableName::MAX_LEN && text.bytes().all(is_allowed) {
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

/// A text that is not a table name.
///
/// ```
/// let error = "../escape".parse::<npuzzle_tables::TableName>().unwrap_err();
/// assert!(error.to_string().starts_with("\"../escape\" is not a table name"));
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
            "{found:?} is not a table name: a lower-case letter, then lower-case letters, digits, dots \
             and hyphens, at most {} characters",
            TableName::MAX_LEN
        )
    }
}

impl Error for TableNameError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_names_are_safe_file_names() {
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
