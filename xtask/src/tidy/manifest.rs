//! What a manifest says of a crate that others may depend on.

use std::fs;

use super::{File, Problem, toml_string};

/// Keys that a published crate has; each may be the workspace's.
const KEYS: &[&str] =
    &["description", "license", "readme", "rust-version", "keywords", "categories", "include"];

/// The texts of the licences, which go with every package.
const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Keys that are missing.
pub(super) fn incomplete(file: &File<'_>) -> Vec<Problem> {
    let parts: Vec<&str> = file.path.split('/').collect();
    let ["crates", _, "Cargo.toml"] = parts[..] else { return vec![] };
    let package = section(&file.text, "[package]");
    let has = |key: &str| {
        let value = package.iter().find_map(|line| line.strip_prefix(key));
        value.is_some_and(|rest| rest.starts_with([' ', '=', '.']))
    };
    if package.contains(&"publish = false") {
        return vec![];
    }
    let missing = KEYS.iter().filter(|key| !has(key));
    let missing = missing.map(|key| format!("a package without `{key}`, which others look at"));
    let includes = package.iter().find(|line| line.starts_with("include")).copied().unwrap_or("");
    let folder = file.root.join(file.path).with_file_name("");
    let is_there = |name: &str| includes.contains("\"LICENSE-*\"") && folder.join(name).exists();
    let unlicensed = LICENSES.into_iter().filter(|name| !is_there(name));
    let unlicensed = unlicensed.map(|name| format!("a package without the text of {name}"));
    missing.chain(unlicensed).map(|problem| (1, problem)).collect()
}

/// The oldest Rust is the same in the manifest and in the README.
pub(super) fn other_rust(file: &File<'_>) -> Vec<Problem> {
    if file.path != "Cargo.toml" {
        return vec![];
    }
    let Some(version) = toml_string(&file.text, "workspace.package", "rust-version") else {
        return vec![(1, "no rust-version in [workspace.package]".to_owned())];
    };
    let is_said = |path: &&str| {
        let text = fs::read_to_string(file.root.join(path)).unwrap_or_default();
        text.contains(&format!("Rust {version} or later"))
    };
    let silent =
        ["README.md", "crates/npuzzle/src/lib.rs"].into_iter().filter(|path| !is_said(path));
    silent.map(|path| (1, format!("{path} does not say `Rust {version} or later`"))).collect()
}

/// The lines of a section.
fn section<'a>(text: &'a str, header: &str) -> Vec<&'a str> {
    let lines = text.lines().map(str::trim).skip_while(|line| *line != header).skip(1);
    lines.take_while(|line| !line.starts_with('[')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n_problems(rule: fn(&File<'_>) -> Vec<Problem>, path: &str, text: &str) -> usize {
        rule(&File { root: &crate::root(), path, text: text.to_owned() }).len()
    }

    #[test]
    fn published_crates_say_what_others_look_at() {
        let full = "[package]\ndescription = \"a\"\nlicense.workspace = true\nreadme.workspace = true\n\
                    rust-version.workspace = true\nkeywords.workspace = true\n\
                    categories.workspace = true\ninclude = [\"src\", \"LICENSE-*\"]\n";
        let path = "crates/npuzzle/Cargo.toml";
        assert_eq!(n_problems(incomplete, path, full), 0);
        assert_eq!(n_problems(incomplete, path, &full.replace("keywords", "words")), 1);
        // Without the texts of both licences, too.
        assert_eq!(n_problems(incomplete, path, &full.replace("include", "exclude")), 3);
        assert_eq!(n_problems(incomplete, path, &full.replace("LICENSE-*", "docs")), 2);
        assert_eq!(n_problems(incomplete, "crates/nowhere/Cargo.toml", full), 2);
        assert_eq!(n_problems(incomplete, path, &full.replace("license.", "license-file.")), 1);
        assert_eq!(n_problems(incomplete, path, "[package]\npublish = false\n"), 0);
        assert_eq!(n_problems(incomplete, "Cargo.toml", ""), 0);
    }

    #[test]
    fn the_readme_names_the_oldest_rust() {
        let manifest = |version| format!("[workspace.package]\nrust-version = \"{version}\"\n");
        assert_eq!(n_problems(other_rust, "Cargo.toml", &manifest("1.1")), 2);
        assert_eq!(n_problems(other_rust, "xtask/Cargo.toml", &manifest("1.1")), 0);
        assert_eq!(n_problems(other_rust, "Cargo.toml", "[workspace.package]\n"), 1);
    }
}
