//! Boards in every format.

use npuzzle::format::{self, Entry, Format};
use npuzzle::{Board, FormatError, Goal, Instance};

use crate::assertions::{assert_error, assert_line, selector, text};

/// The first byte selects the format: 0 for detection, 1 to 7 for one format.
pub(super) fn run(bytes: &[u8]) -> bool {
    let Some((which, rest)) = selector(bytes) else { return false };
    let format = (which % 8).checked_sub(1).map(|index| Format::ALL[index]);
    let text = &*text(rest);
    let read = format::read(text, format);
    assert!(!read.is_empty(), "an input without boards is an error");
    let mut last_line = 1;
    for result in &read {
        match result {
            Ok(entry) => {
                assert_line(text, entry.line);
                assert!(last_line <= entry.line, "boards are in order");
                last_line = entry.line;
                assert!(format.is_none_or(|format| format == entry.format));
                assert_reads_back(entry);
            }
            Err(error) => assert_error(text, error),
        }
    }
    assert_one(text, format, &read);
    let board: Result<Board, FormatError> = text.parse();
    let instance: Result<Instance, FormatError> = text.parse();
    assert_eq!(board.is_ok(), instance.is_ok());
    if let Ok(Goal::Board(goal)) = text.parse() {
        assert_eq!(Ok(goal), board);
    }
    read.iter().any(Result::is_ok)
}

/// Asserts that a board reads back the same from every format that can represent it.
fn assert_reads_back(entry: &Entry) {
    let Entry { board, goal, .. } = entry;
    let own = format::write(board, goal.as_ref(), entry.format);
    assert!(own.is_ok(), "{own:?}");
    for format in Format::ALL {
        let Ok(written) = format::write(board, goal.as_ref(), format) else { continue };
        for forced in [Some(format), None] {
            let again = format::read_one(&written, forced);
            let again = again.unwrap_or_else(|error| panic!("{}", error.render(&written)));
            assert_eq!((&again.board, &again.goal), (board, goal), "{written:?} as {forced:?}");
        }
    }
}

/// Asserts that `read_one` accepts a text with exactly one board and reports the first error.
fn assert_one(text: &str, format: Option<Format>, read: &[Result<Entry, FormatError>]) {
    match (format::read_one(text, format), read) {
        (Ok(entry), [Ok(only)]) => assert_eq!(entry, *only),
        (Ok(entry), _) => panic!("{entry:?} is not the only board: {read:?}"),
        (Err(error), _) => {
            assert_error(text, &error);
            let first_bad = read.iter().find_map(|result| result.as_ref().err());
            assert!(first_bad.map_or(read.len() > 1, |bad| *bad == error), "{error} {read:?}");
        }
    }
}
