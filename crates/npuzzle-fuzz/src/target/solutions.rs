//! Solutions to be checked.

use std::cell::RefCell;
use std::num::NonZeroUsize;

use npuzzle::teaching::{CheckError, Sense, SolutionError, SolutionForm, find_boards, find_moves};
use npuzzle::{Instance, Limits, Notation, Options, Tables};

use crate::assertions::{assert_line, selector, text};

/// The puzzles; the last one is unsolvable.
const PUZZLES: [&str; 4] = [
    "1 2 3/4 0 5/7 8 6",
    "0 1 2/4 5 3",
    "1 2 3 4/5 6 7 8/9 0 10 12/13 14 11 15",
    "1 2 3/4 5 6/8 7 0",
];

/// The first byte selects the puzzle.
pub(super) fn run(bytes: &[u8]) -> bool {
    let Some((which, rest)) = selector(bytes) else { return false };
    let puzzle: Instance = PUZZLES[which % PUZZLES.len()].parse().unwrap();
    let text = &*text(rest);
    let boards = find_boards(text, puzzle.dims());
    boards.iter().for_each(|(line, _)| assert_line(text, *line));
    assert!(boards.is_sorted_by_key(|(line, _)| *line), "boards are in order");
    let checked = match with_tables(|options, tables| options.check(&puzzle, text, tables, &mut ()))
    {
        Ok(checked) => checked,
        Err(CheckError::Unreadable) => {
            assert!(find_moves(text, &puzzle).is_none());
            return false;
        }
        Err(error) => panic!("{error}"),
    };
    assert_eq!(find_moves(text, &puzzle).as_ref(), Some(&checked.moves));
    let end = checked.moves.replay(&puzzle.start().clone()).unwrap();
    assert!(
        checked.is_valid() || checked.error.as_ref().is_some_and(|f| !f.to_string().is_empty())
    );
    match &checked.error {
        Some(SolutionError::WrongStart { line } | SolutionError::NotOneSlide { line, .. }) => {
            assert_line(text, *line)
        }
        Some(SolutionError::NotAtGoal { end: reported }) => assert_eq!(reported, &end),
        _ => {}
    }
    let has_moves = matches!(
        checked.form,
        SolutionForm::Boards | SolutionForm::Letters(_) | SolutionForm::Numbers
    );
    if let (Some(quality), true, true) = (&checked.quality, has_moves, puzzle.is_solvable()) {
        assert_eq!(end, *puzzle.goal());
        assert!(
            quality.lower_bound <= quality.upper_bound && quality.upper_bound <= quality.length
        );
        assert_reads_back(&puzzle, &checked.moves, quality.length);
    }
    checked.is_valid()
}

/// Asserts that a valid solution is valid in every notation.
fn assert_reads_back(puzzle: &Instance, moves: &npuzzle::Moves, length: u32) {
    for notation in Notation::ALL {
        let written = moves.write(notation, puzzle.start()).unwrap();
        // An empty text and a single board are not read as moves.
        if moves.is_empty() {
            continue;
        }
        let again = with_tables(|options, tables| options.check(puzzle, &written, tables, &mut ()));
        let again = again.unwrap_or_else(|error| panic!("{written:?}: {error}"));
        assert!(again.is_valid(), "{written:?}: {again:?}");
        assert_eq!(again.moves.stm() as u32, length, "{written:?}");
        assert!(notation != Notation::Tile || again.form == SolutionForm::Letters(Sense::Tile));
    }
}

/// Runs a search with few nodes, on one thread, with tables that are reused.
pub(super) fn with_tables<T>(search: impl FnOnce(&Options, &mut Tables) -> T) -> T {
    thread_local! {
        static TABLES: RefCell<Tables> = RefCell::new(Tables::new());
    }
    let limits = Limits { time: None, nodes: Some(2000), memory: Some(8 << 20) };
    let options = Options { limits, threads: NonZeroUsize::new(1), ..Options::default() };
    TABLES.with_borrow_mut(|tables| search(&options, tables))
}
