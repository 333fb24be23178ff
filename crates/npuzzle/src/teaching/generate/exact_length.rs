//! Boards of an exact length that are too many to be listed.
//!
//! A board that is at least so far away is enough: after the first slides of a shortest solution, as
//! many as are too many, what remains is a shortest solution of the board reached there. So the
//! question is how to get far. Most boards of 16 cells are about 53 slides away; towards the 80 of
//! the hardest they become rare. For the usual goals of the 15-puzzle the hardest are known, and a
//! walk of k slides from one of them leads at least 80 - k slides away from home. Elsewhere, a walk
//! that prefers to get farther climbs from a random board.

use npuzzle_core::search::Cost;
use npuzzle_core::{Board, Instance, Metric, Moves, Random};

use super::{GenerateError, Generator};
use crate::limits::Clock;
use crate::report::Report;
use crate::tables::canonical::CanonicalForm;

/// Random boards of 16 cells are often farther away than this.
const COMMON: Cost = 58;

/// Walks that a climb takes at most.
const MAX_STEPS: usize = 2_000;

/// Boards of the 15-puzzle that take 80 slides, with the blank at home in the last cell (Brüngger,
/// Marzetta, Fukuda and Nievergelt, 1999, found all of them).
const HARDEST: [&str; 6] = [
    "0 11 9 13/12 15 10 14/3 7 6 2/4 8 5 1",
    "0 12 9 13/15 8 10 14/11 7 6 2/4 3 5 1",
    "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1",
    "0 12 9 13/15 11 10 14/3 7 5 6/4 8 2 1",
    "0 12 9 13/15 11 10 14/3 7 6 2/4 8 5 1",
    "0 12 9 13/15 11 10 14/7 8 5 6/4 3 2 1",
];

/// How far they are.
const FARTHEST: Cost = 80;

/// A board of this length, and its solution if it has been solved.
pub(super) fn of_length(
    generator: &mut Generator,
    length: Cost,
    random: &mut Random,
    clock: &mut Clock<'_>,
) -> Result<(Instance, Option<Report>), GenerateError> {
    let goal = generator.wish.goal.clone();
    let metric = generator.wish.options.metric;
    let hardest = if metric == Metric::Stm { hardest(&goal) } else { Vec::new() };
    let mut start = if !hardest.is_empty() && length > FARTHEST {
        return Err(GenerateError::TooLong { length, most: FARTHEST });
    } else if !hardest.is_empty() && length > COMMON {
        let from = &hardest[random.below(hardest.len() as u64) as usize];
        random.walk(from, (FARTHEST - length) as usize)
    } else if goal.dims().cells() <= 16 {
        random.instance(&goal, true).start().clone()
    } else {
        random.walk(&goal, length as usize)
    };
    let mut far: Option<(Board, Cost)> = None;
    for _ in 0..MAX_STEPS {
        let instance = generator.instance(start);
        let report = generator.solve(&instance, false, clock)?;
        let Some(moves) = report.moves() else { break };
        let found = moves.len(metric) as Cost;
        if found == length {
            return Ok((instance, Some(report)));
        }
        if found > length {
            let nearer = after(&instance, moves, metric, found - length);
            return Ok((generator.instance(nearer), None));
        }
        // What is a little nearer may lead out of a dead end.
        if far.as_ref().is_none_or(|(_, far)| Cost::from(found) + random.below(3) as Cost >= *far) {
            far = Some((instance.start().clone(), found));
        }
        let Some((from, distance)) = &far else { break };
        let n_slides = 1 + random.below(u64::from(2 * (length - distance) + 6));
        start = random.walk(from, n_slides as usize);
    }
    Err(GenerateError::NotFound { n_tries: MAX_STEPS })
}

/// The board after the first moves of a solution.
fn after(instance: &Instance, moves: &Moves, metric: Metric, n_moves: Cost) -> Board {
    let mut board = instance.start().clone();
    let n_slides = match metric {
        Metric::Stm => n_moves as usize,
        Metric::Mtm => moves.runs().take(n_moves as usize).map(|(_, n)| n).sum(),
    };
    for &slide in &moves.slides()[..n_slides] {
        board.slide(slide);
    }
    board
}

/// The hardest boards for this goal, if they are known.
fn hardest(goal: &Board) -> Vec<Board> {
    let Some(frame) = CanonicalForm::new(goal) else { return Vec::new() };
    let is_known = goal.dims().is_square() && goal.dims().cells() == 16;
    if !is_known || frame.blank().index() != 0 {
        return Vec::new();
    }
    let boards = HARDEST.iter().filter_map(|text| text.parse::<Instance>().ok());
    // Labelled by where tiles belong, boards of all such goals are the same, and so are mirror images.
    let labels = boards.filter_map(|i| Some(CanonicalForm::new(i.goal())?.labels(i.start())));
    let both = labels.flat_map(|labels| [mirrored(&labels), labels]);
    both.filter_map(|labels| frame.board(&labels)).collect()
}

/// Rows for columns, for the cells and for the labels, which are cells.
fn mirrored(labels: &[u8]) -> Vec<u8> {
    let turned = |at: usize| at % 4 * 4 + at / 4;
    (0..labels.len()).map(|at| turned(usize::from(labels[turned(at)])) as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_core::Goal;

    #[test]
    fn the_hardest_boards_can_be_solved_whatever_the_corner() {
        let dims = "4x4".parse().unwrap();
        for goal in [Goal::Last, Goal::First] {
            let goal = goal.board(dims).unwrap();
            let boards = hardest(&goal);
            assert_eq!(boards.len(), 12);
            for board in boards {
                let instance = Instance::new(board, &Goal::Board(goal.clone())).unwrap();
                assert!(instance.is_solvable());
            }
        }
        assert!(hardest(&Goal::Snail.board(dims).unwrap()).is_empty());
    }
}
