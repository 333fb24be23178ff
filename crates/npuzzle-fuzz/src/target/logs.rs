//! Logs of expanded states that are followed.

use npuzzle::teaching::{Tracer, parse_log};
use npuzzle::{Algorithm, Instance, Tables};

use crate::place::{assert_line, choice, text};

/// Two slides from the goal, four, and one without a solution.
const PUZZLES: [&str; 3] = ["1 2 3/4 0 5/7 8 6", "0 1 2/4 5 3", "1 2 3/4 5 6/8 7 0"];

/// Searches whose logs can be followed, and one whose cannot.
const ALGORITHMS: [Algorithm; 6] = [
    Algorithm::Astar,
    Algorithm::Wastar,
    Algorithm::Greedy,
    Algorithm::Uniform,
    Algorithm::Bfs,
    Algorithm::Ida,
];

/// The first byte names the puzzle and the search.
pub(super) fn feed(bytes: &[u8]) -> bool {
    let Some((which, rest)) = choice(bytes) else { return false };
    let text = &*text(rest);
    let puzzle: Instance = PUZZLES[which % PUZZLES.len()].parse().unwrap();
    let log = parse_log(text, puzzle.dims());
    log.iter().for_each(|step| assert_line(text, step.line));
    let tracer = Tracer::new(ALGORITHMS[which / PUZZLES.len() % ALGORITHMS.len()]);
    let followed = tracer.match_log(&puzzle, &log, None, &mut Tables::new(), &mut ());
    if let Ok(Err(unexplained)) = &followed {
        assert!((1..=log.len()).contains(&unexplained.step));
        assert_eq!(unexplained.found, log[unexplained.step - 1]);
    }
    matches!(followed, Ok(Ok(_))) && !log.is_empty()
}
