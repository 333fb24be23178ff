//! The fuzz targets without a fuzzer: lists the targets, runs one on files, packs and unpacks the
//! corpora. `cargo xtask fuzz` uses this program.

#![forbid(unsafe_code)]

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use npuzzle_fuzz::{TARGETS, Target, corpus, find};

const USAGE: &str = "\
Usage: npuzzle-fuzz list
       npuzzle-fuzz try TARGET FILE...      runs a target on files; panics on a violation
       npuzzle-fuzz words TARGET            prints a dictionary for libFuzzer
       npuzzle-fuzz unpack TARGET FOLDER    writes the corpus into files
       npuzzle-fuzz pack TARGET FOLDER      adds the files of a folder to the corpus
";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("npuzzle-fuzz: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &[&str]) -> Result<(), Box<dyn Error>> {
    match args {
        ["list"] => TARGETS.iter().for_each(|target| println!("{} {}", target.name, target.about)),
        ["try", target, files @ ..] => {
            let target = named(target)?;
            for file in files {
                let is_accepted = target.check(&fs::read(file)?);
                let result = if is_accepted { "accepted" } else { "rejected" };
                println!("{file}: {result}, no invariant is violated");
            }
        }
        ["words", target] => {
            named(target)?.tokens.iter().for_each(|token| println!("{}", entry(token)))
        }
        ["unpack", target, folder] => {
            corpus::unpack(named(target)?, Path::new(folder))?;
        }
        ["pack", target, folder] => {
            let n_inputs = corpus::pack(named(target)?, Path::new(folder))?;
            println!("{target}: {n_inputs} inputs in the corpus");
        }
        _ => return Err(USAGE.into()),
    }
    Ok(())
}

/// A token in the format of libFuzzer's dictionaries.
fn entry(token: &str) -> String {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' => format!("\\{}", byte as char),
        b' '..=b'~' => (byte as char).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    format!("\"{}\"", token.bytes().map(escaped).collect::<String>())
}

fn named(name: &str) -> Result<&'static Target, String> {
    find(name).ok_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        format!("unknown target {name:?}; the targets are {}", names.join(", "))
    })
}
