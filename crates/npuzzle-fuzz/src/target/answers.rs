//! Files of answers of a batch over several processes, from which it goes on.

use std::fs;
use std::num::NonZeroUsize;
use std::time::Duration;

use npuzzle::tables::Store;
use npuzzle::{Cancel, Notation, Options};
use npuzzle_cluster::{Batch, BatchBoard, ClusterError, Member, batch};
use npuzzle_tables::files::checksum;

use crate::place::{choice, text};

/// What is mended, one bit each: the first line, and a checksum at the end of every other.
const TITLE: usize = 1;
const CHECKSUMS: usize = 2;

const BOARDS: [&str; 2] = ["1 2/0 3", "1 2/3 0"];

pub(super) fn feed(bytes: &[u8]) -> bool {
    let Some((mends, rest)) = choice(bytes) else { return false };
    let folder = tempfile::tempdir().unwrap();
    let job = job(folder.path().join("answers"));
    let file = made(mends, rest, &job);
    fs::write(&job.file, &file).unwrap();
    let member = Member {
        addresses: vec!["127.0.0.1:1".to_owned()],
        process: 0,
        wait: Duration::ZERO,
        cancel: Cancel::new(),
    };
    let (path, about) = (job.file.clone(), job.about());
    match member.run(&about, move |mesh| batch(mesh, &job, &mut ())) {
        Ok(answers) => {
            assert_eq!(answers.map(|answers| answers.len()), Some(BOARDS.len()));
            let left = fs::read(&path).unwrap();
            let n_same = file.iter().zip(&left).take_while(|(a, b)| a == b).count();
            assert!(left.ends_with(b"\n"));
            assert!(!file[n_same..].contains(&b'\n'), "only a last line may be cut off");
            true
        }
        Err(error) => {
            assert!(matches!(error, ClusterError::Foreign { .. }), "{error}");
            assert_eq!(fs::read(&path).unwrap(), file, "what is refused is left alone");
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

fn made(mends: usize, rest: &[u8], job: &Batch) -> Vec<u8> {
    let mut file = Vec::new();
    if mends & TITLE > 0 {
        let title = format!("npuzzle batch 2 {:016x}", checksum(job.about().as_bytes()));
        file.extend(with_checksum(&title).bytes());
    }
    if mends & CHECKSUMS == 0 {
        file.extend(rest);
        return file;
    }
    for line in text(rest).lines() {
        file.extend(with_checksum(line).bytes());
    }
    file
}

/// A line as the file has it.
fn with_checksum(line: &str) -> String {
    format!("{line} {:016x}\n", checksum(line.as_bytes()))
}
