//! JSON: one compact object per board, one per line.

use super::{Item, Shown};
use crate::exit::Failure;

pub(super) fn write(item: &Item, shown: Shown) -> Result<Vec<u8>, Failure> {
    let mut line =
        serde_json::to_vec(&item.record(shown)).map_err(|error| Failure::io("JSON", &error))?;
    line.push(b'\n');
    Ok(line)
}
