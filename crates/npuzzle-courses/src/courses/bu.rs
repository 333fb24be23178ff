//! Boston University, CS 112, homework 4: the 8-puzzle by greedy best-first search, with a heap and
//! a hash table that the students write themselves. The search gives up after 10,000 nodes.
//!
//! The answer is a dialogue. The path is legal and ends at the goal, but need not be shortest.

use std::io::{self, Write};

use npuzzle::Limits;
use npuzzle_core::format::Format;
use npuzzle_core::search::{Evaluation, Limit};
use npuzzle_core::{Goal, Instance};

use crate::course::{CommandLine, Course, FileArg, Flag, FlagAction, Grading, SolutionSpec};
use crate::outcome::{CourseRun, Ending};
use crate::reading::{ReadError, Sizes, read_board};
use crate::search::{BestFirstSettings, ClosedTable, CourseSearch, Detection};

/// The node limit of the assignment.
const MAX_NODES: u64 = 10_000;

/// The course.
pub const COURSE: Course = Course {
    name: "bu",
    about: "Boston CS 112: greedy on Manhattan with a hash table, gives up after 10000 nodes",
    command_line: CommandLine {
        input: FileArg {
            default: Some("input01.txt"),
            ..FileArg::file("file", "The file: three lines of three integers")
        },
        flags: &[Flag {
            name: "limit",
            help: "Give up after examining this many nodes",
            action: FlagAction::NodeLimit { default: MAX_NODES },
        }],
        has_limit_flags: false,
        ..CommandLine::input_file("")
    },
    read,
    search: CourseSearch::BestFirst(BestFirstSettings {
        evaluation: Evaluation::Greedy,
        closed_table: ClosedTable::Chained { n_buckets: 991 },
        detection: Detection::AfterSearch,
        ..BestFirstSettings::ASTAR
    }),
    limits: Limits { time: None, nodes: Some(MAX_NODES), memory: Some(2 << 30) },
    write,
    reject,
    remark,
    grading: Grading {
        solution: SolutionSpec::Valid,
        reports_unsolvable: true,
        ..Grading::of_format(Format::Grid)
    },
};

fn read(text: &str) -> Result<Instance, ReadError> {
    read_board(text, Format::Grid, Sizes::EightPuzzle, &Goal::First)
}

fn write(run: &CourseRun, out: &mut dyn Write) -> io::Result<()> {
    write_welcome(&run.text, out)?;
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
    write_welcome(text, out)?;
    writeln!(out, "Error! Input must consist of permutation of digits 0 -- 8. ")
}

/// A caveat unless the heuristic proves the path shortest.
fn remark(run: &CourseRun) -> Option<String> {
    let Ending::Solved(steps) = &run.ending else { return None };
    let is_shortest = steps.len() - 1 == steps[0].h as usize;
    (!is_shortest).then(|| "greedy search: the path may not be shortest".to_owned())
}

/// Writes the greeting and the board as it was read, valid or not.
fn write_welcome(text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\nWelcome to the Eight-Puzzle Solver. ")?;
    writeln!(out, "Here is the initial position read")?;
    writeln!(out, "from the input file:\n")?;
    for line in echo(text) {
        writeln!(out, "{line}")?;
    }
    writeln!(out)
}

/// The lines of the file that are not empty, with control characters replaced. Long files and long
/// lines are truncated.
fn echo(text: &str) -> impl Iterator<Item = String> + '_ {
    const MAX_LINES: usize = 20;
    const MAX_WIDTH: usize = 100;
    let lines = text.trim_start_matches('\u{feff}').lines();
    let printable = |c: char| if c.is_control() && c != '\t' { '?' } else { c };
    lines
        .filter(|line| !line.trim().is_empty())
        .take(MAX_LINES)
        .map(move |line| line.chars().take(MAX_WIDTH).map(printable).collect())
}
