//! Prints the progress of a long search, which another thread stops.

use std::error::Error;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use npuzzle::{Cancel, Instance, Limit, Options, Report, Stats, Tables, Watch};

fn main() -> Result<(), Box<dyn Error>> {
    let hard = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse()?;
    let cancel = Cancel::new();
    let other = cancel.clone();
    thread::Builder::new().spawn(move || {
        // Stands for a button, a signal or a closed connection.
        thread::sleep(Duration::from_secs(3));
        other.cancel();
    })?;
    let report = solve_with_progress(&hard, cancel, &mut io::stdout())?;
    match report.moves() {
        Some(moves) => println!("solved: {moves}"),
        None => {
            let lower = report.lower_bound.unwrap_or(0);
            println!("stopped; every solution has at least {lower} slides");
        }
    }
    Ok(())
}

/// Solves a board, and writes a line for every round of iterative deepening.
pub fn solve_with_progress(
    puzzle: &Instance,
    cancel: Cancel,
    out: &mut dyn Write,
) -> Result<Report, Box<dyn Error>> {
    let options = Options::default().without_limits();
    Ok(options.solve_with(puzzle, &mut Tables::new(), &mut Progress { cancel, out })?)
}

/// Reports rounds, and stops when the other thread cancels.
struct Progress<'a> {
    cancel: Cancel,
    out: &'a mut dyn Write,
}

impl Watch for Progress<'_> {
    fn round(&mut self, bound: u32, stats: &Stats) {
        // A failed write does not stop the search.
        let _ = writeln!(self.out, "no solution of {bound} slides: {} states", stats.expanded);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.cancel.poll(stats)
    }
}
