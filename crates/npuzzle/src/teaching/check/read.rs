//! Solutions as people and programs write them.
//!
//! A text is looked through for boards of the puzzle's size first, whatever stands between them:
//! that is how course programs answer. A text without boards is letters, words or numbers. Letters
//! may name the way of the tile or of the blank; the sense that solves the puzzle is taken, else the
//! one that gets farther.

use npuzzle_core::search::Cost;
use npuzzle_core::{Board, Dims, Instance, Moves, Slide};

use super::Fault;

/// How a solution is written.
///
/// ```
/// use npuzzle::teaching::Form;
/// use npuzzle::{Options, Tables};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let checked = Options::default().check(&puzzle, "5 6", &mut Tables::new(), &mut ())?;
/// assert_eq!(checked.form, Form::Numbers);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Boards, one after the other.
    Boards,
    /// Letters or words.
    Letters(Sense),
    /// The numbers of the tiles that slide.
    Numbers,
    /// A number of moves, and no moves.
    Claim,
    /// Words that say there is no solution.
    None,
}

/// What letters name.
///
/// ```
/// use npuzzle::teaching::{Form, Sense};
/// use npuzzle::{Options, Tables};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let checked = Options::default().check(&puzzle, "R D", &mut Tables::new(), &mut ())?;
/// assert_eq!(checked.form, Form::Letters(Sense::Blank)); // the tiles would not get there
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sense {
    /// The way the tile slides.
    Tile,
    /// The way the blank goes.
    Blank,
}

pub(super) struct Reading {
    pub(super) form: Form,
    pub(super) moves: Moves,
    pub(super) fault: Option<Fault>,
    pub(super) claimed: Option<Cost>,
}

/// Reads a text against a puzzle; `None` if there is nothing in it.
pub(super) fn read(text: &str, puzzle: &Instance) -> Option<Reading> {
    let claimed = claimed(text);
    let reading = |form, (moves, fault)| Reading { form, moves, fault, claimed };
    let boards = boards_in(text, puzzle.start().dims());
    if says_none(text) && boards.len() <= 1 {
        return Some(reading(Form::None, (Moves::default(), None)));
    }
    if is_summary(&boards, puzzle) && claimed.is_some() {
        return Some(reading(Form::Claim, (Moves::default(), None)));
    }
    if !boards.is_empty() {
        return Some(reading(Form::Boards, joined(&boards, puzzle)));
    }
    let ways = letters(text);
    if !ways.is_empty() {
        return Some(in_best_sense(&ways, puzzle, reading));
    }
    let numbers = numbers(text)?;
    Some(reading(Form::Numbers, slid(&numbers, puzzle)))
}

/// The moves that a text is read as when it is checked as a solution, up to the first that cannot
/// be made; `None` if there is nothing in it.
///
/// ```
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let moves = npuzzle::teaching::moves_in("Solution: L U", &puzzle);
/// assert_eq!(moves.map(|moves| moves.stm()), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn moves_in(text: &str, puzzle: &Instance) -> Option<Moves> {
    Some(read(text, puzzle)?.moves)
}

/// Of several ways to read letters, each in both senses, the first that solves the puzzle, else the
/// one that gets farthest.
fn in_best_sense(
    ways: &[Vec<Slide>],
    puzzle: &Instance,
    reading: impl Fn(Form, (Moves, Option<Fault>)) -> Reading,
) -> Reading {
    let mut best: Option<Reading> = None;
    for slides in ways {
        let as_blanks: Vec<Slide> = slides.iter().map(|slide| slide.opposite()).collect();
        for (sense, slides) in [(Sense::Tile, slides), (Sense::Blank, &as_blanks)] {
            let read = reading(Form::Letters(sense), replayed(slides, puzzle));
            let rank = |read: &Reading| (read.fault.is_none(), read.moves.stm());
            if best
                .as_ref()
                .is_none_or(|best| !rank(best).0 && (rank(&read).0 || rank(&read).1 > rank(best).1))
            {
                best = Some(read);
            }
        }
    }
    best.unwrap_or_else(|| reading(Form::Letters(Sense::Tile), replayed(&[], puzzle)))
}

/// All boards of a size in a text, with the lines where they begin, whatever stands between them.
///
/// ```
/// let text = "Level 1\n1 2\n0 3\nLevel 2\n1 2\n3 0\n";
/// let boards = npuzzle::teaching::boards_in(text, "2x2".parse()?);
/// assert_eq!((boards.len(), boards[1].0), (2, 5));
/// # Ok::<(), npuzzle::DimsError>(())
/// ```
pub fn boards_in(text: &str, dims: Dims) -> Vec<(usize, Board)> {
    let mut boards = Vec::new();
    let mut tiles: Vec<u16> = Vec::new();
    let mut first_line = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let whole = on_one_line(line, dims);
        if !whole.is_empty() {
            boards.extend(whole.into_iter().map(|board| (number, board)));
            tiles.clear();
            continue;
        }
        if is_rule(line) {
            continue;
        }
        let Some(row) = row(line, dims.cols()) else {
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

/// The boards that a line has if it has nothing else: `1 2/3 0`, `[[1,2],[3,0]]`, `1 2 3 0`.
fn on_one_line(line: &str, dims: Dims) -> Vec<Board> {
    let line = line.trim();
    if line.starts_with(['{', '"']) {
        // The words of a program to a program; what boards are to it, it says elsewhere.
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
        [word] if word.len() == dims.cells() => digits(word),
        _ if words.len().is_multiple_of(dims.cells()) => words.into_iter().map(tile).collect(),
        _ => None,
    };
    let tiles = tiles.unwrap_or_default();
    let boards = tiles.chunks(dims.cells()).map(|tiles| Board::new(dims, tiles).ok());
    boards.collect::<Option<Vec<Board>>>().unwrap_or_default()
}

/// A line that parts rows, as `+---+---+`.
fn is_rule(line: &str) -> bool {
    let is_ruled = |c: char| "+-=|─━│┼┌┐└┘├┤┬┴".contains(c) || c.is_whitespace();
    line.trim().chars().count() > 1 && line.chars().all(is_ruled)
}

/// A line that is a row of so many tiles.
fn row(line: &str, n_tiles: usize) -> Option<Vec<u16>> {
    let words = tile_words(line);
    match words[..] {
        // Written together.
        [word] if n_tiles > 1 && word.len() == n_tiles => digits(word),
        _ if words.len() == n_tiles => words.into_iter().map(tile).collect(),
        _ if words.len() + 1 == n_tiles => cells(line, n_tiles),
        _ => None,
    }
}

/// A row whose blank is an empty cell: `| 4 |   | 5 |`.
fn cells(line: &str, n_tiles: usize) -> Option<Vec<u16>> {
    let parts = ['|', '│', ',', '\t'].into_iter().map(|part| {
        let inner = line.trim_matches(|c: char| c == ' ' || c == '[' || c == ']');
        let inner = inner.strip_prefix(part).unwrap_or(inner);
        let inner = inner.strip_suffix(part).unwrap_or(inner);
        inner.split(part).map(str::trim).collect::<Vec<&str>>()
    });
    // A row that begins or ends with an empty cell may have no border to take off.
    let bare = ['|', ',', '\t'].map(|part| line.split(part).map(str::trim).collect());
    let cells = parts.chain(bare).find(|cells| cells.len() == n_tiles)?;
    let tile = |cell: &str| if cell.is_empty() { Some(0) } else { tile(cell) };
    cells.into_iter().map(tile).collect()
}

fn tile_words(line: &str) -> Vec<&str> {
    let between = |c: char| c.is_whitespace() || ",;|│[](){}".contains(c);
    line.split(between).filter(|word| !word.is_empty()).collect()
}

fn tile(word: &str) -> Option<u16> {
    match word {
        "_" | "." | "*" | "x" | "X" | "-" => Some(0),
        _ => word.parse().ok(),
    }
}

fn digits(word: &str) -> Option<Vec<u16>> {
    word.chars().map(|c| Some(c.to_digit(10)? as u16)).collect()
}

/// The slides between boards, as far as they are slides.
fn joined(boards: &[(usize, Board)], puzzle: &Instance) -> (Moves, Option<Fault>) {
    let Some(first) = first_of_way(boards, puzzle) else {
        return (Moves::default(), Some(Fault::OtherStart { line: boards[0].0 }));
    };
    let mut slides = Vec::new();
    for pair in boards[first..].windows(2) {
        let ((_, before), (line, after)) = (&pair[0], &pair[1]);
        let leads_there = |&slide: &Slide| {
            let mut board = before.clone();
            board.slide(slide) && board == *after
        };
        match before.slides().find(leads_there) {
            Some(slide) => slides.push(slide),
            None => {
                let step = slides.len() + 1;
                return (slides.into(), Some(Fault::Jump { step, line: *line }));
            }
        }
    }
    ended(slides, &boards[boards.len() - 1].1, puzzle)
}

/// Where the way begins. Programs that greet people show the puzzle more than once, or what they are
/// about to reach.
fn first_of_way(boards: &[(usize, Board)], puzzle: &Instance) -> Option<usize> {
    let (start, goal) = (puzzle.start(), puzzle.goal());
    let n_goals = boards.iter().take_while(|(_, b)| b == goal && goal != start).count();
    let is_one_slide = start.neighbors().any(|board| board == *goal);
    let is_greeting =
        |board: &Board| board == start || board == goal && !is_one_slide && goal != start;
    let rest = &boards[n_goals..];
    let n_greetings = rest.iter().take_while(|(_, board)| is_greeting(board)).count();
    let last = rest[..n_greetings].iter().rposition(|(_, board)| board == start)?;
    Some(n_goals + last)
}

fn replayed(slides: &[Slide], puzzle: &Instance) -> (Moves, Option<Fault>) {
    let mut board = puzzle.start().clone();
    for (at, &slide) in slides.iter().enumerate() {
        if !board.slide(slide) {
            let fault = Fault::Border { step: at + 1, slide };
            return (slides[..at].to_vec().into(), Some(fault));
        }
    }
    ended(slides.to_vec(), &board, puzzle)
}

fn slid(tiles: &[u16], puzzle: &Instance) -> (Moves, Option<Fault>) {
    let mut board = puzzle.start().clone();
    let mut slides = Vec::new();
    for &tile in tiles {
        let moves_it = |&slide: &Slide| {
            let source = board.dims().source(board.blank(), slide);
            tile != 0 && source.is_some_and(|cell| board.tile(cell).number() == tile)
        };
        let Some(slide) = board.slides().find(moves_it) else {
            let step = slides.len() + 1;
            return (slides.into(), Some(Fault::NotBeside { step, tile }));
        };
        board.slide(slide);
        slides.push(slide);
    }
    ended(slides, &board, puzzle)
}

fn ended(slides: Vec<Slide>, end: &Board, puzzle: &Instance) -> (Moves, Option<Fault>) {
    let fault = (end != puzzle.goal()).then(|| Fault::NotTheGoal { end: end.clone() });
    (slides.into(), fault)
}

/// Letters or words: the whole text, lines of them that follow each other, or one line; what stands
/// before a colon is its name.
fn letters(text: &str) -> Vec<Vec<Slide>> {
    let whole = text.trim();
    if whole.is_empty() || whole.to_lowercase().contains("already solved") {
        return vec![Vec::new()];
    }
    if let Some(slides) = spelled(whole) {
        return vec![slides];
    }
    let lines: Vec<Vec<Slide>> = whole
        .lines()
        .map(unnamed)
        .filter(|line| !line.is_empty())
        .map(|line| spelled(line).unwrap_or_default())
        .collect();
    let runs = lines.split(Vec::is_empty).map(<[_]>::concat);
    let mut ways: Vec<Vec<Slide>> = runs.chain(lines.clone()).filter(|w| !w.is_empty()).collect();
    ways.sort_by_key(|slides| std::cmp::Reverse(slides.len()));
    ways.dedup();
    ways
}

/// A line without the name that it begins with.
fn unnamed(line: &str) -> &str {
    line.rsplit(':').next().unwrap_or(line).trim()
}

/// At least one way, and nothing else.
fn spelled(text: &str) -> Option<Vec<Slide>> {
    if let Ok(moves) = text.parse::<Moves>() {
        return Some(moves.slides().to_vec()).filter(|slides| !slides.is_empty());
    }
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let slides: Option<Vec<Slide>> = words.map(way).collect();
    slides.filter(|slides| !slides.is_empty())
}

fn way(word: &str) -> Option<Slide> {
    match word.to_ascii_lowercase().as_str() {
        "up" | "u" | "north" => Some(Slide::Up),
        "down" | "d" | "south" => Some(Slide::Down),
        "left" | "l" | "west" => Some(Slide::Left),
        "right" | "r" | "east" => Some(Slide::Right),
        _ => None,
    }
}

/// Numbers of tiles, in the whole text or in its longest line that has nothing else but a name.
fn numbers(text: &str) -> Option<Vec<u16>> {
    let numbers = |text: &str| -> Option<Vec<u16>> {
        let between = |c: char| c.is_whitespace() || ",;[]()".contains(c);
        let words = text.split(between).filter(|word| !word.is_empty());
        let tiles: Option<Vec<u16>> = words.map(|word| word.parse().ok()).collect();
        tiles.filter(|tiles| !tiles.is_empty())
    };
    let lines = text.lines().map(unnamed).filter_map(numbers);
    numbers(text).or_else(|| lines.max_by_key(Vec::len))
}

/// The first word of a text that is neither a way nor a number, as its place in characters from 0.
///
/// ```
/// assert_eq!(npuzzle::teaching::first_unknown_token("U left3, X 5"), Some(9));
/// assert_eq!(npuzzle::teaching::first_unknown_token("U L2 D"), None);
/// ```
pub fn first_unknown_token(text: &str) -> Option<usize> {
    let mut at = 0;
    for part in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
        let way_or_number = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_known = way_or_number.is_empty() || spelled(way_or_number).is_some();
        if !is_known {
            return Some(at);
        }
        at += part.chars().count();
    }
    None
}

/// Words by which programs say that there is no solution.
fn says_none(text: &str) -> bool {
    let text = text.to_lowercase();
    let words = ["no solution", "unsolvable", "not solvable", "could not find a solution"];
    words.iter().any(|words| text.contains(words))
}

/// The number of moves that a program says it has found.
fn claimed(text: &str) -> Option<Cost> {
    const WORDS: [&str; 6] = [
        "number of moves =",
        "number of moves:",
        "solution cost is:",
        "solution with",
        "moves required",
        "total moves",
    ];
    let text = text.to_lowercase();
    let after = WORDS.iter().find_map(|words| {
        let at = text.find(words)?;
        text[at + words.len()..].lines().next()
    })?;
    let digits = after.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// Start and goal and nothing that leads from one to the other: a program that shows its figures.
fn is_summary(boards: &[(usize, Board)], puzzle: &Instance) -> bool {
    match boards {
        [(_, first), (_, second), ..] => {
            let is_one_slide = first.slides().any(|slide| {
                let mut board = first.clone();
                board.slide(slide) && board == *second
            });
            first == puzzle.start() && second == puzzle.goal() && !is_one_slide
                || boards.len() > 2 && first == puzzle.start() && second == puzzle.goal()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a text is read as: the form and the slides, with a fault if it has one.
    fn check(text: &str, expect: &str) {
        let puzzle: Instance = "1 2 3/4 0 5/7 8 6".parse().unwrap();
        let found = match read(text, &puzzle) {
            None => "unreadable".to_owned(),
            Some(Reading { form, moves, fault: None, .. }) => format!("{form:?} {moves}"),
            Some(Reading { form, fault: Some(fault), .. }) => format!("{form:?}: {fault}"),
        };
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn what_students_print_is_read() {
        for text in [
            "Solution:\nLeft\nUp",
            "Step 1: left\nStep 2: up\nDone in 0.1 s",
            "2 STM / 2 MTM (optimal)\ntile slides: L U\nsearch: table, 2 expanded, 0 generated",
            "2 optimal solutions:\nL U\nL U",
        ] {
            check(text, "Letters(Tile) L U");
        }
        check("Moves of the blank: [right, down]", "Letters(Blank) L U");
        check("2 STM / 2 MTM (optimal)\ntiles: 5 6\nsearch: table, 2 expanded", "Numbers L U");
        for text in [
            "| 1 | 2 | 3 |\n| 4 |   | 5 |\n| 7 | 8 | 6 |\n\n| 1 | 2 | 3 |\n| 4 | 5 |   |\n| 7 | 8 | 6 |\n\n\
             | 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 7 | 8 |   |",
            "+---+\n|1|2|3|\n+---+\n|4| |5|\n+---+\n|7|8|6|\n+---+\n|1|2|3|\n|4|5| |\n|7|8|6|\n-----\n\
             |1|2|3|\n|4|5|6|\n|7|8| |\n",
            "[[1,2,3],[4,0,5],[7,8,6]]\n[[1,2,3],[4,5,0],[7,8,6]]\n[[1,2,3],[4,5,6],[7,8,0]]",
            "[[[1,2,3],[4,0,5],[7,8,6]], [[1,2,3],[4,5,0],[7,8,6]], [[1,2,3],[4,5,6],[7,8,0]]]",
            "Path: [[1,2,3],[4,0,5],[7,8,6]]\nMove 1: [[1,2,3],[4,5,0],[7,8,6]]\n\
             Move 2: [[1,2,3],[4,5,6],[7,8,0]]",
            "1 2 3 4 0 5 7 8 6\n1 2 3 4 5 0 7 8 6\n1 2 3 4 5 6 7 8 0",
            "123405786\n123450786\n123456780",
            "Goal:\n1 2 3\n4 5 6\n7 8 0\nStart:\n1 2 3\n4 0 5\n7 8 6\n\n1 2 3\n4 5 0\n7 8 6\n\n1 2 3\n4 5 6\n7 8 0",
            "Start:\n1 2 3/4 0 5/7 8 6\nGoal:\n1 2 3/4 5 6/7 8 0\nPath:\n1 2 3/4 0 5/7 8 6\n1 2 3/4 5 0/7 8 6\n\
             1 2 3/4 5 6/7 8 0",
        ] {
            check(text, "Boards L U");
        }
        check("", "Letters(Tile): it ends at 1 2 3/4 0 5/7 8 6, not at the goal");
        for text in ["---", "...\n***", "hello", "Solution:", "L U then the goal"] {
            check(text, "unreadable");
        }
        check("{\"start\":\"1 2 3/4 0 5/7 8 6\"}", "unreadable");
    }
}
