//! Import cycles between modules.
//!
//! Each folder of modules is a graph: a node per entry (a file together with the folder of the same
//! name), and an edge from `a` to `b` if any file of `a` names a path into `b`. A cycle of this graph is
//! an import cycle. A parent module and its own children may use each other. Test code does not count.

mod imports;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::{fs, io};

use imports::Imports;

/// A path of modules from the crate root, such as `["search", "idastar"]`; empty for the root.
type ModulePath = Vec<String>;

/// The import cycles of all crates, one message each.
pub(super) fn problems(root: &Path, paths: &[String]) -> io::Result<Vec<String>> {
    let mut crates: BTreeMap<String, Vec<Source>> = BTreeMap::new();
    for path in paths {
        if let Some((folder, module)) = module_of(path) {
            let text = fs::read_to_string(root.join(path))?;
            let imports = Imports::parse(&text)
                .map_err(|error| io::Error::other(format!("{path}: {error}")))?;
            let source = Source { path: path.clone(), module, imports };
            crates.entry(folder).or_default().push(source);
        }
    }
    let crates = crates.into_iter().map(|(folder, sources)| Crate::new(folder, sources));
    Ok(crates.flat_map(|each| each.cycles()).collect())
}

/// The source folder of the crate and the module path of a file; `None` for other files and for
/// test modules.
fn module_of(path: &str) -> Option<(String, ModulePath)> {
    let parts: Vec<&str> = path.strip_suffix(".rs")?.split('/').collect();
    let (folder, rest) = match parts[..] {
        ["crates", name, "src", ref rest @ ..] => (format!("crates/{name}/src"), rest),
        ["xtask", "src", ref rest @ ..] => ("xtask/src".to_owned(), rest),
        _ => return None,
    };
    if rest.first() == Some(&"bin") || rest.contains(&"tests") {
        return None;
    }
    let module = match rest {
        ["lib" | "main"] => &[][..],
        [parents @ .., "mod"] => parents,
        _ => rest,
    };
    Some((folder, module.iter().map(|&name| name.to_owned()).collect()))
}

/// A file of a crate.
struct Source {
    path: String,
    module: ModulePath,
    imports: Imports,
}

/// The modules of a crate and the names that each imports.
struct Crate {
    folder: String,
    sources: Vec<Source>,
    modules: BTreeSet<ModulePath>,
    /// The paths that the imported and re-exported names of a module stand for.
    names: BTreeMap<ModulePath, BTreeMap<String, ModulePath>>,
}

impl Crate {
    fn new(folder: String, mut sources: Vec<Source>) -> Crate {
        let test_modules: BTreeSet<ModulePath> = sources
            .iter()
            .flat_map(|source| {
                source.imports.test_modules.iter().map(|name| child(&source.module, name))
            })
            .collect();
        sources
            .retain(|source| !test_modules.iter().any(|module| source.module.starts_with(module)));
        let prefixes =
            |path: &ModulePath| (0..=path.len()).map(|n| path[..n].to_vec()).collect::<Vec<_>>();
        let modules: BTreeSet<ModulePath> =
            sources.iter().flat_map(|source| prefixes(&source.module)).collect();
        let mut names: BTreeMap<ModulePath, BTreeMap<String, ModulePath>> = BTreeMap::new();
        for source in &sources {
            let names = names.entry(source.module.clone()).or_default();
            for (name, path) in &source.imports.names {
                let first = path.first().map_or("", String::as_str);
                let is_local = matches!(first, "crate" | "self" | "super")
                    || modules.contains(&child(&source.module, first));
                if is_local {
                    names.insert(name.clone(), absolute(&source.module, path));
                }
            }
        }
        Crate { folder, sources, modules, names }
    }

    /// The module that owns what an absolute path names, through re-exports.
    fn owner(&self, path: &[String]) -> ModulePath {
        /// Re-exports of re-exports; a limit, since names can import each other in a circle.
        const MAX_REEXPORTS: usize = 8;
        let mut path = path.to_vec();
        for _ in 0..MAX_REEXPORTS {
            let depth = (0..=path.len()).rev().find(|&n| self.modules.contains(&path[..n]));
            let depth = depth.unwrap_or(0);
            let (module, rest) = path.split_at(depth);
            let target = rest.first().and_then(|name| self.names.get(module)?.get(name));
            match target {
                Some(target) => path = target.iter().chain(&rest[1..]).cloned().collect(),
                None => return module.to_vec(),
            }
        }
        vec![]
    }

    /// The edges of every folder of modules: parent module → entry → entry → where it is imported.
    fn graphs(&self) -> BTreeMap<ModulePath, Graph> {
        let mut graphs: BTreeMap<ModulePath, Graph> = BTreeMap::new();
        for source in &self.sources {
            for (line, path) in &source.imports.paths {
                let owner = self.owner(&absolute(&source.module, path));
                let n_common = source.module.iter().zip(&owner).take_while(|(a, b)| a == b).count();
                // A module and its own child, or itself.
                let (Some(from), Some(to)) = (source.module.get(n_common), owner.get(n_common))
                else {
                    continue;
                };
                let graph = graphs.entry(owner[..n_common].to_vec()).or_default();
                let edges = graph.entry(from.clone()).or_default();
                edges.entry(to.clone()).or_insert_with(|| format!("{}:{line}", source.path));
            }
        }
        graphs
    }

    /// The import cycles, one message each.
    fn cycles(&self) -> Vec<String> {
        let mut messages = vec![];
        for (parent, graph) in self.graphs() {
            let folder = parent.iter().fold(self.folder.clone(), |path, name| path + "/" + name);
            for cycle in cycles(&graph) {
                let steps: Vec<String> = cycle
                    .iter()
                    .map(|(from, to, place)| format!("{from} uses {to} at {place}"))
                    .collect();
                messages.push(format!("{folder}: import cycle: {}", steps.join("; ")));
            }
        }
        messages
    }
}

fn child(module: &[String], name: &str) -> ModulePath {
    [module, &[name.to_owned()]].concat()
}

/// A path as it is written in a module, from the crate root.
fn absolute(module: &[String], path: &[String]) -> ModulePath {
    let (mut base, mut rest) = match path.first().map(String::as_str) {
        Some("crate") => (vec![], &path[1..]),
        Some("self") => (module.to_vec(), &path[1..]),
        _ => (module.to_vec(), path),
    };
    while rest.first().is_some_and(|name| name == "super") {
        base.pop();
        rest = &rest[1..];
    }
    base.extend_from_slice(rest);
    base
}

/// Entry → imported entry → the first place, `path:line`.
type Graph = BTreeMap<String, BTreeMap<String, String>>;

/// An entry, an entry that it imports, and where.
type Edge<'a> = (&'a str, &'a str, &'a str);

/// A shortest cycle through each entry that is part of one, except for the entries of cycles that
/// are already found.
fn cycles(graph: &Graph) -> Vec<Vec<Edge<'_>>> {
    let mut cycles: Vec<Vec<Edge<'_>>> = vec![];
    for entry in graph.keys() {
        if !cycles.iter().flatten().any(|(from, ..)| from == entry) {
            cycles.extend(shortest_cycle(graph, entry));
        }
    }
    cycles
}

/// A shortest cycle through an entry, by breadth-first search.
fn shortest_cycle<'a>(graph: &'a Graph, start: &'a str) -> Option<Vec<Edge<'a>>> {
    let mut queue: VecDeque<Vec<Edge<'a>>> = VecDeque::from([vec![]]);
    let mut seen = BTreeSet::new();
    while let Some(path) = queue.pop_front() {
        let from = path.last().map_or(start, |&(_, to, _)| to);
        for (to, place) in graph.get(from).into_iter().flatten() {
            let longer = [&path[..], &[(from, to, place)]].concat();
            if to == start {
                return Some(longer);
            }
            if seen.insert(to) {
                queue.push_back(longer);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles_of(files: &[(&str, &str)]) -> Vec<String> {
        let sources = files.iter().filter_map(|(path, text)| {
            let path = format!("crates/a/src/{path}");
            let (_, module) = module_of(&path)?;
            Some(Source { path, module, imports: Imports::parse(text).unwrap() })
        });
        Crate::new("crates/a/src".to_owned(), sources.collect()).cycles()
    }

    /// Checks the folder and the members of every cycle.
    fn check(files: &[(&str, &str)], expect: &[&str]) {
        let folder_and_members = |cycle: String| {
            let (folder, steps) = cycle.split_once(": import cycle: ").unwrap();
            let mut members: Vec<_> =
                steps.split("; ").map(|step| step.split(' ').next().unwrap()).collect();
            members.sort_unstable();
            format!("{folder}: {}", members.join(" "))
        };
        let cycles: Vec<_> = cycles_of(files).into_iter().map(folder_and_members).collect();
        assert_eq!(cycles, expect, "{files:?}");
    }

    #[test]
    fn modules_that_import_each_other_are_found() {
        check(&[("b.rs", "use crate::c::C;"), ("c.rs", "use std::fs;")], &[]);
        check(
            &[("b.rs", "use crate::c::C;"), ("c.rs", "fn f() -> crate::b::B {}")],
            &["crates/a/src: b c"],
        );
        let ring = [
            ("b.rs", "use crate::c::C;"),
            ("c.rs", "use crate::{d, e};"),
            ("d.rs", "use crate::b;"),
        ];
        check(&[&ring[..], &[("e.rs", "")]].concat(), &["crates/a/src: b c d"]);
    }

    #[test]
    fn the_message_names_a_shortest_cycle_and_its_places() {
        let files = [
            ("b.rs", "\nuse crate::c::C;"),
            ("c.rs", "use crate::d::D;\nuse crate::b::B;"),
            ("d.rs", "use std::fs;"),
        ];
        let expect = "crates/a/src: import cycle: b uses c at crates/a/src/b.rs:2; c uses b at \
                      crates/a/src/c.rs:2";
        assert_eq!(cycles_of(&files), [expect]);
    }

    #[test]
    fn super_paths_are_resolved() {
        check(
            &[("b/c.rs", "use super::d::D;"), ("b/d.rs", "use super::super::b::c::C;")],
            &["crates/a/src/b: c d"],
        );
        check(
            &[("b/c.rs", "use super::super::e::E;"), ("e.rs", "use crate::b::c::C;")],
            &["crates/a/src: b e"],
        );
    }

    #[test]
    fn folders_below_are_looked_at() {
        let inner = [("b/c/d.rs", "use crate::b::c::e::E;"), ("b/c/e.rs", "use super::d::D;")];
        check(&inner, &["crates/a/src/b/c: d e"]);
        check(
            &[("b/c/d.rs", "use crate::b::f;"), ("b/f.rs", "use crate::b::c;")],
            &["crates/a/src/b: c f"],
        );
    }

    #[test]
    fn parents_and_children_may_use_each_other() {
        check(
            &[("b.rs", "mod c;\nuse c::C;"), ("b/c.rs", "use super::B;\nuse crate::b::B2;")],
            &[],
        );
        check(&[("lib.rs", "pub use crate::b::B;"), ("b.rs", "use crate::Error;")], &[]);
    }

    #[test]
    fn reexports_do_not_hide_a_cycle() {
        check(
            &[("lib.rs", "pub use c::C;"), ("b.rs", "use crate::C;"), ("c.rs", "use crate::b::B;")],
            &["crates/a/src: b c"],
        );
        check(
            &[
                ("b.rs", "mod c;\nmod d;\npub(crate) use self::c::{C as X};"),
                ("b/c.rs", "use super::d::D;"),
                ("b/d.rs", "use super::X;"),
            ],
            &["crates/a/src/b: c d"],
        );
    }

    #[test]
    fn test_code_does_not_count() {
        let tests = "#[cfg(test)]\nmod tests {\n    use crate::b::B;\n}\n";
        let b = ("b.rs", "use crate::c::C;");
        check(&[b, ("c.rs", tests)], &[]);
        check(&[b, ("c.rs", "#[cfg(test)]\nmod check;"), ("c/check.rs", "use crate::b::B;")], &[]);
        check(&[b, ("c/tests.rs", "use crate::b::B;"), ("bin/x.rs", "use crate::b::B;")], &[]);
    }
}
