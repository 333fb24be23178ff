//! Unsafe code: where it may be, and that somebody has said why it is sound.

use super::{File, Problem};

/// The files that may have it. Each place was reviewed, and `cargo xtask sanitize` runs it.
const REVIEWED: &[&str] =
    &["crates/npuzzle-tables/src/prefetch.rs", "crates/npuzzle-tables/src/store/bytes.rs"];

/// Crates that cannot forbid it: the first has the files above, the macros of the second write it.
const WITHOUT_FORBID: &[&str] =
    &["crates/npuzzle-tables/src/lib.rs", "crates/npuzzle-python/src/lib.rs"];

/// In two halves, since this file is looked at too.
const BEGINNINGS: &[&str] = &[
    concat!("un", "safe {"),
    concat!("un", "safe fn"),
    concat!("un", "safe impl"),
    concat!("un", "safe extern"),
    concat!("un", "safe trait"),
    concat!("#[un", "safe("),
];

/// Unsafe code elsewhere, or without a reason.
pub(super) fn unreviewed(file: &File<'_>) -> Vec<Problem> {
    /// A reason is no farther above.
    const NEAR: usize = 10;
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
        let above = &lines[index.saturating_sub(NEAR)..index];
        if !REVIEWED.contains(&file.path) {
            problems.push((index + 1, "unsafe code in a file that is not on the list".to_owned()));
        } else if !above.iter().any(|line| line.contains("// SAFETY: ")) {
            problems.push((index + 1, "unsafe code without `// SAFETY: `".to_owned()));
        }
    }
    problems
}

/// A root of a crate that does not forbid it.
pub(super) fn not_forbidden(file: &File<'_>) -> Vec<Problem> {
    let parts: Vec<&str> = file.path.split('/').collect();
    let is_root = matches!(
        parts[..],
        ["crates", _, "src", "lib.rs" | "main.rs"] | ["xtask", "src", "main.rs"]
    );
    let is_forbidden = file.text.contains("#![forbid(unsafe_code)]");
    if is_root && !is_forbidden && !WITHOUT_FORBID.contains(&file.path) {
        return vec![(1, "a crate without `#![forbid(unsafe_code)]`".to_owned())];
    }
    vec![]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::check;

    #[test]
    fn unsafe_code_has_its_files_and_its_reasons() {
        for begin in BEGINNINGS {
            let bare = format!("fn f() {{\n    {begin} }}\n}}\n");
            let told = format!("fn f() {{\n    // SAFETY: so it is.\n    {begin} }}\n}}\n");
            let far = format!("// SAFETY: of another.\n{}{begin}\n", "\n".repeat(10));
            check(unreviewed, "crates/a/src/b.rs", &told, &[3]);
            check(unreviewed, REVIEWED[0], &bare, &[2]);
            check(unreviewed, REVIEWED[0], &told, &[]);
            check(unreviewed, REVIEWED[0], &far, &[12]);
            check(unreviewed, "crates/a/src/b.rs", &format!("// no {begin}\n"), &[]);
        }
    }

    #[test]
    fn roots_forbid_it() {
        let forbids = "//! What.\n\n#![forbid(unsafe_code)]\n";
        check(not_forbidden, "crates/a/src/lib.rs", forbids, &[]);
        check(not_forbidden, "crates/a/src/lib.rs", "//! What.\n", &[1]);
        check(not_forbidden, "crates/a/src/b.rs", "//! What.\n", &[]);
        check(not_forbidden, WITHOUT_FORBID[0], "//! What.\n", &[]);
    }
}
