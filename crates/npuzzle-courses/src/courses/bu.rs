//! Boston University, CS 112, homework 4: the eight puzzle by greedy best-first search, with a heap
//! and a hash table of one's own, given up after 10,000 nodes.
//!
//! The answer is a dialogue. The path is legal and ends at the goal; it need not be shortest.

use std::io::{self, Write};

use npuzzle::Limits;
use npuzzle_core::format::Format;
use npuzzle_core::search::{Duplicates, Evaluation, Limit};
use npuzzle_core::{Goal, Instance};

use crate::course::{
    self, Course, Detect, Grading, OutputSpec, Priority, ReadError, Search, Sizes, SolutionSpec,
    Visited,
};
use crate::run::{CourseRun, Ending};

/// The file that is read when none is named.
pub const DEFAULT_FILE: &str = "input01.txt";

/// The course.
pub const COURSE: Course = Course {
    name: "bu",
    about: "Boston CS 112: greedy on Manhattan with a hash table, given up after 10000 nodes",
    read,
    search: Search::BestFirst {
        heuristic: Priority::Manhattan,
        evaluation: Evaluation::Greedy,
        duplicates: Duplicates::Closed,
        visited: Visited::Digits { n_buckets: 991 },
        detect: Detect::Exhaust,
    },
    limits: Limits { time: None, nodes: Some(10_000), memory: Some(2 << 30) },
    write,
    reject,
    grading: Grading {
        format: Format::Grid,
        asks: SolutionSpec::Valid,
        shows: OutputSpec::Nothing,
        says_none: true,
        takes_larger: false,
        ends_with_zero: false,
    },
};

fn read(text: &str) -> Result<Instance, ReadError> {
    course::read(text, Format::Grid, Sizes::EightPuzzle, &Goal::First)
}

fn write(run: &CourseRun, out: &mut dyn Write) -> io::Result<()> {
    welcome(&run.text, out)?;
    writeln!(out, "Ok, hm... I'm thinking...\n")?;
    match &run.ending {
        Ending::Solved(steps) => {
            let n = steps.len() - 1;
            writeln!(out, "Ok, I found a solution with {n} moves:\n")?;
            for step in steps {
                for row in step.board.rows() {
                    writeln!(out, "{} {} {}", row[0], row[1], row[2])?;
                }
                writeln!(out)?;
            }
            writeln!(out, "Bye!")
        }
        Ending::Unsolvable | Ending::Stopped(Limit::Nodes, _) => {
            let n = run.stats.expanded;
            writeln!(out, "Sorry, I could not find a solution after looking at {n} nodes.")
        }
        Ending::Stopped(..) => Ok(()),
    }
}

fn reject(text: &str, out: &mut dyn Write) -> io::Result<()> {
    welcome(text, out)?;
    writeln!(out, "Error! Input must consist of permutation of digits 0 -- 8.")
}

/// The greeting and the board as it was read, right or wrong.
fn welcome(text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "Welcome to the Eight-Puzzle Solver. ")?;
    writeln!(out, "Here is the initial position read")?;
    writeln!(out, "from the input file:\n")?;
    for line in echo(text) {
        writeln!(out, "{line}")?;
    }
    writeln!(out)
}

/// The lines of the file that are not empty, without what a terminal would act on. A file that is
/// no board at all is not repeated without end.
fn echo(text: &str) -> impl Iterator<Item = String> + '_ {
    const MAX_LINES: usize = 20;
    const MAX_WIDTH: usize = 100;
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim_end);
    let printable = |c: char| if c.is_control() && c != '\t' { '?' } else { c };
    lines
        .filter(|line| !line.is_empty())
        .take(MAX_LINES)
        .map(move |line| line.chars().take(MAX_WIDTH).map(printable).collect())
}
