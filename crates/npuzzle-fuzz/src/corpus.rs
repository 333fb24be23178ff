//! The stored inputs: one file for each target, one line for each input, escaped as in Rust.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::Target;

/// The maximum length of a stored input.
pub const MAX_BYTES: usize = 1 << 10;

/// Returns the corpus file of a target.
pub fn path(target: &Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(format!("{}.txt", target.name))
}

/// Reads the corpus of a target. Lines that begin with `#` are comments.
pub fn read(target: &Target) -> io::Result<Vec<Vec<u8>>> {
    let text = fs::read_to_string(path(target))?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let bad = |line: &str| io::Error::other(format!("{}: invalid line {line:?}", target.name));
    lines.map(|line| unescaped(line).ok_or_else(|| bad(line))).collect()
}

/// Writes each stored input into a file of its own, as fuzzers require. Returns their number.
pub fn unpack(target: &Target, folder: &Path) -> io::Result<usize> {
    fs::create_dir_all(folder)?;
    let inputs = read(target)?;
    for (number, input) in inputs.iter().enumerate() {
        fs::write(folder.join(format!("stored-{number:04}")), input)?;
    }
    Ok(inputs.len())
}

/// Adds the short files of a folder to the corpus and sorts it. Returns the size of the corpus.
/// Earlier inputs are never removed: they may have found a bug even if they reach no code of their
/// own.
pub fn pack(target: &Target, folder: &Path) -> io::Result<usize> {
    let mut inputs: BTreeSet<(usize, Vec<u8>)> =
        read(target)?.into_iter().map(|input| (input.len(), input)).collect();
    for entry in fs::read_dir(folder)? {
        let input = fs::read(entry?.path())?;
        if input.len() <= MAX_BYTES {
            inputs.insert((input.len(), input));
        }
    }
    let mut text = format!("# {}: stored inputs, shortest first\n", target.about);
    for (_, input) in &inputs {
        text.push_str(&escaped(input));
        text.push('\n');
    }
    fs::write(path(target), text)?;
    Ok(inputs.len())
}

/// Escapes an input to one line that does not begin with `#` and does not end in a space.
fn escaped(input: &[u8]) -> String {
    let text = input.escape_ascii().to_string();
    let text = match text.strip_prefix('#') {
        Some(rest) => format!("\\x23{rest}"),
        None => text,
    };
    match text.strip_suffix(' ') {
        Some(rest) => format!("{rest}\\x20"),
        None => text,
    }
}

fn unescaped(line: &str) -> Option<Vec<u8>> {
    let mut input = Vec::new();
    let mut rest = line.bytes();
    while let Some(byte) = rest.next() {
        input.push(match byte {
            b'\\' => match rest.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'x' => {
                    let digits = [rest.next()?, rest.next()?];
                    u8::from_str_radix(str::from_utf8(&digits).ok()?, 16).ok()?
                }
                byte @ (b'\\' | b'\'' | b'"') => byte,
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_inputs_are_lines_that_unescape() {
        let all: Vec<u8> = (0..=255).collect();
        for input in [&b""[..], b"# 1 2 ", b"\\", b" ", b"#", b"a\r\n", &all] {
            let line = escaped(input);
            assert!(!line.starts_with('#') && !line.ends_with(' ') && line.lines().count() <= 1);
            assert_eq!(unescaped(&line).as_deref(), Some(input), "{line}");
        }
        assert_eq!(unescaped("\\q"), None);
        assert_eq!(unescaped("\\x4"), None);
    }
}
