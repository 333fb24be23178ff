//! The course programs as values.
//!
//! A [`Course`] says how its assignment reads a board, which search it runs and how it writes the
//! answer; everything an assignment fixes stands in its one file. The searching is the same for
//! all: one best-first engine ([`npuzzle_core::search::BestFirst`]) with the settings of a
//! [`Search`], or the library's own choice where the assignment leaves it free.
//!
//! ```
//! use npuzzle_courses::{find, Ending, run};
//! let course = find("princeton").expect("it is one of them");
//! let run = run(&course, "3\n 0 1 3\n 4 2 5\n 7 8 6\n", &mut ())?;
//! assert!(matches!(run.ending, Ending::Solved(ref steps) if steps.len() == 5));
//! let mut text = Vec::new();
//! (course.write)(&run, &mut text)?;
//! assert!(text.starts_with(b"Minimum number of moves = 4\n3\n 0  1  3 \n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod course;
pub mod courses;
mod diagnosis;
mod grade;
mod run;
mod test_set;

pub use course::{
    Course, Detect, Grading, OutputSpec, Priority, ReadError, Search, SolutionSpec, Visited,
};
pub use diagnosis::{Diagnosis, Mutant, diagnose};
pub use grade::{Behavior, Case, CaseError, Ended, Judged, QueueSign, Reply, Seen, Wrong, judge};
pub use run::{CourseRun, Ending, RunError, Step, run};
pub use test_set::{SetError, set_of_seed, usual_set};

/// All courses.
pub const ALL: [Course; 6] = [
    crate::courses::umbc::COURSE,
    crate::courses::auc::COURSE,
    crate::courses::princeton::COURSE,
    crate::courses::bu::COURSE,
    crate::courses::cuhk::COURSE,
    crate::courses::fortytwo::COURSE,
];

/// The course with this name.
pub fn find(name: &str) -> Option<Course> {
    ALL.into_iter().find(|course| course.name == name)
}
