//! The comparison for programs: a line for every algorithm and board.

use npuzzle::record::CompareRecord;

use super::Comparison;
use crate::exit::Failure;

fn records(comparison: &Comparison) -> impl Iterator<Item = CompareRecord> {
    let rows = comparison.contenders.iter().zip(&comparison.trials);
    rows.flat_map(|(contender, trials)| {
        let boards = trials.iter().zip(&comparison.entries);
        boards.map(|(trial, entry)| {
            CompareRecord::new(&entry.source, entry.instance.as_ref().ok(), *contender, trial)
        })
    })
}

pub(super) fn json(comparison: &Comparison) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    for record in records(comparison) {
        serde_json::to_writer(&mut bytes, &record).map_err(|error| Failure::io("json", &error))?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

pub(super) fn csv(comparison: &Comparison) -> Result<Vec<u8>, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records(comparison) {
        writer.serialize(&record).map_err(|error| Failure::io("csv", &error))?;
    }
    writer.into_inner().map_err(|error| Failure::io("csv", &error))
}
