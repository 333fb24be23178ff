//! Long jobs over two processes, one of which is killed.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use npuzzle::{FullTable, Goal, Metric, Store};
use npuzzle_testkit::{data, dims, is_long};
use serde_json::Value;

use crate::census::csv;
use crate::program::{Folder, Ran, command, run};

/// Two processes that know each other.
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

    /// Runs both to their ends.
    fn run(&self, args: &[&str]) -> [Ran; 2] {
        [0, 1].map(|process| self.spawn(process, args)).map(ended)
    }

    /// Runs both, kills one when the other's work, or its own, has come so far, and sees that the
    /// other one notices and ends.
    fn kill(&self, victim: usize, args: &[&str], is_time: impl Fn() -> bool) {
        let [first, second] = [0, 1].map(|process| self.spawn(process, args));
        let (mut victim_child, other) = if victim == 0 { (first, second) } else { (second, first) };
        while !is_time() && victim_child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        victim_child.kill().unwrap();
        let status = victim_child.wait().unwrap();
        assert!(status.code().is_none(), "it was done before it could be killed: {status}");
        let left = ended(other);
        assert_eq!(left.code, 4, "{}{}", left.stdout, left.stderr);
        let words = format!("process {victim} has ended; start all processes again");
        assert!(left.stderr.contains(&words), "{}", left.stderr);
        assert_eq!(left.stdout, "");
    }
}

fn ended(child: Child) -> Ran {
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn check(ran: &[Ran; 2], stdout: &str) {
    let [first, second] = ran;
    assert_eq!((first.code, second.code), (0, 0), "{}{}", first.stderr, second.stderr);
    assert_eq!((first.stdout.as_str(), second.stdout.as_str()), (stdout, ""));
}

#[test]
fn two_processes_count_what_is_known() {
    let sizes: &[&str] = if is_long() { &["4x3", "6x2"] } else { &[] };
    for size in ["2x2", "3x2", "4x2", "3x3", "5x2"].iter().chain(sizes) {
        for metric in ["stm", "mtm"] {
            let pair = Pair::new();
            let ran = pair.run(&["census", size, "--metric", metric, "--output", "csv"]);
            check(&ran, &csv(&format!("{size}.{metric}")));
            assert!(!pair.path("work").exists(), "all is over");
        }
    }
}

/// Whether the text of a process has come to a level.
fn has_level(folder: &Path, process: usize, depth: usize) -> bool {
    let text = std::fs::read_to_string(folder.join(format!("process-{process}/census")));
    text.unwrap_or_default().contains(&format!("\nlevel {depth} "))
}

#[test]
fn a_census_survives_either_process() {
    let pair = Pair::new();
    let args = ["census", "2x5", "--metric", "mtm", "--output", "csv"];
    let folder = pair.path("work");
    pair.kill(1, &args, || has_level(&folder, 1, 9));
    pair.kill(0, &args, || has_level(&folder, 1, 18));
    check(&pair.run(&args), &csv("5x2.mtm"));
    // Somebody else's work is not touched.
    pair.run(&["census", "2x4", "--keep"]);
    let ran = pair.run(&args);
    assert_eq!((ran[0].code, ran[1].code), (2, 2));
    assert!(ran[0].stderr.contains("left by another job"), "{}", ran[0].stderr);
}

#[test]
fn a_table_survives_and_has_the_bytes_of_one_process() {
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
        let table = npuzzle_tables::FullTable::build(space, 1, &mut ()).unwrap();
        let name = space.to_string().parse().unwrap();
        let stored = Store::at(&cache).load(&name, table.bytes().len(), &mut ()).unwrap();
        assert!(*stored.unwrap() == *table.bytes());
    }
}

/// An answer without what hangs on the clock.
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
fn a_batch_survives_and_has_every_answer_once() {
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

/// Some millions of states with small tables.
const HARD: &str = "3 7 13 5 14/6 8 1 9 4/12 18 2 10 15/11 0 22 23 19/16 17 21 24 20";

#[test]
fn a_search_survives_and_has_the_same_solution_and_counts() {
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
    let of = |ran: &Ran| {
        let answer = timeless(&ran.stdout);
        ["solution", "expanded", "generated", "iterations", "optimal"]
            .map(|name| answer[name].clone())
    };
    assert_eq!(of(&ran[0]), of(&whole));
}

#[test]
fn what_cannot_be_is_told() {
    let pair = Pair::new();
    let hosts = pair.hosts.to_str().unwrap().to_owned();
    let work = pair.path("work");
    let census = ["census", "3x3", "--folder", work.to_str().unwrap()];
    let check = |args: &[&str], code: i32, words: &str| {
        let ran = run(["cluster"].iter().chain(args).chain(&census));
        assert_eq!(ran.code, code, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    };
    check(&[], 2, "either --local N, or --hosts FILE");
    check(&["--hosts", &hosts], 2, "and --process I");
    check(&["--hosts", &hosts, "--local", "2"], 2, "--local starts all processes");
    check(&["--hosts", &hosts, "--process", "2"], 2, "2 addresses are from 0 to 1");
    check(&["--hosts", &hosts, "--process", "0", "--wait", "100ms"], 4, "process 1 was not to be");
    let bad = pair.folder.file("bad", "node1\n");
    check(
        &["--hosts", bad.to_str().unwrap(), "--process", "0"],
        2,
        "line 1: \"node1\" is no address",
    );
    let others = [pair.spawn(0, &["census", "2x3"]), pair.spawn(1, &["census", "3x3"])].map(ended);
    assert!(others.iter().any(|ran| ran.code == 2 && ran.stderr.contains("other words")));
    assert!(others.iter().all(|ran| ran.code != 0));
}

#[test]
fn a_launcher_starts_all_processes_of_a_machine() {
    let folder = Folder::new();
    let work = folder.path().join("work");
    for n in ["1", "3"] {
        let args = ["cluster", "--local", n, "census", "3x3", "--output", "csv", "--folder"];
        let ran = run(args.iter().copied().chain([work.to_str().unwrap()]));
        assert_eq!((ran.code, ran.stdout), (0, csv("3x3.stm")), "{}", ran.stderr);
        assert!(!work.exists());
    }
}
