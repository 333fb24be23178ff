//! The boards that students' programs are run on.
//!
//! The default test set is small. Its boards were selected so that every
//! [`Mutant`](crate::Mutant) gives different answers in all simulated variants, as a test shows: a
//! solved board (goal tested on insertion), boards on which a heuristic that overestimates misses
//! the shortest solution, one on which a state must be reached twice, the hardest 3x3 board (a queue
//! that grows needlessly), and an unsolvable board.

use std::ops::RangeInclusive;

use npuzzle::teaching::{GenerateSpec, Generator};
use npuzzle_core::format::Format;
use npuzzle_core::search::Cost;
use npuzzle_core::{Board, Goal, Random};

use crate::course::Course;
use crate::grade::{TestCase, TestCaseError};
use crate::search::CourseHeuristic;

/// The name in reports, which begins with the length of a shortest solution, and the board.
type NamedBoard = (&'static str, &'static str);

/// 3x3 boards for the goal with the blank last.
const LAST: [NamedBoard; 8] = [
    ("0 moves, the goal", "1 2 3/4 5 6/7 8 0"),
    ("1 move", "1 2 3/4 5 6/7 0 8"),
    ("4 moves", "0 1 3/4 2 5/7 8 6"),
    ("12 moves", "5 1 3/7 0 6/2 4 8"),
    ("16 moves", "8 4 3/1 7 5/2 6 0"),
    ("18 moves", "7 4 6/1 3 2/5 8 0"),
    ("20 moves", "2 4 5/3 8 6/1 7 0"),
    ("31 moves", "8 6 7/2 5 4/3 0 1"),
];
const LAST_UNSOLVABLE: NamedBoard = ("no solution", "1 2 3/4 5 6/8 7 0");

/// 3x3 boards for the snail goal.
const SNAIL: [NamedBoard; 8] = [
    ("0 moves, the goal", "1 2 3/8 0 4/7 6 5"),
    ("1 move", "1 0 3/8 2 4/7 6 5"),
    ("5 moves", "1 3 4/8 6 2/7 0 5"),
    ("12 moves", "1 4 6/8 0 3/7 5 2"),
    ("16 moves", "0 3 6/4 1 2/8 7 5"),
    ("17 moves", "8 4 6/1 2 3/7 0 5"),
    ("18 moves", "0 8 2/3 5 1/7 4 6"),
    ("22 moves", "3 8 2/5 4 1/7 6 0"),
];
const SNAIL_UNSOLVABLE: NamedBoard = ("no solution", "2 1 3/8 0 4/7 6 5");

/// Boards of other sizes. On the boards of 24 moves, every variant that counts the blank finds 26
/// moves; on those of 20 and 26, most variants that count conflict pairs find two moves more. The
/// board of 36 moves needs 17,000 states with a parent check and more than four million without.
const LARGER_LAST: [NamedBoard; 6] = [
    ("6 moves, 2x2", "0 3/2 1"),
    ("20 moves, 4x4", "1 2 3 8/5 6 7 12/9 10 0 11/13 14 15 4"),
    ("24 moves, 4x4", "2 3 4 8/5 6 1 0/9 10 15 12/13 14 7 11"),
    ("24 moves, 4x4 again", "2 6 0 4/5 1 3 7/13 15 10 8/14 9 11 12"),
    ("26 moves, 4x4", "3 4 1 2/5 6 8 0/9 10 7 11/13 14 15 12"),
    ("36 moves, 4x4", "0 14 10 5/2 1 8 4/9 11 12 7/13 3 6 15"),
];
const LARGER_SNAIL: [NamedBoard; 4] = [
    ("24 moves, 4x4", "1 2 14 3/0 6 13 4/12 10 11 5/8 9 15 7"),
    ("25 moves, 4x4", "1 2 6 7/12 13 14 4/11 15 0 5/10 9 8 3"),
    ("26 moves, 4x4", "9 1 2 3/13 14 5 4/11 0 12 7/10 8 6 15"),
    ("36 moves, 4x4", "13 0 14 5/2 11 4 7/1 3 6 8/10 15 9 12"),
];

/// Returns the default test set of a course.
pub fn default_test_set(course: &Course) -> Result<Vec<TestCase>, TestCaseError> {
    let goal = goal(course)?;
    let is = |named: Goal| named.board(goal.dims()).as_ref() == Some(&goal);
    let (eight, larger, unsolvable) = if is(Goal::Snail) {
        (SNAIL, &LARGER_SNAIL[..], SNAIL_UNSOLVABLE)
    } else {
        (LAST, &LARGER_LAST[..], LAST_UNSOLVABLE)
    };
    let case = |(name, board): NamedBoard| {
        let board = parse(board);
        let board = if is(Goal::First) { rotated(&board) } else { board };
        TestCase::new(course, name, &board, None)
    };
    let mut cases =
        eight.into_iter().map(case).collect::<Result<Vec<TestCase>, TestCaseError>>()?;
    if is_slow(course) {
        cases.pop();
    }
    if course.grading.larger_boards {
        for &board in larger {
            cases.push(case(board)?);
        }
    }
    if course.grading.format == Format::Pair {
        let [board, goal] = ["1 3 4/8 6 2/7 0 5", "1 2 3/8 0 4/7 6 5"].map(parse);
        cases.push(TestCase::new(course, "5 moves, another goal", &board, Some(&goal))?);
    }
    if course.grading.reports_unsolvable {
        cases.push(case(unsolvable)?);
    }
    Ok(cases)
}

/// Whether the course's search needs millions of states for the hardest boards.
fn is_slow(course: &Course) -> bool {
    course.search.heuristic() == CourseHeuristic::Misplaced
}

/// The goal of a course's 3x3 boards.
fn goal(course: &Course) -> Result<Board, TestCaseError> {
    Ok(TestCase::new(course, "", &parse(LAST[0].1), None)?.instance.goal().clone())
}

/// Parses a board of this file.
fn parse(board: &str) -> Board {
    match board.parse() {
        Ok(board) => board,
        Err(error) => unreachable!("{board} is a board: {error}"),
    }
}

/// Turns a board for the goal with the blank last into one for the goal with the blank first: the
/// board is rotated by 180 degrees and its tiles are numbered in reverse.
fn rotated(board: &Board) -> Board {
    let n_cells = board.dims().cells() as u16;
    let renumbered = |number: u16| if number == 0 { 0 } else { n_cells - number };
    let tiles: Vec<u16> =
        board.tiles().iter().rev().map(|tile| renumbered(tile.number())).collect();
    match Board::new(board.dims(), &tiles) {
        Ok(board) => board,
        Err(error) => unreachable!("the tiles are a permutation: {error}"),
    }
}

/// Returns a test set of the same kinds of boards that depends only on the seed. It may tell
/// mistakes apart less well than the default test set.
pub fn seeded_test_set(course: &Course, seed: u64) -> Result<Vec<TestCase>, TestCaseError> {
    let goal = goal(course)?;
    let mut random = Random::new(seed);
    let mut cases = vec![TestCase::new(course, "0 moves, the goal", &goal, None)?];
    let mut add = |lengths: RangeInclusive<Cost>, goal: &Board, size: &str| {
        let spec = GenerateSpec { moves: Some(lengths), ..GenerateSpec::any(goal.clone()) };
        let mut generator = Generator::new(spec).map_err(TestCaseError::Generate)?;
        let generated =
            generator.generate(&mut random, &mut ()).map_err(TestCaseError::Generate)?;
        let length = generated.report.and_then(|report| report.upper_bound()).unwrap_or_default();
        let name = format!("{length} move{}{size}", if length == 1 { "" } else { "s" });
        cases.push(TestCase::new(course, name, generated.instance.start(), None)?);
        Ok::<(), TestCaseError>(())
    };
    for lengths in [1..=4, 8..=12, 14..=18, 19..=21, 22..=24] {
        add(lengths, &goal, "")?;
    }
    if !is_slow(course) {
        add(28..=30, &goal, "")?;
    }
    if course.grading.larger_boards {
        let any = parse(LARGER_LAST[LARGER_LAST.len() - 1].1);
        let larger = TestCase::new(course, "", &any, None)?;
        for lengths in [10..=14, 20..=24, 30..=36] {
            add(lengths, larger.instance.goal(), ", 4x4")?;
        }
    }
    if course.grading.reports_unsolvable {
        let instance = random.instance(&goal, false);
        cases.push(TestCase::new(course, "no solution", instance.start(), None)?);
    }
    Ok(cases)
}
