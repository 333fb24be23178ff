//! `npuzzle cluster`: jobs on two processes, one of which is killed.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use npuzzle::tables::{FullTable, Store};
use npuzzle::{Goal, Metric};
use npuzzle_testkit::{data, dims, is_long};
use serde_json::Value;

use crate::census::csv;
use crate::program::{Folder, RunResult, command, run};

/// The addresses and the folder of two processes.
struct Pair {
    folder: Folder,
    hosts: PathBuf,
}

impl Pair {
    fn new() -> Pair {
        let folder = Folder::new();
        let listeners = [0, 1].map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
        let addresses = listeners.map(|l| l.local_addr().unwrap().to_string());
        let hosts = folder.file("hosts", addresses.join("\n"));
        Pair { folder, hosts }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn spawn(&self, process: usize, args: &[&str]) -> Child {
        let mut command = command();
        command.args(["cluster", "--threads", "1", "--wait", "50s", "--hosts"]).arg(&self.hosts);
        command.args(["--process", &process.to_string()]).args(args);
        command.args(["--folder"]).arg(self.path("work"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// Runs both processes to the end.
    fn run(&self, args: &[&str]) -> [RunResult; 2] {
        [0, 1].map(|process| self.spawn(process, args)).map(ended)
    }

    /// Runs both processes, kills the victim as soon as `is_time` returns true, and checks that the
    /// other one ends.
    fn kill(&self, victim: usize, args: &[&str], is_time: impl Fn() -> bool) {
        let [first, second] = [0, 1].map(|process| self.spawn(process, args));
        let (mut victim_child, other) = if victim == 0 { (first, second) } else { (second, first) };
        while !is_time() && victim_child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        victim_child.kill().unwrap();
        let status = victim_child.wait().unwrap();
        assert!(status.code().is_none(), "it ended before it was killed: {status}");
        let left = ended(other);
        assert_eq!(left.code, 4, "{}{}", left.stdout, left.stderr);
        let words = format!("process {victim} has ended; start all processes again");
        assert!(left.stderr.contains(&words), "{}", left.stderr);
        assert_eq!(left.stdout, "");
    }
}

fn ended(child: Child) -> RunResult {
    let output = child.wait_with_output().unwrap();
    RunResult {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn check(ran: &[RunResult; 2], stdout: &str) {
    let [first, second] = ran;
    assert_eq!((first.code, second.code), (0, 0), "{}{}", first.stderr, second.stderr);
    assert_eq!((first.stdout.as_str(), second.stdout.as_str()), (stdout, ""));
}

#[test]
fn cluster_census_agrees_with_known_counts() {
    let sizes: &[&str] = if is_long() { &["4x3", "6x2"] } else { &[] };
    for size in ["2x2", "3x2", "4x2", "3x3", "5x2"].iter().chain(sizes) {
        for metric in ["stm", "mtm"] {
            let pair = Pair::new();
            let ran = pair.run(&["census", size, "--metric", metric, "--output", "csv"]);
            check(&ran, &csv(&format!("{size}.{metric}")));
            assert!(!pair.path("work").exists(), "the folder is removed");
        }
    }
}

/// Whether a process has completed a level.
fn has_level(folder: &Path, process: usize, depth: usize) -> bool {
    let text = std::fs::read_to_string(folder.join(format!("process-{process}/census")));
    text.unwrap_or_default().contains(&format!("\nlevel {depth} "))
}

#[test]
fn cluster_census_survives_a_killed_process() {
    let pair = Pair::new();
    let args = ["census", "2x5", "--metric", "mtm", "--output", "csv"];
    let folder = pair.path("work");
    pair.kill(1, &args, || has_level(&folder, 1, 9));
    pair.kill(0, &args, || has_level(&folder, 1, 18));
    check(&pair.run(&args), &csv("5x2.mtm"));
}

/// Checks that both processes fail with the same reason.
fn refused(ran: &[RunResult; 2], code: i32, words: &str) {
    let is_refused =
        |ran: &RunResult| ran.code == code && ran.stderr.contains(words) && ran.stdout.is_empty();
    assert!(ran.iter().all(is_refused), "{ran:?}");
}

#[test]
fn cluster_keeps_foreign_and_incomplete_work() {
    let pair = Pair::new();
    let (work, args) = (pair.path("work"), ["census", "2x4", "--output", "csv"]);
    pair.run(&["census", "2x4", "--depth", "9"]);
    refused(
        &pair.run(&["census", "2x3"]),
        2,
        "written by another job (cluster census stm 1 2 3 4/5",
    );
    refused(&pair.run(&["tables", "2x4"]), 2, "expected cluster tables stm 1 2 3 4/5");
    let part = work.join("process-0");
    let alone = run(["census", "--resume", part.to_str().unwrap()]);
    assert_eq!(alone.code, 2);
    assert!(alone.stderr.contains("not a census that can be resumed: cluster census"));
    // As if a disk were not mounted.
    let (from, to) = (work.join("process-1"), pair.path("elsewhere"));
    std::fs::rename(&from, &to).unwrap();
    refused(&pair.run(&args), 2, "process 0 has 10 levels, process 1 only 0: restore the folder");
    assert!(has_level(&work, 0, 9) && !from.exists());
    std::fs::rename(&to, &from).unwrap();
    check(&pair.run(&args), &csv("4x2.stm"));
}

#[test]
fn all_processes_report_why_one_cannot_take_part() {
    let pair = Pair::new();
    let (work, args) = (pair.path("work"), ["census", "2x4", "--output", "csv"]);
    pair.run(&["census", "2x4", "--depth", "9"]);
    let [first, second] = [("1G", 0), ("9M", 1)]
        .map(|(memory, process)| pair.spawn(process, &[&args[..], &["--memory", memory]].concat()));
    refused(&[first, second].map(ended), 2, "MiB of memory are needed");
    let text = work.join("process-1/census");
    let whole = std::fs::read(&text).unwrap();
    std::fs::write(&text, &whole[..whole.len() / 2]).unwrap();
    let ran = pair.run(&args);
    refused(&ran, 2, "process-1/census: damaged");
    assert!(ran[0].stderr.starts_with("npuzzle: process 1: "), "{}", ran[0].stderr);
    assert!(has_level(&work, 0, 9), "it is kept");
    std::fs::write(&text, "something else\n").unwrap();
    std::fs::remove_file(work.join("process-0/census")).unwrap();
    refused(&pair.run(&args), 2, "process-1: damaged, or written by another job");
    // System errors may be temporary, so their exit code is 4.
    std::fs::remove_dir_all(&work).unwrap();
    std::fs::create_dir(&work).unwrap();
    std::fs::write(work.join("process-1"), "").unwrap();
    refused(&pair.run(&args), 4, "process-1: ");
    std::fs::remove_dir_all(&work).unwrap();
    check(&pair.run(&args), &csv("4x2.stm"));

    std::fs::create_dir(&work).unwrap();
    std::fs::write(work.join("answers"), "something else\n").unwrap();
    refused(&pair.run(&["batch", EASY]), 2, "answers: damaged, or written by another job");
    std::fs::write(work.join("journal"), "something else\n").unwrap();
    refused(&pair.run(&["solve", EASY]), 2, "journal: not a checkpoint");
    std::fs::remove_file(work.join("journal")).unwrap();
    std::fs::create_dir(work.join("journal")).unwrap();
    refused(&pair.run(&["solve", EASY]), 4, "journal: ");
}

#[test]
fn cluster_antipodes_agree_with_one_process() {
    for metric in ["stm", "mtm"] {
        for n_antipodes in ["1", "5"] {
            let args = ["3x3", "--metric", metric, "--antipodes", n_antipodes, "--json"];
            let alone = run(["census"].iter().chain(&args));
            let pair = Pair::new();
            check(&pair.run(&[&["census"][..], &args].concat()), &alone.stdout);
        }
    }
}

#[test]
fn cluster_keeps_work_until_the_answer_is_written() {
    let pair = Pair::new();
    let missing = pair.path("missing/answer.csv");
    // Fails before the other process is waited for.
    let args = ["census", "2x4", "--output", "csv", "-o", missing.to_str().unwrap()];
    let ran = ended(pair.spawn(0, &args));
    assert_eq!(ran.code, 4);
    assert!(ran.stderr.contains("answer.csv: No such file") && !pair.path("work").exists());
    if cfg!(target_os = "linux") {
        let ran = pair.run(&["census", "2x4", "-o", "/dev/full"]);
        assert_eq!((ran[0].code, ran[1].code), (4, 4), "{}{}", ran[0].stderr, ran[1].stderr);
        assert!(ran[0].stderr.contains("No space left"), "{}", ran[0].stderr);
        assert!(ran[1].stderr.contains("process 0 could not write the answer"));
        assert!([0, 1].iter().all(|&process| has_level(&pair.path("work"), process, 36)));
    }
    let answer = pair.path("answer.csv");
    check(&pair.run(&["census", "2x4", "--output", "csv", "-o", answer.to_str().unwrap()]), "");
    assert_eq!(std::fs::read_to_string(answer).unwrap(), csv("4x2.stm"));
    assert!(!pair.path("work").exists());
}

#[test]
fn cluster_table_equals_that_of_one_process() {
    for (size, metric) in [("5x2", Metric::Stm), ("3x3", Metric::Mtm)] {
        let pair = Pair::new();
        let cache = pair.path("cache");
        let metric_name = metric.to_string();
        let cache_arg = ["--cache", cache.to_str().unwrap()];
        let args = [&["tables", size, "--metric", &metric_name][..], &cache_arg].concat();
        let folder = pair.path("work");
        pair.kill(1, &args, || has_level(&folder, 0, 12));
        let ran = pair.run(&args);
        assert_eq!((ran[0].code, ran[1].code), (0, 0), "{}{}", ran[0].stderr, ran[1].stderr);
        let goal = Goal::Last.board(dims(size)).unwrap();
        let space = FullTable::space(&goal, metric).unwrap();
        let table = npuzzle_tables::DistanceTable::build(space, 1, &mut ()).unwrap();
        let name = space.to_string().parse().unwrap();
        let stored = Store::at(&cache).load(&name, table.bytes().len(), &mut ()).unwrap();
        assert!(*stored.unwrap() == *table.bytes());
        // The table is not in the catalogue, but it is recognized.
        let purpose = format!("distances ({metric}) of ");
        let listed = run(["tables", "list"].iter().chain(&cache_arg));
        let row = listed.stdout.lines().find(|row| row.contains(&space.to_string()));
        assert!(row.is_some_and(|row| row.contains(&purpose)), "{}", listed.stdout);
        let verified = run(["tables", "verify", "--deep"].iter().chain(&cache_arg));
        assert_eq!((verified.stdout, verified.stderr), (format!("intact  {space}\n"), "".into()));
    }
}

#[test]
fn cluster_pattern_tables_equal_those_of_one_process() {
    let pair = Pair::new();
    let (cache, work) = (pair.path("cache"), pair.path("work"));
    let args = ["tables", "2x7", "--cache", cache.to_str().unwrap()];
    let goal = Goal::Last.board(dims("2x7")).unwrap();
    let (partition, recipe) = npuzzle::tables::large_patterns(&goal).pop().unwrap();
    let parts = partition.parts();
    assert_eq!(parts.len(), 2);
    let is_there = |part: &npuzzle_tables::Partition| {
        Store::at(&work).path(&part.name().parse().unwrap()).unwrap().exists()
    };
    pair.kill(1, &args, || parts.iter().any(is_there));
    let ran = pair.run(&args);
    assert_eq!((ran[0].code, ran[1].code), (0, 0), "{}{}", ran[0].stderr, ran[1].stderr);
    assert!(!work.exists());
    let built = recipe.get(&Store::none(), 2, &mut ()).unwrap();
    let stored = recipe.load(&Store::at(&cache), &mut ()).unwrap().unwrap();
    assert!(*stored == *built.bytes);
}

/// An answer without times.
fn timeless(line: &str) -> Value {
    let mut answer: Value = serde_json::from_str(line).unwrap();
    let object = answer.as_object_mut().unwrap();
    object.remove("ms");
    for round in object.get_mut("iterations").and_then(Value::as_array_mut).into_iter().flatten() {
        round.as_object_mut().unwrap().remove("ms");
    }
    answer
}

#[test]
fn cluster_batch_has_every_answer_once() {
    let pair = Pair::new();
    let boards = data::path("korf100.txt");
    let boards = boards.to_str().unwrap();
    let args = ["batch", boards, "--goal", "first", "--tables", "small", "--time", "none"];
    let answers = pair.path("work/answers");
    let n_lines = || std::fs::read_to_string(&answers).unwrap_or_default().lines().count();
    pair.kill(1, &args, || n_lines() > 4);
    let n_answered = n_lines();
    pair.kill(0, &args, || n_lines() > n_answered + 3);
    let ran = pair.run(&args);
    assert_eq!((ran[0].code, ran[1].code), (0, 0), "{}{}", ran[0].stderr, ran[1].stderr);
    let small = ["--tables", "small", "--time", "none", "--threads", "1", "--json"];
    let whole = run(["solve", boards, "--goal", "first"].iter().chain(&small));
    let [found, expect] =
        [&ran[0], &whole].map(|ran| ran.stdout.lines().map(timeless).collect::<Vec<_>>());
    assert_eq!(found.len(), 100);
    assert_eq!(found, expect);
}

/// A board of two slides.
const EASY: &str = "1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 0 23 24";

#[test]
fn cluster_solves_easy_board_without_large_tables() {
    let pair = Pair::new();
    let cache = pair.path("cache");
    let args = ["solve", EASY, "--cache", cache.to_str().unwrap()];
    let ran = pair.run(&args);
    assert_eq!((ran[0].code, ran[1].code), (0, 0), "{}{}", ran[0].stderr, ran[1].stderr);
    assert!(ran[0].stdout.starts_with("2 STM / 1 MTM (optimal)\n"), "{}", ran[0].stdout);
    assert!(!cache.exists() && !pair.path("work").exists());
    let (solved, answer) = (EASY.replace("0 23 24", "23 24 0"), pair.path("answer.json"));
    let args = ["solve", &solved, "--json", "-o", answer.to_str().unwrap()];
    check(&pair.run(&args), "");
    let text = std::fs::read_to_string(answer).unwrap();
    assert_eq!(timeless(&text)["moves"], 0, "{text}");
    // The answer names the distributed search, not the engine of a single process.
    let ran = pair.run(&["solve", "8 6 7/2 5 4/3 0 1", "--json"]);
    let answer = timeless(&ran[0].stdout);
    assert_eq!((&answer["algorithm"], &answer["moves"]), (&"ida".into(), &31.into()));
    let ran = pair.run(&["solve", "1 2 3/4 5 6/8 7 0", "--json"]);
    assert_eq!((ran[0].code, ran[1].code, ran[1].stdout.as_str()), (1, 1, ""));
    assert_eq!(timeless(&ran[0].stdout)["status"], "unsolvable");
}

/// A board that takes 37 million nodes with small tables.
const HARD: &str = "8 1 5 13 9/2 22 3 15 4/21 7 14 20 18/16 23 19 0 10/12 11 6 24 17";

#[test]
fn cluster_search_survives_with_the_same_counts() {
    let pair = Pair::new();
    let args = ["solve", HARD, "--tables", "small", "--output", "json"];
    let journal = pair.path("work/journal");
    let n_slices = || {
        let text = std::fs::read_to_string(&journal).unwrap_or_default();
        text.lines().filter(|line| line.starts_with("slice ")).count()
    };
    pair.kill(1, &args, || n_slices() > 3);
    let n_done = n_slices();
    pair.kill(0, &args, || n_slices() > n_done + 3);
    let ran = pair.run(&args);
    assert_eq!((ran[0].code, ran[1].code), (0, 0), "{}{}", ran[0].stderr, ran[1].stderr);
    let alone = ["--tables", "small", "--time", "none", "--threads", "1", "--optimal", "--json"];
    let whole = run(["solve", HARD].iter().chain(&alone));
    let of = |ran: &RunResult| {
        let answer = timeless(&ran.stdout);
        ["solution", "expanded", "generated", "iterations", "optimal"]
            .map(|name| answer[name].clone())
    };
    assert_eq!(of(&ran[0]), of(&whole));
}

#[test]
fn cluster_rejects_impossible_requests() {
    let pair = Pair::new();
    let hosts = pair.hosts.to_str().unwrap().to_owned();
    let work = pair.path("work");
    let census = ["census", "3x3", "--folder", work.to_str().unwrap()];
    let check = |args: &[&str], code: i32, words: &str| {
        let ran = run(["cluster"].iter().chain(args).chain(&census));
        assert_eq!(ran.code, code, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    };
    check(&[], 2, "either --local N or --hosts FILE");
    check(&["--hosts", &hosts], 2, "--process I");
    let board = ["cluster", "--local", "2", "solve", "-", "--folder", work.to_str().unwrap()];
    assert!(run(board).stderr.contains("boards cannot come from standard input"));
    check(&["--hosts", &hosts, "--local", "2"], 2, "--local starts all processes");
    check(&["--hosts", &hosts, "--process", "2"], 2, "the processes are 0 to 1");
    check(
        &["--hosts", &hosts, "--process", "0", "--wait", "100ms"],
        4,
        "process 1 cannot be reached",
    );
    let bad = pair.folder.file("bad", "node1\n");
    check(
        &["--hosts", bad.to_str().unwrap(), "--process", "0"],
        2,
        "line 1: \"node1\" is not an address",
    );
    // One process reports the error, not all.
    for job in [
        &["census", "5x5"][..],
        &["tables", "3x3", "--goal", "1 2/3 0"],
        &["tables", "6x6"],
        &["batch", "no such file"],
        &["solve", "1 2/3 3"],
    ] {
        let folder = ["--folder", work.to_str().unwrap()];
        let ran = run(["cluster", "--local", "3"].iter().chain(job).chain(&folder));
        assert!(ran.code == 2 || ran.code == 4, "{job:?}: {}", ran.code);
        assert_eq!(ran.stderr.lines().count(), 1, "{job:?}: {}", ran.stderr);
    }
    let others = [pair.spawn(0, &["census", "2x3"]), pair.spawn(1, &["census", "3x3"])].map(ended);
    assert!(others.iter().any(|ran| ran.code == 2 && ran.stderr.contains("different arguments")));
    assert!(others.iter().all(|ran| ran.code != 0));
}

#[test]
fn local_starts_all_processes() {
    let folder = Folder::new();
    let work = folder.path().join("work");
    for n in ["1", "3"] {
        let args = ["cluster", "--local", n, "census", "3x3", "--output", "csv", "--folder"];
        let ran = run(args.iter().copied().chain([work.to_str().unwrap()]));
        assert_eq!((ran.code, ran.stdout), (0, csv("3x3.stm")), "{}", ran.stderr);
        assert!(!work.exists());
    }
}

/// A launcher that is interrupted or killed leaves no process behind.
#[cfg(unix)]
#[test]
fn no_process_outlives_its_launcher() {
    let folder = Folder::new();
    let work = folder.path().join("work");
    let words = ["cluster", "--local", "2", "census", "2x5", "--output", "csv", "--folder"];
    let args = || words.into_iter().chain([work.to_str().unwrap()]);
    for (signal, code, depth) in [("-TERM", Some(130), 10), ("-KILL", None, 25)] {
        let mut launcher =
            command().args(args()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while !has_level(&work, 0, depth) && launcher.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let id = launcher.id().to_string();
        let kill = std::process::Command::new("kill").args([signal, &id]).status().unwrap();
        assert!(kill.success(), "it ended before the signal");
        assert_eq!(launcher.wait().unwrap().code(), code);
        // The processes of a killed launcher end a moment later.
        let locks = [0, 1].map(|n| work.join(format!("process-{n}/lock")));
        let is_free = |path: &PathBuf| {
            let file = std::fs::File::options().write(true).open(path);
            file.map_or(true, |file| file.try_lock().is_ok())
        };
        while code.is_none() && !locks.iter().all(is_free) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(locks.iter().all(is_free));
    }
    let ran = run(args());
    assert_eq!((ran.code, ran.stdout), (0, csv("5x2.stm")), "{}", ran.stderr);
}
