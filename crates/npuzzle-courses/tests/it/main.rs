//! The course programs and the grader, through the library.
//!
//! Files, exit codes and flags as the command line parses them are tested in `npuzzle-cli`.

#![allow(clippy::unwrap_used, reason = "test helpers may panic")]

mod columbia;
mod cs188;
mod grading;
mod princeton_api;
mod reading;
mod samples;
mod searches;
mod uta;
mod uwmadison;
mod variants;

use npuzzle_courses::{Course, CourseRun, Ending, FlagAction, RunError, find, run};

fn course(name: &str) -> Course {
    find(name).unwrap()
}

/// A course with a flag of its command line applied; `value` is ignored by switches.
fn with_flag(mut course: Course, name: &str, value: &str) -> Course {
    let flag = course.command_line.flags.iter().find(|flag| flag.name == name).unwrap();
    match flag.action {
        FlagAction::Switch(change) => change(&mut course),
        FlagAction::Choice { choices, .. } => {
            let choice = choices.iter().find(|choice| choice.is_named(value)).unwrap();
            (choice.apply)(&mut course);
        }
        FlagAction::NodeLimit { .. } => course.limits.nodes = Some(value.parse().unwrap()),
    }
    course
}

/// Runs a course program; returns its answer and the result of the search.
fn answer(course: &Course, text: &str) -> (String, CourseRun) {
    let run = run(course, text, &mut ()).unwrap();
    let mut answer = Vec::new();
    (course.write)(&run, &mut answer).unwrap();
    (String::from_utf8(answer).unwrap(), run)
}

/// The number of moves of a solution; `None` if the board is unsolvable.
fn n_moves(run: &CourseRun) -> Option<usize> {
    match &run.ending {
        Ending::Solved(steps) => Some(steps.len() - 1),
        Ending::Unsolvable => None,
        Ending::Stopped(limit, _) => panic!("{limit}"),
    }
}

/// The error message for invalid input, and the text that the course prints.
fn rejection(course: &Course, text: &str) -> (String, String) {
    let Err(RunError::Read(error)) = run(course, text, &mut ()) else {
        panic!("{}: accepted {text:?}", course.name)
    };
    let mut printed = Vec::new();
    (course.reject)(text, &mut printed).unwrap();
    (error.render("board.txt"), String::from_utf8(printed).unwrap())
}
