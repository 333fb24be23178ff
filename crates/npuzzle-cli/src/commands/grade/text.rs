//! The results as text.

use std::fmt::Write;

use npuzzle_courses::Diagnosis;

use super::{BoardGrade, GradeReport};
use crate::io::units;
use crate::messages::escaped;

/// One line for the last board, and new lines of standard error if it fails.
pub(super) fn board_line(grades: &[BoardGrade]) -> String {
    let Some((grade, previous)) = grades.split_last() else { return String::new() };
    let mark = if grade.is_passed() { "pass" } else { "FAIL" };
    let mut cost = format!("{:.2} s", grade.run.time.as_secs_f64());
    if let Some(n) = grade.run.memory {
        cost += &format!(", {}", units::size(n));
    }
    let stderr = if grade.is_passed() { String::new() } else { grade.stderr_excerpt() };
    let is_same = |other: &BoardGrade| !other.is_passed() && other.stderr_excerpt() == stderr;
    let known = previous.iter().position(is_same).filter(|_| !stderr.is_empty());
    if let Some(index) = known {
        cost += &format!("; stderr as on board {}", index + 1);
    }
    let number = grades.len();
    let mut text = format!("{number:2} {mark}  {} ({cost})\n", board_verdict(grade));
    for message in stderr.lines().filter(|_| known.is_none()) {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "         stderr: {message}");
    }
    text
}

/// The name and the verdict, which does not repeat the length in the name. A failed board is shown.
fn board_verdict(grade: &BoardGrade) -> String {
    let (name, verdict) = (escaped(&grade.board.name), grade.verdict());
    if !grade.is_passed() {
        return format!("{name} [{}]: {verdict}", grade.board.start);
    }
    let length = name.split(',').next().unwrap_or_default();
    let rest = verdict.strip_prefix(length).and_then(|rest| rest.strip_prefix(", "));
    format!("{name}: {}", rest.unwrap_or(&verdict))
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

/// The likely bug with its evidence, or what all failed boards have in common; empty if neither is clear.
pub(super) fn diagnosis(report: &GradeReport) -> String {
    let Some(found) = &report.diagnosis else { return String::new() };
    let mut text = match found {
        Diagnosis::Mistake(mistake) => {
            format!("likely bug: {found}\n  evidence: {}\n", mistake.evidence)
        }
        Diagnosis::CommonSymptom(_) => format!("observed: {found}\n"),
    };
    let _ = writeln!(text, "  advice: {}", found.advice());
    text
}

/// Points with at most two decimal places, without trailing zeros.
fn number(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
