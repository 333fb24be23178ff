//! The tests and fuzz targets that `docs/maintainers/promises.md` names exist.

use std::fs;

use super::{File, Problem};

const PAGE: &str = "docs/maintainers/promises.md";

/// Names of tests and files that do not exist.
pub(super) fn without_test(file: &File<'_>) -> Vec<Problem> {
    if file.path != PAGE {
        return vec![];
    }
    let texts = |path: &str| {
        let folders = [file.root.join("crates"), file.root.to_owned()];
        folders
            .into_iter()
            .filter_map(|folder| fs::read_to_string(folder.join(path)).ok())
            .collect()
    };
    let problem = |(line, path, test): (usize, String, Option<String>)| {
        let texts: Vec<String> = texts(&path);
        if texts.is_empty() {
            return Some((line, format!("the file `{path}` does not exist")));
        }
        let test = test.unwrap_or_default();
        let exists = test.is_empty() || texts.iter().any(|text| has_test(text, &test));
        (!exists).then(|| (line, format!("`{path}` has no test `{test}`")))
    };
    named(&file.text).into_iter().filter_map(problem).collect()
}

/// Names of fuzz targets that do not exist, in columns headed `target`.
pub(super) fn without_target(file: &File<'_>) -> Vec<Problem> {
    const TARGETS: &str = "crates/npuzzle-fuzz/src/target.rs";
    if file.path != PAGE {
        return vec![];
    }
    let targets = fs::read_to_string(file.root.join(TARGETS)).unwrap_or_default();
    let is_target = |name: &str| targets.contains(&format!("name: \"{name}\","));
    let unknown = targets_of_tables(&file.text).into_iter().filter(|(_, name)| !is_target(name));
    unknown.map(|(line, name)| (line, format!("there is no fuzz target `{name}`"))).collect()
}

/// The cells in columns headed `target`, with their lines.
fn targets_of_tables(text: &str) -> Vec<(usize, String)> {
    let mut columns: Vec<bool> = vec![];
    let mut names = vec![];
    for (number, line) in (1..).zip(text.lines()) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if cells.len() < 3 {
            columns.clear();
        } else if columns.is_empty() {
            columns = cells.iter().map(|cell| *cell == "target").collect();
        } else {
            let of_column = cells.iter().zip(&columns).filter(|(_, is_target)| **is_target);
            let name = |cell: &str| cell.strip_prefix('`')?.strip_suffix('`').map(str::to_owned);
            names.extend(of_column.filter_map(|(cell, _)| Some((number, name(cell)?))));
        }
    }
    names
}

/// Whether the text has a function of this name with the attribute `#[test]`.
fn has_test(text: &str, name: &str) -> bool {
    let Some((before, _)) = text.split_once(&format!("fn {name}(")) else { return false };
    let attributes = before.trim_end().lines().rev().take_while(|line| !line.trim().is_empty());
    attributes.map(str::trim).take_while(|line| *line != "}").any(|line| line == "#[test]")
}

/// The tests and files that a text names in inline code, as `path.rs::name` or `path.rs`: line, path,
/// name.
fn named(text: &str) -> Vec<(usize, String, Option<String>)> {
    let of_line = |(number, line): (usize, &str)| {
        let code = line.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        code.into_iter().filter_map(move |code| {
            let (path, test) = match code.split_once("::") {
                Some((path, test)) => (path, Some(test.to_owned())),
                None => (&code[..], None),
            };
            path.ends_with(".rs").then(|| (number, path.to_owned(), test))
        })
    };
    (1..).zip(text.lines()).flat_map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_file_and_test() {
        let text = "a `x/y.rs::does_it`, `z.rs`\n`Options::solve` and `y.rs::too`\n";
        let expect = [(1, "x/y.rs", Some("does_it")), (1, "z.rs", None), (2, "y.rs", Some("too"))]
            .map(|(line, path, test)| (line, path.to_owned(), test.map(str::to_owned)));
        assert_eq!(named(text), expect);
    }

    #[test]
    fn unknown_targets_are_found_in_their_columns() {
        let text = "| target | n | target |\n|---|---|---|\n| `boards` | `no` | `nothing` |\n\n| a | b |\n\
                    |---|---|\n| `c` | d |\n";
        super::super::tests::check(without_target, PAGE, text, &[3]);
    }

    #[test]
    fn functions_without_the_attribute_are_no_tests() {
        let text = "    #[test]\n    #[cfg(unix)]\n    fn shows() {\n}\nfn helps() {\n}\n\nfn single() {}\n";
        assert_eq!(
            ["shows", "helps", "single"].map(|name| has_test(text, name)),
            [true, false, false]
        );
    }

    #[test]
    fn missing_files_and_tests_are_reported() {
        let own = "xtask/src/tidy/promises.rs";
        let text = format!(
            "`{own}::missing_files_and_tests_are_reported`\n`a.rs`\n`{own}::named`\n`{own}`"
        );
        let file = File { root: &crate::root(), path: PAGE, text };
        let no_test = format!("`{own}` has no test `named`");
        let expect = [(2, "the file `a.rs` does not exist".to_owned()), (3, no_test)];
        assert_eq!(without_test(&file), expect);
    }
}
