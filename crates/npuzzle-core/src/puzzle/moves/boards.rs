//! The boards along a sequence of slides.

use std::iter::FusedIterator;

use crate::puzzle::board::Board;
use crate::puzzle::slide::Slide;

/// Iterates over the boards along [`Moves`](crate::Moves), beginning with the start.
///
/// ```
/// use npuzzle_core::{Board, Moves};
/// let (start, moves): (Board, Moves) = ("1 2 3/4 0 5/7 8 6".parse()?, "L U".parse()?);
/// for board in moves.boards(&start)? {
///     println!("{}", board.slash());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Boards<'a> {
    /// The next board; `None` after the last.
    next: Option<Board>,
    /// The slides from the next board on, all legal.
    slides: &'a [Slide],
}

impl<'a> Boards<'a> {
    /// Slides must be legal from `start`.
    pub(super) fn new(start: &Board, slides: &'a [Slide]) -> Boards<'a> {
        Boards { next: Some(start.clone()), slides }
    }
}

impl Iterator for Boards<'_> {
    type Item = Board;

    fn next(&mut self) -> Option<Board> {
        let Some((&slide, rest)) = self.slides.split_first() else { return self.next.take() };
        let next = self.next.as_mut()?;
        let board = next.clone();
        next.slide(slide);
        self.slides = rest;
        Some(board)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.slides.len() + usize::from(self.next.is_some());
        (n, Some(n))
    }
}

impl ExactSizeIterator for Boards<'_> {}

impl FusedIterator for Boards<'_> {}
