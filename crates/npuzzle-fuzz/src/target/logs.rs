//! Search logs to be explained.

use npuzzle::teaching::{TraceAlgorithm, Tracer, parse_log};
use npuzzle::{Instance, Tables};

use crate::assertions::{assert_line, selector, text};

/// A board two moves from the goal, one four moves away, and an unsolvable board.
const PUZZLES: [&str; 3] = ["1 2 3/4 0 5/7 8 6", "0 1 2/4 5 3", "1 2 3/4 5 6/8 7 0"];

/// Searches whose logs can be explained, and one whose log cannot.
const ALGORITHMS: [TraceAlgorithm; 6] = [
    TraceAlgorithm::Astar,
    TraceAlgorithm::Wastar,
    TraceAlgorithm::Greedy,
    TraceAlgorithm::Uniform,
    TraceAlgorithm::Bfs,
    TraceAlgorithm::Ida,
];

/// The first byte selects the puzzle and the search.
pub(super) fn run(bytes: &[u8]) -> bool {
    let Some((which, rest)) = selector(bytes) else { return false };
    let text = &*text(rest);
    let puzzle: Instance = PUZZLES[which % PUZZLES.len()].parse().unwrap();
    let log = parse_log(text, puzzle.dims());
    log.iter().for_each(|step| assert_line(text, step.line));
    let tracer = Tracer::new(ALGORITHMS[which / PUZZLES.len() % ALGORITHMS.len()]);
    let explained = tracer.match_log(&puzzle, &log, None, &mut Tables::new(), &mut ());
    if let Ok(Err(unexplained)) = &explained {
        assert!((1..=log.len()).contains(&unexplained.step));
        assert_eq!(unexplained.found, log[unexplained.step - 1]);
    }
    matches!(explained, Ok(Ok(_))) && !log.is_empty()
}
