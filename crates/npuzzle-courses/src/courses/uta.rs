//! The University of Texas at Arlington, CSE 5360 and 4308: the expense 8-puzzle. Moving a tile costs its
//! number, and seven methods find a path: bfs, ucs, dfs, dls, ids, greedy and a\*.
//!
//! The start and the goal are files of three rows, with a last line `END OF FILE` that may be missing. The
//! answer shows four counters and the moves of the tiles. The counters are those of the textbook's graph
//! search: every neighbor enters the fringe, even the parent, and a state that has been expanded is dropped
//! when it leaves the fringe. The start counts as generated.
//!
//! The assignment leaves open: the heuristic of greedy and a\*, which is here the sum of each tile's number
//! times its Manhattan distance, as the published counters of a\* require; the order of the neighbors, here
//! the blank moving up, down, left, right; dls and ids, here without a closed set, which could miss
//! solutions within the limit; and the text for puzzles without a solution.

mod search;
mod solution;
mod trace;

use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;

use npuzzle::Limits;
use npuzzle_core::format::Format;
use npuzzle_core::heuristic::TileCostManhattan;
use npuzzle_core::search::{Cost, Outcome, Stats, Watch};
use npuzzle_core::{Board, Goal, Instance, Packed, Random, Slide, Sliding, TileCosts};

use crate::reading::{Sizes, read_board};
use crate::variant::optimum::{cheapest, random_state};
use crate::variant::{
    Argument, ArgumentKind, Arguments, VariantCase, VariantCheck, VariantCourse, VariantEnding,
    VariantError, VariantRun, VariantSpec,
};

use search::{Found, Request};

/// The course.
pub const COURSE: VariantCourse = VariantCourse {
    name: "uta",
    about: "UTA CSE 5360: a move costs the tile; bfs, ucs, dfs, dls, ids, greedy, a*; trace files",
    arguments: &[
        Argument {
            name: "start",
            help: "The file with the start: three rows, then END OF FILE",
            kind: ArgumentKind::File,
        },
        Argument { name: "goal", help: "The file with the goal", kind: ArgumentKind::File },
        Argument {
            name: "method",
            help: "bfs, ucs, dfs, dls, ids, greedy or a*",
            kind: ArgumentKind::Word { default: Some("a*") },
        },
        Argument {
            name: "dump",
            help: "true writes the fringe and the closed set of every step to trace-DATE-TIME.txt; \
                   traces of ucs and dfs are very large",
            kind: ArgumentKind::Word { default: Some("false") },
        },
        Argument {
            name: "depth-limit",
            help: "The depth limit of dls [default: asked for]",
            kind: ArgumentKind::Number,
        },
    ],
    limits: Limits { time: Some(Duration::from_secs(60)), nodes: None, memory: Some(2 << 30) },
    run,
    trace,
    check,
    generate,
    test_set,
    seeded_costs: &[0..=0, 1..=15, 25..=35, 45..=55, 65..=75, 85..=95, 105..=115],
    read_cases,
    solve_arguments: &[],
};

/// The puzzle: slides of packed boards that cost the number of the tile.
type Puzzle = Sliding<Packed, TileCosts>;

fn puzzle(instance: &Instance) -> Puzzle {
    let costs = TileCosts::by_number(instance.dims());
    match Sliding::with_costs(instance, costs) {
        Some(problem) => problem,
        None => unreachable!("nine cells fit"),
    }
}

fn heuristic(instance: &Instance) -> TileCostManhattan {
    TileCostManhattan::new(instance.goal(), TileCosts::by_number(instance.dims()))
}

fn run(
    arguments: &Arguments,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<VariantRun, VariantError> {
    let request = Request::read(arguments)?;
    let Found { outcome, stats } = request.search(limits, watch, &mut ());
    let (answer, ending) = match &outcome {
        Outcome::Solved(path) => (solved(&request.instance, path, &stats), VariantEnding::Solved),
        Outcome::Unsolvable => {
            (counters(&stats) + "No solution found.\n", VariantEnding::Unsolvable)
        }
        Outcome::Stopped { limit, .. } => (String::new(), VariantEnding::Stopped(*limit)),
    };
    Ok(VariantRun { answer, ending, stats, wants_trace: request.wants_trace })
}

fn trace(
    arguments: &Arguments,
    limits: Limits,
    watch: &mut dyn Watch,
    out: &mut dyn Write,
) -> Result<(), VariantError> {
    trace::write(&Request::read(arguments)?, &arguments.command_line, limits, watch, out)
}

/// The four counters. `generated` includes the start of every search.
fn counters(stats: &Stats) -> String {
    let Stats { dequeued, expanded, generated, max_open, .. } = stats;
    format!(
        "Nodes Popped: {dequeued}\nNodes Expanded: {expanded}\nNodes Generated: {generated}\n\
         Max Fringe Size: {max_open}\n"
    )
}

fn solved(instance: &Instance, path: &[Slide], stats: &Stats) -> String {
    let steps = solution::steps(instance, path);
    let cost: Cost = steps.iter().map(|(tile, _)| Cost::from(tile.number())).sum();
    let depth = path.len();
    let mut text = counters(stats);
    // Writing to a string cannot fail, here and below.
    let _ = write!(text, "Solution Found at depth {depth} with cost of {cost}.\nSteps:\n");
    for (tile, slide) in steps {
        let _ = writeln!(text, "\tMove {tile} {slide}");
    }
    text
}

/// Reads the board of a file: three rows, and a line `END OF FILE` after which everything is ignored.
fn read(argument: &'static str, text: &str) -> Result<Board, VariantError> {
    let (first, _) = split_at_end(text);
    let format = if first.contains('/') { Format::Slash } else { Format::Grid };
    match read_board(&first, format, Sizes::EightPuzzle, &Goal::Last) {
        Ok(instance) => Ok(instance.start().clone()),
        Err(error) => Err(VariantError::Read { argument, error }),
    }
}

/// Splits a text at the first line `END OF FILE`. The lines before it become empty in the second part,
/// so that messages give the right line; the part is `None` if no text follows.
fn split_at_end(text: &str) -> (String, Option<String>) {
    let is_end = |line: &str| line.trim().eq_ignore_ascii_case("end of file");
    let n_first = text.lines().take_while(|line| !is_end(line)).count();
    let join = |lines: &mut dyn Iterator<Item = &str>| {
        lines.fold(String::new(), |text, line| text + line + "\n")
    };
    let first = join(&mut text.lines().take(n_first));
    let rest = join(&mut text.lines().skip(n_first + 1));
    (first, Some("\n".repeat(n_first + 1) + &rest).filter(|_| !rest.trim().is_empty()))
}

fn instance(start: Board, goal: Board) -> Instance {
    match Instance::new(start, &Goal::Board(goal)) {
        Ok(instance) => instance,
        Err(error) => unreachable!("both boards are 3x3: {error}"),
    }
}

/// Reads a start and a goal from one text; without a second board the goal has the blank last.
fn read_both(text: &str) -> Result<Instance, VariantError> {
    let start = read("puzzle", text)?;
    let goal = match split_at_end(text).1 {
        Some(goal) => read("puzzle", &goal)?,
        None => solved_board(),
    };
    Ok(instance(start, goal))
}

fn solved_board() -> Board {
    match Board::from_rows(&[[1, 2, 3], [4, 5, 6], [7, 8, 0]]) {
        Ok(board) => board,
        Err(error) => unreachable!("this is a board: {error}"),
    }
}

fn check(
    puzzle_text: &str,
    solution: &str,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<VariantCheck, VariantError> {
    let instance = read_both(puzzle_text)?;
    let mut checked = solution::check(&instance, solution)?;
    if instance.is_solvable() {
        match cheapest(&puzzle(&instance), &heuristic(&instance), limits, watch) {
            Ok(optimum) => checked.optimum = optimum,
            Err(limit) => checked.stopped = Some(limit),
        }
    }
    Ok(checked)
}

/// The text of a file with a board.
fn file(board: &Board) -> String {
    let row = |row: &[_]| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let rows: Vec<String> = board.rows().map(row).collect();
    rows.join("\n") + "\nEND OF FILE\n"
}

fn case(name: String, start: &Board, goal: &Board) -> VariantCase {
    let (start_file, goal_file) = (file(start), file(goal));
    VariantCase {
        name,
        board: start.slash().to_string(),
        goal: goal.slash().to_string(),
        is_solvable: instance(start.clone(), goal.clone()).is_solvable(),
        text: start_file.clone() + &goal_file,
        files: vec![("{input}", start_file), ("{goal}", goal_file)],
    }
}

fn generate(
    spec: &VariantSpec,
    random: &mut Random,
    watch: &mut dyn Watch,
) -> Result<VariantCase, VariantError> {
    let goal = solved_board();
    if spec.is_unsolvable {
        let start = random.instance(&goal, false).start().clone();
        return Ok(case("no solution".to_owned(), &start, &goal));
    }
    let from_goal = puzzle(&instance(goal.clone(), goal.clone()));
    let (start, cost) = random_state(&from_goal, spec, random, watch)?;
    Ok(case(format!("cost {cost}"), &start.to_board(goal.dims()), &goal))
}

/// Reads one puzzle: a start, and a goal if there is a second board.
fn read_cases(text: &str) -> Result<Vec<VariantCase>, VariantError> {
    let instance = read_both(text)?;
    Ok(vec![case("board".to_owned(), instance.start(), instance.goal())])
}

/// The sample of the assignment, a board on which each short cut costs more, the most expensive board,
/// and others between.
fn test_set() -> Vec<VariantCase> {
    let boards = [
        ("the goal", "1 2 3/4 5 6/7 8 0", "1 2 3/4 5 6/7 8 0"),
        ("1 move, cost 8", "1 2 3/4 5 6/7 0 8", "1 2 3/4 5 6/7 8 0"),
        ("the sample, cost 63", "2 3 6/1 0 7/4 8 5", "1 2 3/4 5 6/7 8 0"),
        ("another goal", "2 8 3/1 6 4/7 0 5", "1 2 3/8 0 4/7 6 5"),
        ("a long one", "8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 8 0"),
        ("no solution", "1 2 3/4 5 6/8 7 0", "1 2 3/4 5 6/7 8 0"),
    ];
    let parse = |board: &str| match board.parse::<Board>() {
        Ok(board) => board,
        Err(error) => unreachable!("{board} is a board: {error}"),
    };
    boards.map(|(name, start, goal)| case(name.to_owned(), &parse(start), &parse(goal))).to_vec()
}

#[cfg(test)]
mod tests {
    use super::search::Method;
    use super::*;

    #[test]
    fn files_are_split_at_the_end_of_file_line() {
        assert_eq!(split_at_end("a\nb"), ("a\nb\n".to_owned(), None));
        assert_eq!(split_at_end("a\nEND OF FILE\n \n"), ("a\n".to_owned(), None));
        let both = split_at_end("a\nend of file\nb\nEND OF FILE");
        assert_eq!(both, ("a\n".to_owned(), Some("\n\nb\nEND OF FILE\n".to_owned())));
    }

    #[test]
    fn methods_have_the_names_of_the_assignment() {
        let names = Method::ALL.map(Method::name);
        assert_eq!(names, ["bfs", "ucs", "dfs", "dls", "ids", "greedy", "a*"]);
    }
}
