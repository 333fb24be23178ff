//! `cargo xtask`: the tasks of the workspace that cargo has no command for.

#![forbid(unsafe_code)]

mod bench;
mod browser;
mod bubblewrap;
mod files;
mod fuzz;
mod generate;
mod learn;
mod msrv;
mod node;
mod package;
mod page;
mod python;
mod release;
mod sanitize;
mod tally;
mod test;
mod tidy;
mod toolchain;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, io};

const USAGE: &str = "\
Usage: cargo xtask COMMAND

Commands:
  test          run everything: formatting, lints, docs, all tests, tidiness; the last line is
                `N passed, M failed`
  test --long   the same, including the tests that take minutes
  test --quick  formatting, tests without doctests, tidiness
  tidy          only the tidiness checks: module structure, file length, links, examples
  bench         measure times, nodes, bytes and ratios, and compare them with the targets
  bench --quick the same within two minutes: stored tables, no long searches
  bench --part PART
                one part: 8, spaces, census, 15, runs, 24, astar, builds, limits or judge
  bench --instructions
                count the instructions per node of the hot loops; needs valgrind
  bench larger [BOARDS|random]
                lengths of the solutions of larger boards: DeepCubeA's (10 of each size by
                default) and random boards, or only the random ones
  bench ablation [BOARDS]
                lengths of the solutions of single beams, by evaluation and width
  bench wasm    measure the WebAssembly module in Node
  bench korf24 [--boards LIST] [--resume]
                solve the 24-puzzles of Korf and Felner with journals, those with few nodes first
  load --hard N [--seconds N]
                the latency of easy boards while N clients ask for proofs of 24-puzzles
  load [--seconds N] [--clients N]
                clients that solve 15-puzzles over HTTP: answers, times, memory (default: 200
                clients for 30 s)
  soak [--time 1h]
                well-behaved and misbehaving HTTP clients: answers, faults, memory (default: 1 h)
  fuzz [TARGET] [--time 10m] [--keep]
                run the fuzz targets (default: all, 60 s each); --keep adds a minimal set of
                inputs with the same coverage to the committed corpus
  sanitize      run the tests that reach unsafe code under AddressSanitizer and Miri
  release       build a release archive and its checksum in target/dist
  wheels        build the release wheel of the Python package for this system in target/dist
  page          build the page as static files in target/page, and the npm package in target/npm
  pictures      regenerate the screenshots of the docs
  learn FILE [SEED]
                learn the weights of beam search, which takes hours
  learn tuples FILE [SEED]
                learn the n-tuple network of beam search; can be stopped and continued
  generate      regenerate the embedded tables and automata

Exit codes: 0 success, 1 failure, 2 bad usage
";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&root(), &args) {
        Ok(is_success) => ExitCode::from(u8::from(!is_success)),
        Err(error) => {
            eprintln!("error: {error}");
            let is_usage = error.kind() == io::ErrorKind::InvalidInput;
            ExitCode::from(if is_usage { 2 } else { 1 })
        }
    }
}

/// Runs a command and returns whether it succeeded.
fn run(root: &Path, args: &[&str]) -> io::Result<bool> {
    match *args {
        [] | ["-h" | "--help" | "help"] | ["test", "-h" | "--help"] => {
            print!("{USAGE}");
            Ok(true)
        }
        ["test"] => test::run(root, test::FULL, &[]),
        ["test", "--long"] => test::run(root, test::FULL, test::LONG),
        ["test", "--quick"] => test::run(root, test::QUICK, &[]),
        ["tidy"] => test::run(root, test::ONLY_TIDY, &[]),
        ["bench"] => bench::run(root, &[]),
        ["bench", flag @ ("--quick" | "--instructions" | "larger")] => bench::run(root, &[flag]),
        ["bench", "--part", part] => bench::run(root, &["--part", part]),
        ["bench", "wasm"] => node::bench(root),
        ["bench", "korf24", ..] => bench::run(root, &args[1..]),
        ["bench", "ablation", ref rest @ ..] => learn::ablation(root, rest),
        ["bench", "larger", n_boards] => bench::run(root, &["larger", n_boards]),
        ["load", ref flags @ ..] => bench::load(root, flags),
        ["soak", ref flags @ ..] => bench::soak(root, flags),
        ["fuzz", ref flags @ ..] => fuzz::run(root, flags),
        ["sanitize"] => sanitize::run(root),
        ["release"] => release::run(root),
        ["wheels"] => python::wheels(root).map(|()| true),
        ["page"] => page::run(root),
        ["pictures"] => browser::pictures(root),
        ["learn", ref rest @ ..] => learn::run(root, rest),
        ["generate"] => generate::run(root),
        _ => Err(usage(format!("unknown arguments: {}\n\n{}", args.join(" "), USAGE.trim_end()))),
    }
}

/// An error in the arguments.
fn usage(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message.into())
}

/// The folder of the workspace.
fn root() -> PathBuf {
    // The variable comes first: clones that share a target folder share this binary, so the path
    // that was compiled into it may belong to another clone.
    let xtask = env::var_os("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").into());
    let mut root = PathBuf::from(xtask);
    root.pop();
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words after every `cargo xtask` in a text, up to the end of the command.
    fn documented_commands(text: &str) -> Vec<Vec<&str>> {
        let commands = text.split("cargo xtask ").skip(1);
        let commands = commands.filter_map(|rest| rest.split(['`', '\n', '#', ';']).next());
        let words = commands.map(|command| command.split("  ").next().unwrap_or(command));
        words.map(|words| words.split_whitespace().collect()).collect()
    }

    #[test]
    fn documented_commands_are_in_the_usage() {
        let root = root();
        let pages = files::list(&root).unwrap();
        let mut n_commands = 0;
        for page in pages.iter().filter(|page| page.ends_with(".md")) {
            let text = std::fs::read_to_string(root.join(page)).unwrap();
            for words in documented_commands(&text) {
                let Some(command) = words.first().filter(|word| !word.contains('…')) else {
                    continue;
                };
                assert!(
                    USAGE.contains(&format!("\n  {command} ")),
                    "{page}: cargo xtask {command}"
                );
                let flags = words.iter().map(|word| word.trim_matches(['[', ']', ',', '.']));
                for flag in flags.filter(|word| word.starts_with("--")) {
                    assert!(USAGE.contains(flag), "{page}: cargo xtask {command} {flag}");
                }
                n_commands += 1;
            }
        }
        assert!(n_commands > 20, "{n_commands}");
    }
}
