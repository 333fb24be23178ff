//! Journals of long searches.

use std::fs;

use npuzzle::search::{Journal, JournalError};

use crate::assertions::{selector, text, with_checksum};

use super::solutions::with_tables;

/// Repairs, one bit each: a header before the text, and a checksum at the end of each line.
const HEAD: usize = 1;
const CHECKSUMS: usize = 2;

/// A board seven moves from the goal, so that a search ends quickly.
const HEAD_LINES: [&str; 3] = [
    "npuzzle journal 2",
    "start 1 2 3 4/5 6 7 8/9 0 10 12/13 14 11 15",
    "goal 1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0",
];

pub(super) fn run(bytes: &[u8]) -> bool {
    let Some((repairs, rest)) = selector(bytes) else { return false };
    let mut file = Vec::new();
    if repairs & HEAD > 0 {
        HEAD_LINES.iter().for_each(|line| file.extend(with_checksum(line).as_bytes()));
    }
    if repairs & CHECKSUMS > 0 {
        text(rest).lines().for_each(|line| file.extend(with_checksum(line).as_bytes()));
    } else {
        file.extend(rest);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    fs::write(&path, &file).unwrap();
    match Journal::resume(&path) {
        Ok(journal) => {
            let content = (journal.instance().clone(), journal.rounds().to_vec());
            assert!(journal.lower_bound().is_none() == content.1.is_empty());
            drop(journal);
            let left = fs::read(&path).unwrap();
            assert!(file.starts_with(&left) && left.ends_with(b"\n"));
            assert!(
                !file[left.len()..].contains(&b'\n'),
                "only an incomplete last line may be removed"
            );
            let mut again = Journal::resume(&path).unwrap();
            assert_eq!((again.instance().clone(), again.rounds().to_vec()), content);
            if repairs & HEAD > 0 {
                assert_search_ends(&mut again);
            }
            drop(again);
            assert!(fs::read(&path).unwrap().starts_with(&left), "a journal only grows");
            true
        }
        Err(error) => {
            assert_eq!(fs::read(&path).unwrap(), file, "a rejected file is left unchanged");
            if let JournalError::Damaged { line, .. } = error {
                assert!(file.split(|&byte| byte == b'\n').count() > line, "{line}");
            }
            false
        }
    }
}

/// Resumes a search from the journal, which must terminate.
fn assert_search_ends(journal: &mut Journal) {
    // The answer may be wrong: the journal claims arbitrary lower bounds.
    let _ = with_tables(|options, tables| options.solve_on(journal, tables, &mut ()));
}
