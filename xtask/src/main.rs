//! The chores of the workspace that cargo has no command for: `cargo xtask`.

#![forbid(unsafe_code)]

mod bench;
mod browser;
mod component;
mod files;
mod fuzz;
mod generate;
mod learn;
mod oldest;
mod package;
mod python;
mod release;
mod sanitize;
mod tally;
mod test;
mod tidy;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

Commands:
  test          formatting, lints, docs, all tests, tidiness; ends with `N passed, M failed`
  test --long   the same with the tests that take minutes
  test --quick  the inner loop: formatting, tests without those in the docs, tidiness
  bench         the figures of the README beside the targets: times, nodes, bytes, ratios
  bench --quick the same within two minutes: stored tables, no searches of minutes
  bench --part PART
                one part of it: 8, spaces, census, 15, runs, 24, astar, builds or limits
  bench --instructions
                instructions of the hot loops per node; needs valgrind
  bench larger [BOARDS|random]
                lengths of short solutions of larger boards: DeepCubeA's, ten of each size unless
                given, and random ones, or these alone
  load [--seconds N] [--clients N]
                many clients solve 15-puzzles over HTTP: answers, times, memory; 30 s and 200
                unless given
  soak [--time 1h]
                clients of all kinds, and such as misbehave, for an hour unless given: right answers,
                faults, memory
  fuzz [TARGET] [--time 10m] [--keep]
                feed the parsers with inputs that look for new ways through them, 60 s each unless
                given; --keep keeps the fewest that take all ways in the tree
  sanitize      the tests of what reaches unsafe code under AddressSanitizer, and under Miri
  release       an archive to hand out with its checksum, in target/dist
  pictures      make the screenshots of the docs anew
  learn FILE [SEED]
                learn new weights for the beam search (several hours)
  generate      make the tables and the automaton anew that are part of the program

Exit codes: 0 all passed, 1 something failed, 2 bad usage
";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        [] | ["-h" | "--help" | "help"] | ["test", "-h" | "--help"] => {
            print!("{USAGE}");
            ExitCode::SUCCESS
        }
        ["test"] => test::run(&root(), test::FULL, &[]),
        ["test", "--long"] => test::run(&root(), test::FULL, test::LONG),
        ["test", "--quick"] => test::run(&root(), test::QUICK, &[]),
        ["bench"] => bench::run(&root(), &[]),
        ["bench", flag @ ("--quick" | "--instructions" | "larger")] => bench::run(&root(), &[flag]),
        ["bench", "--part", part] => bench::run(&root(), &["--part", part]),
        ["bench", "larger", n_boards] => bench::run(&root(), &["larger", n_boards]),
        ["load", ref flags @ ..] => bench::load(&root(), flags),
        ["soak", ref flags @ ..] => bench::soak(&root(), flags),
        ["fuzz", ref flags @ ..] => fuzz::run(&root(), flags),
        ["sanitize"] => sanitize::run(&root()),
        ["release"] => release::run(&root()),
        ["pictures"] => browser::pictures(&root()),
        ["learn", ref rest @ ..] => learn::run(&root(), rest),
        ["generate"] => generate::run(&root()),
        _ => {
            eprint!("error: unknown arguments: {}\n\n{USAGE}", args.join(" "));
            ExitCode::from(2)
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    // What cargo says now comes first: clones that share a target folder share this program, and
    // what was compiled into it may be the path of another one.
    let xtask = env::var_os("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").into());
    let mut root = PathBuf::from(xtask);
    root.pop();
    root
}
