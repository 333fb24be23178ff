//! Every public item of the library `npuzzle` has an example in its documentation.

use std::fs;

use super::{File, Problem};

/// The module that re-exports items of `npuzzle-tables`.
const REEXPORTS: &str = "crates/npuzzle/src/tables.rs";

/// Files whose public items are used only by `cargo xtask learn` and `cargo xtask bench ablation`.
const HIDDEN: &[&str] = &[
    "crates/npuzzle/src/anytime/beam/ablation.rs",
    "crates/npuzzle/src/anytime/beam/learn.rs",
    "crates/npuzzle/src/anytime/beam/learn_tuples.rs",
];

/// Types, traits and functions without an example that runs as a test.
pub(super) fn missing(file: &File<'_>) -> Vec<Problem> {
    if !file.is_rust() || HIDDEN.contains(&file.path) {
        return vec![];
    }
    let parts: Vec<&str> = file.path.split('/').collect();
    match parts[..] {
        ["crates", "npuzzle" | "npuzzle-core", "src", ..] => without_example(file, |_| true),
        ["crates", "npuzzle-tables", "src", ..] => {
            let reexports = fs::read_to_string(file.root.join(REEXPORTS)).unwrap_or_default();
            let exported = reexports.split("pub use npuzzle_tables::").skip(1);
            let exported: Vec<&str> = exported.filter_map(|rest| rest.split(';').next()).collect();
            let exported = exported.join(" ");
            without_example(file, |name| words(&exported).any(|word| word == name))
        }
        _ => vec![],
    }
}

fn without_example(file: &File<'_>, is_exported: impl Fn(&str) -> bool) -> Vec<Problem> {
    let lines: Vec<(usize, &str)> = file.lines().collect();
    let mut problems = vec![];
    for (at, (number, line)) in lines.iter().enumerate() {
        let Some(name) = public_item(line).filter(|name| is_exported(name)) else { continue };
        let is_above =
            |(_, line): &&(usize, &str)| line.starts_with("///") || line.starts_with('#');
        let mut above: Vec<&str> =
            lines[..at].iter().rev().take_while(is_above).map(|(_, line)| *line).collect();
        above.reverse();
        if !above.contains(&"#[doc(hidden)]") && !has_example(&above) {
            problems.push((*number, format!("`{name}` has no example that runs as a test")));
        }
    }
    problems
}

/// The name of a public type, trait or function at the top level of a file.
fn public_item(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub ")?;
    let rest = rest.strip_prefix("const ").unwrap_or(rest);
    let kinds = ["struct ", "enum ", "trait ", "fn "];
    words(kinds.iter().find_map(|kind| rest.strip_prefix(kind))?).next()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Whether a comment has a code block that runs as a test.
fn has_example(comment: &[&str]) -> bool {
    let fences = comment.iter().filter_map(|line| line.strip_prefix("/// ```"));
    // Every other fence closes a block.
    fences.step_by(2).any(|language| language.is_empty() || language == "should_panic")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, expect: &[usize]) {
        let found = missing(&File { root: &crate::root(), path, text: text.to_owned() });
        let lines: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, expect, "{path}: {found:?}");
    }

    #[test]
    fn items_without_examples_are_found() {
        let path = "crates/npuzzle/src/a.rs";
        check(path, "/// What.\n#[derive(Debug)]\npub struct A;\n", &[3]);
        check(path, "/// What.\npub const fn a() {}\n\npub(crate) fn b() {}\nfn c() {}\n", &[2]);
        check(path, "/// What.\n///\n/// ```\n/// a();\n/// ```\n#[inline]\npub fn a() {}\n", &[]);
        check(path, "/// ```text\n/// a\n/// ```\npub trait A {}\n", &[4]);
        check(path, "/// What.\n#[doc(hidden)]\npub enum A {}\n", &[]);
        check(path, "impl A {\n    pub fn a() {}\n}\n", &[]);
    }

    #[test]
    fn only_exported_items_of_tables_need_examples() {
        let path = "crates/npuzzle-tables/src/a.rs";
        check(path, "pub struct Store;\npub struct Automaton;\npub fn generate() {}\n", &[1]);
        check("crates/npuzzle-cli/src/a.rs", "pub struct Store;\n", &[]);
        check(HIDDEN[0], "pub struct Store;\n", &[]);
    }
}
