//! Where boards come from: the command line, a file, standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::exit::Failure;

/// A million and more 15-puzzles, and less than what eats the machine.
pub(crate) const MAX_BYTES: u64 = 64 << 20;

/// A text with the name that messages give it.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) source: String,
    pub(crate) text: String,
}

impl Input {
    /// What an argument stands for: `-`, a file that is there, or a board.
    pub(crate) fn from_arg(arg: &str) -> Result<Input, Failure> {
        if arg == "-" {
            return read("<stdin>".to_owned(), io::stdin().lock(), MAX_BYTES);
        }
        let path = Path::new(arg);
        if path.exists() {
            return Input::from_file(path, MAX_BYTES);
        }
        if looks_like_board(arg) {
            return Ok(Input { source: "<board>".to_owned(), text: arg.to_owned() });
        }
        let missing = Input::from_file(path, MAX_BYTES);
        missing.map_err(|failure| failure.adding(" (and it does not look like a board)"))
    }

    /// The text of a file of at most `max_bytes`.
    pub(crate) fn from_file(path: &Path, max_bytes: u64) -> Result<Input, Failure> {
        let source = path.display().to_string();
        let open = || {
            // Opening a folder succeeds on Unix, and reading it fails with a stranger message.
            if path.is_dir() {
                return Err(io::Error::from(io::ErrorKind::IsADirectory));
            }
            File::open(path)
        };
        let file = open().map_err(|error| Failure::io(&source, &error))?;
        read(source, file, max_bytes)
    }
}

/// Whether an argument that names no file is meant as a board: then a mistake in it is a bad board,
/// not a missing file.
fn looks_like_board(arg: &str) -> bool {
    let is_json = arg.trim_start().starts_with(['[', '{', '"']);
    // Tiles, hexadecimal ones among them, and whatever people put between them or for the blank.
    let is_tile = |c: char| c.is_ascii_hexdigit() || c.is_whitespace() || "/,;|._-()x".contains(c);
    let has_digit = arg.contains(|c: char| c.is_ascii_digit());
    let has_space = arg.trim().contains(char::is_whitespace);
    is_json || arg.trim().is_empty() || has_digit && (has_space || arg.chars().all(is_tile))
}

fn read(source: String, reader: impl Read, max_bytes: u64) -> Result<Input, Failure> {
    let mut bytes = Vec::new();
    let result = reader.take(max_bytes + 1).read_to_end(&mut bytes);
    result.map_err(|error| Failure::io(&source, &error))?;
    if bytes.len() as u64 > max_bytes {
        let most = max_bytes >> 20;
        return Err(Failure::usage(format!("{source}: more than {most} MiB of input")));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Input { source, text }),
        Err(error) if error.as_bytes().starts_with(&[0xff, 0xfe]) => {
            Err(Failure::usage(format!("{source}: UTF-16 text; save it as UTF-8")))
        }
        Err(error) => {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
            Err(Failure::usage(format!("{source}:{line}: not a text (invalid UTF-8)")))
        }
    }
}
