//! Learns the evaluation of the beam search. Run by `cargo xtask learn`:
//!
//! - `FILE [SEED]` learns the weights of the sum, in the format of `data/beam.bin`;
//! - `tuples FILE [SEED]` learns the n-tuple network, in the format of `data/tuples.bin`. Its state is kept in
//!   `FILE.training` after every round, so that the training can be stopped and continued.

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use npuzzle::learn::{
    Learner, TRAINING_STAGES, TUPLE_STAGES, TrainingStage, TupleLearner, TupleRound,
};
use npuzzle_tables::files::AtomicFile;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (is_tuples, rest) = match args.split_first() {
        Some((first, rest)) if first == "tuples" => (true, rest),
        _ => (false, &args[..]),
    };
    let (file, seed) = match rest {
        [file] => (file, Ok(1)),
        [file, seed] => (file, seed.parse()),
        _ => return usage(),
    };
    let Ok(seed) = seed else { return usage() };
    let learned =
        if is_tuples { learn_tuples(file, seed) } else { write(file, &learn_weights(seed)) };
    match learned {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {file}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: cargo xtask learn [tuples] FILE [SEED]");
    ExitCode::from(2)
}

/// Runs all stages. Returns one set of weights for each, concatenated.
fn learn_weights(seed: u64) -> Vec<u8> {
    let mut learner = Learner::new(seed);
    let mut bytes = Vec::new();
    for stage in TRAINING_STAGES {
        let TrainingStage { side, n_boards, .. } = stage;
        learner.learn(stage, &mut |round| {
            let (n_solved, mean, loss) = (round.n_solved, round.mean, round.loss);
            println!(
                "{side}x{side}: {n_solved} of {n_boards} solved, mean {mean:.2}, loss {loss:.4}"
            );
        });
        bytes.extend(learner.bytes());
    }
    bytes
}

/// Runs all rounds of the n-tuple network, starting where an earlier run was stopped.
fn learn_tuples(file: &str, seed: u64) -> io::Result<()> {
    let state = format!("{file}.training");
    let mut learner = match fs::read(&state) {
        Ok(bytes) => TupleLearner::resume(&bytes)
            .filter(|learner| learner.seed() == seed)
            .ok_or_else(|| io::Error::other(format!("{state} is not a state with this seed")))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => TupleLearner::new(seed),
        Err(error) => return Err(error),
    };
    while let Some(TupleRound { stage, n_done, n_solved, mean, loss }) =
        learner.run_round(&TUPLE_STAGES)
    {
        let (side, n_rounds, n_boards) = (stage.side, stage.n_rounds, stage.n_boards);
        println!(
            "{side}x{side}, round {n_done} of {n_rounds}: {n_solved} of {n_boards} solved, mean {mean:.2}, \
             loss {loss:.4}"
        );
        write(&state, &learner.checkpoint())?;
    }
    write(file, learner.bytes())?;
    fs::remove_file(&state)
}

/// Writes a file completely or not at all.
fn write(file: &str, bytes: &[u8]) -> io::Result<()> {
    let mut atomic = AtomicFile::create(file, format!("{file}.partial"))?;
    atomic.file().write_all(bytes)?;
    atomic.commit()
}
