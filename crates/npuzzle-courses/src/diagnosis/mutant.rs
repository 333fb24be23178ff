//! The known mistakes.

use std::fmt;

use npuzzle_core::Goal;

/// A mutant: a correct program with one mistake that students make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mutant {
    /// The heuristic counts the blank.
    BlankCounted,
    /// The goal is tested when a state is inserted into the queue.
    GoalOnInsertion,
    /// The parent check compares with the wrong ancestor, so that the parent is inserted again.
    WrongAncestor,
    /// The key ignores the moves made so far.
    Greedy,
    /// Boards are counted instead of moves.
    OffByOne,
    /// Directions are those of the blank.
    DirectionsSwapped,
    /// The goal has another layout.
    WrongGoal(Goal),
    /// Linear conflicts are counted by pairs of tiles.
    ConflictPairs,
    /// The heuristic is larger than the number of moves that are needed.
    Overestimates,
    /// Unsolvable boards are not detected.
    NoDetection,
    /// A state is closed when it is inserted into the queue.
    ClosedOnInsertion,
}

impl Mutant {
    /// Returns a short name that never changes.
    pub fn name(&self) -> &'static str {
        match self {
            Mutant::BlankCounted => "blank-counted",
            Mutant::GoalOnInsertion => "goal-on-insertion",
            Mutant::WrongAncestor => "wrong-ancestor",
            Mutant::Greedy => "greedy",
            Mutant::OffByOne => "off-by-one",
            Mutant::DirectionsSwapped => "ways-swapped",
            Mutant::WrongGoal(_) => "wrong-goal",
            Mutant::ConflictPairs => "conflict-pairs",
            Mutant::Overestimates => "overestimates",
            Mutant::NoDetection => "no-detection",
            Mutant::ClosedOnInsertion => "closed-on-insertion",
        }
    }

    /// Returns how to fix the mistake.
    pub fn advice(&self) -> &'static str {
        match self {
            Mutant::BlankCounted => {
                "do not count the blank (0): it is not a tile, and counting it can make the \
                 heuristic overestimate"
            }
            Mutant::GoalOnInsertion => {
                "test for the goal when a state is removed from the queue; a start that is the goal \
                 is never inserted as a child"
            }
            Mutant::WrongAncestor => {
                "compare the tiles of a new board with those of the parent of the node being \
                 expanded; otherwise every move is undone again and the queue grows needlessly"
            }
            Mutant::Greedy => "the key is g + h: add the moves made so far",
            Mutant::OffByOne => {
                "a solution of n moves has n + 1 boards, including the start and the goal"
            }
            Mutant::DirectionsSwapped => {
                "give the direction of the tile; the blank moves in the opposite direction"
            }
            Mutant::WrongGoal(_) => "check the goal in the assignment",
            Mutant::ConflictPairs => {
                "if three tiles are in reverse order, two of them must leave the line, not three: \
                 count the tiles that must leave, not the pairs"
            }
            Mutant::Overestimates => {
                "h must never exceed the number of moves that are needed, or A* misses shortest \
                 solutions: check it on boards one move from the goal, and add g and h without factors"
            }
            Mutant::NoDetection => {
                "half of all boards are unsolvable: detect them by parity, or by searching a twin \
                 in lockstep"
            }
            Mutant::ClosedOnInsertion => {
                "close a state when it is removed from the queue: until then a shorter path to it \
                 may be found"
            }
        }
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mutant::BlankCounted => "the blank is counted in the heuristic",
            Mutant::GoalOnInsertion => {
                "the goal is tested when a state is inserted, not when it is removed"
            }
            Mutant::WrongAncestor => "the parent check compares with the wrong ancestor",
            Mutant::Greedy => "greedy search instead of A*",
            Mutant::OffByOne => "off by one between boards and moves",
            Mutant::DirectionsSwapped => "the directions of tile and blank are swapped",
            Mutant::WrongGoal(Goal::Board(board)) => {
                return write!(f, "wrong goal layout: {}", board.slash());
            }
            Mutant::WrongGoal(Goal::First) => "wrong goal layout: the blank first",
            Mutant::WrongGoal(Goal::Snail) => "wrong goal layout: the snail",
            Mutant::WrongGoal(Goal::Last) => "wrong goal layout: the blank last",
            Mutant::ConflictPairs => "linear conflicts are counted by pairs",
            Mutant::Overestimates => "the heuristic overestimates",
            Mutant::NoDetection => "unsolvable boards are not detected",
            Mutant::ClosedOnInsertion => {
                "states are closed when they are inserted, not when they are removed"
            }
        })
    }
}
