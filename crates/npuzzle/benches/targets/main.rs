//! The figures that the README claims, in one run: `cargo xtask bench`; those of larger boards in
//! another one: `cargo xtask bench larger`.
//!
//! Machines are noisy, so what counts are node counts, bytes and ratios within one run. Prints a
//! table with the project's targets beside what was measured; fails only if an answer is wrong.
//! Each part of the table has its file.

// A figure that cannot be taken must not be printed.
#![allow(clippy::expect_used)]

mod best_first;
mod builds;
mod census;
mod eight;
mod fifteen;
mod instructions;
mod limits;
mod memory;
mod middle;
mod process;
mod solving;
mod spaces;
mod stored;
mod table;
mod twenty_four;

use std::path::Path;
use std::process::ExitCode;

use table::Table;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // `cargo bench` adds a flag of its own.
    let args: Vec<&str> = args.iter().map(String::as_str).filter(|arg| *arg != "--bench").collect();
    match args[..] {
        [] => run(Effort::Whole),
        ["--quick"] => run(Effort::Quick),
        // Some boards of each size; all hundred of DeepCubeA's take half an hour.
        ["larger"] => larger(Some(10)),
        ["larger", "random"] => larger(None),
        ["larger", n_boards] => match n_boards.parse() {
            Ok(n_boards) if n_boards > 0 => larger(Some(n_boards)),
            _ => return usage(&args),
        },
        ["--part", name] => {
            if !run_part(name) {
                return usage(&args);
            }
        }
        ["--instructions"] => return instructions::run(),
        // The bench runs itself to see how large a process becomes, how many instructions it takes.
        ["--memory", what] => memory::in_this_process(what),
        ["--workload", name] => instructions::workload(name, false),
        ["--workload", name, "--idle"] => instructions::workload(name, true),
        _ => return usage(&args),
    }
    ExitCode::SUCCESS
}

fn usage(args: &[&str]) -> ExitCode {
    let parts = PARTS.map(|(name, _)| name).join("|");
    let usage = format!("[--quick | --part {parts} | --instructions | larger [BOARDS|random]]");
    eprintln!("usage: {usage}, not {}", args.join(" "));
    ExitCode::from(2)
}

/// Short solutions of boards that are too large for shortest ones: so many of DeepCubeA's, and some
/// random ones.
fn larger(n_scrambled: Option<usize>) {
    let mut table = Table::new();
    if let Some(n_boards) = n_scrambled {
        middle::scrambled(&mut table, n_boards);
    }
    middle::random(&mut table, n_scrambled.unwrap_or(usize::MAX));
    table.sum();
}

/// How long it may take.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// Two minutes: stored tables are used if they are there, and the longest searches left out.
    Quick,
    /// Tables are built anew, and the hardest boards solved.
    Whole,
}

/// A part of the table, by name.
type Part = (&'static str, fn(&mut Table, &Path, Effort));

const PARTS: [Part; 9] = [
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
];

fn run(effort: Effort) {
    let mut table = Table::new();
    let folder = stored::folder(effort);
    PARTS.iter().for_each(|(_, run)| run(&mut table, &folder, effort));
    if effort == Effort::Quick {
        table.note(
            "left out by --quick: embedded tables on 80 moves, 24-puzzle 36, table of 8 tiles",
        );
    }
    table.sum();
}

/// One part of the table, with the tables that are stored; `false` if there is no such part.
fn run_part(name: &str) -> bool {
    let Some((_, run)) = PARTS.iter().find(|(part, _)| *part == name) else { return false };
    let mut table = Table::new();
    run(&mut table, &stored::folder(Effort::Quick), Effort::Whole);
    table.sum();
    true
}
