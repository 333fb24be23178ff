//! Tests of the file of a journal.

use npuzzle_core::Moves;
use npuzzle_tables::files;

use super::*;
use crate::options::Options;

fn counts(expanded: u64) -> NodeCounts {
    NodeCounts { expanded, generated: 2 * expanded }
}

/// A line as [`AppendLog`] writes it.
fn with_checksum(line: &str) -> String {
    format!("{line} {:016x}\n", files::checksum(line.as_bytes()))
}

#[test]
fn journal_cut_at_any_byte_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let instance: Instance = "8 1 3/4 0 2/7 6 5".parse().unwrap();
    let mut journal = Journal::create(&path, &instance).unwrap();
    journal.record_round(10, counts(5));
    assert_eq!(journal.record_split(12, 3, 9, "t"), []);
    journal.record_subtree(12, 2, counts(7));
    journal.record_subtree(12, 0, counts(8));
    assert!(journal.take_error().is_none());
    drop(journal);
    assert!(matches!(Journal::create(&path, &instance), Err(JournalError::Io { .. })));
    let empty = folder.path().join("empty");
    std::fs::write(&empty, "").unwrap();
    assert!(Journal::create(&empty, &instance).is_ok());

    let whole = std::fs::read(&path).unwrap();
    let n_head = whole.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(2).unwrap().0 + 1;
    for len in 0..=whole.len() {
        std::fs::write(&path, &whole[..len]).unwrap();
        let Ok(mut journal) = Journal::resume(&path) else {
            assert!(len < n_head, "{len}");
            continue;
        };
        assert_eq!(journal.instance().start(), instance.start());
        let n_lines = whole[..len].iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(journal.rounds().len(), usize::from(n_lines > 3));
        assert_eq!(journal.record_split(12, 3, 9, "t").len(), n_lines.saturating_sub(5));
        // Other tables split the round in another way, and so may another version.
        assert_eq!(journal.record_split(12, 3, 9, "u"), []);
        assert_eq!(journal.record_split(12, 3, 8, "u"), []);
        drop(journal);
        assert!(std::fs::read(&path).unwrap().ends_with(b"\n"));
    }
    // Every changed byte is detected.
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 4;
        std::fs::write(&path, &changed).unwrap();
        let line = whole[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        match Journal::resume(&path) {
            Ok(mut journal) => {
                assert_eq!(at, whole.len() - 1, "only a last line may be incomplete");
                assert_eq!(journal.record_split(12, 3, 9, "t").len(), 1);
            }
            Err(error) => {
                let is_expected = match error {
                    JournalError::Damaged { line: found, .. } => found == line,
                    JournalError::OtherVersion { .. } => line == 1,
                    JournalError::NotOne { .. } => line <= 3,
                    JournalError::Io { .. } => false,
                };
                assert!(is_expected, "{at}: {error}");
                assert_eq!(std::fs::read(&path).unwrap(), changed, "not modified");
            }
        }
    }
}

#[test]
fn known_solution_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let instance: Instance = "1 2 3/4 0 5/7 8 6".parse().unwrap();
    let known = |moves: &str, width| {
        let moves: Moves = moves.parse().unwrap();
        KnownSolution { moves: Some(moves).filter(|it| !it.is_empty()), width }
    };
    let mut journal = Journal::create(&path, &instance).unwrap();
    for (at, solution) in
        [known("", 0), known("", 9), known("LRLU", 9), known("LRLU", 9), known("LU", 20)]
            .iter()
            .enumerate()
    {
        journal.record_known(solution);
        let n_lines = std::fs::read_to_string(&path).unwrap().lines().count();
        assert_eq!(n_lines, N_HEAD + [0, 1, 2, 2, 3][at], "only what is new");
        drop(journal);
        journal = Journal::resume(&path).unwrap();
        assert_eq!(journal.known(), solution);
    }
}

#[test]
fn impossible_numbers_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let instance: Instance = "8 1 3/4 0 2/7 6 5".parse().unwrap();
    drop(Journal::create(&path, &instance).unwrap());
    let head = std::fs::read_to_string(&path).unwrap();
    // Fourteen slides.
    let moves = Options::default().solve(&instance).unwrap();
    let solution = format!("incumbent 100 {}", moves.moves().unwrap());
    for (lines, expected) in [
        (&["round 1024 5 9"][..], None),
        (&["a word of a later version"], None),
        (&["round 1025 5 9"], Some(4)),
        (&["round 4294967295 5 9"], Some(4)),
        (&["round 10 5 9", "round 12 18446744073709551615 9"], Some(5)),
        (&["round 10 1152921504606846976 0", "round 12 0 1"], Some(5)),
        (&["cut 4294967296 3 t 00000009"], Some(4)),
        (&["cut 12 3 t 00000009", "slice 12 0 7"], Some(5)),
        (&["cut 12 3 t 00000009", "slice 12 2 7 9"], None),
        (&["cut 12 3 t 00000009", "slice 12 3 7 9"], Some(5)),
        (&["round"], Some(4)),
        (&["incumbent 100"], None),
        (&["incumbent"], Some(4)),
        (&["incumbent -1"], Some(4)),
        (&["incumbent 100 U"], Some(4)),
        (&["incumbent 100 X"], Some(4)),
        (&[solution.as_str(), "round 13 5 9"], None),
        (&[solution.as_str(), "round 14 5 9"], Some(5)),
        (&["round 12 5 9", solution.as_str()], None),
        (&["round 14 5 9", solution.as_str()], Some(5)),
    ] {
        let lines: Vec<String> = lines.iter().map(|line| with_checksum(line)).collect();
        let text = head.clone() + &lines.concat();
        std::fs::write(&path, &text).unwrap();
        match (Journal::resume(&path), expected) {
            (Ok(_), None) => {}
            (Err(JournalError::Damaged { line, .. }), Some(expected)) => {
                assert_eq!(line, expected)
            }
            (found, _) => panic!("{lines:?}: {found:?}"),
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "not modified");
    }
}

#[test]
fn journal_of_another_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    // The first version had a checksum of 32 bits.
    std::fs::write(&path, "npuzzle journal 1 ef2a1c04\nstart 1 2/3 0 00000000\n").unwrap();
    assert!(matches!(Journal::resume(&path), Err(JournalError::OtherVersion { .. })));
}
