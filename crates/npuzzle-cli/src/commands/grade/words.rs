//! The results as people read them.

use std::fmt::Write;

use super::{Graded, Outcome, messages, verdict};
use crate::io::units;

/// A line for a board, and more if it fails.
pub(super) fn line(number: usize, result: &Outcome) -> String {
    let is_right = result.judged.wrong.is_none();
    let mark = if is_right { "pass" } else { "FAIL" };
    let seconds = result.ran.time.as_secs_f64();
    let memory = result.ran.memory.map_or(String::new(), |n| format!(", {}", units::size(n)));
    let (name, said) = (&result.case.name, verdict(result));
    let mut line = format!("{number:2} {mark}  {name}: {said} ({seconds:.2} s{memory})\n");
    if !is_right {
        let _ = writeln!(line, "         board {}", result.case.instance.start().slash());
        for message in messages(&result.ran).lines() {
            let _ = writeln!(line, "         stderr: {message}");
        }
    }
    line
}

/// The score, and the mistake if it is known.
pub(super) fn summary(graded: &Graded) -> String {
    let (n, all) = (graded.n_passed(), graded.results.len());
    let mut text = format!(
        "score: {} of {} points, {n} of {all} boards passed\n",
        number(graded.score()),
        number(graded.points)
    );
    text += &diagnosis(graded);
    text
}

/// The likely mistake with its evidence; nothing if nothing fits.
pub(super) fn diagnosis(graded: &Graded) -> String {
    let mut text = String::new();
    for (at, found) in graded.diagnoses.iter().enumerate() {
        let begin = if at == 0 { "likely bug" } else { "or" };
        let _ = writeln!(text, "{begin}: {}", found.suspect);
        let _ = writeln!(text, "  evidence: {}", found.evidence);
        let _ = writeln!(text, "  advice: {}", found.suspect.advice());
    }
    text
}

/// Points with as many places as they need, two at most.
pub(super) fn number(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
