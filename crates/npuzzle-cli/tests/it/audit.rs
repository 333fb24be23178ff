//! `npuzzle audit`: our heuristics, wrong ones, and programs.

#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};

#[cfg(target_os = "linux")]
use crate::grade::{n_running, unique_sleep};
#[cfg(target_os = "linux")]
use crate::program::command;
use crate::program::{RunResult, run};

fn check(args: &[&str], code: i32, words: &[&str]) -> RunResult {
    let ran = run(["audit"].iter().chain(args));
    assert_eq!(ran.code, code, "{args:?}: {}{}", ran.stdout, ran.stderr);
    let text = format!("{}{}", ran.stdout, ran.stderr);
    for words in words {
        assert!(text.contains(words), "{args:?}: {text:?} has no {words:?}");
    }
    ran
}

#[test]
fn audit_passes_our_heuristics_and_fails_wrong_ones() {
    let all = "on all 181440 boards of 3x3 that reach 1 2 3/8 0 4/7 6 5";
    check(&["walking", "--goal", "snail"], 0, &[all, "\nadmissible", "\nconsistent"]);
    let words = [
        "not admissible: ",
        "smallest: h = 2, distance 1: 1 2 3/4 5 0/7 8 6\n",
        "not consistent: ",
        "mean estimate 8.000, mean distance 21.972",
    ];
    check(&["misplaced-with-blank"], 1, &words);
    let words = ["\"admissible\":false", "\"boards\":360", "\"distance\":1}", "\"scope\":\"all\""];
    check(&["manhattan-with-blank", "--size", "2x3", "--json"], 1, &words);
    check(&["manhattan", "--size", "5x5", "--samples", "9"], 0, &["9 boards of 5x5 on walks"]);
    let quiet = check(&["misplaced-with-blank", "--size", "2x2", "--quiet"], 1, &[]);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
}

#[test]
fn audit_rejects_impossible_requests() {
    check(&[], 2, &["HEURISTIC"]);
    check(&["mahattan"], 2, &["not a heuristic"]);
    check(&["walking", "--size", "5x5"], 2, &["walking distance exists for"]);
    check(&["manhattan", "--goal", "1 2/3 0"], 2, &["not a board of size 3x3"]);
    check(&["manhattan", "--samples", "0"], 2, &["expected a whole number of at least 1"]);
    let stopped =
        check(&["manhattan", "--size", "3x4", "--time", "1ms"], 3, &["time limit reached"]);
    assert!(!stopped.stdout.contains("admissible"), "{}", stopped.stdout);
    let json = ["manhattan", "--size", "3x4", "--time", "1ms", "--json"];
    check(&json, 3, &["\"admissible\":null", "\"consistent\":null"]);
}

/// A program that counts misplaced tiles; `more` is added to every estimate.
#[cfg(unix)]
fn misplaced(more: &str) -> String {
    format!(
        "awk '{{ gsub(\"/\", \" \"); n = 0; for (i = 1; i < NF + 1; i++) \
         if ($i != 0 && $i != i) n++; print n {more} }}'"
    )
}

#[test]
#[cfg(unix)]
fn audit_judges_programs_by_their_numbers() {
    let right = misplaced("");
    check(&["--", "sh", "-c", &right], 0, &["181440 boards", "\nconsistent", "estimate 7.111"]);
    check(&["--program", "sh", "-c", &right], 0, &["\nadmissible"]);
    let words = ["not admissible: 3 boards", "smallest: h = 0.5, distance 0: 1 2/3 0"];
    check(&["--size", "2x2", "--", "sh", "-c", &misplaced("- 2.5 * (n > 1) + 0.5")], 1, &words);
    check(&["--size", "4x4", "--samples", "5", "--", "sh", "-c", &right], 0, &["5 samples"]);
}

#[test]
#[cfg(unix)]
fn audit_reports_why_a_program_failed() {
    let check = |script: &str, code: i32, words: &[&str]| {
        check(&["--size", "2x2", "--", "sh", "-c", script], code, words);
    };
    check("head -5 | sed 's/.*/0/'", 2, &["printed 5 numbers for 12 boards"]);
    check("sed 's/.*/0/'; echo 1", 2, &["line 13: more numbers than the 12 boards"]);
    check("sed 's/.*/h=0/'", 2, &["line 1: \"h=0\" is not a number", "1 2/3 0"]);
    check("sed 's/.*/nan/'", 2, &["is not a number"]);
    check("echo oops >&2; exit 3", 2, &["exited with code 3", "oops"]);
    // Stopped by the output limit, not by the time limit.
    check("yes 0", 2, &["far more"]);
    let ran = run(["audit", "--size", "2x2", "--", "/no/such/program"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("/no/such/program: No such file"), "{}", ran.stderr);
}

#[test]
#[cfg(target_os = "linux")]
fn interrupted_audit_kills_all_processes() {
    let sleep = unique_sleep();
    let script = format!("sleep {sleep} & sleep {sleep}");
    let mut child = command()
        .args(["audit", "--size", "2x2", "--time", "none", "--", "sh", "-c", &script])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while n_running(&sleep) < 2 {
        std::thread::yield_now();
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(n_running(&sleep), 0);
}

#[test]
#[cfg(target_os = "linux")]
fn audit_kills_processes_outside_the_group() {
    let sleep = unique_sleep();
    let is_started = "cat /proc/[0-9]*/comm | grep -q sleep";
    let script = format!("setsid sleep {sleep} & until {is_started}; do :; done; sed 's/.*/0/'");
    check(&["--size", "2x2", "--", "sh", "-c", &script], 0, &["\nadmissible"]);
    assert_eq!(n_running(&sleep), 0);
}

#[test]
#[cfg(unix)]
fn audit_time_limit_applies_to_programs() {
    let ran = run(["audit", "--size", "2x2", "--time", "50ms", "--", "sleep", "1000"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stdout.contains("sleep 1000: no board of 2x2 was tested\ntime limit reached"));
}
