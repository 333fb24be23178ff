//! Boards of the public sets, by number.

use clap::Args;
use npuzzle::teaching::{BoardSet, PublishedBoard};

/// Boards of public sets, with the goals of the sets.
#[derive(Args, Debug)]
pub(crate) struct BoardSetArgs {
    /// Boards of Korf's 100 15-puzzles by number: 79, 79,12,42 or 1..10, with their goal
    #[arg(long, value_name = "NUMBERS", group = "boards", conflicts_with = "goal")]
    #[arg(value_parser = |text: &str| Selection::of(BoardSet::Korf, text))]
    korf: Option<Selection>,

    /// Boards of Korf and Felner's 50 24-puzzles by number, with their goal
    #[arg(long, value_name = "NUMBERS", group = "boards", conflicts_with = "goal")]
    #[arg(value_parser = |text: &str| Selection::of(BoardSet::Korf24, text))]
    korf24: Option<Selection>,

    /// A public set, or boards of it by number (SET:1..10): korf, korf24, deepcubea24, deepcubea35,
    /// deepcubea48, antipodes, antipodes-mtm
    #[arg(long = "set", value_name = "SET", group = "boards", conflicts_with = "goal")]
    #[arg(value_parser = Selection::named)]
    set: Option<Selection>,
}

impl BoardSetArgs {
    /// The selected boards with their names, such as `korf 79`, in the order of the numbers.
    pub(crate) fn boards(&self) -> Option<Vec<(String, PublishedBoard)>> {
        let selection = self.korf.as_ref().or(self.korf24.as_ref()).or(self.set.as_ref())?;
        let name = |board: &PublishedBoard| format!("{} {}", selection.set, board.number);
        Some(selection.boards.iter().map(|board| (name(board), board.clone())).collect())
    }
}

/// Some boards of a set.
#[derive(Clone, Debug)]
struct Selection {
    set: BoardSet,
    boards: Vec<PublishedBoard>,
}

impl Selection {
    /// Reads the name of a set, and numbers after a colon.
    fn named(text: &str) -> Result<Selection, String> {
        let (name, numbers) = text.split_once(':').map_or((text, None), |(a, b)| (a, Some(b)));
        let set: BoardSet = name.parse().map_err(|error| format!("{error}"))?;
        match numbers {
            Some(numbers) => Selection::of(set, numbers),
            None => Ok(Selection { set, boards: set.boards() }),
        }
    }

    /// Reads numbers and ranges, separated by commas. The limits of a range belong to it.
    fn of(set: BoardSet, text: &str) -> Result<Selection, String> {
        let all = set.boards();
        let (Some(first), Some(last)) = (all.first(), all.last()) else {
            return Err("the set has no boards".to_owned());
        };
        let expected = || {
            let (first, last) = (first.number, last.number);
            format!("expected numbers from {first} to {last}, such as 7, 1,7 or {first}..{last}")
        };
        let index = |number: &str| {
            let number: u32 = number.trim().parse().map_err(|_| expected())?;
            all.iter().position(|board| board.number == number).ok_or_else(expected)
        };
        let mut boards = Vec::new();
        for part in text.split(',') {
            let (from, to) = part.split_once("..").unwrap_or((part, part));
            let (from, to) = (index(from)?, index(to)?);
            let range = all.get(from..=to).filter(|range| !range.is_empty());
            boards.extend_from_slice(range.ok_or_else(expected)?);
        }
        Ok(Selection { set, boards })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Result<Vec<u32>, String> {
        let selection = Selection::named(text)?;
        Ok(selection.boards.iter().map(|board| board.number).collect())
    }

    #[test]
    fn numbers_and_ranges_select_boards_in_order() {
        assert_eq!(numbers("korf:79,12,42"), Ok(vec![79, 12, 42]));
        assert_eq!(numbers("korf24:1..3,50"), Ok(vec![1, 2, 3, 50]));
        assert_eq!(numbers("deepcubea24:0"), Ok(vec![0]));
        assert_eq!(numbers("antipodes").map(|all| all.len()), Ok(6));
        for bad in ["", "0", "101", "1..", "..2", "3..1", "1,,2", "x", "-1"] {
            let error = numbers(&format!("korf:{bad}")).unwrap_err();
            assert!(error.starts_with("expected numbers from 1 to 100"), "{bad}: {error}");
        }
        assert!(numbers("korf25").unwrap_err().contains("expected one of korf, korf24"));
    }
}
