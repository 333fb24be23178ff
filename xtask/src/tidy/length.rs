//! The length of source files and of the README.

use super::{File, Problem, is_source};

/// The most lines of a source file.
const MAX_LINES: usize = 500;

/// The most words of the README, counted as `wc -w` does.
const MAX_README_WORDS: usize = 1_300;

/// A source file that is too long.
pub(super) fn source(file: &File<'_>) -> Vec<Problem> {
    let n_lines = file.lines().count();
    if file.is_rust() && is_source(file.path) && n_lines > MAX_LINES {
        return vec![(n_lines, format!("{n_lines} lines; split files of more than {MAX_LINES}"))];
    }
    vec![]
}

/// A README that is too long.
pub(super) fn readme(file: &File<'_>) -> Vec<Problem> {
    let n_words = file.text.split_whitespace().count();
    if file.path == "README.md" && n_words > MAX_README_WORDS {
        let message =
            format!("{n_words} words; the limit is {MAX_README_WORDS}, move the rest to docs");
        return vec![(1, message)];
    }
    vec![]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::check;

    #[test]
    fn long_sources_are_found() {
        check(source, "crates/a/src/lib.rs", &"\n".repeat(MAX_LINES), &[]);
        check(source, "crates/a/src/lib.rs", &"\n".repeat(MAX_LINES + 1), &[MAX_LINES + 1]);
        check(source, "docs/formats.md", &"\n".repeat(MAX_LINES + 1), &[]);
    }

    #[test]
    fn a_long_readme_is_found() {
        check(readme, "README.md", &"word ".repeat(MAX_README_WORDS), &[]);
        check(readme, "README.md", &"word ".repeat(MAX_README_WORDS + 1), &[1]);
        check(readme, "docs/README.md", &"word ".repeat(MAX_README_WORDS + 1), &[]);
    }
}
