//! Input from the command line, a file or standard input.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use npuzzle::format::{self, Entry, Format};

use crate::exit::Failure;

/// The largest input: more than a million 15-puzzles, and little enough to be held in memory.
pub(crate) const MAX_BYTES: u64 = 64 << 20;

/// A text, and the name of its source for messages.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) source: String,
    pub(crate) text: String,
}

impl Input {
    /// Reads what an argument names: standard input (`-`), a file, or a board on the command line.
    pub(crate) fn from_arg(arg: &str) -> Result<Input, Failure> {
        let path = Path::new(arg);
        if arg == "-" || path.exists() {
            return Input::from_file_arg(arg);
        }
        if looks_like_board(arg) {
            return Ok(Input { source: "<board>".to_owned(), text: arg.to_owned() });
        }
        let missing = Input::from_file(path, MAX_BYTES);
        missing.map_err(|failure| failure.with_suffix(" (and it does not look like a board)"))
    }

    /// Reads the file that an argument names, or standard input (`-`), which can be read only once.
    pub(crate) fn from_file_arg(arg: &str) -> Result<Input, Failure> {
        static IS_STDIN_READ: AtomicBool = AtomicBool::new(false);
        if arg != "-" {
            return Input::from_file(Path::new(arg), MAX_BYTES);
        }
        if IS_STDIN_READ.swap(true, Ordering::Relaxed) {
            return Err(Failure::usage("only one argument can be - (standard input)"));
        }
        let bytes = read_bytes("<stdin>", io::stdin().lock(), MAX_BYTES)?;
        Input::from_bytes("<stdin>".to_owned(), bytes)
    }

    /// Reads a text file of at most `max_bytes`.
    pub(crate) fn from_file(path: &Path, max_bytes: u64) -> Result<Input, Failure> {
        Input::from_bytes(path.display().to_string(), read_file(path, max_bytes)?)
    }

    fn from_bytes(source: String, bytes: Vec<u8>) -> Result<Input, Failure> {
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Input { source, text }),
            Err(error) if error.as_bytes().starts_with(&[0xff, 0xfe]) => {
                Err(Failure::usage(format!("{source}: UTF-16 text; save it as UTF-8")))
            }
            Err(error) => {
                let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
                Err(Failure::usage(format!("{source}:{line}: not text (invalid UTF-8)")))
            }
        }
    }

    /// The only board of the text.
    pub(crate) fn one_board(&self, format: Option<Format>) -> Result<Entry, Failure> {
        let entry = format::read_one(&self.text, format);
        entry.map_err(|error| Failure::usage(error.render(&self.source)))
    }
}

/// Whether an argument that names no file is meant as a board. An error in it is then reported as a bad
/// board and not as a missing file.
fn looks_like_board(arg: &str) -> bool {
    let is_json = arg.trim_start().starts_with(['[', '{', '"', '(']);
    // Decimal and hexadecimal tiles, and common separators and blanks.
    let is_tile =
        |c: char| c.is_ascii_hexdigit() || c.is_whitespace() || "/,;|._-()xX*".contains(c);
    let has_digit = arg.contains(|c: char| c.is_ascii_digit());
    let has_space = arg.trim().contains(char::is_whitespace);
    is_json || arg.trim().is_empty() || has_digit && (has_space || arg.chars().all(is_tile))
}

/// Reads a file of at most `max_bytes`.
pub(crate) fn read_file(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Failure> {
    let open = || {
        // Opening a folder succeeds on Unix, and reading it fails with an obscure message.
        if path.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        File::open(path)
    };
    let file = open().map_err(|error| Failure::io(path.display(), &error))?;
    read_bytes(path.display(), file, max_bytes)
}

fn read_bytes(source: impl Display, reader: impl Read, max_bytes: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let result = reader.take(max_bytes + 1).read_to_end(&mut bytes);
    result.map_err(|error| Failure::io(&source, &error))?;
    if bytes.len() as u64 > max_bytes {
        let max_mib = max_bytes >> 20;
        return Err(Failure::usage(format!("{source}: more than {max_mib} MiB of input")));
    }
    Ok(bytes)
}
