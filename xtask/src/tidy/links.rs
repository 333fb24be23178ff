//! Links and paths in Markdown files that name other files of the repository.

use std::fs;
use std::path::{Path, PathBuf};

use super::{File, Problem};

/// Links whose targets do not exist.
pub(super) fn broken(file: &File<'_>) -> Vec<Problem> {
    if !file.path.ends_with(".md") {
        return vec![];
    }
    let path = file.root.join(file.path);
    let folder = path.parent().unwrap_or(file.root);
    let links = relative_links(&file.text).into_iter();
    links
        // Links to items of a crate are checked by rustdoc.
        .filter(|(_, target)| !target.contains("::") && !folder.join(target).exists())
        .map(|(line, target)| (line, format!("link to `{target}`, which does not exist")))
        .collect()
}

/// Names in the paths of examples, which do not exist.
const PLACEHOLDERS: &[&str] = &["gaschnig", "xyz", "api/estimate"];

/// Paths in inline code that do not exist.
pub(super) fn missing_paths(file: &File<'_>) -> Vec<Problem> {
    if !file.path.ends_with(".md") {
        return vec![];
    }
    let is_missing = |code: &str| {
        let paths = repository_paths(file.root, code);
        !paths.is_empty() && !paths.iter().any(|path| path.exists())
    };
    let mut problems = vec![];
    for (number, line) in lines_outside_code(&file.text) {
        let missing = line.split('`').skip(1).step_by(2).filter(|code| is_missing(code));
        problems.extend(missing.map(|path| (number, format!("`{path}` does not exist"))));
    }
    problems
}

/// The paths that inline code may stand for; none if it is not a path of the repository. Paths may omit the
/// folder `crates`, and paths of source files may omit the crate, too.
fn repository_paths(root: &Path, code: &str) -> Vec<PathBuf> {
    const FOLDERS: &[&str] =
        &[".cargo", ".github", "crates", "docs", "examples", "testdata", "xtask"];
    let Some((folder, _)) = code.split_once('/') else { return vec![] };
    let is_plain = code.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
    if !is_plain || PLACEHOLDERS.iter().any(|name| code.contains(name)) {
        return vec![];
    }
    let crates = root.join("crates");
    if FOLDERS.contains(&folder) {
        vec![root.join(code)]
    } else if folder.starts_with("npuzzle") && (code.contains("/src") || code.ends_with(".rs")) {
        vec![crates.join(code)]
    } else if code.ends_with(".rs") {
        let crates = fs::read_dir(crates).into_iter().flatten().flatten();
        let in_crate =
            |entry: fs::DirEntry| ["src", "."].map(|at| entry.path().join(at).join(code));
        crates.flat_map(in_crate).collect()
    } else {
        vec![]
    }
}

/// The lines that are not part of a code block, with their numbers.
fn lines_outside_code(text: &str) -> Vec<(usize, &str)> {
    let mut is_in_code = false;
    let is_outside = |(_, line): &(usize, &str)| {
        let is_fence = line.trim_start().starts_with("```");
        is_in_code ^= is_fence;
        !is_fence && !is_in_code
    };
    (1..).zip(text.lines()).filter(is_outside).collect()
}

/// The links to files in a text: line, and target without the part after `#`.
fn relative_links(text: &str) -> Vec<(usize, String)> {
    let links_of = |(number, line): (usize, &str)| {
        targets(&without_code(line)).into_iter().map(move |target| (number, target))
    };
    lines_outside_code(text).into_iter().flat_map(links_of).collect()
}

/// The line without its inline code.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// The targets of `[text](target)` and `[label]: target` in a line.
fn targets(line: &str) -> Vec<String> {
    let inline = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let definition =
        line.starts_with('[').then(|| line.split_once("]: ")).flatten().map(|(_, target)| target);
    inline.chain(definition).filter_map(relative).map(str::to_owned).collect()
}

/// The file that a target names; `None` if it is not a file of this repository.
fn relative(target: &str) -> Option<&str> {
    // A title may follow.
    let target = target.split_whitespace().next()?;
    let target = target.trim_start_matches('<').trim_end_matches('>');
    let is_elsewhere = target.contains("://") || target.starts_with("mailto:");
    let file = target.split('#').next()?;
    (!is_elsewhere && !file.is_empty()).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[(usize, &str)]) {
        let links = relative_links(text);
        let links: Vec<_> = links.iter().map(|(line, target)| (*line, target.as_str())).collect();
        assert_eq!(links, expect, "{text}");
    }

    #[test]
    fn links_to_files_are_found() {
        check(
            "see [a](a.md), [b](../b.md#part)\n![c](c.svg \"title\")",
            &[(1, "a.md"), (1, "../b.md"), (2, "c.svg")],
        );
        check("[`code`](d.rs)\n\n[e]: <e.md>\n", &[(1, "d.rs"), (3, "e.md")]);
    }

    #[test]
    fn other_targets_are_ignored() {
        check("[a](https://example.org/a.md) [b](#part) [c](mailto:c@example.org)", &[]);
        check("`[a](a.md)`\n```text\n[b](b.md)\n```\n", &[]);
    }

    #[test]
    fn targets_are_relative_to_the_file() {
        let n_broken = |path, text: &str| {
            broken(&File { root: &crate::root(), path, text: text.to_owned() }).len()
        };
        assert_eq!(n_broken("xtask/x.md", "[a](src/main.rs) [b](../xtask)"), 0);
        assert_eq!(n_broken("x.md", "[a](src/main.rs) [b](xtask)"), 1);
        assert_eq!(n_broken("x.rs", "[a](src/main.rs)"), 0);
    }

    #[test]
    fn missing_paths_in_inline_code_are_found() {
        let check = |text, expect| crate::tidy::tests::check(missing_paths, "a.md", text, expect);
        check("see `xtask/src/main.rs` and `xtask/src/no.rs`\n`npuzzle-core/src`\n", &[1]);
        check("`npuzzle/src/no.rs`\n```text\n`xtask/no.rs`\n```\n", &[1]);
        check("`docs/*.md` `testdata/courses/xyz/` `a/b` `crates/no name`\n", &[]);
        check(
            "`engine/ida/iterate.rs` `tests/it/main.rs`\n`engine/no.rs`\n`ida/iterate.rs`\n",
            &[2, 3],
        );
    }
}
