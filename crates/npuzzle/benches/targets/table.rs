//! Prints the figures: name, measured value, target, whether it is met, nodes, bytes.

use std::fmt;
use std::time::Duration;

/// The table. Rows are printed when they are added.
pub(crate) struct Table {
    n_met: u32,
    n_missed: u32,
}

/// A row of the table.
pub(crate) struct Row {
    name: String,
    measured: Figure,
    target: Option<Target>,
    nodes: Option<u64>,
    bytes: Option<u64>,
}

/// A number with its unit.
#[derive(Clone, Copy)]
pub(crate) enum Figure {
    /// Seconds.
    Time(f64),
    /// A ratio of two quantities.
    Ratio(f64),
    /// A rate per second.
    PerSecond(f64),
    /// A number of bytes.
    Bytes(f64),
}

enum Target {
    AtMost(Figure),
    AtLeast(Figure),
}

impl Table {
    pub(crate) fn new() -> Table {
        println!(
            "{:46} {:>10} {:>11} {:6} {:>14} {:>13}",
            "figure", "measured", "target", "", "nodes", "bytes"
        );
        Table { n_met: 0, n_missed: 0 }
    }

    /// Starts a part.
    pub(crate) fn part(&mut self, title: &str) {
        println!("\n{title}");
    }

    /// Prints a note between the rows.
    pub(crate) fn note(&mut self, text: &str) {
        println!("  ({text})");
    }

    pub(crate) fn add(&mut self, row: Row) {
        let verdict = match row.is_met() {
            Some(true) => {
                self.n_met += 1;
                "met"
            }
            Some(false) => {
                self.n_missed += 1;
                "MISSED"
            }
            None => "",
        };
        println!("{}", row.line(verdict).trim_end());
    }

    /// Prints the number of targets met and missed.
    pub(crate) fn print_summary(&self) {
        println!("\n{} targets met, {} missed", self.n_met, self.n_missed);
    }
}

impl Row {
    pub(crate) fn new(name: impl Into<String>, measured: Figure) -> Row {
        Row { name: name.into(), measured, target: None, nodes: None, bytes: None }
    }

    pub(crate) fn time(name: impl Into<String>, time: Duration) -> Row {
        Row::new(name, time.into())
    }

    /// The ratio `a / b`.
    pub(crate) fn ratio(name: impl Into<String>, a: Duration, b: Duration) -> Row {
        Row::new(name, Figure::Ratio(a.as_secs_f64() / b.as_secs_f64()))
    }

    /// The rate of `n_done` items in a time.
    pub(crate) fn rate(name: impl Into<String>, n_done: u64, time: Duration) -> Row {
        Row::new(name, Figure::PerSecond(n_done as f64 / time.as_secs_f64()))
    }

    pub(crate) fn at_most(self, max: f64) -> Row {
        let target = Some(Target::AtMost(self.measured.with(max)));
        Row { target, ..self }
    }

    pub(crate) fn at_least(self, min: f64) -> Row {
        let target = Some(Target::AtLeast(self.measured.with(min)));
        Row { target, ..self }
    }

    pub(crate) fn nodes(self, nodes: u64) -> Row {
        Row { nodes: Some(nodes), ..self }
    }

    pub(crate) fn bytes(self, bytes: u64) -> Row {
        Row { bytes: Some(bytes), ..self }
    }

    fn is_met(&self) -> Option<bool> {
        let measured = self.measured.value();
        match self.target.as_ref()? {
            Target::AtMost(max) => Some(measured <= max.value()),
            Target::AtLeast(min) => Some(measured >= min.value()),
        }
    }

    fn line(&self, verdict: &str) -> String {
        let count = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
        let target = self.target.as_ref().map_or(String::new(), |target| target.to_string());
        format!(
            "{:46} {:>10} {target:>11} {verdict:6} {:>14} {:>13}",
            self.name,
            self.measured.to_string(),
            count(self.nodes),
            count(self.bytes)
        )
    }
}

impl Figure {
    fn value(self) -> f64 {
        match self {
            Figure::Time(value)
            | Figure::Ratio(value)
            | Figure::PerSecond(value)
            | Figure::Bytes(value) => value,
        }
    }

    /// Returns another number with the same unit.
    fn with(self, value: f64) -> Figure {
        match self {
            Figure::Time(_) => Figure::Time(value),
            Figure::Ratio(_) => Figure::Ratio(value),
            Figure::PerSecond(_) => Figure::PerSecond(value),
            Figure::Bytes(_) => Figure::Bytes(value),
        }
    }
}

impl From<Duration> for Figure {
    fn from(time: Duration) -> Figure {
        Figure::Time(time.as_secs_f64())
    }
}

/// Three significant digits and a unit.
impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units: &[(f64, &str)] = match self {
            Figure::Time(_) => &[(1.0, " s"), (1e-3, " ms"), (1e-6, " us"), (1e-9, " ns")],
            Figure::Ratio(_) => &[(1.0, "x")],
            Figure::PerSecond(_) => &[(1e6, " M/s"), (1e3, " k/s"), (1.0, " /s")],
            Figure::Bytes(_) => &[(1e6, " MB"), (1e3, " kB"), (1.0, " B")],
        };
        let smallest = units[units.len() - 1];
        let fitting = units.iter().find(|(size, _)| self.value() >= *size);
        let (size, unit) = fitting.copied().unwrap_or(smallest);
        let value = self.value() / size;
        let decimals = match value {
            100.0.. => 0,
            10.0.. => 1,
            _ => 2,
        };
        write!(f, "{value:.decimals$}{unit}")
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::AtMost(max) => write!(f, "<= {max}"),
            Target::AtLeast(min) => write!(f, ">= {min}"),
        }
    }
}
