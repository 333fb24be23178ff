//! Checks that compilers and linters do not make: module structure, file length, comments, examples,
//! white space, links.

mod cycles;
mod examples;
mod length;
mod links;
mod manifest;
mod promises;
mod root_names;
mod type_names;
mod unsafe_code;

use std::fs;
use std::io;
use std::path::Path;

use crate::files;

/// The problems of the workspace, one line each: `path:line: message`.
pub(crate) fn problems(root: &Path) -> io::Result<Vec<String>> {
    let paths = files::list(root)?;
    let is_text = |path: &&String| [".rs", ".md", ".toml"].iter().any(|end| path.ends_with(end));
    let mut problems = vec![];
    for path in paths.iter().filter(is_text) {
        let file = File { root, path, text: fs::read_to_string(root.join(path))? };
        let found = RULES.iter().flat_map(|rule| rule(&file));
        problems.extend(found.map(|(line, message)| format!("{path}:{line}: {message}")));
    }
    problems.extend(cycles::problems(root, &paths)?);
    problems.extend(type_names::problems(root, &paths)?);
    problems.extend(changelog_lacks_version(root)?);
    Ok(problems)
}

struct File<'a> {
    root: &'a Path,
    /// Relative to the root, with `/` between the parts.
    path: &'a str,
    text: String,
}

impl File<'_> {
    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// The lines with their numbers, from 1.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.split_terminator('\n'))
    }
}

/// A line number and a message.
type Problem = (usize, String);

/// The rules. Each checks one file.
const RULES: &[fn(&File<'_>) -> Vec<Problem>] = &[
    white_space,
    forbidden_words,
    missing_module_docs,
    length::source,
    length::readme,
    crate_is_not_named_like_its_folder,
    examples::missing,
    links::broken,
    links::missing_paths,
    manifest::incomplete,
    manifest::rust_version_not_documented,
    promises::without_test,
    promises::without_target,
    root_names::too_many,
    unsafe_code::unreviewed,
    unsafe_code::not_forbidden,
];

fn white_space(file: &File<'_>) -> Vec<Problem> {
    // Test data is kept byte for byte.
    if file.path.starts_with("testdata/") {
        return vec![];
    }
    let trailing = file.lines().filter(|(_, line)| line.ends_with(char::is_whitespace));
    let mut problems: Vec<_> =
        trailing.map(|(line, _)| (line, "trailing white space".to_owned())).collect();
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        problems.push((file.lines().count(), "no newline at the end of the file".to_owned()));
    }
    problems
}

/// Marks of unfinished work. Each is written in two halves because this file is checked, too.
const FORBIDDEN: &[&str] = &[
    concat!("to", "do!("),
    concat!("unimple", "mented!("),
    concat!("db", "g!("),
    concat!("#[ig", "nore"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
];

fn forbidden_words(file: &File<'_>) -> Vec<Problem> {
    if !file.is_rust() {
        return vec![];
    }
    let words_of = |(number, line): (usize, &str)| {
        let words = FORBIDDEN.iter().filter(|&word| line.contains(word));
        words.map(|word| (number, format!("`{word}` marks unfinished work"))).collect::<Vec<_>>()
    };
    file.lines().flat_map(words_of).collect()
}

fn missing_module_docs(file: &File<'_>) -> Vec<Problem> {
    if file.is_rust() && is_source(file.path) && !file.text.starts_with("//!") {
        return vec![(1, "the module has no `//!` comment at the top".to_owned())];
    }
    vec![]
}

/// Whether a path is one of `crates/*/src/**` or `xtask/**`.
fn is_source(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(parts[..], ["crates", _, "src", ..] | ["xtask", ..])
}

fn crate_is_not_named_like_its_folder(file: &File<'_>) -> Vec<Problem> {
    let parts: Vec<&str> = file.path.split('/').collect();
    let (["crates", folder, "Cargo.toml"] | [folder @ "xtask", "Cargo.toml"]) = parts[..] else {
        return vec![];
    };
    match toml_string(&file.text, "package", "name") {
        Some(name) if name == folder => vec![],
        Some(name) => vec![(1, format!("package `{name}` in a folder named `{folder}`"))],
        None => vec![(1, "the package has no name".to_owned())],
    }
}

fn changelog_lacks_version(root: &Path) -> io::Result<Option<String>> {
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    let Some(version) = toml_string(&manifest, "workspace.package", "version") else {
        return Ok(Some("Cargo.toml:1: no version in [workspace.package]".to_owned()));
    };
    let changelog = fs::read_to_string(root.join("CHANGELOG.md")).unwrap_or_default();
    let has_entry = changelog.contains(version);
    Ok((!has_entry).then(|| format!("CHANGELOG.md:1: no entry for version {version}")))
}

/// The value of a key in a section of a manifest, if it is written `key = "value"`.
pub(crate) fn toml_string<'a>(text: &'a str, section: &str, key: &str) -> Option<&'a str> {
    let header = format!("[{section}]");
    let lines = text.lines().map(str::trim).skip_while(|line| *line != header).skip(1);
    let mut lines = lines.take_while(|line| !line.starts_with('['));
    let value = lines.find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='))?;
    value.trim_start().strip_prefix('"')?.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that a rule reports problems in exactly these lines.
    pub(super) fn check(
        rule: fn(&File<'_>) -> Vec<Problem>,
        path: &str,
        text: &str,
        expect: &[usize],
    ) {
        let found = rule(&File { root: &crate::root(), path, text: text.to_owned() });
        let lines: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, expect, "{path}: {found:?}");
    }

    #[test]
    fn trailing_white_space_is_found() {
        check(white_space, "a.md", "", &[]);
        check(white_space, "a.md", "one\n\ntwo\n", &[]);
        check(white_space, "a.md", "one \n\ntwo\t\nthree\r\n", &[1, 3, 4]);
        check(white_space, "a.md", "one\ntwo", &[2]);
        check(white_space, "testdata/a.toml", "one \ntwo", &[]);
    }

    #[test]
    fn marks_of_unfinished_work_are_found_only_in_rust() {
        for word in FORBIDDEN {
            check(forbidden_words, "a.rs", &format!("fn f() {{\n    {word}\n}}\n"), &[2]);
            check(forbidden_words, "a.md", word, &[]);
        }
    }

    #[test]
    fn sources_without_module_docs_are_found() {
        check(missing_module_docs, "crates/a/src/lib.rs", "//! What.\n", &[]);
        check(missing_module_docs, "crates/a/src/b/c.rs", "use std::fs;\n", &[1]);
        check(missing_module_docs, "xtask/src/main.rs", "/// What.\n", &[1]);
        check(missing_module_docs, "crates/a/tests/it.rs", "use std::fs;\n", &[]);
    }

    #[test]
    fn crates_are_named_like_their_folders() {
        let manifest = "[package]\nname = \"a\"\n\n[[bin]]\nname = \"b\"\n";
        let rule = crate_is_not_named_like_its_folder;
        check(rule, "crates/a/Cargo.toml", manifest, &[]);
        check(rule, "crates/b/Cargo.toml", manifest, &[1]);
        check(rule, "crates/b/Cargo.toml", "[lib]\nname = \"b\"\n", &[1]);
        check(rule, "Cargo.toml", manifest, &[]);
    }

    #[test]
    fn toml_values_belong_to_their_section() {
        let manifest = "[a]\nversion = \"1\"\n[b.c] \n names = 0\n name=\"x\" # why\n";
        assert_eq!(toml_string(manifest, "a", "version"), Some("1"));
        assert_eq!(toml_string(manifest, "b.c", "name"), Some("x"));
        assert_eq!(toml_string(manifest, "a", "name"), None);
        assert_eq!(toml_string(manifest, "c", "name"), None);
    }
}
