//! Ctrl-C during searches and batches.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::program::{Folder, command, start_batch};

const HARD: &str = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1";

/// Interrupts a batch after its first answer, when the signal handler is installed, and returns the lines
/// after the first.
fn interrupt_after_first_answer() -> Vec<String> {
    let args = ["solve", "1 2/0 3", HARD, "1 2/0 3", "--time", "none"];
    let rest = interrupt_after_first_line(&args, "1: 1 STM");
    String::from_utf8(rest).unwrap().lines().map(str::to_owned).collect()
}

/// Interrupts the program after its first line, which must start with `begin`, and returns the rest.
fn interrupt_after_first_line(args: &[&str], begin: &str) -> Vec<u8> {
    let mut child =
        command().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    assert!(first.starts_with(begin), "{first}");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let mut rest = Vec::new();
    stdout.read_to_end(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    rest
}

#[test]
fn interrupted_search_reports_bound_and_exits_130() {
    // If the signal comes before the second board starts, there is no line for it.
    let interrupted =
        (0..100).map(|_| interrupt_after_first_answer()).find(|rest| !rest.is_empty());
    let rest = interrupted.expect("one of a hundred signals comes during the search");
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert!(rest[0].starts_with("2: not solved: interrupted after "), "{rest:?}");
    assert!(rest[0].contains(" needed"), "{rest:?}");
}

/// Interrupts the search of a large board, which would take minutes, and returns its answer.
fn interrupt_large(size: &str, args: &[&str], after: Duration) -> serde_json::Value {
    let generate = command().args(["generate", "--size", size, "--seed", "1"]).output().unwrap();
    let folder = Folder::new();
    let board = folder.file("board.txt", String::from_utf8(generate.stdout).unwrap());
    let mut child = command()
        .args(["solve", "1 2/0 3"])
        .arg(&board)
        .args(["--json", "--time", "none"])
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut String::new()).unwrap();
    std::thread::sleep(after);
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let answer = stdout.lines().map(Result::unwrap).next();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    // The signal may have come before the search started.
    answer.map_or(serde_json::Value::Null, |answer| serde_json::from_str(&answer).unwrap())
}

#[test]
fn interrupted_large_search_prints_best_solution() {
    for (size, args) in [("9x9", &["--algorithm", "beam"][..]), ("40x40", &[])] {
        // On a busy machine the first solution may take a while.
        let tries =
            (0..7).map(|nth| interrupt_large(size, args, Duration::from_millis(500 << nth)));
        let answer = tries.into_iter().find(|answer| !answer["solution"].is_null());
        let answer = answer.expect("a solution before the signal comes");
        let (lower_bound, moves) = (&answer["lower_bound"], &answer["moves"]);
        assert!(lower_bound.as_u64().unwrap() < moves.as_u64().unwrap(), "{answer}");
        assert!(!answer["solution"].as_str().unwrap().is_empty());
        assert_eq!(answer["optimal"], false);
        assert_eq!([&answer["status"], &answer["limit_hit"]], ["limit", "interrupted"], "{answer}");
    }
}

#[test]
fn interrupted_trace_stops_writing() {
    // Every one of the many steps lists the whole queue, so writing takes very long.
    let args = ["8 6 7/2 5 4/3 0 1", "--heuristic", "zero", "--json", "--steps", "200000"];
    interrupt_after_first_line(&[&["trace"][..], &args].concat(), "{\"schema\"");
}

#[test]
fn interrupted_batch_keeps_old_file_and_answers() {
    let folder = Folder::new();
    let out = folder.file("out.txt", "old");
    let (mut child, partial) = start_batch(&out);
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(stderr.contains("the answers so far are in"), "{stderr}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    // The second board may or may not have started before the signal.
    let kept = fs::read_to_string(&partial).unwrap();
    assert!(["L\n", "L\nlimit\n"].contains(&kept.as_str()), "{kept:?}");
}

#[test]
fn interrupted_grade_keeps_the_grades_so_far() {
    let folder = Folder::new();
    let boards = folder.file("boards", "1 2 3/4 5 6/7 0 8\n1 2 3/4 5 0/7 8 6\n");
    let (json, mark) = (folder.path().join("r.json"), folder.path().join("mark"));
    // The first board fails immediately, the second takes forever.
    let script = format!("test -e {0} && sleep 1000; touch {0}", mark.display());
    let mut child = command()
        .args(["grade", "--course", "princeton", "--time", "none", "--boards"])
        .arg(&boards)
        .arg("--json")
        .arg(&json)
        .args(["--", "sh", "-c", &script])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut String::new()).unwrap();
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(stderr.contains("interrupted: 1 of 2 boards were graded"), "{stderr}");
    assert!(!json.exists());
    let kept = fs::read_to_string(folder.path().join("r.json.partial")).unwrap();
    let results: serde_json::Value = serde_json::from_str(&kept).unwrap();
    assert_eq!((&results["boards"], results["results"].as_array().unwrap().len()), (&2.into(), 1));
}
