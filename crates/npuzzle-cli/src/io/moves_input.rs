//! Moves as users write them; errors point at their place in the text.

use npuzzle::teaching::read_moves;
use npuzzle::{Board, Moves, Notation};

use super::input::Input;
use crate::exit::Failure;

impl Input {
    /// Parses the text as moves, which must be legal from `start`.
    pub(crate) fn moves(&self, notation: Notation, start: &Board) -> Result<Moves, Failure> {
        if notation == Notation::Boards {
            return Err(Failure::usage("boards are not moves: use npuzzle convert --from boards"));
        }
        read_moves(&self.text, notation, start).map_err(|error| {
            let hint = match error.legal_in {
                None => "",
                Some(Notation::Tile) => {
                    " (with --from tile, as directions of the tiles, all moves are legal)"
                }
                Some(_) => " (with --from blank, as directions of the blank, all moves are legal)",
            };
            self.error_at(error.position, format!("{error}{hint}"))
        })
    }

    /// A failure that shows the line of the error and points at it, as compilers do. `index` counts
    /// characters from 0.
    pub(crate) fn error_at(&self, index: usize, message: String) -> Failure {
        /// The longest line that is shown in full. A longer line is shown from this many characters before
        /// the error.
        const WIDTH: usize = 80;
        const BEFORE: usize = 30;
        let before: String = self.text.chars().take(index).collect();
        let line = before.matches('\n').count();
        let column = before.chars().rev().take_while(|&c| c != '\n').count();
        let text = self.text.split('\n').nth(line).unwrap_or_default();
        let cut = if text.chars().count() <= WIDTH { 0 } else { column.saturating_sub(BEFORE) };
        // Control characters must not reach the terminal.
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let shown: String = text.chars().skip(cut).take(WIDTH).map(plain).collect();
        let dots = if cut > 0 { "…" } else { "" };
        let indent = " ".repeat(column - cut + dots.chars().count());
        let (line, column) = (line + 1, column + 1);
        let gutter = " ".repeat(line.to_string().len());
        Failure::usage(format!(
            "{}:{line}:{column}: {message}\n{gutter} |\n{line} | {dots}{}\n{gutter} | {indent}^",
            self.source,
            shown.trim_end(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, notation: Notation, start: &str) -> String {
        let input = Input { source: "moves".to_owned(), text: text.to_owned() };
        match input.moves(notation, &start.parse().unwrap()) {
            Ok(moves) => moves.to_string(),
            Err(failure) => failure.to_string(),
        }
    }

    fn check(text: &str, notation: Notation, expect: &str) {
        assert_eq!(read(text, notation, "1 2 3/4 0 6/7 5 8"), expect);
    }

    #[test]
    fn read_accepts_every_notation() {
        check("UL", Notation::Tile, "U L");
        check("D R", Notation::Blank, "U L");
        check("5 8", Notation::Numbers, "U L");
        check("", Notation::Tile, "");
    }

    #[test]
    fn read_points_at_the_first_error() {
        check(
            "U L\nR2 R",
            Notation::Tile,
            "moves:2:4: slide 5 (R) is not legal: no tile can slide in that direction\n  |\n2 | R2 R\n  |    ^",
        );
        check(
            "U X",
            Notation::Tile,
            "moves:1:3: \"X\" is not one of the letters U D L R\n  |\n1 | U X\n  |   ^",
        );
        check(
            "5 1",
            Notation::Numbers,
            "moves:1:3: \"1\" is not next to the blank\n  |\n1 | 5 1\n  |   ^",
        );
    }

    #[test]
    fn read_names_the_other_sense_if_legal() {
        let check = |text: &str, notation, expect: &str| {
            let message = read(text, notation, "1 2/3 0");
            assert_eq!(message.lines().next(), Some(expect));
        };
        check(
            "U L",
            Notation::Tile,
            "moves:1:1: slide 1 (U) is not legal: no tile can slide in that direction (with --from blank, as \
             directions of the blank, all moves are legal)",
        );
        check(
            "D R2",
            Notation::Blank,
            "moves:1:1: slide 1 (D) is not legal: the blank cannot move in that direction",
        );
        check(
            "D R",
            Notation::Blank,
            "moves:1:1: slide 1 (D) is not legal: the blank cannot move in that direction (with --from tile, as \
             directions of the tiles, all moves are legal)",
        );
    }

    #[test]
    fn error_at_shows_a_part_of_long_lines() {
        let input = Input { source: "m".to_owned(), text: "UD".repeat(500) + "UU" };
        let start: Board = "1 2 3/4 0 6/7 5 8".parse().unwrap();
        let message = input.moves(Notation::Tile, &start).unwrap_err().to_string();
        let lines: Vec<&str> = message.lines().collect();
        assert!(lines[0].starts_with("m:1:1002: slide 1002 (U)"), "{message}");
        assert!(lines[2].chars().count() < 90, "{message}");
        assert_eq!(lines[2].chars().nth(lines[3].find('^').unwrap()), Some('U'));
    }
}
