//! The boards that programs are run on.
//!
//! The usual ones are few, and were looked for so that the mistakes of [`Mutant`](crate::Mutant)
//! give different answers on them in all variants that people write, as a test shows: a solved board
//! (goal tested too late), boards on which an estimate that is too large leads astray, one where a
//! state must be found twice, the hardest (a queue that grows without need), and one without a
//! solution.

use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;

use npuzzle::teaching::{GenerateError, GenerateSpec, Generator};
use npuzzle_core::format::Format;
use npuzzle_core::search::Cost;
use npuzzle_core::{Board, FormatError, Goal, Random};

use crate::course::{Course, Priority, Search};
use crate::grade::{Case, CaseError};

/// A board, with its name in reports, which begins with the length of its solutions.
type Row = (&'static str, &'static str);

/// Boards of three by three for the goal with the blank last.
const LAST: [Row; 8] = [
    ("0 moves: solved", "1 2 3/4 5 6/7 8 0"),
    ("1 move", "1 2 3/4 5 6/7 0 8"),
    ("4 moves", "0 1 3/4 2 5/7 8 6"),
    ("12 moves", "5 1 3/7 0 6/2 4 8"),
    ("16 moves", "8 4 3/1 7 5/2 6 0"),
    ("18 moves", "7 4 6/1 3 2/5 8 0"),
    ("20 moves", "2 4 5/3 8 6/1 7 0"),
    ("31 moves", "8 6 7/2 5 4/3 0 1"),
];
const LAST_UNSOLVABLE: Row = ("no solution", "1 2 3/4 5 6/8 7 0");

/// The same for the goal with the blank in the middle.
const SNAIL: [Row; 8] = [
    ("0 moves: solved", "1 2 3/8 0 4/7 6 5"),
    ("1 move", "1 0 3/8 2 4/7 6 5"),
    ("5 moves", "1 3 4/8 6 2/7 0 5"),
    ("12 moves", "1 4 6/8 0 3/7 5 2"),
    ("16 moves", "0 3 6/4 1 2/8 7 5"),
    ("17 moves", "8 4 6/1 2 3/7 0 5"),
    ("18 moves", "0 8 2/3 5 1/7 4 6"),
    ("22 moves", "3 8 2/5 4 1/7 6 0"),
];
const SNAIL_UNSOLVABLE: Row = ("no solution", "2 1 3/8 0 4/7 6 5");

/// Boards of other sizes. On those of 24 moves whoever counts the blank finds 26 in every variant; on
/// those of 20 and 26 whoever counts conflicts by pairs finds two more in most; that of 36 takes 17,000
/// states with a parent check and more than four million without.
const LARGER_LAST: [Row; 6] = [
    ("6 moves, 2x2", "0 3/2 1"),
    ("20 moves, 4x4", "1 2 3 8/5 6 7 12/9 10 0 11/13 14 15 4"),
    ("24 moves, 4x4", "2 3 4 8/5 6 1 0/9 10 15 12/13 14 7 11"),
    ("24 moves, 4x4 again", "2 6 0 4/5 1 3 7/13 15 10 8/14 9 11 12"),
    ("26 moves, 4x4", "3 4 1 2/5 6 8 0/9 10 7 11/13 14 15 12"),
    ("36 moves, 4x4", "0 14 10 5/2 1 8 4/9 11 12 7/13 3 6 15"),
];
const LARGER_SNAIL: [Row; 4] = [
    ("24 moves, 4x4", "1 2 14 3/0 6 13 4/12 10 11 5/8 9 15 7"),
    ("25 moves, 4x4", "1 2 6 7/12 13 14 4/11 15 0 5/10 9 8 3"),
    ("26 moves, 4x4", "9 1 2 3/13 14 5 4/11 0 12 7/10 8 6 15"),
    ("36 moves, 4x4", "13 0 14 5/2 11 4 7/1 3 6 8/10 15 9 12"),
];

/// The boards that a course's programs are run on if nothing else is said.
pub fn usual_set(course: &Course) -> Result<Vec<Case>, SetError> {
    let goal = goal(course)?;
    let is = |named: Goal| named.board(goal.dims()).as_ref() == Some(&goal);
    let (eight, larger, unsolvable) = if is(Goal::Snail) {
        (SNAIL, &LARGER_SNAIL[..], SNAIL_UNSOLVABLE)
    } else {
        (LAST, &LARGER_LAST[..], LAST_UNSOLVABLE)
    };
    let case = |(name, board): Row| {
        let board: Board = board.parse()?;
        let board = if is(Goal::First) { turned(&board) } else { board };
        Ok::<Case, SetError>(Case::new(course, name, &board, None)?)
    };
    let mut cases = eight.into_iter().map(case).collect::<Result<Vec<Case>, SetError>>()?;
    if is_slow(course) {
        cases.pop();
    }
    if course.grading.takes_larger {
        for row in larger {
            cases.push(case(*row)?);
        }
    }
    if course.grading.format == Format::Pair {
        let (board, goal) = ("1 3 4/8 6 2/7 0 5".parse()?, "1 2 3/8 0 4/7 6 5".parse()?);
        cases.push(Case::new(course, "5 moves, another goal", &board, Some(&goal))?);
    }
    if course.grading.says_none {
        cases.push(case(unsolvable)?);
    }
    Ok(cases)
}

/// Whether the hardest boards take millions of states by the course's estimate.
fn is_slow(course: &Course) -> bool {
    matches!(course.search, Search::BestFirst { heuristic: Priority::Misplaced, .. })
}

/// The goal of a course's boards of three by three.
fn goal(course: &Course) -> Result<Board, SetError> {
    let any: Board = LAST[0].1.parse()?;
    Ok(Case::new(course, "", &any, None)?.instance.goal().clone())
}

/// A board for the goal with the blank first, from one for the goal with the blank last: seen from
/// the other end, and numbered from there.
fn turned(board: &Board) -> Board {
    let n_cells = board.dims().cells() as u16;
    let from_there = |number: u16| if number == 0 { 0 } else { n_cells - number };
    let tiles: Vec<u16> =
        board.tiles().iter().rev().map(|tile| from_there(tile.number())).collect();
    match Board::new(board.dims(), &tiles) {
        Ok(board) => board,
        Err(error) => unreachable!("the tiles are the same: {error}"),
    }
}

/// Boards of the same kinds from a seed: the same for ever, and others for other seeds. Mistakes may
/// not be told apart by them as well as by the usual ones.
pub fn set_of_seed(course: &Course, seed: u64) -> Result<Vec<Case>, SetError> {
    let goal = goal(course)?;
    let mut random = Random::new(seed);
    let mut cases = vec![Case::new(course, "0 moves: solved", &goal, None)?];
    let mut add = |lengths: RangeInclusive<Cost>, goal: &Board, of_size: &str| {
        let wish = GenerateSpec { moves: Some(lengths), ..GenerateSpec::any(goal.clone()) };
        let made = Generator::new(wish)?.generate(&mut random, &mut ())?;
        let length = made.report.and_then(|report| report.upper_bound()).unwrap_or_default();
        let name = format!("{length} move{}{of_size}", if length == 1 { "" } else { "s" });
        cases.push(Case::new(course, name, made.instance.start(), None)?);
        Ok::<(), SetError>(())
    };
    for lengths in [1..=4, 8..=12, 14..=18, 19..=21, 22..=24] {
        add(lengths, &goal, "")?;
    }
    if !is_slow(course) {
        add(28..=30, &goal, "")?;
    }
    if course.grading.takes_larger {
        let larger = Case::new(course, "", &LARGER_LAST[LARGER_LAST.len() - 1].1.parse()?, None)?;
        for lengths in [10..=14, 20..=24, 30..=36] {
            add(lengths, larger.instance.goal(), ", 4x4")?;
        }
    }
    if course.grading.says_none {
        let instance = random.instance(&goal, false);
        cases.push(Case::new(course, "no solution", instance.start(), None)?);
    }
    Ok(cases)
}

/// Why there is no set of boards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetError {
    /// A board cannot be read.
    Format(FormatError),
    /// The course does not take one of them.
    Case(CaseError),
    /// One could not be made.
    GenerateSpec(GenerateError),
}

impl From<FormatError> for SetError {
    fn from(error: FormatError) -> SetError {
        SetError::Format(error)
    }
}

impl From<CaseError> for SetError {
    fn from(error: CaseError) -> SetError {
        SetError::Case(error)
    }
}

impl From<GenerateError> for SetError {
    fn from(error: GenerateError) -> SetError {
        SetError::GenerateSpec(error)
    }
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetError::Format(error) => error.fmt(f),
            SetError::Case(error) => error.fmt(f),
            SetError::GenerateSpec(error) => error.fmt(f),
        }
    }
}

impl Error for SetError {}
