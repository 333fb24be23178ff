//! The text being read, with the positions of its lines and characters.

/// A part of the text, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Span {
    /// The text in this span.
    pub(super) fn of(self, text: &str) -> &str {
        &text[self.start..self.end]
    }

    /// The number of bytes.
    pub(super) fn length(self) -> usize {
        self.end - self.start
    }

    /// The span from the start of this one to the end of `last`.
    pub(super) fn to(self, last: Span) -> Span {
        Span { start: self.start, end: last.end }
    }

    /// The empty span right after this one, where something is missing.
    pub(super) fn after(self) -> Span {
        Span { start: self.end, end: self.end }
    }

    /// The same span in a text in which this text begins `by` bytes later.
    pub(super) fn shifted(self, by: usize) -> Span {
        Span { start: self.start + by, end: self.end + by }
    }
}

/// Bytes between two entries of [`Source::continuations`].
const STRIDE: usize = 1024;

/// A text with an index that finds the line and the column of any byte without reading the text again,
/// so that reading takes linear time even if every board is invalid.
pub(super) struct Source<'s> {
    pub(super) text: &'s str,
    /// The starts of the lines. The first line starts after a byte-order mark.
    line_starts: Vec<usize>,
    /// Number of UTF-8 continuation bytes before every multiple of [`STRIDE`]; empty for ASCII.
    continuations: Vec<usize>,
}

impl<'s> Source<'s> {
    pub(super) fn new(text: &'s str) -> Source<'s> {
        let first = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let others = text.match_indices('\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(first).chain(others).collect();
        let mut continuations = Vec::new();
        if !text.is_ascii() {
            let mut before = 0;
            for chunk in text.as_bytes().chunks(STRIDE) {
                continuations.push(before);
                before += count_continuations(chunk);
            }
            continuations.push(before);
        }
        Source { text, line_starts, continuations }
    }

    /// The line with this index, from 0, without its terminator.
    pub(super) fn line(&self, index: usize) -> Option<Span> {
        let start = *self.line_starts.get(index)?;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |next| next - 1);
        let end = start + self.text[start..end].trim_end_matches('\r').len();
        Some(Span { start, end })
    }

    /// The lines in order, without their terminators.
    pub(super) fn lines(&self) -> impl Iterator<Item = Span> {
        (0..).map_while(|index| self.line(index))
    }

    /// The index, from 0, of the line that contains a byte.
    pub(super) fn line_index(&self, at: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= at).saturating_sub(1)
    }

    /// The column of a byte, in characters from 1.
    pub(super) fn column(&self, at: usize) -> usize {
        let start = self.line_starts[self.line_index(at)];
        1 + self.chars_before(at).saturating_sub(self.chars_before(start))
    }

    /// Number of characters of a span on the line where it begins.
    pub(super) fn length(&self, span: Span) -> usize {
        let line_end = self.line(self.line_index(span.start)).map_or(span.end, |line| line.end);
        let end = span.end.min(line_end).max(span.start);
        self.chars_before(end).saturating_sub(self.chars_before(span.start))
    }

    fn chars_before(&self, at: usize) -> usize {
        let at = at.min(self.text.len());
        let Some(before) = self.continuations.get(at / STRIDE) else { return at };
        at - before - count_continuations(&self.text.as_bytes()[at / STRIDE * STRIDE..at])
    }
}

/// Number of UTF-8 continuation bytes.
fn count_continuations(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 == 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_before_and_after_a_stride() {
        let text = format!("\u{feff}ab\n{}x", "é".repeat(STRIDE));
        let source = Source::new(&text);
        assert_eq!((source.line_index(4), source.column(4)), (0, 2));
        let x = text.len() - 1;
        assert_eq!((source.line_index(x), source.column(x)), (1, STRIDE + 1));
    }

    #[test]
    fn lines_have_no_terminators() {
        let source = Source::new("a\r\n\nb");
        let lines = source.lines().map(|span| span.of(source.text));
        assert_eq!(lines.collect::<Vec<_>>(), ["a", "", "b"]);
    }
}
