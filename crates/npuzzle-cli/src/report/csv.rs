//! CSV: the names of the JSON fields as a header, then one row per board.
//!
//! A list becomes one field, its items separated by `;`: iterations as `bound:expanded:generated:ms`,
//! boards in slash form. Every row is one line.

use serde_json::Value;

use super::{BoardResult, ReportStyle};
use crate::exit::Failure;

pub(crate) struct CsvWriter {
    style: ReportStyle,
    has_header: bool,
}

impl CsvWriter {
    pub(super) fn new(style: ReportStyle) -> CsvWriter {
        CsvWriter { style, has_header: false }
    }

    /// The row of a result, with the header before the first.
    pub(super) fn write(&mut self, result: &BoardResult) -> Result<Vec<u8>, Failure> {
        let failure = |error: &(dyn std::error::Error + 'static)| Failure::io("CSV", error);
        let record = serde_json::to_value(result.record(self.style));
        let Value::Object(fields) = record.map_err(|error| failure(&error))? else {
            unreachable!("a record is an object")
        };
        let mut writer = csv::Writer::from_writer(Vec::new());
        if !std::mem::replace(&mut self.has_header, true) {
            writer.write_record(fields.keys()).map_err(|error| failure(&error))?;
        }
        writer.write_record(fields.values().map(field)).map_err(|error| failure(&error))?;
        writer.into_inner().map_err(|error| failure(&error))
    }
}

fn field(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.replace('\n', ";"),
        Value::Array(items) => items.iter().map(field).collect::<Vec<_>>().join(";"),
        Value::Object(fields) => fields.values().map(field).collect::<Vec<_>>().join(":"),
        other => other.to_string(),
    }
}
