//! The root of the crate `npuzzle` stays small enough to be read on one page.

use super::{File, Problem};

const ROOT: &str = "crates/npuzzle/src/lib.rs";
/// More names belong in the modules `search`, `tables` and `teaching`.
const MAX_NAMES: usize = 45;

/// The first name that is too many.
pub(super) fn too_many(file: &File<'_>) -> Vec<Problem> {
    if file.path != ROOT {
        return vec![];
    }
    let names = exported(&file.text);
    let message = || format!("{} names in the root, at most {MAX_NAMES}", names.len());
    names.get(MAX_NAMES).map(|(line, _)| (*line, message())).into_iter().collect()
}

/// The public names of a crate root with their lines. Items inside modules are indented.
fn exported(text: &str) -> Vec<(usize, String)> {
    let mut names = vec![];
    let mut lines = (1..).zip(text.lines());
    while let Some((line, text)) = lines.next() {
        if let Some(path) = text.strip_prefix("pub use ") {
            let mut path = path.to_owned();
            while !path.contains(';') {
                path += lines.next().map_or(";", |(_, text)| text);
            }
            let list = path.split_once('{').map_or(&path[..], |(_, list)| list);
            let list = list.split(|c: char| !c.is_alphanumeric() && !"_:".contains(c));
            let of_list = list.filter(|name| !name.is_empty());
            names.extend(of_list.map(|name| (line, name.to_owned())));
        } else if let Some(name) = text.strip_prefix("pub mod ") {
            names.push((line, name.trim_end_matches([' ', '{', ';']).to_owned()));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::check;

    #[test]
    fn exports_are_counted_in_lists_and_alone() {
        let text = "mod a;\npub mod b;\npub use c::{D, e};\npub use f::{\n    G,\n    H,\n};\n\
                    pub use i::J;\npub mod k {\n    pub use l::M;\n}\n";
        let names: Vec<(usize, String)> = exported(text);
        let expect = [(2, "b"), (3, "D"), (3, "e"), (4, "G"), (4, "H"), (8, "i::J"), (9, "k")];
        assert_eq!(names, expect.map(|(line, name)| (line, name.to_owned())));
    }

    #[test]
    fn large_roots_are_found() {
        let modules = |n: usize| (0..n).map(|i| format!("pub mod m{i};\n")).collect::<String>();
        check(too_many, ROOT, &modules(MAX_NAMES), &[]);
        check(too_many, ROOT, &modules(MAX_NAMES + 2), &[MAX_NAMES + 1]);
        check(too_many, "crates/a/src/lib.rs", &modules(100), &[]);
    }
}
