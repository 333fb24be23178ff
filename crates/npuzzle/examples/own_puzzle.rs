//! Solves the pancake puzzle with IDA*: sort a stack by reversing its top part.
//! `cargo run --release -p npuzzle --example own_puzzle -- 4 7 2 10 1 9 5 3 8 6`.

use std::error::Error;

use npuzzle::search::{Budget, Heuristic, Outcome, Problem, idastar};

fn main() -> Result<(), Box<dyn Error>> {
    let mut stack: Vec<u32> =
        std::env::args().skip(1).map(|size| size.parse()).collect::<Result<_, _>>()?;
    if stack.is_empty() {
        stack = vec![4, 7, 2, 10, 1, 9, 5, 3, 8, 6];
    }
    println!("flip the top {:?}", flips(stack)?);
    Ok(())
}

/// Returns a shortest sequence of flips: the number of pancakes reversed by each.
pub fn flips(stack: Vec<u32>) -> Result<Vec<usize>, Box<dyn Error>> {
    let mut sizes = stack.clone();
    sizes.sort_unstable();
    if !sizes.iter().copied().eq(1..=stack.len() as u32) {
        return Err("the sizes of the pancakes must be 1, 2, 3, …, each once".into());
    }
    match idastar(&Pancakes(stack), &Gap, Budget::NONE, &mut ()).outcome {
        Outcome::Solved(flips) => Ok(flips),
        Outcome::Unsolvable | Outcome::Stopped { .. } => Err("every stack can be sorted".into()),
    }
}

/// A stack of pancakes of the sizes 1, 2, 3, …, from top to bottom.
pub struct Pancakes(pub Vec<u32>);

impl Problem for Pancakes {
    type State = Vec<u32>;
    /// The number of pancakes reversed.
    type Action = usize;

    fn start(&self) -> Vec<u32> {
        self.0.clone()
    }

    fn is_goal(&self, stack: &Vec<u32>) -> bool {
        stack.is_sorted()
    }

    fn actions(&self, stack: &Vec<u32>) -> impl Iterator<Item = usize> {
        2..=stack.len()
    }

    fn apply(&self, stack: &mut Vec<u32>, n: usize) {
        stack[..n].reverse();
    }

    fn inverse(&self, n: usize) -> usize {
        n
    }

    fn state_bytes(&self) -> usize {
        size_of::<Vec<u32>>() + size_of_val(&self.0[..])
    }
}

/// The gap heuristic (Helmert 2010): the number of adjacent pairs whose sizes differ by more than 1. The
/// plate counts as the largest pancake. A flip removes at most one gap.
pub struct Gap;

impl Heuristic<Pancakes> for Gap {
    type Memo = u32;

    fn eval(&self, stack: &Vec<u32>) -> u32 {
        let plate = stack.len() as u32 + 1;
        let below = stack.iter().skip(1).chain([&plate]);
        stack.iter().zip(below).filter(|(a, b)| a.abs_diff(**b) > 1).count() as u32
    }

    fn value(&self, memo: &u32) -> u32 {
        *memo
    }
}
