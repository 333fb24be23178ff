//! Columbia, CSMM.101x (edX) and COMS W4701, *Search algorithms*: `driver.py METHOD BOARD` with breadth-first
//! search, depth-first search or A*, and the counters of the search in the file `output.txt`.
//!
//! Directions are those of the blank. A state in the frontier or expanded before does not enter the
//! frontier again. The course leaves the order of equal keys in A* open: here the node that entered first
//! leaves first, and a shorter path to a state of the frontier replaces the longer one and its place. A
//! program that keeps the longer path expands other numbers of nodes (on the boards of the course's
//! FAQ 696 and 1585, instead of 711 and 1660) and may return a path that is not shortest.
//!
//! The course checks neither `running_time` nor `max_ram_usage`. The latter is the memory of the search.

use std::io::{self, Write};

use npuzzle::teaching::TieBreak;
use npuzzle_core::format::Format;
use npuzzle_core::search::{DuplicateCheck, Evaluation};
use npuzzle_core::{Goal, Instance, MoveOrder};

use crate::course::{
    self, AnswerTarget, Choice, CommandLine, Course, FileArg, Flag, FlagAction, Grading, Method,
    OutputSpec, SolutionSpec,
};
use crate::outcome::{CourseRun, Ending};
use crate::reading::{ReadError, Sizes, read_line_of_tiles};
use crate::search::{BestFirstSettings, CourseSearch};

/// The course, with breadth-first search.
pub const COURSE: Course = Course {
    name: "columbia",
    about: "Columbia CSMM.101x: bfs, dfs or A* to the goal 0 1 2 ...; path and counters in output.txt",
    command_line: CommandLine {
        method: Some(Method { help: "The search", choices: METHODS }),
        input: FileArg {
            accepts_text: true,
            ..FileArg::file("board", "The tiles, separated by commas, or a file with them")
        },
        answer: AnswerTarget::WorkingFolder("output.txt"),
        flags: FLAGS,
        ..CommandLine::input_file("")
    },
    read,
    search: CourseSearch::BestFirst(BREADTH_FIRST),
    limits: course::MEMORY_ONLY,
    write: |run, out| write(run, false, out),
    reject: course::no_rejection,
    remark: course::no_remark,
    grading: Grading {
        output: OutputSpec::Moves(&[
            "cost_of_path",
            "nodes_expanded",
            "search_depth",
            "max_search_depth",
        ]),
        solution_part,
        ..Grading::of_format(Format::Flat)
    },
};

const BREADTH_FIRST: BestFirstSettings = BestFirstSettings {
    evaluation: Evaluation::Constant,
    check: DuplicateCheck::Open,
    tie_break: TieBreak::Fifo,
    order: MoveOrder::UDLR,
    ..BestFirstSettings::ASTAR
};

/// The children enter the stack in reverse, so that they leave it in the order of the course.
const DEPTH_FIRST: BestFirstSettings = BestFirstSettings {
    tie_break: TieBreak::Lifo,
    order: MoveOrder::UDLR.reversed(),
    ..BREADTH_FIRST
};

const ASTAR: BestFirstSettings =
    BestFirstSettings { evaluation: Evaluation::AStar, ..BREADTH_FIRST };

const METHODS: &[Choice] = &[
    Choice::new("bfs", "Breadth-first search", |course| {
        course.search = CourseSearch::BestFirst(BREADTH_FIRST);
    }),
    Choice::new("dfs", "Depth-first search: some path, often of thousands of moves", |course| {
        course.search = CourseSearch::BestFirst(DEPTH_FIRST);
        course.grading.solution = SolutionSpec::Valid;
    }),
    Choice::new("ast", "A* on g + Manhattan distance", |course| {
        course.search = CourseSearch::BestFirst(ASTAR);
        // The order of equal keys is open, and the other counters depend on it.
        course.grading.output = OutputSpec::Moves(&["cost_of_path", "search_depth"]);
    }),
];

const FLAGS: &[Flag] = &[Flag {
    name: "fringe",
    help: "Also write fringe_size and max_fringe_size, as in the terms with four methods",
    action: FlagAction::Switch(|course| course.write = |run, out| write(run, true, out)),
}];

fn read(text: &str) -> Result<Instance, ReadError> {
    read_line_of_tiles(text, Sizes::Squares, &Goal::First)
}

fn write(run: &CourseRun, has_fringe: bool, out: &mut dyn Write) -> io::Result<()> {
    let Ending::Solved(steps) = &run.ending else { return Ok(()) };
    let n_moves = steps.len() - 1;
    let slides = steps.iter().filter_map(|step| step.slid);
    let names: Vec<String> = slides.map(|(slide, _)| format!("'{}'", slide.opposite())).collect();
    writeln!(out, "path_to_goal: [{}]", names.join(", "))?;
    writeln!(out, "cost_of_path: {n_moves}")?;
    writeln!(out, "nodes_expanded: {}", run.stats.expanded)?;
    if has_fringe {
        writeln!(out, "fringe_size: {}", run.stats.open)?;
        writeln!(out, "max_fringe_size: {}", run.stats.max_open)?;
    }
    writeln!(out, "search_depth: {n_moves}")?;
    writeln!(out, "max_search_depth: {}", run.max_depth)?;
    writeln!(out, "running_time: {:.8}", run.time.as_secs_f64())?;
    let n_megabytes = run.stats.peak_bytes as f64 / f64::from(1 << 20);
    writeln!(out, "max_ram_usage: {n_megabytes:.8}")
}

/// The list of directions.
fn solution_part(answer: &str) -> &str {
    let mut paths = answer.lines().filter_map(|line| line.strip_prefix("path_to_goal:"));
    paths.next_back().unwrap_or(answer)
}
