//! The solution from which hints are taken. A player who follows them reaches the goal; a new search for
//! every hint might undo the previous one.

use npuzzle::{Board, Slide};

#[derive(Debug)]
pub(crate) struct SolutionPath {
    slides: Vec<Slide>,
    /// The board after the first `position` slides.
    board: Board,
    position: usize,
}

impl SolutionPath {
    pub(crate) fn new(start: &Board, slides: &[Slide]) -> SolutionPath {
        SolutionPath { slides: slides.to_vec(), board: start.clone(), position: 0 }
    }

    /// The next slide from a board on the path, at or after the board of the last call.
    pub(crate) fn next(&mut self, board: &Board) -> Option<Slide> {
        // Comparing the blanks first rejects most boards.
        while self.board.blank() != board.blank() || self.board != *board {
            let slide = *self.slides.get(self.position)?;
            self.board.slide(slide);
            self.position += 1;
        }
        self.slides.get(self.position).copied()
    }
}

#[cfg(test)]
mod tests {
    use npuzzle::Moves;

    use super::*;

    #[test]
    fn next_follows_the_path_from_later_boards() {
        let start: Board = "1 2 3/4 0 5/7 8 6".parse().unwrap();
        let moves: Moves = "R L L U".parse().unwrap();
        let boards: Vec<Board> = moves.boards(&start).unwrap().collect();
        let mut path = SolutionPath::new(&start, moves.slides());
        assert_eq!(path.next(&boards[0]), Some(Slide::Right));
        assert_eq!(path.next(&boards[0]), Some(Slide::Right));
        assert_eq!(path.next(&boards[3]), Some(Slide::Up));
        assert_eq!(path.next(&boards[4]), None);
        assert_eq!(path.next(&boards[1]), None);
    }
}
