//! The pancake puzzle, searched by what searches tiles: sort a stack by turning over its top.
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

/// The fewest flips: how many pancakes are turned over each time.
pub fn flips(stack: Vec<u32>) -> Result<Vec<usize>, Box<dyn Error>> {
    let mut sizes = stack.clone();
    sizes.sort_unstable();
    if !sizes.iter().copied().eq(1..=stack.len() as u32) {
        return Err("the pancakes are of the sizes 1, 2, 3, …, each once".into());
    }
    match idastar(&Pancakes(stack), &Gap, Budget::NONE, &mut ()).outcome {
        Outcome::Solved(flips) => Ok(flips),
        Outcome::Unsolvable | Outcome::Stopped { .. } => Err("every stack can be sorted".into()),
    }
}

/// A stack of pancakes of the sizes 1, 2, 3, …, the top first.
pub struct Pancakes(pub Vec<u32>);

impl Problem for Pancakes {
    type State = Vec<u32>;
    /// How many are turned over.
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

/// Neighbours in the stack that are no neighbours by size, the plate included: each such gap takes a
/// flip of its own (Helmert, 2010).
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
