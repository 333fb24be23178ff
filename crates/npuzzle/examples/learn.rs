//! Learns the weights of the beam search and writes them in the format of `data/beam.bin`. Run by
//! `cargo xtask learn FILE [SEED]`.

use std::fs;
use std::process::ExitCode;

use npuzzle::learn::{Learner, TRAINING_STAGES, TrainingStage};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (file, seed) = match &args[..] {
        [file] => (file, Ok(1)),
        [file, seed] => (file, seed.parse()),
        _ => return usage(),
    };
    let Ok(seed) = seed else { return usage() };
    let bytes = learn(seed);
    let partial = format!("{file}.partial");
    match fs::write(&partial, bytes).and_then(|()| fs::rename(&partial, file)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {file}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: cargo xtask learn FILE [SEED]");
    ExitCode::from(2)
}

/// Runs all stages. Returns one set of weights for each, concatenated.
fn learn(seed: u64) -> Vec<u8> {
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
