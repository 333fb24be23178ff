//! The sliding-puzzle programs of university courses, as values.
//!
//! A [`Course`] says how its assignment reads a board, which search it runs and how it writes the
//! answer. Everything that an assignment prescribes is in the course's own file. All courses share
//! one best-first engine ([`npuzzle_core::search::BestFirst`]), which the settings of a [`CourseSearch`]
//! configure; where the assignment prescribes no search, the library chooses one.
//!
//! ```
//! use npuzzle_courses::{Ending, find, run};
//! let course = find("princeton").expect("princeton is a course");
//! let run = run(&course, "3\n 0 1 3\n 4 2 5\n 7 8 6\n", &mut ())?;
//! assert!(matches!(run.ending, Ending::Solved(ref steps) if steps.len() == 5));
//! let mut text = Vec::new();
//! (course.write)(&run, &mut text)?;
//! assert!(text.starts_with(b"Minimum number of moves = 4\n3\n 0  1  3 \n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`judge`] grades the programs of students, and [`diagnose`] names the likely mistake. The
//! classes `Board` and `Solver` of the Princeton assignment are in [`courses::princeton`].

#![forbid(unsafe_code)]

mod course;
pub mod courses;
mod diagnosis;
mod grade;
mod outcome;
mod reading;
mod run;
mod search;
mod test_set;
mod variant;

pub use course::{
    AnswerTarget, Choice, CommandLine, Course, FileArg, Flag, FlagAction, Grading, Method,
    OutputSpec, RandomBoard, SolutionSpec,
};
pub use diagnosis::{CommonSymptom, Diagnosis, Extent, Mutant, NamedMistake, Symptom, diagnose};
pub use grade::{
    Behavior, Defect, Observation, ProcessEnd, ProgramOutput, QueueAnomaly, TestCase,
    TestCaseError, Verdict, judge, judge_variant,
};
pub use outcome::{CourseRun, Ending, PathStep};
pub use reading::ReadError;
pub use run::{RunError, run};
pub use search::{BestFirstSettings, ClosedTable, CourseHeuristic, CourseSearch, Detection};
pub use test_set::{default_test_set, seeded_test_set};
pub use variant::{
    Argument, ArgumentKind, Arguments, VariantCase, VariantCheck, VariantCourse, VariantEnding,
    VariantError, VariantRun, VariantSpec, WriteTrace, seeded_variant_test_set,
};

/// All courses.
pub const ALL: [Course; 8] = [
    courses::umbc::COURSE,
    courses::auc::COURSE,
    courses::princeton::COURSE,
    courses::bu::COURSE,
    courses::cuhk::COURSE,
    courses::fortytwo::COURSE,
    courses::columbia::COURSE,
    courses::cs188::COURSE,
];

/// The courses on variants of the puzzle.
pub const VARIANTS: [VariantCourse; 2] = [courses::uta::COURSE, courses::uwmadison::COURSE];

/// Returns the course on a variant of the puzzle with this name.
pub fn find_variant(name: &str) -> Option<VariantCourse> {
    VARIANTS.into_iter().find(|course| course.name == name)
}

/// Returns the course with this name.
pub fn find(name: &str) -> Option<Course> {
    ALL.into_iter().find(|course| course.name == name)
}
