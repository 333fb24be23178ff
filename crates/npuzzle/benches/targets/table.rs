//! How the figures are printed: what, measured, target, whether it is met, nodes, bytes.

use std::fmt;
use std::time::Duration;

/// The table; rows are printed as they come.
pub(crate) struct Table {
    n_met: u32,
    n_missed: u32,
}

/// One line.
pub(crate) struct Row {
    what: String,
    measured: Figure,
    target: Option<Target>,
    nodes: Option<u64>,
    bytes: Option<u64>,
}

/// A number and what it counts.
#[derive(Clone, Copy)]
pub(crate) enum Figure {
    /// Seconds.
    Time(f64),
    /// One quantity over another.
    Ratio(f64),
    /// Things done in a second.
    PerSecond(f64),
    /// Bytes, of one thing or of all.
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
            "what", "measured", "target", "", "nodes", "bytes"
        );
        Table { n_met: 0, n_missed: 0 }
    }

    /// Begins a part.
    pub(crate) fn part(&mut self, title: &str) {
        println!("\n{title}");
    }

    /// Says something between the rows.
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

    /// The last line.
    pub(crate) fn sum(&self) {
        println!("\n{} targets met, {} missed", self.n_met, self.n_missed);
    }
}

impl Row {
    pub(crate) fn new(what: impl Into<String>, measured: Figure) -> Row {
        Row { what: what.into(), measured, target: None, nodes: None, bytes: None }
    }

    pub(crate) fn time(what: impl Into<String>, time: Duration) -> Row {
        Row::new(what, time.into())
    }

    /// How many times `b` goes into `a`.
    pub(crate) fn ratio(what: impl Into<String>, a: Duration, b: Duration) -> Row {
        Row::new(what, Figure::Ratio(a.as_secs_f64() / b.as_secs_f64()))
    }

    /// So many things done in so much time.
    pub(crate) fn rate(what: impl Into<String>, n_done: u64, time: Duration) -> Row {
        Row::new(what, Figure::PerSecond(n_done as f64 / time.as_secs_f64()))
    }

    pub(crate) fn at_most(self, most: f64) -> Row {
        let target = Some(Target::AtMost(self.measured.with(most)));
        Row { target, ..self }
    }

    pub(crate) fn at_least(self, least: f64) -> Row {
        let target = Some(Target::AtLeast(self.measured.with(least)));
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
            Target::AtMost(most) => Some(measured <= most.value()),
            Target::AtLeast(least) => Some(measured >= least.value()),
        }
    }

    fn line(&self, verdict: &str) -> String {
        let count = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
        let target = self.target.as_ref().map_or(String::new(), |target| target.to_string());
        format!(
            "{:46} {:>10} {target:>11} {verdict:6} {:>14} {:>13}",
            self.what,
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

    /// Another number of the same kind.
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

/// Three digits and a unit.
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
            Target::AtMost(most) => write!(f, "<= {most}"),
            Target::AtLeast(least) => write!(f, ">= {least}"),
        }
    }
}
