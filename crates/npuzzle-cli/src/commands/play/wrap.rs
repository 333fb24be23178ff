//! Lines of text that fit a width.

use ratatui::text::Span;

/// The words of a text in lines of at most `width` columns. A longer word is broken.
pub(crate) fn words(text: &str, width: usize) -> Vec<String> {
    let words: Vec<String> =
        text.split_whitespace().flat_map(|word| broken(word, width.max(1))).collect();
    parts(&words, " ", width)
}

/// Parts with a separator in lines of at most `width` columns. A longer part gets a line of its own.
pub(crate) fn parts(parts: &[String], separator: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if columns(line) + columns(separator) + columns(part) <= width => {
                *line += separator;
                *line += part;
            }
            _ => lines.push(part.clone()),
        }
    }
    lines
}

/// The number of columns of a text on the screen.
fn columns(text: &str) -> usize {
    Span::raw(text).width()
}

/// The pieces of a word that fit a line.
fn broken(word: &str, width: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut n_columns = 0;
    for letter in word.chars() {
        let n = columns(letter.encode_utf8(&mut [0; 4]));
        if n_columns + n > width {
            pieces.push(String::new());
            n_columns = 0;
        }
        n_columns += n;
        if let Some(piece) = pieces.last_mut() {
            piece.push(letter);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fill_lines_and_long_ones_are_broken() {
        assert_eq!(words("a tile is out of range", 9), ["a tile is", "out of", "range"]);
        assert_eq!(words("the abcdefghij end", 4), ["the", "abcd", "efgh", "ij", "end"]);
        assert_eq!(words("盤面盤面 x", 5), ["盤面", "盤面", "x"]);
        assert!(words(" ", 5).is_empty());
    }

    #[test]
    fn words_never_exceed_the_width() {
        for width in 1..60 {
            for line in words("Unsolvable: the parities of tiles and blank differ.", width) {
                assert!(columns(&line) <= width, "{width}: {line}");
            }
        }
    }

    #[test]
    fn parts_stay_whole() {
        let keys = ["? keys", "q quit", "u undo"].map(str::to_owned);
        assert_eq!(parts(&keys, "  ", 14), ["? keys  q quit", "u undo"]);
        assert_eq!(parts(&keys, "  ", 2), ["? keys", "q quit", "u undo"]);
    }
}
