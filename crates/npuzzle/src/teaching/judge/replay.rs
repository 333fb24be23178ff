//! Replays the moves of an answer.

use npuzzle_core::{Board, Instance, Moves, Notation, Slide};

use super::answer_moves::AnswerMoves;
use super::judgment::IllegalMove;
use crate::teaching::check::{Sense, SolutionForm};

/// The legal moves of an answer.
pub(super) struct Replayed {
    pub(super) form: SolutionForm,
    /// The slides before the first illegal one.
    pub(super) moves: Moves,
    /// The board after them.
    pub(super) end: Board,
    pub(super) illegal: Option<IllegalMove>,
    /// Whether the same letters solve the puzzle as directions of the other kind.
    pub(super) other_sense_solves: bool,
}

/// Replays an answer in the sense of the task, or in both senses if the task has none.
pub(super) fn readings(
    answer: &AnswerMoves,
    notation: Option<Notation>,
    puzzle: &Instance,
) -> Vec<Replayed> {
    match answer {
        AnswerMoves::NoSolution => {
            let end = puzzle.start().clone();
            let (form, moves) = (SolutionForm::NoSolution, Moves::default());
            vec![Replayed { form, moves, end, illegal: None, other_sense_solves: false }]
        }
        AnswerMoves::Numbers(numbers) => vec![of_numbers(numbers, puzzle)],
        AnswerMoves::Boards(boards) => vec![of_boards(boards, puzzle)],
        AnswerMoves::Directions(slides) => {
            let opposite: Vec<Slide> = slides.iter().map(|slide| slide.opposite()).collect();
            let mut tile = of_slides(slides, Sense::Tile, puzzle);
            let mut blank = of_slides(&opposite, Sense::Blank, puzzle);
            tile.other_sense_solves = blank.solves(puzzle) && !tile.solves(puzzle);
            blank.other_sense_solves = tile.solves(puzzle) && !blank.solves(puzzle);
            match notation {
                Some(Notation::Blank) => vec![blank],
                Some(_) => vec![tile],
                None => vec![tile, blank],
            }
        }
    }
}

impl Replayed {
    /// Whether the moves are a solution.
    pub(super) fn solves(&self, puzzle: &Instance) -> bool {
        let has_moves = self.form != SolutionForm::NoSolution;
        has_moves && self.illegal.is_none() && self.end == *puzzle.goal()
    }
}

fn of_slides(slides: &[Slide], sense: Sense, puzzle: &Instance) -> Replayed {
    let mut end = puzzle.start().clone();
    let n_legal = slides.iter().take_while(|&&slide| end.slide(slide)).count();
    let named = |slide: Slide| if sense == Sense::Tile { slide } else { slide.opposite() };
    let illegal = slides
        .get(n_legal)
        .map(|&slide| IllegalMove::Direction { step: n_legal + 1, named: named(slide) });
    let moves = slides[..n_legal].to_vec().into();
    Replayed { form: SolutionForm::Letters(sense), moves, end, illegal, other_sense_solves: false }
}

fn of_numbers(numbers: &[u16], puzzle: &Instance) -> Replayed {
    let mut end = puzzle.start().clone();
    let mut slides = Vec::new();
    let mut illegal = None;
    for (index, &tile) in numbers.iter().enumerate() {
        let is_tile = |slide: &Slide| {
            let source = end.dims().source(end.blank(), *slide);
            tile != 0 && source.is_some_and(|cell| end.tile(cell).number() == tile)
        };
        let Some(slide) = end.slides().find(is_tile) else {
            illegal = Some(IllegalMove::Tile { step: index + 1, tile });
            break;
        };
        end.slide(slide);
        slides.push(slide);
    }
    let form = SolutionForm::Numbers;
    Replayed { form, moves: slides.into(), end, illegal, other_sense_solves: false }
}

/// Replays boards, each one slide from the one before. The start may be missing. If it occurs several times, the path
/// begins at the last one, because a text may show it before the answer.
fn of_boards(boards: &[Board], puzzle: &Instance) -> Replayed {
    let first = boards.iter().rposition(|board| board == puzzle.start()).map_or(0, |at| at + 1);
    let mut end = puzzle.start().clone();
    let mut slides = Vec::new();
    let mut illegal = None;
    for board in &boards[first..] {
        let Some(slide) = slide_to(&end, board) else {
            illegal = Some(IllegalMove::Board { step: slides.len() + 1 });
            break;
        };
        end.slide(slide);
        slides.push(slide);
    }
    let form = SolutionForm::Boards;
    Replayed { form, moves: slides.into(), end, illegal, other_sense_solves: false }
}

/// Returns the slide from a board to the next.
fn slide_to(from: &Board, to: &Board) -> Option<Slide> {
    // The blank moves to the cell where it is on the next board.
    let moves_blank = |slide: &Slide| from.dims().source(from.blank(), *slide) == Some(to.blank());
    let slide = from.slides().find(moves_blank)?;
    let mut next = from.clone();
    next.slide(slide);
    (next == *to).then_some(slide)
}
