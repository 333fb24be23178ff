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

/// Prints an error. The message may quote arguments and file names, and must not control the terminal.
pub(crate) fn error(message: impl Display) {
    note(format_args!("npuzzle: {}", escaped(&without_os_codes(message.to_string()))));
}

/// Returns a text that may be shown on a terminal: control characters other than line breaks and tabs are escaped,
/// and so are the characters that change the direction of the text or hide in it.
pub(crate) fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let is_format = matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}' | '\u{feff}');
        match c {
            '\n' | '\t' => shown.push(c),
            c if c.is_control() || is_format => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
    }
    shown
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
    fn escaped_leaves_nothing_that_controls_a_terminal() {
        let check = |text: &str, expect: &str| assert_eq!(escaped(text), expect);
        check("\u{1b}[2J\u{9b}2J\u{7}\r", "\\u{1b}[2J\\u{9b}2J\\u{7}\\r");
        check("a\u{202e}b\u{2066}c\u{200b}\n", "a\\u{202e}b\\u{2066}c\\u{200b}\n");
        check("größer 解 \\", "größer 解 \\");
    }

    #[test]
    fn without_os_codes_removes_only_codes() {
        let check =
            |text: &str, expect: &str| assert_eq!(without_os_codes(text.to_owned()), expect);
        check("a: not found (os error 2)", "a: not found");
        check("a (os error 17); b (os error x)", "a; b (os error x)");
        check("", "");
    }
}
