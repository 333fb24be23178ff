//! The public sets of boards on which searches are usually compared.

use npuzzle_core::search::Cost;
use npuzzle_core::{Board, Goal, Instance, Metric, named_enum};

named_enum! {
    "a set of boards"
    /// A public set of boards, with its goal and the published results.
    ///
    /// ```
    /// use npuzzle::teaching::BoardSet;
    /// let boards = BoardSet::Korf.boards();
    /// let easiest = boards.iter().min_by_key(|board| board.nodes).expect("the set has boards");
    /// assert_eq!((easiest.number, easiest.length, easiest.nodes), (79, Some(42), Some(540_860)));
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[non_exhaustive]
    pub enum BoardSet {
        /// The 100 random 15-puzzles of Korf (1985).
        Korf = "korf",
        /// The 50 random 24-puzzles of Korf and Felner (2002).
        Korf24 = "korf24",
        /// The first 100 24-puzzles of DeepCubeA (2019).
        DeepCubeA24 = "deepcubea24",
        /// The first 100 35-puzzles of DeepCubeA (2019).
        DeepCubeA35 = "deepcubea35",
        /// The first 100 48-puzzles of DeepCubeA (2019).
        DeepCubeA48 = "deepcubea48",
        /// Six 15-puzzles that need 80 slides, the largest number.
        Antipodes = "antipodes",
        /// Four 15-puzzles that need 43 moves in the multi-tile metric, the largest number.
        AntipodesMtm = "antipodes-mtm",
    }
}

/// A board of a [`BoardSet`].
///
/// ```
/// use npuzzle::teaching::BoardSet;
/// let board = &BoardSet::Korf24.boards()[39];
/// assert_eq!((board.number, board.length), (40, Some(82)));
/// let report = npuzzle::Options::default().with_effort(npuzzle::Effort::Fast).solve(&board.instance)?;
/// assert!(report.upper_bound() >= board.length);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PublishedBoard {
    /// Its number, as published; from 1 if the source has none.
    pub number: u32,
    /// The board, with the goal of the set.
    pub instance: Instance,
    /// The length of a shortest solution in the [metric](BoardSet::metric) of the set, if it is known.
    pub length: Option<Cost>,
    /// The nodes that the source reports for its own search, if any. Those of [`BoardSet::Korf`] count
    /// the states that IDA* with Manhattan distance generates, including the start, if the blank moves up,
    /// left, right and down in this order.
    pub nodes: Option<u64>,
}

impl BoardSet {
    /// Returns the boards in the published order.
    pub fn boards(self) -> Vec<PublishedBoard> {
        let lines = self.text().lines().filter(|line| !line.starts_with('#'));
        let boards = (1..).zip(lines).filter_map(|(index, line)| self.board(index, line));
        boards.collect()
    }

    /// The metric of the lengths.
    pub fn metric(self) -> Metric {
        if self == BoardSet::AntipodesMtm { Metric::Mtm } else { Metric::Stm }
    }

    /// The goal of all boards.
    pub fn goal(self) -> Goal {
        match self {
            BoardSet::Korf | BoardSet::Korf24 => Goal::First,
            _ => Goal::Last,
        }
    }

    /// Reads a line: `number ; tiles ; length ; nodes`, or only the tiles.
    fn board(self, index: u32, line: &str) -> Option<PublishedBoard> {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let board: Board = fields.get(1).unwrap_or(&line).parse().ok()?;
        let number = if fields.len() > 1 { fields[0].parse().ok()? } else { index };
        let length = match self {
            BoardSet::Antipodes => Some(80),
            BoardSet::AntipodesMtm => Some(43),
            _ => fields.get(2).and_then(|length| length.parse().ok()),
        };
        let nodes = match self {
            BoardSet::Korf | BoardSet::Korf24 => fields.get(3).and_then(|nodes| nodes.parse().ok()),
            _ => None,
        };
        let instance = Instance::new(board, &self.goal()).ok()?;
        Some(PublishedBoard { number, instance, length, nodes })
    }

    fn text(self) -> &'static str {
        match self {
            BoardSet::Korf => include_str!("../../data/korf100.txt"),
            BoardSet::Korf24 => include_str!("../../data/korf24_50.txt"),
            BoardSet::DeepCubeA24 => include_str!("../../data/deepcubea24_first100.txt"),
            BoardSet::DeepCubeA35 => include_str!("../../data/deepcubea35_first100.txt"),
            BoardSet::DeepCubeA48 => include_str!("../../data/deepcubea48_first100.txt"),
            BoardSet::Antipodes => include_str!("../../data/antipodes_4x4_80.txt"),
            BoardSet::AntipodesMtm => include_str!("../../data/antipodes_4x4_43_multi_tile.txt"),
        }
    }
}

/// Returns the 100 random 15-puzzles of Korf (1985) with their goal `0 1 2 … 15`, in the published
/// order.
///
/// ```
/// let first = &npuzzle::teaching::korf100()[0];
/// assert_eq!(first.start().slash().to_string(), "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3");
/// ```
pub fn korf100() -> Vec<Instance> {
    BoardSet::Korf.boards().into_iter().map(|board| board.instance).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn board_sets_are_complete_and_solvable() {
        let sizes = [100, 50, 100, 100, 100, 6, 4];
        for (set, n_boards) in BoardSet::ALL.into_iter().zip(sizes) {
            let boards = set.boards();
            assert_eq!(boards.len(), n_boards, "{set}");
            assert!(boards.iter().all(|board| board.instance.is_solvable()), "{set}");
            assert!(boards.windows(2).all(|pair| pair[0].number + 1 == pair[1].number), "{set}");
        }
        let nodes: u64 = BoardSet::Korf.boards().iter().filter_map(|board| board.nodes).sum();
        assert_eq!(nodes, 35_911_891_875);
    }
}
