//! Solves one board: `cargo run --release -p npuzzle --example solve_one -- "8 1 3/4 0 2/7 6 5"`.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let board = std::env::args().nth(1).unwrap_or_else(|| "8 1 3/4 0 2/7 6 5".to_owned());
    println!("{}", answer(&board)?);
    Ok(())
}

/// Returns the solution of a board, or the reason why it has none.
pub fn answer(board: &str) -> Result<String, Box<dyn Error>> {
    let report = npuzzle::solve(board.parse()?)?;
    Ok(match report.moves() {
        Some(moves) if report.is_optimal() => format!("{} slides, shortest: {moves}", moves.stm()),
        Some(moves) => {
            let lower = report.lower_bound.unwrap_or(0);
            format!("{} slides, at least {lower} needed: {moves}", moves.stm())
        }
        None => report.instance.solvability().to_string(),
    })
}
