//! Ctrl-C.

#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::program::command;

#[test]
fn an_interrupted_search_tells_what_it_knows_and_exits_130() {
    let hard = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1";
    let mut child = command()
        .args(["solve", "1 2/0 3", hard, "1 2/0 3", "--time", "none"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    // Once the first board is answered, the signal handler is in place.
    stdout.read_line(&mut first).unwrap();
    assert!(first.starts_with("1: 1 STM"), "{first}");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let rest: Vec<String> = stdout.lines().map(Result::unwrap).collect();
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert!(rest[0].starts_with("2: not solved: interrupted after "), "{rest:?}");
    assert!(rest[0].contains("moves are needed"), "{rest:?}");
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
