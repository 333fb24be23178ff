//! The files of `testdata/`.

use std::fs;
use std::path::PathBuf;

use npuzzle_core::Board;

/// Returns the path of a file or folder in `testdata/`.
pub fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// Reads a file in `testdata/`.
///
/// # Panics
/// If the file cannot be read: a test without its data must not pass.
pub fn text(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("testdata/{name}: {error}"))
}

/// Reads the known numbers of states per depth from `testdata/census/`, such as `3x3.stm`.
///
/// # Panics
/// If the file is missing or malformed.
pub fn census(name: &str) -> Vec<u64> {
    let file = format!("census/{name}.txt");
    let text = text(&file);
    let counts = lines(&text).enumerate().map(|(depth, line)| {
        let numbers: Vec<u64> = line.split_whitespace().map(|n| number(&file, n)).collect();
        match numbers[..] {
            [d, count] if d == depth as u64 => count,
            _ => panic!("{file}: {line:?}"),
        }
    });
    counts.collect()
}

/// Reads the files of `testdata/princeton/`: name without extension and text, sorted by name.
///
/// # Panics
/// If a file cannot be read.
pub fn princeton() -> Vec<(String, String)> {
    let folder = fs::read_dir(path("princeton"));
    let folder = folder.unwrap_or_else(|error| panic!("testdata/princeton: {error}"));
    let names = folder.flatten().map(|file| file.file_name().to_string_lossy().into_owned());
    let mut files: Vec<_> = names
        .filter_map(|name| name.strip_suffix(".txt").map(str::to_owned))
        .map(|name| (name.clone(), text(&format!("princeton/{name}.txt"))))
        .collect();
    files.sort();
    files
}

/// A board with a known answer.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its name.
    pub name: String,
    /// The board.
    pub board: Board,
    /// The length of a shortest solution; `None` if the board is unsolvable.
    pub optimal: Option<u32>,
}

/// Reads the Princeton boards with the answers in their names: `puzzle4x4-31` needs 31 slides to the
/// goal `last`, `puzzle3x3-unsolvable` is unsolvable.
///
/// # Panics
/// If a file is missing or malformed.
pub fn princeton_known() -> Vec<Known> {
    let known = princeton().into_iter().map(|(name, text)| {
        let is_solvable = !name.contains("unsolvable");
        let optimal = is_solvable.then(|| number(&name, &name[name.len() - 2..]));
        Known { board: size_first(&name, &text), name, optimal }
    });
    known.collect()
}

/// Reads the hundred 4×4 boards of Korf (1985), whose goal is `first`.
///
/// # Panics
/// If the file is missing or malformed.
pub fn korf100() -> Vec<Known> {
    let rows = fields("korf100.txt").into_iter().map(|row| match &row[..] {
        [name, tiles, optimal, _] => published("Korf", name, 4, tiles, optimal),
        _ => panic!("korf100.txt: {row:?}"),
    });
    rows.collect()
}

/// A 24-puzzle with published node counts.
#[derive(Clone, Debug)]
pub struct TwentyFour {
    /// The board and its solution length.
    pub known: Known,
    /// Nodes with four 6-tile databases and their reflections (Korf and Felner 2002).
    pub nodes_2002: u64,
    /// Nodes with many 6-tile databases that distinguish the blank's region.
    pub nodes_2018: u64,
}

/// Reads the fifty 5×5 boards of Korf and Felner (2002), whose goal is `first`.
///
/// # Panics
/// If the file is missing or malformed.
pub fn korf24() -> Vec<TwentyFour> {
    let rows = fields("korf24_50.txt").into_iter().map(|row| match &row[..] {
        [name, tiles, optimal, nodes_2002, nodes_2018] => TwentyFour {
            known: published("24-puzzle", name, 5, tiles, optimal),
            nodes_2002: number("korf24_50.txt", nodes_2002),
            nodes_2018: number("korf24_50.txt", nodes_2018),
        },
        _ => panic!("korf24_50.txt: {row:?}"),
    });
    rows.collect()
}

/// A board of DeepCubeA with the length of the solution that DeepCubeA found.
#[derive(Clone, Debug)]
pub struct Scrambled {
    /// The board; its goal is `last`.
    pub board: Board,
    /// The length of DeepCubeA's solution.
    pub found: u32,
}

/// Reads the first hundred boards of DeepCubeA's test sets for squares of side 5, 6 or 7.
///
/// # Panics
/// If there is no test set for this side, or the file is malformed.
pub fn deepcubea(side: u16) -> Vec<Scrambled> {
    let file = format!("deepcubea{}_first100.txt", side * side - 1);
    let rows = fields(&file).into_iter().map(|row| match &row[..] {
        [name, tiles, _, found] => Scrambled {
            board: size_first(name, &format!("{side} {tiles}")),
            found: number(&file, found),
        },
        _ => panic!("{file}: {row:?}"),
    });
    rows.collect()
}

/// The lines of a text, without comments and empty lines.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty())
}

/// The lines of a file, split at semicolons.
fn fields(file: &str) -> Vec<Vec<String>> {
    let split = |line: &str| line.split(';').map(|field| field.trim().to_owned()).collect();
    lines(&text(file)).map(split).collect()
}

fn published(series: &str, name: &str, side: u16, tiles: &str, optimal: &str) -> Known {
    Known {
        name: format!("{series} {name}"),
        board: size_first(name, &format!("{side} {tiles}")),
        optimal: Some(number(series, optimal)),
    }
}

fn number<T: std::str::FromStr>(file: &str, field: &str) -> T {
    field.parse().unwrap_or_else(|_| panic!("{file}: {field:?} is not a number"))
}

/// Parses a square board from its side and its tiles; line breaks do not matter.
fn size_first(name: &str, text: &str) -> Board {
    let numbers: Vec<u16> = text.split_whitespace().map(|n| number(name, n)).collect();
    let [side, tiles @ ..] = &numbers[..] else { panic!("{name}: no board") };
    let rows: Vec<&[u16]> = tiles.chunks(usize::from(*side)).collect();
    Board::from_rows(&rows).unwrap_or_else(|error| panic!("{name}: {error}"))
}
