//! Messages on standard error. A standard error that is closed is ignored.

use std::fmt::Display;
use std::io::Write;

/// Prints a note.
pub(crate) fn note(message: impl Display) {
    let message = message.to_string();
    let _ = writeln!(std::io::stderr(), "{}", message.trim_end());
}

/// Prints a warning.
pub(crate) fn warning(message: impl Display) {
    error(format_args!("warning: {message}"));
}

/// Prints an error. Control characters are escaped: the message may quote arguments and file names, and
/// must not control the terminal.
pub(crate) fn error(message: impl Display) {
    let mut text = String::from("npuzzle: ");
    for c in without_os_codes(message.to_string()).chars() {
        match c {
            '\n' => text.push(c),
            c if c.is_control() => text.extend(c.escape_default()),
            c => text.push(c),
        }
    }
    note(text);
}

/// Removes ` (os error 2)`, which the standard library appends to system errors.
pub(crate) fn without_os_codes(message: String) -> String {
    const CODE: &str = " (os error ";
    let mut parts = message.split(CODE);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(')') {
            Some(rest) => text += rest,
            None => text += &[CODE, part].concat(),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_os_codes_removes_only_codes() {
        let check =
            |text: &str, expect: &str| assert_eq!(without_os_codes(text.to_owned()), expect);
        check("a: not found (os error 2)", "a: not found");
        check("a (os error 17); b (os error x)", "a; b (os error x)");
        check("", "");
    }
}
