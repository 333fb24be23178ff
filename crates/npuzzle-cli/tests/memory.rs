//! The resident memory of the whole process.
//!
//! This is a separate binary because the system reports only the maximum over all children that have ended.
//! So the children run one after the other, in the order of their memory.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::fs;
use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};

const MIB: i64 = 1 << 20;
/// The memory of the program before it reads a board.
const BASE: i64 = 12 * MIB;

/// The largest memory of any child so far.
fn peak() -> i64 {
    let kib = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    // Counted in bytes on macOS, in KiB elsewhere.
    if cfg!(target_os = "macos") { kib } else { kib * 1024 }
}

fn check(args: &[&str], code: i32, max_bytes: i64) {
    let before = peak();
    let status = Command::new(env!("CARGO_BIN_EXE_npuzzle"))
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(code), "{args:?}");
    assert!(before <= max_bytes, "{args:?} comes too late to be measured");
    assert!(peak() <= max_bytes, "{args:?}: {} KiB of {}", peak() / 1024, max_bytes / 1024);
}

#[test]
fn commands_respect_their_memory_limits() {
    let folder = std::env::temp_dir().join(format!("npuzzle-memory-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    };
    let hardest = file("hardest.txt", "8 6 7\n2 5 4\n3 0 1\n");
    let pair = file("pair.txt", "8 6 7\n2 5 4\n3 0 1\n1 2 3\n4 5 6\n7 8 0\n");
    let fifteen = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1";
    let princeton = file("princeton.txt", "4\n0 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1\n");
    let mut rows: Vec<String> = (0..100).rev().map(|tile| tile.to_string()).collect();
    rows.swap(0, 1);
    let hundred = format!("10\n{}\n", rows.join(" "));
    let hundred = file("hundred.txt", &hundred);
    let moves = folder.join("moves.txt").to_string_lossy().into_owned();

    check(&["course", "cuhk", &hardest, &moves], 0, 16 * MIB);
    check(&["solve", fifteen, "--nodes", "1e5"], 3, 16 * MIB);
    // One of Korf's boards of medium difficulty, with default options.
    let korf = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3";
    check(&["solve", korf, "--goal", "first", "--no-cache"], 0, 16 * MIB);
    // The limit of a census includes the program. The neighbors of the last depth would take 75 MB.
    let levels = folder.join("levels").to_string_lossy().into_owned();
    let census = ["census", "4x4", "--depth", "22", "--memory", "40M"];
    check(&[&census[..], &["--threads", "2", "--on-disk", &levels]].concat(), 0, 40 * MIB);
    // The maximum of the launcher and both processes.
    let cluster = [&["cluster", "--local", "2"][..], &census, &["--folder", &levels]].concat();
    check(&cluster, 0, 40 * MIB);
    // Other limits are kept within 20 %.
    let within = |mib: i64| BASE + mib * MIB * 12 / 10;
    let solve = |algorithm, memory, max_bytes| {
        check(&["solve", fifteen, "--algorithm", algorithm, "--memory", memory], 3, max_bytes);
    };
    check(&["solve", fifteen, "--tables", "large", "--memory", "20M", "--no-cache"], 3, within(20));
    check(&["solve", fifteen, "--metric", "mtm", "--memory", "20M", "--no-cache"], 0, within(20));
    // Passes of large neighborhood search, and beams, are as wide as the memory allows.
    let program = env!("CARGO_BIN_EXE_npuzzle");
    let generate =
        |size| Command::new(program).args(["generate", "--seed", "1", "--size", size]).output();
    let board = |size| String::from_utf8(generate(size).unwrap().stdout).unwrap();
    let large = file("large.txt", &board("16x16"));
    check(&["solve", &large, "--memory", "24M", "--time", "3s"], 0, within(24));
    let korf24 = "14 5 9 2 18/8 23 19 12 17/15 0 10 20 4/6 11 21 1 7/24 3 16 22 13";
    let beam = ["--goal", "first", "--algorithm", "beam", "--memory", "24M", "--time", "3s"];
    check(&[&["solve", korf24][..], &beam].concat(), 0, within(24));
    solve("astar", "24M", within(24));
    solve("bfs", "28M", within(28));
    solve("uniform", "32M", within(32));
    solve("bidirectional", "36M", within(36));
    let all = ["--all=1000", "--memory", "38M", "--time", "5s", "--no-cache"];
    check(&[&["solve", fifteen][..], &all].concat(), 3, within(38));
    let lockstep = ["course", "princeton", "--detect", "lockstep", "--memory", "40M", &princeton];
    check(&lockstep, 3, within(40));
    // The largest board, from input to output.
    let largest = file("largest.txt", &board("127x127"));
    let astar = ["solve", &largest, "--algorithm", "astar", "--memory", "40M"];
    check(&astar, 3, within(40));
    check(&["solve", &largest, "--memory", "40M", "--time", "2s"], 0, within(40));
    // The fallback is computed while the search keeps its memory.
    let proof = ["solve", &largest, "--optimal", "--memory", "40M", "--time", "1s", "--algorithm"];
    check(&[&proof[..], &["ida"]].concat(), 3, within(40));
    // Walking-distance tables would take more.
    let oblong = "14 13 12 11 10/9 8 7 6 5/4 3 1 2 0";
    for algorithm in ["astar", "bidirectional"] {
        let small = ["solve", oblong, "--algorithm", algorithm, "--memory", "40M"];
        check(&[&small[..], &["--nodes", "1e5"]].concat(), 3, within(40));
        check(&[&small[..], &["--heuristic", "walking"]].concat(), 2, within(40));
    }
    let audit = ["audit", "manhattan", "--size", "127x127", "--samples", "1000", "--quiet"];
    check(&audit, 0, 64 * MIB);
    check(&["solve", &largest, "--effort", "fast", "--json"], 0, 64 * MIB);
    let faithful = ["course", "princeton", "--faithful", "--memory", "44M", &princeton];
    check(&faithful, 3, within(44));
    let large = ["solve", &hundred, "--format", "dim", "--algorithm", "astar", "--memory", "48M"];
    check(&large, 3, within(48));
    check(&["course", "umbc", &pair], 0, 100 * MIB);
    // Large enough for tables and queues to grow several times.
    solve("uniform", "150M", within(150));
    let _ = fs::remove_dir_all(&folder);
}
