//! Signals at random moments: a file is either the old one or the complete new one, work continues, and the
//! exit code is right.
//!
//! A moment is a share of the time of an undisturbed run, so that it does not depend on the speed of the
//! machine. The moments are the same in every run.

#![cfg(unix)]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use npuzzle_testkit::data;
use npuzzle_testkit::is_long;
use npuzzle_testkit::random::Random;

use crate::census::csv;
use crate::program::{Folder, command, run};

/// The signals and their numbers.
const SIGNALS: [(&str, i32); 4] = [("-INT", 2), ("-TERM", 15), ("-HUP", 1), ("-KILL", 9)];

/// The number of signals per test.
fn n_moments() -> usize {
    if is_long() { 200 } else { 8 }
}

/// Starts a command, sends it a random signal after a random share of `whole`, and returns its exit status
/// and the signal.
fn disturbed(command: &mut Command, whole: Duration, random: &mut Random) -> (ExitStatus, i32) {
    let (name, number) = SIGNALS[random.below(SIGNALS.len())];
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    std::thread::sleep(whole.mul_f64(random.below(1000) as f64 / 1000.0));
    // The process may have ended by now.
    let mut kill = Command::new("kill");
    kill.args([name, &child.id().to_string()]).stderr(Stdio::null()).status().unwrap();
    (child.wait().unwrap(), number)
}

/// Asserts that a run succeeded, exited as interrupted, or was killed by the signal.
fn assert_ended(status: ExitStatus, signal: i32) {
    let is_expected = matches!(status.code(), Some(0 | 130)) || status.signal() == Some(signal);
    assert!(is_expected, "signal {signal}: {status}");
}

#[test]
fn killed_run_leaves_old_or_complete_file() {
    let korf = data::path("korf100.txt");
    let mut random = Random::new(31);
    for args in [
        &["solve", korf.to_str().unwrap(), "--goal", "first", "--nodes", "5000", "-q", "-o"][..],
        &["generate", "--size", "3x3", "--moves", "20", "--seed", "1", "--count", "2000", "--key"],
        &["render", "8 6 7/2 5 4/3 0 1", "--solve", "--as", "gif", "-o"],
        &["trace", "8 6 7/2 5 4/3 0 1", "--steps", "2000", "-o"],
    ] {
        let folder = Folder::new();
        let out = folder.path().join("out");
        let written = || command().args(args).arg(&out).output().unwrap();
        let begun = Instant::now();
        let code = written().status.code();
        let took = begun.elapsed();
        let whole = fs::read(&out).unwrap();
        for _ in 0..n_moments() {
            fs::write(&out, "old").unwrap();
            let mut run = command();
            let (status, signal) = disturbed(run.args(args).arg(&out), took, &mut random);
            if status.code() != code {
                assert_ended(status, signal);
            }
            let found = fs::read(&out).unwrap();
            assert!(found == whole || found == b"old", "{args:?} {status}: {} bytes", found.len());
            assert!(status.code() != Some(130) || found == b"old", "{args:?}");
            let mut names = folder.names();
            names.retain(|name| name != "out" && !name.starts_with("out.partial"));
            assert!(names.is_empty(), "{args:?}: {names:?}");
        }
        assert_eq!(written().status.code(), code);
        assert!(!folder.names().contains(&"out.partial".to_owned()), "{args:?}");
        assert_eq!(fs::read(&out).unwrap(), whole, "{args:?}");
    }
}

#[test]
fn killed_build_leaves_no_incomplete_table() {
    const NAME: &str = "patterns-7x2-stm-0-zero-2.4.6.8.10.12.1-3.5.7.9.11.13";
    let folder = Folder::new();
    let path = folder.path().to_str().unwrap();
    let build = ["tables", "build", NAME, "--cache", path];
    let begun = Instant::now();
    assert_eq!(run(build).code, 0);
    let took = begun.elapsed();
    let file = folder.path().join(format!("{NAME}.table"));
    let whole = fs::read(&file).unwrap();
    let mut random = Random::new(32);
    // The table is built twice each time.
    for _ in 0..n_moments() / 4 {
        fs::remove_file(&file).unwrap();
        let (status, signal) = disturbed(command().args(build), took, &mut random);
        assert_ended(status, signal);
        assert!(file.exists() == (status.code() == Some(0)) || status.signal().is_some());
        if file.exists() {
            assert!(fs::read(&file).unwrap() == whole, "{status}");
        }
        let again = run(build);
        assert_eq!(again.code, 0, "{}", again.stderr);
        assert!(fs::read(&file).unwrap() == whole && folder.names().len() == 1);
    }
}

#[test]
fn census_resumes_from_any_moment() {
    let folder = Folder::new();
    let path = folder.path().join("levels");
    let levels = path.to_str().unwrap();
    let begin = ["census", "3x3", "--output", "csv", "--on-disk", levels];
    let begun = Instant::now();
    assert_eq!(run(begin).stdout, csv("3x3.stm"));
    let took = begun.elapsed();
    let resume = ["census", "--output", "csv", "--resume", levels];
    let mut random = Random::new(33);
    for _ in 0..n_moments() {
        let has_begun = path.join("census").exists();
        let args: &[&str] = if has_begun { &resume } else { &begin };
        let (status, signal) = disturbed(command().args(args), took, &mut random);
        assert_ended(status, signal);
    }
    let args: &[&str] = if path.join("census").exists() { &resume } else { &begin };
    let ended = run(args);
    assert_eq!((ended.code, ended.stdout), (0, csv("3x3.stm")), "{}", ended.stderr);
    assert!(!path.exists());
}

/// A process that waits for a killed builder builds the table itself.
#[test]
fn waiting_process_replaces_a_killed_builder() {
    const SLOW: &str = "patterns-5x3-stm-0-zero-3.6.9.12.1.4.7-10.13.2.5.8.11.14";
    let folder = Folder::new();
    let build = ["tables", "build", SLOW, "--cache", folder.path().to_str().unwrap()];
    let start = || command().args(build).stdout(Stdio::piped()).spawn().unwrap();
    let mut first = start();
    let lock = folder.path().join(format!("{SLOW}.lock"));
    while !lock.exists() && first.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let second = start();
    first.kill().unwrap();
    assert!(first.wait().unwrap().code().is_none(), "it ended before it was killed");
    let output = second.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.starts_with(b"built "), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(folder.names(), [format!("{SLOW}.table")]);
}

/// Removing tables while other processes build and use them costs only time.
#[test]
fn tables_may_be_removed_at_any_moment() {
    const BOARD: &str = "1 2 3 4 5 6 7/8 9 10 11 12 0 13";
    let folder = Folder::new();
    let path = folder.path().to_str().unwrap();
    let solve = ["solve", BOARD, "--tables", "large", "--quiet", "--cache", path];
    let mut solvers: Vec<_> =
        (0..3).map(|_| command().args(solve).stdout(Stdio::piped()).spawn().unwrap()).collect();
    while solvers.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
        assert_eq!(run(["tables", "remove", "all", "--cache", path]).code, 0);
    }
    for solver in solvers {
        let output = solver.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"L\n"[..]));
    }
    assert!(folder.names().iter().all(|name| name.ends_with(".table")), "{:?}", folder.names());
}
