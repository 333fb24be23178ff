//! The searches of the assignments, as settings.
//!
//! The assignments describe the same best-first search with different settings, or prescribe no
//! search at all. [`run`](crate::run()) executes either.

use npuzzle::teaching::TieBreak;
use npuzzle_core::heuristic::{LinearConflict, Manhattan, Misplaced};
use npuzzle_core::search::{Cost, DuplicateCheck, Duplicates, Evaluation, Heuristic};
use npuzzle_core::{Board, MoveOrder, Sliding};

/// The search of a course.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CourseSearch {
    /// The best-first search that the assignment describes, on the textbook heap.
    BestFirst(BestFirstSettings),
    /// The assignment prescribes no search: the library chooses its fastest exact engine.
    Free,
}

/// The settings in which the best-first searches of the assignments differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BestFirstSettings {
    /// The heuristic, h.
    pub heuristic: CourseHeuristic,
    /// How g and h make up the key of the queue.
    pub evaluation: Evaluation,
    /// Which duplicate states are discarded.
    pub duplicates: Duplicates,
    /// Where a closed list looks for duplicates.
    pub check: DuplicateCheck,
    /// Which of several states with equal keys is removed first.
    pub tie_break: TieBreak,
    /// The order in which children are generated.
    pub order: MoveOrder,
    /// Where closed states are stored.
    pub closed_table: ClosedTable,
    /// How unsolvable boards are detected.
    pub detection: Detection,
}

impl BestFirstSettings {
    /// A* on Manhattan distance with a closed list.
    pub const ASTAR: BestFirstSettings = BestFirstSettings {
        heuristic: CourseHeuristic::Manhattan,
        evaluation: Evaluation::AStar,
        duplicates: Duplicates::Closed,
        check: DuplicateCheck::Closed,
        tie_break: TieBreak::Heap,
        order: MoveOrder::ULDR,
        closed_table: ClosedTable::Growing,
        detection: Detection::Parity,
    };
}

impl CourseSearch {
    /// A* that never moves straight back to the parent state but keeps no closed list.
    pub const fn textbook(heuristic: CourseHeuristic, detection: Detection) -> CourseSearch {
        let duplicates = Duplicates::Parent;
        let settings =
            BestFirstSettings { heuristic, duplicates, detection, ..BestFirstSettings::ASTAR };
        CourseSearch::BestFirst(settings)
    }

    /// The settings of the best-first search. A free search becomes the textbook A* on Manhattan
    /// distance first.
    pub fn best_first_mut(&mut self) -> &mut BestFirstSettings {
        if *self == CourseSearch::Free {
            *self = CourseSearch::textbook(CourseHeuristic::Manhattan, Detection::Parity);
        }
        match self {
            CourseSearch::BestFirst(settings) => settings,
            CourseSearch::Free => unreachable!("a free search was replaced above"),
        }
    }

    /// The heuristic of the assignment; Manhattan distance if it prescribes none.
    pub fn heuristic(&self) -> CourseHeuristic {
        match self {
            CourseSearch::BestFirst(settings) => settings.heuristic,
            CourseSearch::Free => CourseHeuristic::Manhattan,
        }
    }
}

/// The heuristics that the assignments use. None of them counts the blank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CourseHeuristic {
    /// The number of misplaced tiles; Princeton calls it Hamming distance.
    Misplaced,
    /// The sum of the tiles' Manhattan distances.
    Manhattan,
    /// Manhattan distance plus linear conflicts (Hansson, Mayer and Yung 1992).
    LinearConflict,
}

impl CourseHeuristic {
    /// Returns the value of a board.
    pub fn estimate(self, board: &Board, goal: &Board) -> Cost {
        fn value<H: Heuristic<Sliding<Board>>>(heuristic: &H, board: &Board) -> Cost {
            heuristic.value(&heuristic.eval(board))
        }
        match self {
            CourseHeuristic::Misplaced => value(&Misplaced::new(goal), board),
            CourseHeuristic::Manhattan => value(&Manhattan::new(goal), board),
            CourseHeuristic::LinearConflict => value(&LinearConflict::new(goal), board),
        }
    }
}

/// Where closed states are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClosedTable {
    /// In a hash table that grows.
    Growing,
    /// In a chained hash table of fixed size. The key of a board is the decimal number that its
    /// digits form.
    Chained {
        /// The number of buckets, a prime.
        n_buckets: usize,
    },
}

/// How unsolvable boards are detected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detection {
    /// By parity, before the search.
    Parity,
    /// By searching the board and its twin in lockstep: exactly one of them is solvable.
    Lockstep,
    /// By parity, after the search has reached its node limit.
    AfterSearch,
}
