//! The tests that `docs/promises.md` names are there.

use std::fs;

use super::{File, Problem};

/// Names of tests that no file has.
pub(super) fn without_test(file: &File<'_>) -> Vec<Problem> {
    if file.path != "docs/promises.md" {
        return vec![];
    }
    let is_there = |path: &str, test: &str| {
        let folders = [file.root.join("crates"), file.root.to_owned()];
        let texts = folders.iter().filter_map(|folder| fs::read_to_string(folder.join(path)).ok());
        texts.into_iter().any(|text| text.contains(&format!("fn {test}(")))
    };
    named(&file.text)
        .into_iter()
        .filter(|(_, path, test)| !is_there(path, test))
        .map(|(line, path, test)| (line, format!("`{path}` has no test `{test}`")))
        .collect()
}

/// The tests that a text names between back quotes, as `path.rs::name`: line, path, name.
fn named(text: &str) -> Vec<(usize, String, String)> {
    let of_line = |(number, line): (usize, &str)| {
        let code = line.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        code.into_iter().filter_map(move |code| {
            let (path, test) = code.split_once("::")?;
            path.ends_with(".rs").then(|| (number, path.to_owned(), test.to_owned()))
        })
    };
    (1..).zip(text.lines()).flat_map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_found_by_their_files() {
        let text = "a `x/y.rs::does_it`, `z.rs`\n`Options::solve` and `y.rs::too`\n";
        let expect = [(1, "x/y.rs", "does_it"), (2, "y.rs", "too")]
            .map(|(line, path, test)| (line, path.to_owned(), test.to_owned()));
        assert_eq!(named(text), expect);
    }

    #[test]
    fn what_is_not_there_is_told() {
        let text = "`xtask/src/tidy/promises.rs::what_is_not_there_is_told`\n`a.rs::b`".to_owned();
        let file = File { root: &crate::root(), path: "docs/promises.md", text };
        assert_eq!(without_test(&file), [(2, "`a.rs` has no test `b`".to_owned())]);
    }
}
