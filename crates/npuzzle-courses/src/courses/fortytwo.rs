//! 42 (the schools of that name), *N-puzzle*: A* with a choice of heuristics to the snail goal, and
//! uniform-cost and greedy search as the bonus.
//!
//! The subject requires four results and leaves the wording free: how many states were ever selected
//! in the opened set, the largest number of states in memory at once, the number of moves, and the
//! sequence of states. Files begin with the size, and `#` starts a comment anywhere. The program
//! solves files as well as random boards of its own.

use std::io::{self, Write};

use npuzzle_core::format::Format;
use npuzzle_core::search::Evaluation;
use npuzzle_core::{Dims, Goal, Instance, Random};

use crate::course::{self, Choice, CommandLine, Course, Flag, FlagAction, Grading, RandomBoard};
use crate::outcome::{CourseRun, Ending};
use crate::reading::{ReadError, Sizes, read_board};
use crate::search::{BestFirstSettings, CourseSearch};

use super::{HEURISTICS, write_aligned_rows};

/// The course, with A* on Manhattan distance, which the subject makes mandatory.
pub const COURSE: Course = Course {
    name: "42",
    about: "42 N-puzzle: A*, uniform cost or greedy to the snail goal; the four figures, the states",
    command_line: CommandLine {
        flags: FLAGS,
        random_board: RandomBoard::OfSize(random_board),
        ..CommandLine::input_file("The file: the size, then the rows; # starts a comment")
    },
    read,
    search: CourseSearch::BestFirst(BestFirstSettings::ASTAR),
    limits: course::MEMORY_ONLY,
    write,
    reject: course::no_rejection,
    remark: course::no_remark,
    grading: Grading {
        reports_unsolvable: true,
        larger_boards: true,
        requires_exit_zero: true,
        ..Grading::of_format(Format::Dim)
    },
};

const FLAGS: &[Flag] = &[
    Flag {
        name: "heuristic",
        help: "The heuristic of the search",
        action: FlagAction::Choice { default: Some("manhattan"), choices: HEURISTICS },
    },
    Flag {
        name: "search",
        help: "The search",
        action: FlagAction::Choice { default: Some("astar"), choices: SEARCHES },
    },
];

const SEARCHES: &[Choice] = &[
    Choice::new("astar", "A*: shortest solutions", |course| {
        course.search.best_first_mut().evaluation = Evaluation::AStar;
    }),
    Choice::new(
        "uniform",
        "Uniform cost, which ignores the heuristic: shortest solutions",
        |course| {
            course.search.best_first_mut().evaluation = Evaluation::Uniform;
        },
    ),
    Choice::new(
        "greedy",
        "Greedy, which ignores the moves made: any solution, quickly",
        |course| {
            course.search.best_first_mut().evaluation = Evaluation::Greedy;
        },
    ),
];

fn read(text: &str) -> Result<Instance, ReadError> {
    read_board(text, Format::Dim, Sizes::Squares, &Goal::Snail)
}

fn random_board(dims: Dims, is_solvable: bool, random: &mut Random) -> String {
    let Some(goal) = Goal::Snail.board(dims) else { unreachable!("a named goal fits every size") };
    random.instance(&goal, is_solvable).start().to_string()
}

fn write(run: &CourseRun, out: &mut dyn Write) -> io::Result<()> {
    let steps = match &run.ending {
        Ending::Solved(steps) => steps,
        Ending::Unsolvable => return writeln!(out, "This puzzle is unsolvable"),
        Ending::Stopped(..) => return Ok(()),
    };
    let n_selected = run.stats.dequeued;
    writeln!(out, "Complexity in time (states selected in the opened set): {n_selected}")?;
    writeln!(out, "Complexity in size (most states in memory at once): {}", run.max_states)?;
    writeln!(out, "Number of moves: {}", steps.len() - 1)?;
    writeln!(out, "Sequence of states:")?;
    for step in steps {
        writeln!(out)?;
        write_aligned_rows(&step.board, out)?;
    }
    Ok(())
}
