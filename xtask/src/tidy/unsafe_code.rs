//! Unsafe code is allowed only in reviewed files and with a `SAFETY:` comment.

use super::{File, Problem};

/// The files that may contain it. They are reviewed, and `cargo xtask sanitize` runs them.
const REVIEWED: &[&str] = &[
    "crates/npuzzle-tables/src/prefetch.rs",
    "crates/npuzzle-tables/src/store/map.rs",
    "crates/npuzzle-wasm/src/exports.rs",
];

/// Crates that cannot forbid it: two contain the files above, the third uses macros that expand to it.
const WITHOUT_FORBID: &[&str] = &[
    "crates/npuzzle-tables/src/lib.rs",
    "crates/npuzzle-wasm/src/lib.rs",
    "crates/npuzzle-python/src/lib.rs",
];

/// Each is written in two halves because this file is checked, too.
const BEGINNINGS: &[&str] = &[
    concat!("un", "safe {"),
    concat!("un", "safe fn"),
    concat!("un", "safe impl"),
    concat!("un", "safe extern"),
    concat!("un", "safe trait"),
    concat!("#[un", "safe("),
];

/// Unsafe code in other files or without a `SAFETY:` comment.
pub(super) fn unreviewed(file: &File<'_>) -> Vec<Problem> {
    /// The comment is at most this many lines above.
    const MAX_DISTANCE: usize = 10;
    if !file.is_rust() {
        return vec![];
    }
    let lines: Vec<&str> = file.text.lines().collect();
    let mut problems = vec![];
    for (index, line) in lines.iter().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        if !BEGINNINGS.iter().any(|begin| code.contains(begin)) {
            continue;
        }
        let above = &lines[index.saturating_sub(MAX_DISTANCE)..index];
        if !REVIEWED.contains(&file.path) {
            problems.push((
                index + 1,
                "unsafe code in a file that is not listed in xtask/src/tidy/unsafe_code.rs"
                    .to_owned(),
            ));
        } else if !above.iter().any(|line| line.contains("// SAFETY: ")) {
            problems.push((index + 1, "unsafe code without `// SAFETY: `".to_owned()));
        }
    }
    problems
}

/// A crate root that does not forbid unsafe code.
pub(super) fn not_forbidden(file: &File<'_>) -> Vec<Problem> {
    let parts: Vec<&str> = file.path.split('/').collect();
    let is_root = matches!(
        parts[..],
        ["crates", _, "src", "lib.rs" | "main.rs"] | ["xtask", "src", "main.rs"]
    );
    let is_forbidden = file.text.contains("#![forbid(unsafe_code)]");
    if is_root && !is_forbidden && !WITHOUT_FORBID.contains(&file.path) {
        return vec![(1, "the crate root has no `#![forbid(unsafe_code)]`".to_owned())];
    }
    vec![]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::check;

    #[test]
    fn unsafe_code_needs_a_reviewed_file_and_a_comment() {
        for begin in BEGINNINGS {
            let bare = format!("fn f() {{\n    {begin} }}\n}}\n");
            let commented = format!("fn f() {{\n    // SAFETY: it is.\n    {begin} }}\n}}\n");
            let far = format!("// SAFETY: of another.\n{}{begin}\n", "\n".repeat(10));
            check(unreviewed, "crates/a/src/b.rs", &commented, &[3]);
            check(unreviewed, REVIEWED[0], &bare, &[2]);
            check(unreviewed, REVIEWED[0], &commented, &[]);
            check(unreviewed, REVIEWED[0], &far, &[12]);
            check(unreviewed, "crates/a/src/b.rs", &format!("// no {begin}\n"), &[]);
        }
    }

    #[test]
    fn crate_roots_must_forbid_unsafe_code() {
        let forbids = "//! What.\n\n#![forbid(unsafe_code)]\n";
        check(not_forbidden, "crates/a/src/lib.rs", forbids, &[]);
        check(not_forbidden, "crates/a/src/lib.rs", "//! What.\n", &[1]);
        check(not_forbidden, "crates/a/src/b.rs", "//! What.\n", &[]);
        check(not_forbidden, WITHOUT_FORBID[0], "//! What.\n", &[]);
    }
}
