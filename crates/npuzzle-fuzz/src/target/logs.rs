//! Logs of expanded states that are followed.

use npuzzle::{Algorithm, Instance, Tables, Tracer, logged};

use crate::place::{assert_line, text};

pub(super) fn feed(bytes: &[u8]) {
    let text = &*text(bytes);
    let puzzle: Instance = "1 2 3/4 0 5/7 8 6".parse().unwrap();
    let log = logged(text, puzzle.dims());
    log.iter().for_each(|step| assert_line(text, step.line));
    let tracer = Tracer::new(Algorithm::Astar);
    let followed = tracer.explain(&puzzle, &log, None, &mut Tables::new(), &mut ());
    if let Ok(Err(unexplained)) = followed {
        assert!((1..=log.len()).contains(&unexplained.step));
        assert_eq!(unexplained.logged, log[unexplained.step - 1]);
    }
}
