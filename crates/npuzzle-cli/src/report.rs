//! Reports on solved boards as text, JSON or CSV, one file per format, and what charts and progress
//! lines share.

pub(crate) mod chart;
mod csv;
mod json;
pub(crate) mod progress;
mod text;

use npuzzle::record::SolveRecord;
use npuzzle::{Limit, Limits, Notation, Report, Stats};

use crate::args::OutputFormat;
use crate::exit::Failure;
use crate::io::output::Output;
use crate::io::units::counted;

pub(crate) use json::json_line;

/// Where a board comes from.
pub(crate) struct BoardSource {
    /// Its number in the batch, from 1.
    pub(crate) number: usize,
    /// The name of its file, or `<board>` or `<stdin>`.
    pub(crate) name: String,
}

/// The result for one board.
pub(crate) enum BoardResult {
    /// The board was read, and searched within these limits.
    Report { source: BoardSource, line: usize, report: Box<Report>, limits: Limits },
    /// The board could not be read or searched.
    Invalid { source: BoardSource, line: Option<usize>, reason: String },
}

impl BoardResult {
    fn record(&self, style: ReportStyle) -> SolveRecord {
        let notation = style.notation;
        let (record, report) = match self {
            BoardResult::Invalid { source, line, reason } => (
                SolveRecord::error(reason.clone(), notation).with_source(&source.name, *line),
                None,
            ),
            BoardResult::Report { source, line, report, .. } => {
                let record =
                    SolveRecord::new(report, notation).with_source(&source.name, Some(*line));
                (record, Some(&**report))
            }
        };
        if style.counts_all { record.with_optimal_solutions(report, notation) } else { record }
    }
}

/// How results are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReportStyle {
    pub(crate) notation: Notation,
    pub(crate) quiet: bool,
    pub(crate) is_batch: bool,
    /// Whether all shortest solutions are counted.
    pub(crate) counts_all: bool,
}

/// Writes results in one format.
pub(crate) enum ReportWriter {
    Text(ReportStyle),
    Json(ReportStyle),
    Csv(csv::CsvWriter),
}

impl ReportWriter {
    pub(crate) fn new(format: OutputFormat, style: ReportStyle) -> ReportWriter {
        match format {
            OutputFormat::Text => ReportWriter::Text(style),
            OutputFormat::Json => ReportWriter::Json(style),
            OutputFormat::Csv => ReportWriter::Csv(csv::CsvWriter::new(style)),
        }
    }

    pub(crate) fn write(
        &mut self,
        result: &BoardResult,
        output: &mut Output,
    ) -> Result<(), Failure> {
        match self {
            ReportWriter::Text(style) => {
                output.write_with(&mut |out| text::write(result, *style, out))
            }
            ReportWriter::Json(style) => {
                output.write(json_line(&result.record(*style))?.as_bytes())
            }
            ReportWriter::Csv(csv) => output.write(&csv.write(result)?),
        }
    }
}

/// The limit that was reached.
pub(crate) fn limit_reached(limit: Limit) -> &'static str {
    match limit {
        Limit::Interrupted => "interrupted",
        Limit::Nodes => "node limit reached",
        Limit::Bound => "bound reached",
        Limit::Time => "time limit reached",
        Limit::Memory => "memory limit reached",
    }
}

/// The limit that was reached, with its value.
pub(crate) fn limit_message(limit: Limit, limits: &Limits, stats: &Stats) -> String {
    let after = format!("after {}", counted(stats.expanded, "state"));
    match limit {
        Limit::Interrupted => format!("interrupted {after}"),
        Limit::Nodes => format!("limit of {} reached", counted(stats.expanded, "node")),
        Limit::Bound => format!("bound reached {after}"),
        Limit::Time => {
            let seconds = limits.time.map_or(0.0, |time| time.as_secs_f64());
            format!("time limit of {seconds} s reached {after}")
        }
        Limit::Memory => {
            let limit = match limits.memory {
                Some(bytes) if bytes < 1 << 20 => format!("memory limit of {} KiB", bytes >> 10),
                Some(bytes) => format!("memory limit of {} MiB", bytes >> 20),
                None => "limit of 2^32 nodes in memory".to_owned(),
            };
            format!("{limit} reached {after}")
        }
    }
}
