//! Scrolling through a list that is longer than the screen.

/// The visible part of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scroll {
    /// The first visible line.
    pub(crate) top: usize,
    /// The number of lines that fit.
    pub(crate) page: usize,
    pub(crate) n_lines: usize,
}

impl Scroll {
    /// The part from `top` on, or the last part that fills the page.
    pub(crate) fn new(top: usize, page: usize, n_lines: usize) -> Scroll {
        Scroll { top: top.min(n_lines.saturating_sub(page)), page, n_lines }
    }

    /// Whether the list does not fit.
    pub(crate) fn is_needed(self) -> bool {
        self.n_lines > self.page
    }

    /// The first visible line after scrolling by a number of lines.
    pub(crate) fn by(self, n_lines: isize) -> usize {
        Scroll::new(self.top.saturating_add_signed(n_lines), self.page, self.n_lines).top
    }

    /// The number of lines of a page, with one line of overlap.
    pub(crate) fn step(self) -> isize {
        isize::try_from(self.page).unwrap_or(isize::MAX).saturating_sub(1).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scrolling_stops_at_both_ends() {
        let scroll = Scroll::new(3, 10, 25);
        assert_eq!((scroll.by(1), scroll.by(-1), scroll.by(-9)), (4, 2, 0));
        assert_eq!((scroll.by(scroll.step()), scroll.by(isize::MAX)), (12, 15));
        assert_eq!(scroll.by(isize::MIN), 0);
        assert_eq!(Scroll::new(40, 10, 25).top, 15);
        assert_eq!(Scroll::new(40, 10, 5).top, 0);
        assert!(scroll.is_needed() && !Scroll::new(0, 10, 10).is_needed());
    }
}
