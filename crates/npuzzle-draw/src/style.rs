//! The style of drawings and the timing of animations.

use std::num::NonZeroU16;
use std::time::Duration;

use crate::colors::Theme;
use crate::picture::Picture;

/// The style of boards.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// The side of a tile in pixels. The default suits the format and shrinks on large boards.
    pub tile: Option<NonZeroU16>,
    /// The color theme.
    pub theme: Theme,
    /// A picture that is cut into tiles, instead of numbers.
    pub picture: Option<Picture>,
    /// Whether the tiles of a picture have small numbers.
    pub numbers: bool,
}

/// The timing of an animated solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timing {
    /// The time of one move: a straight run of slides.
    pub per_move: Duration,
    /// The pause before the first move.
    pub at_start: Duration,
    /// The pause after the last move, before the animation repeats.
    pub at_end: Duration,
}

impl Default for Timing {
    fn default() -> Timing {
        let ms = Duration::from_millis;
        Timing { per_move: ms(300), at_start: ms(1000), at_end: ms(2000) }
    }
}
