//! Answer files of a distributed batch, from which the batch resumes.

use std::fs;
use std::num::NonZeroUsize;
use std::time::Duration;

use npuzzle::tables::Store;
use npuzzle::{Cancel, Notation, Options};
use npuzzle_cluster::{Batch, BatchBoard, ClusterError, Member, batch};
use npuzzle_tables::files::checksum;

use crate::assertions::{selector, text, with_checksum};

/// Repairs, one bit each: the first line, and a checksum at the end of each other line.
const TITLE: usize = 1;
const CHECKSUMS: usize = 2;

const BOARDS: [&str; 2] = ["1 2/0 3", "1 2/3 0"];

pub(super) fn run(bytes: &[u8]) -> bool {
    let Some((repairs, rest)) = selector(bytes) else { return false };
    let folder = tempfile::tempdir().unwrap();
    let job = job(folder.path().join("answers"));
    let file = repaired(repairs, rest, &job);
    fs::write(&job.file, &file).unwrap();
    let member = Member {
        addresses: vec!["127.0.0.1:1".to_owned()],
        process: 0,
        wait: Duration::ZERO,
        cancel: Cancel::new(),
    };
    let (path, about) = (job.file.clone(), job.about());
    match member.run(&about, move |exchange| batch(exchange, &job, &mut ())) {
        Ok(answers) => {
            assert_eq!(answers.map(|answers| answers.len()), Some(BOARDS.len()));
            let left = fs::read(&path).unwrap();
            let n_same = file.iter().zip(&left).take_while(|(a, b)| a == b).count();
            assert!(left.ends_with(b"\n"));
            assert!(
                !file[n_same..].contains(&b'\n'),
                "only an incomplete last line may be removed"
            );
            true
        }
        Err(error) => {
            assert!(matches!(error, ClusterError::Damaged { .. }), "{error}");
            assert_eq!(fs::read(&path).unwrap(), file, "a rejected file is left unchanged");
            false
        }
    }
}

fn job(file: std::path::PathBuf) -> Batch {
    let board = |(line, board): (usize, &str)| BatchBoard {
        board: Ok(board.parse().unwrap()),
        source: "boards".to_owned(),
        line,
    };
    Batch {
        boards: (1..).zip(BOARDS).map(board).collect(),
        options: Options { threads: NonZeroUsize::new(1), ..Options::default() },
        notation: Notation::Tile,
        threads: 1,
        store: Store::none(),
        file,
    }
}

fn repaired(repairs: usize, rest: &[u8], job: &Batch) -> Vec<u8> {
    let mut file = Vec::new();
    if repairs & TITLE > 0 {
        let title = format!("npuzzle batch 2 {:016x}", checksum(job.about().as_bytes()));
        file.extend(with_checksum(&title).bytes());
    }
    if repairs & CHECKSUMS == 0 {
        file.extend(rest);
        return file;
    }
    for line in text(rest).lines() {
        file.extend(with_checksum(line).bytes());
    }
    file
}
