//! The results as text.

use std::fmt::Write;

use super::{BoardGrade, GradeReport};
use crate::io::units;

/// One line for a board, and more if it fails.
pub(super) fn board_line(number: usize, grade: &BoardGrade) -> String {
    let mark = if grade.is_passed() { "pass" } else { "FAIL" };
    let seconds = grade.run.time.as_secs_f64();
    let memory = grade.run.memory.map_or(String::new(), |n| format!(", {}", units::size(n)));
    let (name, verdict) = (&grade.case.name, grade.verdict());
    let mut line = format!("{number:2} {mark}  {name}: {verdict} ({seconds:.2} s{memory})\n");
    if !grade.is_passed() {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(line, "         board {}", grade.case.instance.start().slash());
        for message in grade.stderr_excerpt().lines() {
            let _ = writeln!(line, "         stderr: {message}");
        }
    }
    line
}

/// The score, and the likely bug if there is one.
pub(super) fn summary(report: &GradeReport) -> String {
    let (n_passed, n_boards) = (report.n_passed(), report.grades.len());
    let text = format!(
        "score: {} of {} points, {n_passed} of {n_boards} boards passed\n",
        number(report.score()),
        number(report.points)
    );
    text + &diagnosis(report)
}

/// The likely bugs with their evidence; empty if none fits.
pub(super) fn diagnosis(report: &GradeReport) -> String {
    let mut text = String::new();
    for (index, found) in report.diagnoses.iter().enumerate() {
        let head = if index == 0 { "likely bug" } else { "or" };
        let _ = writeln!(text, "{head}: {}", found.mutant);
        let _ = writeln!(text, "  evidence: {}", found.evidence);
        let _ = writeln!(text, "  advice: {}", found.mutant.advice());
    }
    text
}

/// Points with at most two decimal places, without trailing zeros.
fn number(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
