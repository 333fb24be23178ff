//! `--checkpoint` and `--resume`: killed searches continue.

use std::process::Stdio;

use crate::program::{Folder, command, run};

/// A board that takes about ten million nodes with small tables.
const HARD: &str = "12 11 9 13/3 15 5 0/7 6 14 10/4 8 1 2";

#[cfg(unix)]
#[test]
fn killed_search_resumes_with_the_same_answer() {
    let folder = Folder::new();
    let path = folder.path().join("search");
    let file = path.to_str().unwrap();
    let small = ["--tables", "small", "--quiet", "--time", "none"];
    let whole = run(["solve", HARD].iter().chain(&small));
    assert_eq!(whole.code, 0, "{}", whole.stderr);

    let first = ["solve", HARD, "--checkpoint", file];
    let mut args: Vec<&str> = first.to_vec();
    // Killed after the first logged subtree, and again a little later.
    for n_slices in [1, 40] {
        let mut child = command()
            .args(&args)
            .args(small)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let has_slices = || {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            text.lines().filter(|line| line.starts_with("slice ")).count() >= n_slices
        };
        while !has_slices() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        child.kill().unwrap();
        assert!(child.wait().unwrap().code().is_none(), "it ended before it was killed");
        args = vec!["solve", "--resume", file];
    }
    let resumed = run(args.iter().chain(&small));
    assert_eq!((resumed.code, &resumed.stdout), (0, &whole.stdout), "{}", resumed.stderr);
    // Resuming again repeats only the last round.
    let again = run(args.iter().chain(&small));
    assert_eq!((again.code, &again.stdout), (0, &whole.stdout));
}

#[test]
fn resumed_search_keeps_tables_and_threads() {
    let folder = Folder::new();
    let path = folder.path().join("search");
    let file = path.to_str().unwrap();
    let flags = ["--tables", "small", "--threads", "1", "--nodes", "10000", "-q"];
    let first = run(["solve", HARD, "--checkpoint", file].iter().chain(&flags));
    assert_eq!(first.code, 3, "{}", first.stderr);
    let resumed = run(["solve", "--resume", file, "--nodes", "20000", "--quiet"]);
    assert_eq!(resumed.code, 3, "{}", resumed.stderr);
    let options = |text: &str| {
        let lines = text.lines().filter_map(|line| line.strip_prefix("options "));
        lines.map(|line| line.rsplit_once(' ').unwrap().0.to_owned()).collect::<Vec<_>>()
    };
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(options(&text), ["tables=small threads=1"], "{text}");
    // A flag replaces what the file says.
    run(["solve", "--resume", file, "--nodes", "30000", "--quiet", "--threads", "2"]);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(options(&text), ["tables=small threads=1", "tables=small threads=2"], "{text}");
}

/// With a journal the board is searched, although a stored table has the answer.
#[test]
fn checkpoint_searches_despite_stored_tables() {
    let folder = Folder::new();
    let run = |args: &[&str]| {
        let output = command().args(args).env("NPUZZLE_CACHE", folder.path()).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    run(&["tables", "build", "full-4x3-0-stm"]);
    let path = folder.path().join("search");
    let (file, board) = (path.to_str().unwrap(), "11 8 10/7 9 5/6 4 3/1 2 0");
    let whole = run(&["solve", board, "--goal", "first", "--quiet"]);
    let length = |solved: &str| solved.split(' ').next().map(str::to_owned);
    let first = run(&["solve", board, "--goal", "first", "--quiet", "--checkpoint", file]);
    let again = run(&["solve", "--quiet", "--resume", file]);
    assert_eq!([length(&first), length(&again)], [length(&whole), length(&whole)]);
}

#[test]
fn checkpoint_rejects_impossible_journals() {
    let folder = Folder::new();
    let board = "8 1 3/4 0 2/7 6 5";
    let there = folder.file("there", "something else\n");
    let there = there.to_str().unwrap();
    let absent = folder.path().join("absent");
    let check = |args: &[&str], code: i32, words: &str| {
        let ran = run(["solve"].iter().chain(args));
        assert_eq!(ran.code, code, "{args:?} {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    };
    check(&["--resume", absent.to_str().unwrap()], 4, "absent: No such file");
    check(&["--resume", there], 2, "not a checkpoint of npuzzle");
    check(&["--resume", there, board], 2, "cannot be used with");
    check(&[HARD, "--checkpoint", there], 4, "the file exists already; --resume continues");
    check(&[board, board, "--checkpoint", absent.to_str().unwrap()], 2, "for a single board");
    let absent_file = absent.to_str().unwrap();
    check(&[board, "--checkpoint", absent_file], 2, "a full table answers immediately");
    check(&[HARD, "--algorithm", "astar", "--checkpoint", absent_file], 2, "astar on this board");
    check(&[HARD, "--metric", "mtm", "--checkpoint", absent_file], 2, "ida on this board");
    check(&[HARD, "--weight", "2", "--checkpoint", absent_file], 2, "only wastar takes a weight");
    check(&["2 1 3/4 5 6/7 8 0", "--checkpoint", absent_file], 1, "");
    assert!(!absent.exists());
    assert_eq!(std::fs::read_to_string(there).unwrap(), "something else\n");
}
