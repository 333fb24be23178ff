//! The manifests of published crates.

use std::fs;

use super::{File, Problem, toml_string};

/// Keys that a published crate must have; each may be inherited from the workspace.
const KEYS: &[&str] =
    &["description", "license", "readme", "rust-version", "keywords", "categories", "include"];

/// License files that every package must contain.
const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Missing keys and license files.
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
    let missing = missing.map(|key| format!("the package has no `{key}`"));
    let includes = package.iter().find(|line| line.starts_with("include")).copied().unwrap_or("");
    let folder = file.root.join(file.path).with_file_name("");
    let has_file = |name: &str| includes.contains("\"LICENSE-*\"") && folder.join(name).exists();
    let unlicensed = LICENSES.into_iter().filter(|name| !has_file(name));
    let unlicensed = unlicensed.map(|name| format!("the package does not include {name}"));
    missing.chain(unlicensed).map(|problem| (1, problem)).collect()
}

/// Documents that do not name the minimum Rust version of the manifest.
pub(super) fn rust_version_not_documented(file: &File<'_>) -> Vec<Problem> {
    if file.path != "Cargo.toml" {
        return vec![];
    }
    let Some(version) = toml_string(&file.text, "workspace.package", "rust-version") else {
        return vec![(1, "no rust-version in [workspace.package]".to_owned())];
    };
    let names_it = |path: &&str| {
        let text = fs::read_to_string(file.root.join(path)).unwrap_or_default();
        text.contains(version)
    };
    let others =
        ["README.md", "crates/npuzzle/src/lib.rs"].into_iter().filter(|path| !names_it(path));
    others
        .map(|path| (1, format!("{path} does not name the minimum Rust version, {version}")))
        .collect()
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
    fn published_crates_have_all_keys_and_licenses() {
        let full = "[package]\ndescription = \"a\"\nlicense.workspace = true\nreadme.workspace = true\n\
                    rust-version.workspace = true\nkeywords.workspace = true\n\
                    categories.workspace = true\ninclude = [\"src\", \"LICENSE-*\"]\n";
        let path = "crates/npuzzle/Cargo.toml";
        assert_eq!(n_problems(incomplete, path, full), 0);
        assert_eq!(n_problems(incomplete, path, &full.replace("keywords", "words")), 1);
        // Both license files are missing, too.
        assert_eq!(n_problems(incomplete, path, &full.replace("include", "exclude")), 3);
        assert_eq!(n_problems(incomplete, path, &full.replace("LICENSE-*", "docs")), 2);
        assert_eq!(n_problems(incomplete, "crates/nowhere/Cargo.toml", full), 2);
        assert_eq!(n_problems(incomplete, path, &full.replace("license.", "license-file.")), 1);
        assert_eq!(n_problems(incomplete, path, "[package]\npublish = false\n"), 0);
        assert_eq!(n_problems(incomplete, "Cargo.toml", ""), 0);
    }

    #[test]
    fn documents_name_the_minimum_rust_version() {
        let manifest = |version| format!("[workspace.package]\nrust-version = \"{version}\"\n");
        assert_eq!(n_problems(rust_version_not_documented, "Cargo.toml", &manifest("1.1")), 2);
        assert_eq!(
            n_problems(rust_version_not_documented, "xtask/Cargo.toml", &manifest("1.1")),
            0
        );
        assert_eq!(
            n_problems(rust_version_not_documented, "Cargo.toml", "[workspace.package]\n"),
            1
        );
    }
}
