//! Finds boards in free text, in the layouts that course programs print.

use npuzzle_core::{Board, Dims};

/// Finds all boards of a size in a text. Returns each with the line, from 1, on which it starts.
///
/// A board may be on one line, or on one line per row. Any other text between boards is skipped.
///
/// ```
/// let text = "Level 1\n1 2\n0 3\nLevel 2\n1 2\n3 0\n";
/// let boards = npuzzle::teaching::find_boards(text, "2x2".parse()?);
/// assert_eq!((boards.len(), boards[1].0), (2, 5));
/// # Ok::<(), npuzzle::DimsError>(())
/// ```
pub fn find_boards(text: &str, dims: Dims) -> Vec<(usize, Board)> {
    let mut boards = Vec::new();
    let mut tiles: Vec<u16> = Vec::new();
    let mut first_line = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let complete = boards_on_line(line, dims);
        if !complete.is_empty() {
            boards.extend(complete.into_iter().map(|board| (number, board)));
            tiles.clear();
            continue;
        }
        if is_separator(line) {
            continue;
        }
        let Some(row) = parse_row(line, dims.cols()) else {
            tiles.clear();
            continue;
        };
        if tiles.is_empty() {
            first_line = number;
        }
        tiles.extend(row);
        if tiles.len() == dims.cells() {
            boards.extend(Board::new(dims, &tiles).ok().map(|board| (first_line, board)));
            tiles.clear();
        }
    }
    boards
}

/// Returns the boards of a line that contains only boards: `1 2/3 0`, `[[1,2],[3,0]]`, `1 2 3 0`.
/// A label before `[[` is allowed.
fn boards_on_line(line: &str, dims: Dims) -> Vec<Board> {
    let line = line.trim();
    if line.starts_with(['{', '"']) {
        // JSON objects and strings have their own readers.
        return Vec::new();
    }
    if line.contains('/')
        && let Ok(board) = line.parse::<Board>()
        && board.dims() == dims
    {
        return vec![board];
    }
    let after_label = line.find("[[").map_or(line, |at| &line[at..]);
    let words = tile_words(after_label);
    let tiles: Option<Vec<u16>> = match words[..] {
        [word] if word.len() == dims.cells() => parse_digits(word),
        _ if words.len().is_multiple_of(dims.cells()) => {
            words.into_iter().map(parse_tile).collect()
        }
        _ => None,
    };
    let tiles = tiles.unwrap_or_default();
    let boards = tiles.chunks(dims.cells()).map(|tiles| Board::new(dims, tiles).ok());
    boards.collect::<Option<Vec<Board>>>().unwrap_or_default()
}

/// Returns whether a line only separates rows, such as `+---+---+`.
fn is_separator(line: &str) -> bool {
    let is_drawing = |c: char| "+-=|─━│┼┌┐└┘├┤┬┴".contains(c) || c.is_whitespace();
    line.trim().chars().count() > 1 && line.chars().all(is_drawing)
}

/// Parses a line as a row of `n_tiles` tiles.
fn parse_row(line: &str, n_tiles: usize) -> Option<Vec<u16>> {
    let words = tile_words(line);
    match words[..] {
        // Digits without separators.
        [word] if n_tiles > 1 && word.len() == n_tiles => parse_digits(word),
        _ if words.len() == n_tiles => words.into_iter().map(parse_tile).collect(),
        _ if words.len() + 1 == n_tiles => parse_row_with_empty_cell(line, n_tiles),
        _ => None,
    }
}

/// Parses a row in which the blank is an empty cell: `| 4 |   | 5 |`.
fn parse_row_with_empty_cell(line: &str, n_tiles: usize) -> Option<Vec<u16>> {
    let bordered = ['|', '│', ',', '\t'].into_iter().map(|separator| {
        let inner = line.trim_matches(|c: char| c == ' ' || c == '[' || c == ']');
        let inner = inner.strip_prefix(separator).unwrap_or(inner);
        let inner = inner.strip_suffix(separator).unwrap_or(inner);
        inner.split(separator).map(str::trim).collect::<Vec<&str>>()
    });
    // If the first or last cell is empty, the outer separator may belong to it.
    let bare = ['|', ',', '\t'].map(|separator| line.split(separator).map(str::trim).collect());
    let cells = bordered.chain(bare).find(|cells| cells.len() == n_tiles)?;
    let parse = |cell: &str| if cell.is_empty() { Some(0) } else { parse_tile(cell) };
    cells.into_iter().map(parse).collect()
}

fn tile_words(line: &str) -> Vec<&str> {
    let is_separator = |c: char| c.is_whitespace() || ",;|│[](){}".contains(c);
    line.split(is_separator).filter(|word| !word.is_empty()).collect()
}

fn parse_tile(word: &str) -> Option<u16> {
    match word {
        "_" | "." | "*" | "x" | "X" | "-" => Some(0),
        _ => word.parse().ok(),
    }
}

fn parse_digits(word: &str) -> Option<Vec<u16>> {
    word.chars().map(|c| Some(c.to_digit(10)? as u16)).collect()
}
