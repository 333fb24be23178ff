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
    if let Some(slides) = letters(text) {
        let as_blanks: Vec<Slide> = slides.iter().map(|slide| slide.opposite()).collect();
        let (tile, blank) = (replayed(&slides, puzzle), replayed(&as_blanks, puzzle));
        let solves = |(_, fault): &(Moves, Option<Fault>)| fault.is_none();
        let farther = blank.0.stm() > tile.0.stm();
        return Some(if !solves(&tile) && (solves(&blank) || farther) {
            reading(Form::Letters(Sense::Blank), blank)
        } else {
            reading(Form::Letters(Sense::Tile), tile)
        });
    }
    let numbers = numbers(text)?;
    Some(reading(Form::Numbers, slid(&numbers, puzzle)))
}

/// The moves that a text is read as when it is checked as a solution, up to the first that cannot
/// be made; `None` if there is nothing in it.
///
/// ```
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let moves = npuzzle::moves_in("Solution: L U", &puzzle);
/// assert_eq!(moves.map(|moves| moves.stm()), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn moves_in(text: &str, puzzle: &Instance) -> Option<Moves> {
    Some(read(text, puzzle)?.moves)
}

/// All boards of a size in a text, with the lines where they begin, whatever stands between them.
///
/// ```
/// let text = "Level 1\n1 2\n0 3\nLevel 2\n1 2\n3 0\n";
/// let boards = npuzzle::boards_in(text, "2x2".parse()?);
/// assert_eq!((boards.len(), boards[1].0), (2, 5));
/// # Ok::<(), npuzzle::DimsError>(())
/// ```
pub fn boards_in(text: &str, dims: Dims) -> Vec<(usize, Board)> {
    let mut boards = Vec::new();
    let mut tiles: Vec<u16> = Vec::new();
    let mut first_line = 0;
    for (number, line) in (1..).zip(text.lines()) {
        if line.contains('/')
            && let Ok(board) = line.trim().parse::<Board>()
            && board.dims() == dims
        {
            boards.push((number, board));
            tiles.clear();
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

/// A line that is a row of so many tiles.
fn row(line: &str, n_tiles: usize) -> Option<Vec<u16>> {
    let between = |c: char| c.is_whitespace() || ",;|[](){}".contains(c);
    let tile = |word: &str| match word {
        "_" | "." | "*" | "x" | "X" | "-" => Some(0),
        _ => word.parse().ok(),
    };
    let words: Vec<&str> = line.split(between).filter(|word| !word.is_empty()).collect();
    match words[..] {
        // Written together.
        [word] if n_tiles > 1 && word.len() == n_tiles => {
            word.chars().map(|c| Some(c.to_digit(10)? as u16)).collect()
        }
        _ if words.len() == n_tiles => words.into_iter().map(tile).collect(),
        _ => None,
    }
}

/// The slides between boards, as far as they are slides.
fn joined(boards: &[(usize, Board)], puzzle: &Instance) -> (Moves, Option<Fault>) {
    // Programs that greet people show the puzzle more than once.
    let n_first = boards.iter().take_while(|(_, board)| board == puzzle.start()).count();
    let Some(first) = n_first.checked_sub(1) else {
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

/// Letters or words, in the whole text or in its longest line that has nothing else.
fn letters(text: &str) -> Option<Vec<Slide>> {
    let whole = text.trim();
    if whole.is_empty() {
        return Some(Vec::new());
    }
    spelled(whole).or_else(|| {
        let lines = whole.lines().map(|line| line.rsplit(':').next().unwrap_or(line).trim());
        let spelled = lines.filter(|line| !line.is_empty()).filter_map(spelled);
        spelled.max_by_key(Vec::len)
    })
}

fn spelled(text: &str) -> Option<Vec<Slide>> {
    if let Ok(moves) = text.parse::<Moves>() {
        return Some(moves.slides().to_vec());
    }
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let way = |word: &str| match word.to_ascii_lowercase().as_str() {
        "up" | "u" | "north" => Some(Slide::Up),
        "down" | "d" | "south" => Some(Slide::Down),
        "left" | "l" | "west" => Some(Slide::Left),
        "right" | "r" | "east" => Some(Slide::Right),
        _ => None,
    };
    words.map(way).collect()
}

fn numbers(text: &str) -> Option<Vec<u16>> {
    let between = |c: char| c.is_whitespace() || ",;[]()".contains(c);
    let words = text.split(between).filter(|word| !word.is_empty());
    words.map(|word| word.parse().ok()).collect()
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
