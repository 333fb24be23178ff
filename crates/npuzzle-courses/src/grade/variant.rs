//! Judges the output of programs for courses on variants of the puzzle.

use npuzzle_core::search::{Cost, Limit, Watch};

use super::verdict::{Behavior, Defect, ProcessEnd, ProgramOutput, Verdict};
use super::{judge_end, process_end};
use crate::variant::{VariantCase, VariantCheck, VariantCourse, VariantError};

/// Judges the output of a program: the solution must be valid and none may be cheaper.
pub fn judge_variant(
    course: &VariantCourse,
    case: &VariantCase,
    output: &ProgramOutput,
    watch: &mut dyn Watch,
) -> Result<Verdict, VariantError> {
    let code = match process_end(output) {
        ProcessEnd::Code(code) => code,
        end => return Ok(judge_end(end)),
    };
    let checked = match (course.check)(&case.text, &output.text, course.limits, watch) {
        Ok(checked) => checked,
        Err(VariantError::Input { argument: "solution", .. }) => {
            return Ok(Verdict::failed(Behavior::Other, Defect::NoAnswer { code }));
        }
        Err(error) => return Err(error),
    };
    match checked.stopped {
        Some(Limit::Interrupted) => Err(VariantError::Limit(Limit::Interrupted)),
        _ => Ok(verdict(&checked)),
    }
}

fn verdict(checked: &VariantCheck) -> Verdict {
    let behavior = match (&checked.error, checked.moves) {
        (Some(_), _) => Behavior::Other,
        (None, Some(moves)) => Behavior::Solved(moves as Cost),
        (None, None) => Behavior::ReportedUnsolvable,
    };
    let text = checked.verdict();
    let text = text.split_once("valid: ").map_or(&*text, |(_, text)| text).to_owned();
    // A solution that could not be compared passes.
    if checked.error.is_some() || checked.stopped.is_none() && !checked.is_optimal() {
        return Verdict::failed(behavior, Defect::Variant(text));
    }
    Verdict { note: text, ..Verdict::new(behavior, None) }
}
