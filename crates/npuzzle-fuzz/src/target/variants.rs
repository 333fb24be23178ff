//! Boards and solutions of the courses on variants of the puzzle.

use npuzzle::Limits;
use npuzzle_courses::{Arguments, VARIANTS, VariantCourse, VariantEnding, VariantError};

use crate::assertions::{assert_message, selector, text};

/// Small limits, so that every search ends quickly.
const LIMITS: Limits = Limits { time: None, nodes: Some(200), memory: Some(4 << 20) };

/// The first byte selects the course, and whether the rest is a board or a solution.
pub(super) fn run(bytes: &[u8]) -> bool {
    let Some((which, rest)) = selector(bytes) else { return false };
    let course = &VARIANTS[which % VARIANTS.len()];
    let text = &*text(rest);
    if (which / VARIANTS.len()).is_multiple_of(2) {
        puzzle(course, text)
    } else {
        solution(course, text)
    }
}

/// Accepted boards are read back unchanged, and the program's answer is valid.
fn puzzle(course: &VariantCourse, text: &str) -> bool {
    let cases = match (course.read_cases)(text) {
        Ok(cases) => cases,
        Err(error) => {
            assert_reason(&error);
            return false;
        }
    };
    for case in &cases {
        let again = (course.read_cases)(&case.text).unwrap();
        assert_eq!(again.len(), 1);
        assert_eq!((&again[0].files, &again[0].text), (&case.files, &case.text));
    }
    if let Some(case) = cases.first() {
        match (course.run)(&Arguments::solving(course, case), LIMITS, &mut ()) {
            Ok(run) if run.ending == VariantEnding::Solved => {
                let checked = (course.check)(&case.text, &run.answer, LIMITS, &mut ()).unwrap();
                assert_eq!(checked.error, None, "{}", run.answer);
                assert!(checked.stopped.is_some() || checked.is_optimal(), "{checked:?}");
            }
            Ok(_) => {}
            Err(error) => assert_reason(&error),
        }
    }
    !cases.is_empty()
}

/// The verdict on a solution is a line, and a cheapest solution shows moves.
fn solution(course: &VariantCourse, text: &str) -> bool {
    let case = &(course.test_set)()[1];
    match (course.check)(&case.text, text, LIMITS, &mut ()) {
        Ok(checked) => {
            assert_message(&checked.verdict());
            assert!(!checked.is_optimal() || checked.moves == Some(1), "{checked:?}");
            checked.error.is_none()
        }
        Err(error) => {
            assert_reason(&error);
            false
        }
    }
}

fn assert_reason(error: &VariantError) {
    assert_message(error.to_string().lines().next().unwrap_or_default());
}
