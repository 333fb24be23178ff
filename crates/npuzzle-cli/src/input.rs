//! Where boards come from: the command line, a file, standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::exit::Failure;

/// More than any batch of boards, less than what eats the machine.
const MAX_BYTES: u64 = 256 << 20;

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
            return read("<stdin>".to_owned(), io::stdin().lock());
        }
        let path = Path::new(arg);
        if path.exists() || !looks_like_board(arg) {
            return Input::from_file(path);
        }
        Ok(Input { source: "<board>".to_owned(), text: arg.to_owned() })
    }

    pub(crate) fn from_file(path: &Path) -> Result<Input, Failure> {
        let source = path.display().to_string();
        let open = || {
            // Opening a folder succeeds on Unix, and reading it fails with a stranger message.
            if path.is_dir() {
                return Err(io::Error::from(io::ErrorKind::IsADirectory));
            }
            File::open(path)
        };
        let file = open().map_err(|error| Failure::io(&source, &error))?;
        read(source, file)
    }
}

/// Whether an argument that names no file is meant as a board: then a mistake in it is a bad board,
/// not a missing file.
fn looks_like_board(arg: &str) -> bool {
    let first = arg.trim_start().chars().next();
    match first {
        None | Some('[' | '{' | '"') => true,
        Some(c) if c.is_ascii_digit() => !arg.contains('.'),
        Some('-') => arg.contains([' ', '/']),
        Some(_) => arg.contains(' ') && arg.contains('/') && arg.contains(char::is_numeric),
    }
}

fn read(source: String, reader: impl Read) -> Result<Input, Failure> {
    let mut bytes = Vec::new();
    let result = reader.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    result.map_err(|error| Failure::io(&source, &error))?;
    if bytes.len() as u64 > MAX_BYTES {
        let most = MAX_BYTES >> 20;
        return Err(Failure::usage(format!("{source}: more than {most} MiB of input")));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Input { source, text }),
        Err(error) => {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
            Err(Failure::usage(format!("{source}:{line}: not a text (invalid UTF-8)")))
        }
    }
}
