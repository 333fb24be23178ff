//! JSON: one compact object per line.

use serde::Serialize;

use crate::exit::Failure;

/// A record as a line of JSON, with the line break.
pub(crate) fn json_line(record: &impl Serialize) -> Result<String, Failure> {
    let line = serde_json::to_string(record).map_err(|error| Failure::io("JSON", &error))?;
    Ok(line + "\n")
}
