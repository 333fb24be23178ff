//! Input files of the course programs.

use npuzzle::Limits;
use npuzzle::format::{self, Format};
use npuzzle_core::search::Evaluation;
use npuzzle_courses::courses::{cuhk, fortytwo, princeton};
use npuzzle_courses::{
    ALL, Course, CourseHeuristic, CourseSearch, Detection, Ending, PathStep, ReadError, RunError,
    run as solve,
};

use crate::assertions::{assert_error, assert_line, assert_message, selector, text};

/// Courses with the searches that their flags request.
fn variants() -> [Course; 5] {
    let fortytwo_with = |evaluation, heuristic| {
        let mut course = fortytwo::COURSE;
        let settings = course.search.best_first_mut();
        (settings.evaluation, settings.heuristic) = (evaluation, heuristic);
        course
    };
    let textbook = |heuristic, detection| {
        let search = CourseSearch::textbook(heuristic, detection);
        Course { search, ..princeton::COURSE }
    };
    [
        textbook(CourseHeuristic::Manhattan, Detection::Lockstep),
        textbook(CourseHeuristic::Misplaced, Detection::AfterSearch),
        Course { search: cuhk::ASSIGNED_SEARCH, ..cuhk::COURSE },
        fortytwo_with(Evaluation::Greedy, CourseHeuristic::LinearConflict),
        fortytwo_with(Evaluation::Uniform, CourseHeuristic::Manhattan),
    ]
}

/// The first byte selects the course; from 128 on, a variant.
pub(super) fn run(bytes: &[u8]) -> bool {
    let Some((which, rest)) = selector(bytes) else { return false };
    // A small node limit, so that every search ends quickly.
    let limits = Limits { time: None, nodes: Some(200), memory: Some(4 << 20) };
    let variants = variants();
    let course = match which.checked_sub(128) {
        None => ALL[which % ALL.len()],
        Some(which) => variants[which % variants.len()],
    };
    let course = Course { limits, ..course };
    let text = &*text(rest);
    let mut rejection = Vec::new();
    let read = (course.read)(text);
    match &read {
        Ok(instance) => {
            let format = course.grading.format;
            let goal = Some(instance.goal()).filter(|_| format == Format::Pair);
            let written = format::write(instance.start(), goal, format).unwrap();
            assert_eq!((course.read)(&written).as_ref(), Ok(instance), "{written:?}");
            if instance.dims().cells() <= 16 {
                assert_answer(&course, text);
            }
        }
        Err(error) => {
            match error {
                ReadError::Format(error) | ReadError::NoDimension(error) => {
                    assert_error(text, error)
                }
                ReadError::Size { line, .. } => assert_line(text, *line),
                ReadError::PuzzleNumber { .. } => assert_line(text, 1),
            }
            assert_message(error.render("input").lines().next().unwrap_or_default());
            (course.reject)(text, &mut rejection).unwrap();
            assert!(matches!(solve(&course, text, &mut ()), Err(RunError::Read(_))));
        }
    }
    assert!(rejection.len() <= 4 * text.len() + 200, "{}", rejection.len());
    read.is_ok()
}

/// Asserts that the program terminates, and that a solution is a path from the start to the goal.
fn assert_answer(course: &Course, text: &str) {
    let run = solve(course, text, &mut ()).unwrap();
    let mut answer = Vec::new();
    (course.write)(&run, &mut answer).unwrap();
    if let Ending::Solved(steps) = &run.ending {
        assert_eq!(steps.first().map(|step| &step.board), Some(run.instance.start()));
        assert_eq!(steps.last().map(|step| &step.board), Some(run.instance.goal()));
        let is_move = |pair: &[PathStep]| pair[0].board.neighbors().any(|b| b == pair[1].board);
        assert!(steps.windows(2).all(is_move));
        assert!(!answer.is_empty());
    }
}
