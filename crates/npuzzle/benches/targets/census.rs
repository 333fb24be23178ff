//! The census: in memory, on disk, and with two processes.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use npuzzle::teaching::Census;
use npuzzle::{Goal, Metric};
use npuzzle_testkit::{data, dims};

use crate::process;
use crate::table::{Row, Table};

/// The maximum distance of the census of the 15-puzzle.
const DEPTH: usize = 23;
/// The memory limit of each process in bytes.
const MEMORY: u64 = 256 << 20;

pub(crate) fn run(table: &mut Table) {
    table.part("census");
    for metric in Metric::ALL {
        in_memory(table, metric);
    }
    let known = &data::census("4x4.stm")[..=DEPTH];
    let n_boards = known.iter().sum();
    let [one, two] = [1, 2].map(|n_threads| on_disk(table, known, n_threads));
    table.add(Row::ratio("  speed-up with two threads", one, two));
    let [one, two] = ["1", "2"].map(|n| by_processes(known, n));
    let (Some(one), Some(two)) = (one, two) else {
        return table.note("processes are skipped: `cargo xtask bench` builds the program first");
    };
    for (name, time) in [("one process", one), ("two processes", two)] {
        table.add(Row::time(format!("4x4 to {DEPTH}, {name}"), time).nodes(n_boards));
        table.add(Row::rate("  boards counted per second", n_boards, time));
    }
    table.add(Row::ratio("  speed-up with two processes", one, two));
}

fn census(size: &str, metric: Metric, n_threads: usize) -> Census {
    let goal = Goal::Last.board(dims(size)).expect("a goal");
    let mut census = Census::new(goal, metric).expect("up to 16 cells");
    census.threads = NonZeroUsize::new(n_threads);
    census
}

fn in_memory(table: &mut Table, metric: Metric) {
    let census = census("3x4", metric, 2);
    let start = Instant::now();
    let result = census.count(&mut ());
    let time = start.elapsed();
    assert_eq!(result.counts, data::census(&format!("4x3.{metric}")));
    let row = Row::time(format!("3x4 {metric}, in memory, two threads"), time);
    let row = row.nodes(result.total()).bytes(census.bytes_in_memory().unwrap_or(0));
    table.add(if metric == Metric::Stm { row.at_most(4.0) } else { row });
}

fn on_disk(table: &mut Table, known: &[u64], n_threads: usize) -> Duration {
    let mut census = census("4x4", Metric::Stm, n_threads);
    (census.depth, census.memory) = (Some(DEPTH), Some(MEMORY));
    let folder = tempfile::tempdir().expect("a folder");
    let start = Instant::now();
    let result = census.count_in(folder.path(), &mut ()).expect("a writable disk");
    let time = start.elapsed();
    assert_eq!(result.counts, known);
    let name = format!("4x4 to {DEPTH}, on disk, {}", crate::solving::threads_name(n_threads));
    table.add(Row::time(name, time).nodes(result.total()).bytes(MEMORY));
    table.add(Row::rate("  boards counted per second", result.total(), time));
    time
}

/// Returns the time that `n` processes take, or `None` if the program has not been built.
fn by_processes(known: &[u64], n: &str) -> Option<Duration> {
    let folder = tempfile::tempdir().expect("a folder");
    let levels = folder.path().join("levels");
    let (depth, memory) = (DEPTH.to_string(), MEMORY.to_string());
    let mut command = process::command_line()?;
    command.args(["cluster", "--quiet", "--local", n, "census", "4x4", "--output", "csv"]);
    command.args(["--depth", &depth, "--memory", &memory, "--folder"]).arg(&levels);
    let start = Instant::now();
    let output = command.output().expect("a process");
    let time = start.elapsed();
    let text = String::from_utf8_lossy(&output.stdout);
    let counts = text.lines().skip(1).filter_map(|line| line.split_once(',')?.1.parse().ok());
    assert_eq!(counts.collect::<Vec<u64>>(), known);
    Some(time)
}
