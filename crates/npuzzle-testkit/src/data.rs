//! The files of `testdata/`.

use std::fs;
use std::path::PathBuf;

use npuzzle_core::Board;

/// The path of a file or folder in `testdata/`.
pub fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// The text of a file in `testdata/`.
///
/// # Panics
/// If it cannot be read: a test without its data must not pass.
pub fn text(name: &str) -> String {
    match fs::read_to_string(path(name)) {
        Ok(text) => text,
        Err(error) => panic!("testdata/{name}: {error}"),
    }
}

/// The known counts of states per depth in `testdata/census/`, such as `3x3.stm`.
///
/// # Panics
/// If the file is not what it should be.
pub fn census(name: &str) -> Vec<u64> {
    let text = text(&format!("census/{name}.txt"));
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let counts = lines.enumerate().map(|(depth, line)| {
        let numbers: Vec<u64> = line.split_whitespace().map_while(|n| n.parse().ok()).collect();
        match numbers[..] {
            [d, count] if d == depth as u64 => count,
            _ => panic!("testdata/census/{name}.txt: {line:?}"),
        }
    });
    counts.collect()
}

/// The Princeton boards: file name without ending, text. Sorted by name.
///
/// # Panics
/// If they cannot be read.
pub fn princeton() -> Vec<(String, String)> {
    let folder = match fs::read_dir(path("princeton")) {
        Ok(folder) => folder,
        Err(error) => panic!("testdata/princeton: {error}"),
    };
    let names = folder.flatten().map(|file| file.file_name().to_string_lossy().into_owned());
    let mut files: Vec<_> = names
        .filter_map(|name| name.strip_suffix(".txt").map(str::to_owned))
        .map(|name| (name.clone(), text(&format!("princeton/{name}.txt"))))
        .collect();
    files.sort();
    files
}

/// A board whose answer is known.
#[derive(Clone, Debug)]
pub struct Known {
    /// What it is called.
    pub name: String,
    /// The board.
    pub board: Board,
    /// The length of a shortest solution; `None` if there is no solution.
    pub optimal: Option<u32>,
}

/// The Princeton boards with the answers that their names carry: `puzzle4x4-31` is solved in 31
/// slides to the goal `last`, `puzzle3x3-unsolvable` never.
///
/// # Panics
/// If a file is not what it should be.
pub fn princeton_known() -> Vec<Known> {
    let known = princeton().into_iter().map(|(name, text)| {
        let optimal = if name.contains("unsolvable") {
            None
        } else {
            let digits = &name[name.len() - 2..];
            match digits.parse() {
                Ok(length) => Some(length),
                Err(error) => panic!("testdata/princeton/{name}: {error}"),
            }
        };
        Known { board: size_first(&name, &text), name, optimal }
    });
    known.collect()
}

/// Korf's hundred boards of 4×4, solved to the goal `first`.
///
/// # Panics
/// If the file is not what it should be.
pub fn korf100() -> Vec<Known> {
    let rows = fields("korf100.txt").into_iter().map(|row| match &row[..] {
        [name, tiles, optimal, _] => published("Korf", name, 4, tiles, optimal),
        _ => panic!("korf100.txt: {row:?}"),
    });
    rows.collect()
}

/// A 24-puzzle with the nodes that others have published.
#[derive(Clone, Debug)]
pub struct TwentyFour {
    /// The board and its answer.
    pub known: Known,
    /// Nodes with four 6-tile databases and their reflection.
    pub nodes_2002: u64,
    /// Nodes with many 6-tile databases that know the blank's region.
    pub nodes_2018: u64,
}

/// The fifty boards of 5×5 of Korf and Felner, solved to the goal `first`.
///
/// # Panics
/// If the file is not what it should be.
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

/// A board of DeepCubeA with the length of the solution that it found.
#[derive(Clone, Debug)]
pub struct Scrambled {
    /// The board, to be solved to the goal `last`.
    pub board: Board,
    /// The length of its solution.
    pub found: u32,
}

/// The first hundred boards of DeepCubeA's test set of squares with 5, 6 or 7 cells a side.
///
/// # Panics
/// If there is none for this side, or the file is not what it should be.
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

/// The lines of a file, cut at semicolons.
fn fields(file: &str) -> Vec<Vec<String>> {
    let text = text(file);
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|line| line.split(';').map(|field| field.trim().to_owned()).collect()).collect()
}

fn published(series: &str, name: &str, side: u16, tiles: &str, optimal: &str) -> Known {
    Known {
        name: format!("{series} {name}"),
        board: size_first(name, &format!("{side} {tiles}")),
        optimal: Some(number(series, optimal)),
    }
}

fn number<T: std::str::FromStr>(file: &str, field: &str) -> T {
    match field.parse() {
        Ok(number) => number,
        Err(_) => panic!("{file}: {field:?} is no number"),
    }
}

/// A square board as its side and then its tiles, however they are broken into lines.
fn size_first(name: &str, text: &str) -> Board {
    let numbers: Result<Vec<u16>, _> = text.split_whitespace().map(str::parse).collect();
    match numbers.as_deref() {
        Ok([side, tiles @ ..]) => {
            let rows: Vec<&[u16]> = tiles.chunks(usize::from(*side)).collect();
            match Board::from_rows(&rows) {
                Ok(board) => board,
                Err(error) => panic!("{name}: {error}"),
            }
        }
        _ => panic!("{name}: {text:?} is no board"),
    }
}
