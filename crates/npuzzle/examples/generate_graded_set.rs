//! Generates exercises from easy to hard, each with a unique shortest solution, and prints the answers.

use std::error::Error;

use npuzzle::teaching::{GenerateSpec, Generator};
use npuzzle::{Dims, Goal, Random};

fn main() -> Result<(), Box<dyn Error>> {
    for (board, answer) in exercises("3x3".parse()?, &[5, 10, 15, 20, 25], 2026)? {
        println!("{board}\t{answer}");
    }
    Ok(())
}

/// Returns a board of each length with its solution. The boards of a seed never change.
pub fn exercises(
    size: Dims,
    lengths: &[u32],
    seed: u64,
) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let goal = Goal::Last.board(size).ok_or("a named goal fits every size")?;
    let mut random = Random::new(seed);
    let mut exercises = Vec::new();
    for &length in lengths {
        let moves = Some(length..=length);
        let spec = GenerateSpec { moves, is_unique: true, ..GenerateSpec::any(goal.clone()) };
        let generated = Generator::new(spec)?.generate(&mut random, &mut ())?;
        let answer =
            generated.report.as_ref().and_then(|report| report.moves()).map(ToString::to_string);
        exercises
            .push((generated.instance.start().slash().to_string(), answer.unwrap_or_default()));
    }
    Ok(exercises)
}
