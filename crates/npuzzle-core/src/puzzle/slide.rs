//! A slide: one tile moves one cell.

use std::fmt;

/// A slide, named by the direction in which the **tile** moves, as players do.
///
/// The blank moves in the opposite direction: a tile that slides up leaves the blank below it. For
/// texts that name the direction of the blank, use [`Notation::Blank`](crate::Notation::Blank); this
/// type always means the tile.
///
/// ```
/// use npuzzle_core::{Board, Slide};
/// let board: Board = "1 2 3/4 0 5/7 8 6".parse()?;
/// assert_eq!(board.slides().collect::<Vec<_>>(), Slide::COURSE_ORDER);
/// assert_eq!(Slide::from_letter('l'), Some(Slide::Left));
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Slide {
    /// The tile below the blank slides up.
    Up,
    /// The tile above the blank slides down.
    Down,
    /// The tile right of the blank slides left.
    Left,
    /// The tile left of the blank slides right.
    Right,
}

impl Slide {
    /// All slides.
    pub const ALL: [Slide; 4] = [Slide::Up, Slide::Down, Slide::Left, Slide::Right];

    /// The order in which the course programs generate children: the *blank* moves up, left, down,
    /// right.
    pub const COURSE_ORDER: [Slide; 4] = [Slide::Down, Slide::Right, Slide::Up, Slide::Left];

    /// Returns the slide that undoes this one. It also names the direction in which the blank moves.
    ///
    /// ```
    /// use npuzzle_core::Slide;
    /// assert_eq!(Slide::Up.opposite(), Slide::Down);
    /// ```
    #[inline]
    pub const fn opposite(self) -> Slide {
        // Opposite slides are neighbors in `ALL`. A match can compile to a jump, which the processor
        // cannot predict.
        Slide::ALL[self as usize ^ 1]
    }

    /// Whether the tile moves to another row.
    #[inline]
    pub const fn is_vertical(self) -> bool {
        matches!(self, Slide::Up | Slide::Down)
    }

    /// `U`, `D`, `L` or `R`.
    pub const fn letter(self) -> char {
        match self {
            Slide::Up => 'U',
            Slide::Down => 'D',
            Slide::Left => 'L',
            Slide::Right => 'R',
        }
    }

    /// Returns the slide with this letter, in upper or lower case.
    pub const fn from_letter(letter: char) -> Option<Slide> {
        match letter.to_ascii_uppercase() {
            'U' => Some(Slide::Up),
            'D' => Some(Slide::Down),
            'L' => Some(Slide::Left),
            'R' => Some(Slide::Right),
            _ => None,
        }
    }
}

/// Writes `Up`, `Down`, `Left` or `Right`.
impl fmt::Display for Slide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// The legal slides of a board, in a chosen order.
///
/// ```
/// let slides = "1 2/3 0".parse::<npuzzle_core::Board>()?.slides();
/// assert_eq!(slides.len(), 2);
/// assert!(slides.map(|slide| slide.letter()).eq(['D', 'R']));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Slides {
    order: [Slide; 4],
    /// Bit `i` is set if `order[i]` is legal and has not been returned yet.
    remaining: u8,
}

impl Slides {
    #[inline]
    pub(crate) fn new(order: [Slide; 4], legal: u8) -> Slides {
        Slides { order, remaining: legal }
    }
}

impl Iterator for Slides {
    type Item = Slide;

    #[inline]
    fn next(&mut self) -> Option<Slide> {
        let index = self.remaining.trailing_zeros() as usize;
        self.remaining &= self.remaining.wrapping_sub(1);
        self.order.get(index).copied()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.remaining.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Slides {}
