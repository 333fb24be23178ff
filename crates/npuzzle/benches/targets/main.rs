//! Measures the published figures: `cargo xtask bench`, `cargo xtask bench larger` for larger boards, and
//! `cargo xtask bench korf24` for all fifty 24-puzzles.
//!
//! Times depend on the machine; node counts, bytes and ratios within one run are more reliable. The
//! program prints a table of measured values and targets. It fails only if a result is wrong. Each
//! part of the table has its own file.

// A figure that cannot be measured must not be printed.
#![allow(clippy::expect_used)]

mod best_first;
mod builds;
mod census;
mod eight;
mod fifteen;
mod instructions;
mod judge;
mod korf24;
mod larger_boards;
mod limits;
mod memory;
mod plain_ida;
mod process;
mod solving;
mod spaces;
mod stopwatch;
mod stored;
mod table;
mod twenty_four;

use std::path::Path;
use std::process::ExitCode;

use table::Table;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // `cargo bench` adds the flag `--bench`.
    let args: Vec<&str> = args.iter().map(String::as_str).filter(|arg| *arg != "--bench").collect();
    match args[..] {
        [] => run(Effort::Full),
        ["--quick"] => run(Effort::Quick),
        // Ten boards of each size; all hundred of DeepCubeA take half an hour.
        ["larger"] => larger(Some(10)),
        ["larger", "random"] => larger(None),
        ["larger", n_boards] => match n_boards.parse() {
            Ok(n_boards) if n_boards > 0 => larger(Some(n_boards)),
            _ => return usage(&args),
        },
        ["korf24", ref rest @ ..] => match korf24::Korf24::parse(rest) {
            Some(korf24) => korf24.run().expect("the folder of journals can be written"),
            None => return usage(&args),
        },
        ["--part", name] => {
            if !run_part(name) {
                return usage(&args);
            }
        }
        ["--instructions"] => return instructions::run(),
        // The bench starts itself to measure the memory and the instructions of a process.
        ["--memory", task] => memory::in_this_process(task),
        ["--workload", name] => instructions::workload(name, false),
        ["--workload", name, "--idle"] => instructions::workload(name, true),
        _ => return usage(&args),
    }
    ExitCode::SUCCESS
}

fn usage(args: &[&str]) -> ExitCode {
    let parts = PARTS.map(|(name, _)| name).join("|");
    let usage = format!(
        "[--quick | --part {parts} | --instructions | larger [BOARDS|random] | \
                         korf24 [--boards LIST] [--resume]]"
    );
    eprintln!("error: unknown arguments: {}\nusage: {usage}", args.join(" "));
    ExitCode::from(2)
}

/// Measures short solutions of large boards: `n_scrambled` of DeepCubeA's boards of each size, and
/// random ones.
fn larger(n_scrambled: Option<usize>) {
    let mut table = Table::new();
    if let Some(n_boards) = n_scrambled {
        larger_boards::scrambled(&mut table, n_boards);
    }
    larger_boards::random(&mut table, n_scrambled.unwrap_or(usize::MAX));
    table.print_summary();
}

/// The extent of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// Two minutes: stored tables are used, and the longest searches are skipped.
    Quick,
    /// Tables are built again, and the hardest boards are solved.
    Full,
}

/// The name of a part of the table, and the function that measures it.
type Part = (&'static str, fn(&mut Table, &Path, Effort));

const PARTS: [Part; 10] = [
    ("8", |table, _, _| eight::run(table)),
    ("spaces", |table, _, _| spaces::run(table)),
    ("census", |table, _, _| census::run(table)),
    ("15", |table, folder, effort| {
        fifteen::embedded(table, effort);
        fifteen::large(table, folder);
    }),
    ("runs", |table, folder, _| fifteen::runs(table, folder)),
    ("24", twenty_four::run),
    ("astar", |table, _, _| best_first::run(table)),
    ("builds", |table, _, effort| builds::run(table, effort)),
    ("limits", |table, _, _| limits::run(table)),
    ("judge", |table, _, _| judge::run(table)),
];

fn run(effort: Effort) {
    let mut table = Table::new();
    let folder = stored::folder(effort);
    PARTS.iter().for_each(|(_, run)| run(&mut table, &folder, effort));
    if effort == Effort::Quick {
        table.note(
            "skipped by --quick: embedded tables on 80 moves, 24-puzzle 36, pattern of 8 tiles",
        );
    }
    table.print_summary();
}

/// Measures one part with the stored tables. Returns `false` if there is no such part.
fn run_part(name: &str) -> bool {
    let Some((_, run)) = PARTS.iter().find(|(part, _)| *part == name) else { return false };
    let mut table = Table::new();
    run(&mut table, &stored::folder(Effort::Quick), Effort::Full);
    table.print_summary();
    true
}
