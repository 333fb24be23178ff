//! The comparison as JSON and CSV, one line per algorithm and board.

use npuzzle::record::CompareRecord;

use super::Comparison;
use crate::exit::Failure;
use crate::report::json_line;

fn records(comparison: &Comparison) -> impl Iterator<Item = CompareRecord> {
    let rows = comparison.configs.iter().zip(&comparison.trials);
    rows.flat_map(|(config, trials)| {
        let boards = trials.iter().zip(&comparison.boards);
        boards.map(|(trial, board)| {
            CompareRecord::new(&board.source, board.instance.as_ref().ok(), *config, trial)
        })
    })
}

pub(super) fn json(comparison: &Comparison) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    for record in records(comparison) {
        bytes.extend(json_line(&record)?.into_bytes());
    }
    Ok(bytes)
}

pub(super) fn csv(comparison: &Comparison) -> Result<Vec<u8>, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records(comparison) {
        writer.serialize(&record).map_err(|error| Failure::io("CSV", &error))?;
    }
    writer.into_inner().map_err(|error| Failure::io("CSV", &error))
}
