//! Ctrl-C.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::program::{Folder, command};

const HARD: &str = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1";

/// Interrupts a batch once its first board is answered, and so the signal handler in place; the
/// lines after the first.
fn interrupt_after_first_answer() -> Vec<String> {
    let mut child = command()
        .args(["solve", "1 2/0 3", HARD, "1 2/0 3", "--time", "none"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    assert!(first.starts_with("1: 1 STM"), "{first}");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let rest = stdout.lines().map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    rest
}

#[test]
fn an_interrupted_search_tells_what_it_knows_and_exits_130() {
    // The signal may come before the second board is begun: then there is nothing to tell of it.
    let told = (0..100).map(|_| interrupt_after_first_answer()).find(|rest| !rest.is_empty());
    let rest = told.expect("one of a hundred signals comes during the search");
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert!(rest[0].starts_with("2: not solved: interrupted after "), "{rest:?}");
    assert!(rest[0].contains("moves are needed"), "{rest:?}");
}

#[test]
fn a_trace_that_is_being_written_can_be_interrupted() {
    // Its steps are many, and each has the whole queue: there is no end to it.
    let mut child = command()
        .args(["trace", "8 6 7/2 5 4/3 0 1", "--heuristic", "zero", "--json", "--steps", "200000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    assert!(first.starts_with("{\"schema\""), "{first}");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    stdout.read_to_end(&mut Vec::new()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn an_interrupted_batch_leaves_the_old_file_and_keeps_what_it_has() {
    let folder = Folder::new();
    let out = folder.file("out.txt", "old");
    let mut child = command()
        .args(["solve", "1 2/0 3", HARD, "--time", "none", "--quiet", "-o"])
        .arg(&out)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let partial = folder.path().join("out.txt.partial");
    while fs::read_to_string(&partial).unwrap_or_default().is_empty() {
        std::thread::yield_now();
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(told.contains("the answers so far are in"), "{told}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    // Whether the second board was begun hangs on when the signal came.
    let kept = fs::read_to_string(&partial).unwrap();
    assert!(["L\n", "L\nlimit\n"].contains(&kept.as_str()), "{kept:?}");
}
