//! The forms of an answer: text, JSON and CSV, one file each.

pub(crate) mod chart;
mod csv;
mod json;
pub(crate) mod progress;
mod text;

use npuzzle::record::SolveRecord;
use npuzzle::{Limit, Limits, Notation, Report, Stats};

use crate::args::OutputArg;
use crate::exit::Failure;
use crate::io::output::Output;

/// Where a board came from.
pub(crate) struct Place {
    /// Its number in the batch, from 1.
    pub(crate) number: usize,
    /// The name of its file, or of what stands for one.
    pub(crate) source: String,
}

/// What there is to say about one board.
pub(crate) enum Item {
    Report { place: Place, line: usize, report: Box<Report>, limits: Limits },
    Bad { place: Place, line: Option<usize>, reason: String },
}

impl Item {
    /// What there is to say to programs.
    fn record(&self, shown: Shown) -> SolveRecord {
        let notation = shown.notation;
        let (record, report) = match self {
            Item::Bad { place, line, reason } => (
                SolveRecord::error(reason.clone(), notation).with_source(&place.source, *line),
                None,
            ),
            Item::Report { place, line, report, .. } => {
                let record =
                    SolveRecord::new(report, notation).with_source(&place.source, Some(*line));
                (record, Some(&**report))
            }
        };
        if shown.counts_all { record.with_optimal_solutions(report, notation) } else { record }
    }
}

/// How to say it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    pub(crate) notation: Notation,
    pub(crate) quiet: bool,
    pub(crate) is_batch: bool,
    /// Whether all shortest solutions were asked for.
    pub(crate) counts_all: bool,
}

/// A form of output under way.
pub(crate) enum Form {
    Text(Shown),
    Json(Shown),
    Csv(csv::Csv),
}

impl Form {
    pub(crate) fn new(output: OutputArg, shown: Shown) -> Form {
        match output {
            OutputArg::Text => Form::Text(shown),
            OutputArg::Json => Form::Json(shown),
            OutputArg::Csv => Form::Csv(csv::Csv::new(shown)),
        }
    }

    /// Prints one board.
    pub(crate) fn write(&mut self, item: &Item, output: &mut Output) -> Result<(), Failure> {
        match self {
            Form::Text(shown) => output.write_with(&mut |out| text::write(item, *shown, out)),
            Form::Json(shown) => output.write(&json::write(item, *shown)?),
            Form::Csv(csv) => output.write(&csv.write(item)?),
        }
    }
}

/// The limit that was reached, with its figure.
pub(crate) fn limit(limit: Limit, limits: &Limits, stats: &Stats) -> String {
    let expanded = stats.expanded;
    match limit {
        Limit::Interrupted => format!("interrupted after {expanded} states"),
        Limit::Nodes => format!("limit of {expanded} nodes reached"),
        Limit::Bound => format!("bound reached after {expanded} states"),
        Limit::Time => {
            let seconds = limits.time.map_or(0.0, |time| time.as_secs_f64());
            format!("time limit of {seconds} s reached after {expanded} states")
        }
        Limit::Memory => {
            let limit = match limits.memory {
                Some(bytes) if bytes < 1 << 20 => format!("memory limit of {} KiB", bytes >> 10),
                Some(bytes) => format!("memory limit of {} MiB", bytes >> 20),
                None => "limit of 2^32 nodes in memory".to_owned(),
            };
            format!("{limit} reached after {expanded} states")
        }
    }
}
