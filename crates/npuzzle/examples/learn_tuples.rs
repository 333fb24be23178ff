//! Learns the n-tuple network of the beam search and writes it in the format of `data/tuples.bin`. Run by
//! `cargo xtask learn tuples FILE [SEED]`.
//!
//! The state is kept in `FILE.training` after every round, so that the training can be stopped and continued.

use std::fs;
use std::io;
use std::process::ExitCode;

use npuzzle::learn::{TUPLE_STAGES, TupleLearner, TupleRound};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (file, seed) = match &args[..] {
        [file] => (file, Ok(1)),
        [file, seed] => (file, seed.parse()),
        _ => return usage(),
    };
    let Ok(seed) = seed else { return usage() };
    match learn(file, seed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {file}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: cargo xtask learn tuples FILE [SEED]");
    ExitCode::from(2)
}

/// Runs all rounds, starting where an earlier run was stopped.
fn learn(file: &str, seed: u64) -> io::Result<()> {
    let state = format!("{file}.training");
    let resumed = fs::read(&state).ok().and_then(|bytes| TupleLearner::resume(&bytes));
    let mut learner = resumed.unwrap_or_else(|| TupleLearner::new(seed));
    while let Some(TupleRound { stage, n_done, n_solved, mean, loss }) =
        learner.run_round(&TUPLE_STAGES)
    {
        println!(
            "{side}x{side}, round {n_done} of {}: {n_solved} of {} solved, mean {mean:.2}, loss {loss:.4}",
            stage.n_rounds,
            stage.n_boards,
            side = stage.side
        );
        write(&state, &learner.checkpoint())?;
    }
    write(file, learner.bytes())?;
    fs::remove_file(&state)
}

/// Writes a file completely or not at all.
fn write(file: &str, bytes: &[u8]) -> io::Result<()> {
    let partial = format!("{file}.partial");
    fs::write(&partial, bytes)?;
    fs::rename(&partial, file)
}
