//! Inputs of fuzzers without a fuzzer: lists targets, feeds one with a file, packs and unpacks what is
//! kept. `cargo xtask fuzz` uses it.

#![forbid(unsafe_code)]

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use npuzzle_fuzz::{TARGETS, Target, corpus, find};

const USAGE: &str = "\
Usage: npuzzle-fuzz list
       npuzzle-fuzz try TARGET FILE...      feeds a target with files; a panic tells what is wrong
       npuzzle-fuzz words TARGET            prints a dictionary for libFuzzer
       npuzzle-fuzz unpack TARGET FOLDER    writes what is kept into files
       npuzzle-fuzz pack TARGET FOLDER      keeps the files of a folder too
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
                let is_taken = target.check(&fs::read(file)?);
                let words = if is_taken { "taken" } else { "refused" };
                println!("{file}: {words}, all promises are kept");
            }
        }
        ["words", target] => {
            named(target)?.words.iter().for_each(|word| println!("{}", entry(word)))
        }
        ["unpack", target, folder] => {
            corpus::unpack(named(target)?, Path::new(folder))?;
        }
        ["pack", target, folder] => {
            let n_kept = corpus::pack(named(target)?, Path::new(folder))?;
            println!("{target}: {n_kept} inputs are kept");
        }
        _ => return Err(USAGE.into()),
    }
    Ok(())
}

/// A word as libFuzzer's dictionaries have it.
fn entry(word: &str) -> String {
    let letter = |byte: u8| match byte {
        b'"' | b'\\' => format!("\\{}", byte as char),
        b' '..=b'~' => (byte as char).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    format!("\"{}\"", word.bytes().map(letter).collect::<String>())
}

fn named(name: &str) -> Result<&'static Target, String> {
    find(name).ok_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        format!("{name:?} is no target: {}", names.join(", "))
    })
}
