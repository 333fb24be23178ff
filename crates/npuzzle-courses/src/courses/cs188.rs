//! Berkeley, CS 188, project 1: `eightpuzzle.py`, which tries the student's breadth-first search on a random
//! 8-puzzle and shows the path state by state.
//!
//! The answer is the transcript of the program. The directions are those of the blank.

use std::io::{self, Write};

use npuzzle::teaching::TieBreak;
use npuzzle_core::format::Format;
use npuzzle_core::search::{DuplicateCheck, Evaluation};
use npuzzle_core::{Board, Dims, Goal, Instance, MoveOrder, Random, Slide};

use crate::course::{self, CommandLine, Course, FileArg, Grading, OutputSpec, RandomBoard};
use crate::outcome::{CourseRun, Ending};
use crate::reading::{ReadError, Sizes, read_board, read_line_of_tiles};
use crate::search::{BestFirstSettings, CourseSearch};

/// The course.
pub const COURSE: Course = Course {
    name: "cs188",
    about: "Berkeley CS 188: breadth-first search of an 8-puzzle, random or one of six, state by state",
    command_line: CommandLine {
        input: FileArg {
            accepts_text: true,
            ..FileArg::file(
                "puzzle",
                "The number of a puzzle of the course (0 to 5), nine tiles, or a file",
            )
        },
        pause: Some(PROMPT),
        random_board: RandomBoard::Scrambled { n_moves: 25, make: scrambled },
        ..CommandLine::input_file("")
    },
    read,
    search: CourseSearch::BestFirst(BestFirstSettings {
        evaluation: Evaluation::Constant,
        check: DuplicateCheck::Open,
        tie_break: TieBreak::Fifo,
        order: MoveOrder::UDLR,
        ..BestFirstSettings::ASTAR
    }),
    limits: course::MEMORY_ONLY,
    write,
    reject: course::no_rejection,
    remark: course::no_remark,
    grading: Grading { output: OutputSpec::Moves(&[]), ..Grading::of_format(Format::Flat) },
};

/// The puzzles of the course, by number.
const PUZZLES: [&str; 6] = [
    "1 0 2 3 4 5 6 7 8",
    "1 7 8 2 3 4 5 6 0",
    "4 3 2 7 0 5 1 6 8",
    "5 1 3 4 0 2 6 7 8",
    "1 2 5 7 6 8 0 4 3",
    "0 3 1 6 8 2 7 5 4",
];

const PROMPT: &str = "Press return for the next state...";

fn read(text: &str) -> Result<Instance, ReadError> {
    let (goal, sizes) = (&Goal::First, Sizes::EightPuzzle);
    let word = text.trim();
    match word.parse() {
        Ok(number) if word.len() < 9 => {
            let puzzle = PUZZLES.get::<usize>(number);
            let puzzle =
                puzzle.ok_or(ReadError::PuzzleNumber { number, max: PUZZLES.len() - 1 })?;
            read_line_of_tiles(puzzle, sizes, goal)
        }
        Ok(_) => read_board(text, Format::Digits, sizes, goal),
        Err(_) if word.lines().count() > 1 => read_board(text, Format::Grid, sizes, goal),
        // A list of Python without its brackets. Nothing else moves.
        Err(_) => read_line_of_tiles(&text.replace(['[', ']'], " "), sizes, goal),
    }
}

/// The goal after random moves of the blank, each of which may undo the last.
fn scrambled(n_moves: u32, random: &mut Random) -> String {
    let goal = Dims::new(3, 3).ok().and_then(|dims| Goal::First.board(dims));
    let Some(goal) = goal else { unreachable!("a named goal fits every size") };
    let mut board = goal;
    for _ in 0..n_moves {
        let slides: Vec<Slide> = board.slides().collect();
        board.slide(slides[random.below(slides.len() as u64) as usize]);
    }
    let tiles: Vec<String> = board.tiles().iter().map(ToString::to_string).collect();
    tiles.join(" ") + "\n"
}

fn write(run: &CourseRun, out: &mut dyn Write) -> io::Result<()> {
    let Ending::Solved(steps) = &run.ending else { return Ok(()) };
    let directions: Vec<String> = steps
        .iter()
        .filter_map(|step| step.slid)
        .map(|(slide, _)| slide.opposite().to_string().to_lowercase())
        .collect();
    let names: Vec<String> = directions.iter().map(|name| format!("'{name}'")).collect();
    writeln!(out, "A random puzzle:")?;
    write_drawing(&steps[0].board, out)?;
    writeln!(out, "BFS found a path of {} moves: [{}]", names.len(), names.join(", "))?;
    for ((n, step), direction) in (1..).zip(&steps[1..]).zip(directions) {
        let noun = if n == 1 { "move" } else { "moves" };
        writeln!(out, "After {n} {noun}: {direction}")?;
        write_drawing(&step.board, out)?;
        writeln!(out, "{PROMPT}")?;
    }
    Ok(())
}

fn write_drawing(board: &Board, out: &mut dyn Write) -> io::Result<()> {
    const LINE: &str = "-------------";
    writeln!(out, "{LINE}")?;
    for row in board.rows() {
        for tile in row {
            let tile = if tile.is_blank() { " ".to_owned() } else { tile.to_string() };
            write!(out, "| {tile} ")?;
        }
        writeln!(out, "|\n{LINE}")?;
    }
    Ok(())
}
