//! Journals of long searches.

use std::cell::RefCell;
use std::fs;

use npuzzle::search::{Journal, JournalError};
use npuzzle::{Limits, Options, Tables};

use crate::place::{choice, text};

/// What is mended, one bit each: a head before the text, and a checksum at the end of every line.
const HEAD: usize = 1;
const CHECKSUMS: usize = 2;

/// Seven slides from the goal, so that a search ends at once.
const HEAD_LINES: [&str; 3] = [
    "npuzzle journal 2",
    "start 1 2 3 4/5 6 7 8/9 0 10 12/13 14 11 15",
    "goal 1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0",
];

pub(super) fn feed(bytes: &[u8]) -> bool {
    let Some((mends, rest)) = choice(bytes) else { return false };
    let mut file = Vec::new();
    if mends & HEAD > 0 {
        HEAD_LINES.iter().for_each(|line| file.extend(with_sum(line).as_bytes()));
    }
    if mends & CHECKSUMS > 0 {
        text(rest).lines().for_each(|line| file.extend(with_sum(line).as_bytes()));
    } else {
        file.extend(rest);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    fs::write(&path, &file).unwrap();
    match Journal::resume(&path) {
        Ok(journal) => {
            let seen = (journal.instance().clone(), journal.rounds().to_vec());
            assert!(journal.lower_bound().is_none() == seen.1.is_empty());
            drop(journal);
            let left = fs::read(&path).unwrap();
            assert!(file.starts_with(&left) && left.ends_with(b"\n"));
            assert!(!file[left.len()..].contains(&b'\n'), "only a last line may be cut off");
            let mut again = Journal::resume(&path).unwrap();
            assert_eq!((again.instance().clone(), again.rounds().to_vec()), seen);
            if mends & HEAD > 0 {
                goes_on(&mut again);
            }
            drop(again);
            assert!(fs::read(&path).unwrap().starts_with(&left), "a journal only grows");
            true
        }
        Err(error) => {
            assert_eq!(fs::read(&path).unwrap(), file, "what is refused is left alone");
            if let JournalError::Damaged { line, .. } = error {
                assert!(file.split(|&byte| byte == b'\n').count() > line, "{line}");
            }
            false
        }
    }
}

/// A search from there comes to an end.
fn goes_on(journal: &mut Journal) {
    thread_local! {
        static TABLES: RefCell<Tables> = RefCell::new(Tables::new());
    }
    let limits = Limits { time: None, nodes: Some(2000), memory: Some(8 << 20) };
    let options = Options { limits, threads: std::num::NonZeroUsize::new(1), ..Options::default() };
    TABLES.with_borrow_mut(|tables| {
        // Whatever it comes to: who writes lower bounds of his own gets answers of his own.
        let _ = options.solve_on(journal, tables, &mut ());
    });
}

/// A line as journals have it.
fn with_sum(line: &str) -> String {
    format!("{line} {:016x}\n", npuzzle_tables::files::checksum(line.as_bytes()))
}
