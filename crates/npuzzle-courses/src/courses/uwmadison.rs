//! University of Wisconsin–Madison, CS 540: the funny puzzle, a board of nine cells with seven tiles and two
//! blanks. The assignment is a module with two functions, `print_succ` and `solve`; here they are words of
//! the command line.
//!
//! `print_succ` lists the boards one move away in ascending order, `solve` the states of a shortest path by
//! A\* on Manhattan distance. The queue holds tuples of f and state, so equal values of f are ordered by the
//! state; `solve` ends with the largest number of queued tuples.
//!
//! Two rules for that number are in circulation. The test files of fall 2023 push a successor if it is new
//! or reached by fewer moves than before; the example in the handout pushes every successor that has not
//! been popped, and expands a state again when it is popped again. No rule gives all published numbers, so
//! there is an option. If the start is the goal, nothing has been pushed and the number is 0.
//!
//! Until about 2021 the boards had eight tiles and `solve` did not print the number; a later term accepts
//! any number of tiles and prints `True` or `False` first. A board with one blank is solvable by parity,
//! all others always.

mod queue;
mod solution;

use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;

use npuzzle::Limits;
use npuzzle_core::heuristic::MultiBlankManhattan;
use npuzzle_core::search::{Heuristic, Outcome, Problem, Watch};
use npuzzle_core::{Dims, MultiBlankBoard, MultiBlankSliding, Random};

use crate::variant::optimum::{cheapest, random_state};
use crate::variant::{
    Argument, ArgumentKind, Arguments, VariantCase, VariantCheck, VariantCourse, VariantEnding,
    VariantError, VariantRun, VariantSpec,
};

use queue::{Found, Rule};

/// The course.
pub const COURSE: VariantCourse = VariantCourse {
    name: "uwmadison",
    about: "UW-Madison CS 540: seven tiles and two blanks; print_succ and solve by A*",
    arguments: &[
        Argument {
            name: "function",
            help: "print_succ: the boards one move away; solve: a shortest path",
            kind: ArgumentKind::Word { default: None },
        },
        Argument {
            name: "board",
            help: "The board as a list, \"[4, 3, 0, 5, 1, 6, 7, 2, 0]\", or a file with it",
            kind: ArgumentKind::Board,
        },
        Argument {
            name: "rule",
            help: "Which successors enter the queue",
            kind: ArgumentKind::Choice(&[
                (
                    "cheaper",
                    "Those that are new or reached by fewer moves: the course's test files",
                ),
                ("not-popped", "Those that have not been popped: the example in the handout"),
            ]),
        },
        Argument {
            name: "term",
            help: "The form of the assignment",
            kind: ArgumentKind::Choice(&[
                ("2023", "Seven tiles, the path, Max queue length"),
                ("2021", "Eight tiles, the path"),
                ("state-check", "Any tiles, True or False, the path, Max queue length"),
            ]),
        },
    ],
    limits: Limits { time: Some(Duration::from_secs(60)), nodes: None, memory: Some(2 << 30) },
    run,
    trace,
    check,
    generate,
    test_set,
    seeded_costs: &[0..=0, 1..=4, 8..=10, 12..=13, 14..=15, 16..=17, 18..=19],
    read_cases,
    solve_arguments: &[("function", "solve")],
};

/// The number of cells.
const N_CELLS: usize = 9;

/// The request of the command line.
struct Request {
    start: MultiBlankBoard,
    is_succ: bool,
    rule: Rule,
    prints_solvability: bool,
    prints_queue_length: bool,
}

impl Request {
    fn read(arguments: &Arguments) -> Result<Request, VariantError> {
        let function = arguments.required("function")?;
        let is_succ = match function {
            "print_succ" | "succ" => true,
            "solve" => false,
            _ => {
                let message =
                    format!("{function:?} is not a function: expected print_succ or solve");
                return Err(VariantError::Usage(message));
            }
        };
        let start = read("board", arguments.required("board")?)?;
        let term = arguments.required("term")?;
        let n_tiles = match term {
            "2021" => Some(8),
            "2023" => Some(7),
            _ => None,
        };
        if let Some(n_tiles) = n_tiles.filter(|&n_tiles| n_tiles != start.n_tiles()) {
            let found = start.n_tiles();
            return Err(VariantError::Input {
                argument: "board",
                message: format!(
                    "the board has {found} tiles, in this term it has {n_tiles}; --term state-check \
                     accepts any number"
                ),
            });
        }
        let rule = match arguments.required("rule")? {
            "not-popped" => Rule::NotPopped,
            _ => Rule::Cheaper,
        };
        let (prints_solvability, prints_queue_length) = (term == "state-check", term != "2021");
        Ok(Request { start, is_succ, rule, prints_solvability, prints_queue_length })
    }
}

fn dims() -> Dims {
    match Dims::new(3, 3) {
        Ok(dims) => dims,
        Err(error) => unreachable!("3x3 is a size: {error}"),
    }
}

fn goal_of(start: &MultiBlankBoard) -> MultiBlankBoard {
    MultiBlankBoard::solved(start.dims(), start.n_tiles())
}

fn problem(start: &MultiBlankBoard) -> MultiBlankSliding {
    match MultiBlankSliding::new(start.clone(), goal_of(start)) {
        Some(problem) => problem,
        None => unreachable!("the goal has the tiles of the start"),
    }
}

fn run(
    arguments: &Arguments,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<VariantRun, VariantError> {
    let request = Request::read(arguments)?;
    let finished =
        |answer, ending, stats| Ok(VariantRun { answer, ending, stats, wants_trace: false });
    if request.is_succ {
        return finished(successors(&request.start), VariantEnding::Solved, Default::default());
    }
    if !problem(&request.start).is_solvable() {
        let answer = if request.prints_solvability { "False\n" } else { "" };
        return finished(answer.to_owned(), VariantEnding::Unsolvable, Default::default());
    }
    let Found { outcome, stats, max_queue } =
        queue::search(&request.start, request.rule, limits, watch, &mut |_| {});
    match outcome {
        Outcome::Solved(path) => {
            finished(solved(&request, &path, max_queue), VariantEnding::Solved, stats)
        }
        Outcome::Unsolvable => finished(String::new(), VariantEnding::Unsolvable, stats),
        Outcome::Stopped { limit, .. } => {
            finished(String::new(), VariantEnding::Stopped(limit), stats)
        }
    }
}

/// The list of a board, as Python prints it.
fn list(board: &MultiBlankBoard) -> String {
    let tiles: Vec<String> = board.tiles().iter().map(ToString::to_string).collect();
    format!("[{}]", tiles.join(", "))
}

/// The boards one move away in ascending order, with their estimates.
fn successors(start: &MultiBlankBoard) -> String {
    let (problem, h) = (problem(start), MultiBlankManhattan::new(&goal_of(start)));
    let after = |moved| {
        let mut board = start.clone();
        problem.apply(&mut board, moved);
        board
    };
    let mut boards: Vec<MultiBlankBoard> = problem.actions(start).map(after).collect();
    boards.sort();
    let line = |board: &MultiBlankBoard| format!("{} h={}\n", list(board), h.value(&h.eval(board)));
    boards.iter().map(line).collect()
}

fn solved(request: &Request, path: &[MultiBlankBoard], max_queue: u64) -> String {
    let h = MultiBlankManhattan::new(&goal_of(&request.start));
    let mut text = String::new();
    if request.prints_solvability {
        text += "True\n";
    }
    for (moves, board) in path.iter().enumerate() {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "{} h={} moves: {moves}", list(board), h.value(&h.eval(board)));
    }
    if request.prints_queue_length {
        let _ = writeln!(text, "Max queue length: {max_queue}");
    }
    text
}

/// Writes the tuples of the queue that are popped, with the length of the queue afterwards.
fn trace(
    arguments: &Arguments,
    limits: Limits,
    watch: &mut dyn Watch,
    out: &mut dyn Write,
) -> Result<(), VariantError> {
    let request = Request::read(arguments)?;
    if request.is_succ {
        return Err(VariantError::Usage("only solve has a trace".to_owned()));
    }
    let mut error = None;
    let mut observe = |popped: &queue::Popped<'_>| {
        let queue::Popped { step, board, g, h, length } = *popped;
        let board = list(board);
        let line = writeln!(out, "{step}: {board} f={} g={g} h={h} queue: {length}", g + h);
        if let Err(failed) = line {
            error.get_or_insert(failed);
        }
    };
    let Found { outcome, .. } =
        queue::search(&request.start, request.rule, limits, watch, &mut observe);
    match (error, outcome) {
        (Some(error), _) => Err(error.into()),
        (None, Outcome::Stopped { limit, .. }) => Err(VariantError::Limit(limit)),
        (None, _) => Ok(()),
    }
}

/// Reads a list of nine numbers, with or without brackets and commas.
fn read(argument: &'static str, text: &str) -> Result<MultiBlankBoard, VariantError> {
    let invalid = |message: String| VariantError::Input { argument, message };
    let is_separator = |c: char| c.is_whitespace() || "[](),/".contains(c);
    let words = text.split(is_separator).filter(|word| !word.is_empty());
    let number = |word: &str| {
        let shown: String = word.chars().take(20).collect();
        word.parse::<u16>()
            .map_err(|_| invalid(format!("{shown:?} is not a tile: expected 0 to 8")))
    };
    let tiles: Vec<u16> = words.take(N_CELLS + 1).map(number).collect::<Result<_, _>>()?;
    if tiles.len() != N_CELLS {
        let found = if tiles.len() > N_CELLS { "more".to_owned() } else { tiles.len().to_string() };
        return Err(invalid(format!(
            "expected nine numbers such as [4, 3, 0, 5, 1, 6, 7, 2, 0], found {found}"
        )));
    }
    let board = MultiBlankBoard::new(dims(), &tiles).map_err(|error| invalid(error.to_string()))?;
    match board.n_tiles() {
        0 => Err(invalid("the board has no tile".to_owned())),
        _ => Ok(board),
    }
}

fn check(
    puzzle: &str,
    solution: &str,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<VariantCheck, VariantError> {
    let problem = problem(&read("puzzle", puzzle)?);
    let mut checked = solution::check(&problem, solution)?;
    if problem.is_solvable() {
        let h = MultiBlankManhattan::new(&goal_of(&problem.start()));
        match cheapest(&problem, &h, limits, watch) {
            Ok(optimum) => checked.optimum = optimum,
            Err(limit) => checked.stopped = Some(limit),
        }
    }
    Ok(checked)
}

fn case(name: String, board: &MultiBlankBoard) -> VariantCase {
    let text = list(board) + "\n";
    VariantCase {
        name,
        board: list(board),
        goal: list(&goal_of(board)),
        is_solvable: problem(board).is_solvable(),
        files: vec![("{input}", text.clone())],
        text,
    }
}

fn generate(
    spec: &VariantSpec,
    random: &mut Random,
    watch: &mut dyn Watch,
) -> Result<VariantCase, VariantError> {
    if spec.is_unsolvable {
        let message = "every board with two blanks is solvable".to_owned();
        return Err(VariantError::NoPuzzle(message));
    }
    let goal = MultiBlankBoard::solved(dims(), N_CELLS - 2);
    let (board, moves) = random_state(&problem(&goal), spec, random, watch)?;
    Ok(case(format!("{moves} moves"), &board))
}

/// Reads one board per line.
fn read_cases(text: &str) -> Result<Vec<VariantCase>, VariantError> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let as_case = |(number, line): (usize, &str)| match read("board", line) {
        Ok(board) => Ok(case(format!("line {number}"), &board)),
        Err(error) => {
            let message = format!("line {number}: {error}");
            Err(VariantError::Input { argument: "board", message })
        }
    };
    lines.map(as_case).collect()
}

/// The goal, the boards of the assignment and those that students use.
fn test_set() -> Vec<VariantCase> {
    let boards = [
        ("the goal", "[1, 2, 3, 4, 5, 6, 7, 0, 0]"),
        ("1 move", "[1, 2, 3, 4, 5, 0, 7, 0, 6]"),
        ("11 moves, the handout", "[4, 3, 0, 5, 1, 6, 7, 2, 0]"),
        ("12 moves, a test file", "[3, 4, 6, 0, 0, 1, 7, 2, 5]"),
        ("12 moves", "[2, 5, 1, 4, 0, 6, 7, 0, 3]"),
        ("13 moves", "[1, 7, 0, 6, 3, 2, 0, 4, 5]"),
        ("16 moves", "[5, 2, 3, 0, 6, 4, 7, 1, 0]"),
        ("18 moves, a test file", "[6, 0, 0, 3, 5, 1, 7, 2, 4]"),
        ("18 moves, another test file", "[0, 4, 7, 1, 3, 0, 6, 2, 5]"),
    ];
    let parse = |text| match read("board", text) {
        Ok(board) => board,
        Err(error) => unreachable!("{text} is a board: {error}"),
    };
    boards.map(|(name, text)| case(name.to_owned(), &parse(text))).to_vec()
}
