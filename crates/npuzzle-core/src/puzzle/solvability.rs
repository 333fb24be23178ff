//! Which boards can reach a goal.
//!
//! Treat the blank as one more tile. A slide exchanges it with a neighbor, so it changes the parity
//! of the arrangement (as a permutation of the cells) and also the parity of the distance of the
//! blank from any fixed cell. Both change together, so their sum is invariant: a board can reach a
//! goal only if the permutation between them is odd exactly when the distance of the blank to its
//! goal cell is odd (Johnson and Story 1879). On every board of at least 2×2 the condition is also
//! sufficient, so half of all arrangements reach the goal. The tests count them.

use std::fmt;

use crate::puzzle::board::Board;
use crate::puzzle::goal::Goal;

/// Whether a board can reach its goal, and why.
///
/// ```
/// use npuzzle_core::Instance;
/// let puzzle: Instance = "1 2 3/4 5 6/8 7 0".parse()?;
/// let why = puzzle.solvability();
/// assert!(!why.is_solvable() && why.to_string().contains("the permutation is odd"));
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solvability {
    odd_permutation: bool,
    blank_distance: usize,
    /// The named goals that the board can reach although it cannot reach its goal.
    reachable: [bool; NAMED_GOALS.len()],
}

/// The goals that a message suggests if the board cannot reach its own.
const NAMED_GOALS: [Goal; 3] = [Goal::Last, Goal::First, Goal::Snail];

impl Solvability {
    /// Compares two boards of the same size in O(cells), and an unsolvable one with the named goals.
    pub(crate) fn explain(start: &Board, goal: &Board) -> Solvability {
        let mut solvability = Solvability::of(start, goal);
        if !solvability.is_solvable() {
            let can_reach =
                |goal: Goal| Solvability::of(start, &goal.fill(start.dims())).is_solvable();
            solvability.reachable = NAMED_GOALS.map(can_reach);
        }
        solvability
    }

    /// Compares two boards of the same size in O(cells).
    pub(crate) fn of(start: &Board, goal: &Board) -> Solvability {
        let goal_cells = goal.cells_by_tile();
        let to_goal: Vec<usize> =
            start.tiles().iter().map(|tile| goal_cells[tile.index()].index()).collect();
        Solvability {
            odd_permutation: is_odd(&to_goal),
            blank_distance: start.dims().distance(start.blank(), goal.blank()),
            reachable: [false; NAMED_GOALS.len()],
        }
    }

    /// The goals [`Last`](Goal::Last), [`First`](Goal::First) and [`Snail`](Goal::Snail) that the board
    /// can reach, if it cannot reach its own goal. The goal that was meant is probably one of them.
    ///
    /// ```
    /// use npuzzle_core::{Goal, Instance};
    /// let korf: Instance = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3".parse()?;
    /// assert_eq!(korf.solvability().other_goals(), [Goal::First]);
    /// # Ok::<(), npuzzle_core::FormatError>(())
    /// ```
    pub fn other_goals(&self) -> Vec<Goal> {
        let goals = NAMED_GOALS.into_iter().zip(self.reachable);
        goals.filter_map(|(goal, is_reachable)| is_reachable.then_some(goal)).collect()
    }

    /// Whether the goal can be reached.
    pub fn is_solvable(&self) -> bool {
        self.odd_permutation == (self.blank_distance % 2 == 1)
    }
}

/// Writes the verdict and its reason in one sentence, and the named goals that the board can reach instead.
impl fmt::Display for Solvability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |odd| if odd { "odd" } else { "even" };
        let permutation = word(self.odd_permutation);
        let blank = word(self.blank_distance % 2 == 1);
        let distance = self.blank_distance;
        let (verdict, and) =
            if self.is_solvable() { ("solvable", "and") } else { ("unsolvable", "but") };
        write!(
            f,
            "{verdict}: the permutation is {permutation} {and} the blank's distance to its goal \
             cell ({distance}) is {blank}; every slide changes both"
        )?;
        let others: Vec<String> = self.other_goals().iter().map(Goal::to_string).collect();
        match &others[..] {
            [] => Ok(()),
            [goal] => write!(f, "; the goal {goal} can be reached"),
            goals => write!(f, "; the goals {} can be reached", goals.join(" and ")),
        }
    }
}

/// Whether a permutation is odd, that is, its length minus its number of cycles.
fn is_odd(permutation: &[usize]) -> bool {
    let mut seen = vec![false; permutation.len()];
    let mut odd = false;
    for first in 0..permutation.len() {
        if seen[first] {
            continue;
        }
        let mut at = first;
        while !seen[at] {
            seen[at] = true;
            odd = !odd;
            at = permutation[at];
        }
        odd = !odd;
    }
    odd
}
