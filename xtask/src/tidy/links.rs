//! Links in Markdown files to other files of the repository.

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

/// The links to files in a text: line, and target without the part after `#`.
fn relative_links(text: &str) -> Vec<(usize, String)> {
    let mut links = vec![];
    let mut is_in_code = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            is_in_code = !is_in_code;
        } else if !is_in_code {
            links.extend(targets(&without_code(line)).into_iter().map(|target| (number, target)));
        }
    }
    links
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
}
