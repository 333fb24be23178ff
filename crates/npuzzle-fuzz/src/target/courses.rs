//! Files of the courses, and the programs that read them.

use npuzzle::{Limits, format};
use npuzzle_core::search::Evaluation;
use npuzzle_courses::courses::{cuhk, fortytwo, princeton};
use npuzzle_courses::{ALL, Course, Detect, Ending, Priority, ReadError, RunError, run};

use crate::place::{assert_error, assert_line, assert_words, choice, text};

/// With the search that the assignment describes, or another that its flags ask for.
fn variants() -> [Course; 5] {
    [
        princeton::faithful(Priority::Manhattan, Detect::Lockstep),
        princeton::faithful(Priority::Misplaced, Detect::Exhaust),
        cuhk::FAITHFUL,
        fortytwo::with(Evaluation::Greedy, Priority::LinearConflict),
        fortytwo::with(Evaluation::Uniform, Priority::Manhattan),
    ]
}

/// The first byte names the course, from 128 on a variant.
pub(super) fn feed(bytes: &[u8]) -> bool {
    let Some((which, rest)) = choice(bytes) else { return false };
    // So few nodes that every search ends at once.
    let limits = Limits { time: None, nodes: Some(200), memory: Some(4 << 20) };
    let variants = variants();
    let course = match which.checked_sub(128) {
        None => ALL[which % ALL.len()],
        Some(which) => variants[which % variants.len()],
    };
    let course = Course { limits, ..course };
    let text = &*text(rest);
    let mut words = Vec::new();
    let read = (course.read)(text);
    match &read {
        Ok(instance) => {
            let asked = course.grading.format;
            let goal = Some(instance.goal()).filter(|_| asked == format::Format::Pair);
            let written = format::write(instance.start(), goal, asked).unwrap();
            assert_eq!((course.read)(&written).as_ref(), Ok(instance), "{written:?}");
            if instance.dims().cells() <= 16 {
                ran(&course, text);
            }
        }
        Err(error) => {
            match error {
                ReadError::Format(error) => assert_error(text, error),
                ReadError::Size { line, .. } => assert_line(text, *line),
            }
            assert_words(error.render("input").lines().next().unwrap_or_default());
            (course.reject)(text, &mut words).unwrap();
            assert!(matches!(run(&course, text, &mut ()), Err(RunError::Read(_))));
        }
    }
    assert!(words.len() <= 4 * text.len() + 200, "{}", words.len());
    read.is_ok()
}

/// The program comes to an end, with a way that leads from the start to the goal.
fn ran(course: &Course, text: &str) {
    let run = run(course, text, &mut ()).unwrap();
    let mut words = Vec::new();
    (course.write)(&run, &mut words).unwrap();
    if let Ending::Solved(steps) = &run.ending {
        assert_eq!(steps.first().map(|step| &step.board), Some(run.instance.start()));
        assert_eq!(steps.last().map(|step| &step.board), Some(run.instance.goal()));
        let is_way =
            |pair: &[npuzzle_courses::Step]| pair[0].board.neighbors().any(|b| b == pair[1].board);
        assert!(steps.windows(2).all(is_way));
        assert!(!words.is_empty());
    }
}
