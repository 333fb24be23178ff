//! The judgments of a file as a table with one row per distance.

use std::collections::BTreeMap;
use std::fmt;

use npuzzle::teaching::{AnswerStatus, Judgment};

/// The judgments so far.
#[derive(Default)]
pub(super) struct JudgeSummary {
    /// By the distance of the board; `None` if it is not known.
    rows: BTreeMap<Option<u32>, Tally>,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    n: u64,
    by_status: [u64; AnswerStatus::ALL.len()],
    score: f64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.n += other.n;
        self.score += other.score;
        for (n, other) in self.by_status.iter_mut().zip(other.by_status) {
            *n += other;
        }
    }
}

impl JudgeSummary {
    pub(super) fn add(&mut self, judgment: &Judgment) {
        let mut one = Tally { n: 1, score: judgment.score, ..Tally::default() };
        one.by_status[judgment.status as usize] = 1;
        self.rows.entry(judgment.distance).or_default().add(&one);
    }
}

impl fmt::Display for JudgeSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = AnswerStatus::ALL.map(|status| format!("{status:>10}")).concat();
        writeln!(f, "{:>8}{:>9}{header}{:>8}", "distance", "answers", "score")?;
        let mut all = Tally::default();
        for (distance, tally) in &self.rows {
            all.add(tally);
            let distance = distance.map_or("unknown".to_owned(), |distance| distance.to_string());
            write_row(f, &distance, tally)?;
        }
        write_row(f, "all", &all)
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, name: &str, tally: &Tally) -> fmt::Result {
    let n = tally.n.max(1) as f64;
    write!(f, "{name:>8}{:>9}", tally.n)?;
    for count in tally.by_status {
        write!(f, "{:>8.1} %", 100.0 * count as f64 / n)?;
    }
    writeln!(f, "{:>8.3}", tally.score / n)
}
