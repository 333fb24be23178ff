//! A name of a public type has one meaning in the whole workspace.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// Folders that may repeat names: the Princeton course prescribes those of its classes, and the test kit has a
/// `Random` around that of the library.
const EXEMPT: &[&str] =
    &["crates/npuzzle-courses/src/courses/princeton/", "crates/npuzzle-testkit/src/"];

/// The places of public types whose name another public type has, too.
pub(super) fn problems(root: &Path, paths: &[String]) -> io::Result<Vec<String>> {
    let is_library = |path: &&String| {
        let parts: Vec<&str> = path.split('/').collect();
        matches!(parts[..], ["crates", _, "src", ..])
            && path.ends_with(".rs")
            && !EXEMPT.iter().any(|folder| path.starts_with(folder))
    };
    let mut texts = vec![];
    for path in paths.iter().filter(is_library) {
        texts.push((path.as_str(), fs::read_to_string(root.join(path))?));
    }
    Ok(repeated(&texts))
}

fn repeated(texts: &[(&str, String)]) -> Vec<String> {
    let mut first: BTreeMap<&str, String> = BTreeMap::new();
    let mut problems = vec![];
    for (path, text) in texts {
        for (line, name) in (1..).zip(text.lines()).filter_map(|(n, line)| Some((n, public(line)?)))
        {
            let place = format!("{path}:{line}");
            match first.get(name) {
                Some(other) => problems.push(format!("{place}: {other} declares a `{name}`, too")),
                None => drop(first.insert(name, place)),
            }
        }
    }
    problems
}

/// The name of the public type that a line declares at the top of a file.
fn public(line: &str) -> Option<&str> {
    let declared = line.strip_prefix("pub ")?;
    let keywords = ["struct ", "enum ", "trait ", "union ", "type "];
    let rest = keywords.iter().find_map(|keyword| declared.strip_prefix(keyword))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_public_types_of_one_name_are_a_problem() {
        let texts = [
            ("a.rs", "pub struct Round<T>(T);\nstruct Private;\n".to_owned()),
            ("b.rs", "pub(crate) enum Private {}\npub trait Round: Sized {}\n".to_owned()),
        ];
        assert_eq!(repeated(&texts), ["b.rs:2: a.rs:1 declares a `Round`, too"]);
    }
}
