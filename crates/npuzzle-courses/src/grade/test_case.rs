//! A board that a student's program is run on.

use std::error::Error;
use std::fmt;

use npuzzle::teaching::GenerateError;
use npuzzle_core::format::{self, Format, WriteError};
use npuzzle_core::{Board, Goal, Instance};

use crate::course::Course;
use crate::reading::ReadError;

/// A board that a student's program is run on, with its input file.
#[derive(Clone, Debug)]
pub struct TestCase {
    /// The name in reports.
    pub name: String,
    /// The board and its goal.
    pub instance: Instance,
    /// The text of the input file.
    pub text: String,
}

impl TestCase {
    /// Creates a test case in the course's input format. Only courses whose input file contains the
    /// goal accept another goal than their own.
    pub fn new(
        course: &Course,
        name: impl Into<String>,
        board: &Board,
        goal: Option<&Board>,
    ) -> Result<TestCase, TestCaseError> {
        let format = course.grading.format;
        let default_goal = Goal::Last.board(board.dims());
        let written_goal = match format {
            Format::Pair => goal.or(default_goal.as_ref()),
            _ => None,
        };
        let text = format::write(board, written_goal, format).map_err(TestCaseError::Write)?;
        let instance = (course.read)(&text).map_err(TestCaseError::Read)?;
        if goal.is_some_and(|goal| goal != instance.goal()) {
            return Err(TestCaseError::Goal { course: course.name });
        }
        Ok(TestCase { name: name.into(), instance, text })
    }
}

/// Why there is no such test case of a course.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TestCaseError {
    /// The course's format cannot represent the board.
    Write(WriteError),
    /// The course does not accept the board.
    Read(ReadError),
    /// No board could be generated.
    Generate(GenerateError),
    /// The board has another goal than the course.
    Goal {
        /// The course.
        course: &'static str,
    },
}

impl fmt::Display for TestCaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TestCaseError::Write(error) => error.fmt(f),
            TestCaseError::Read(error) => error.fmt(f),
            TestCaseError::Generate(error) => error.fmt(f),
            TestCaseError::Goal { course } => {
                write!(f, "{course} has a fixed goal, and the goal of this board differs from it")
            }
        }
    }
}

impl Error for TestCaseError {}
