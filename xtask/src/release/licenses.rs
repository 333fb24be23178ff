//! The licenses of the packages that are linked into the program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

use serde_json::Value;

use crate::toolchain;

/// A package that is linked into the program.
struct Package {
    name: String,
    version: String,
    /// The SPDX expression of its manifest.
    terms: String,
    authors: String,
    /// The contents of its license files, sorted by name.
    texts: Vec<String>,
}

/// The list of packages, then every license text once, with the packages that it applies to.
pub(super) fn list(root: &Path, host: &str) -> io::Result<String> {
    let packages = packages(root, host)?;
    let apache = fs::read_to_string(root.join("LICENSE-APACHE"))?;
    let mut out = String::from(
        "npuzzle is licensed under MIT or Apache 2.0 (LICENSE-MIT, LICENSE-APACHE).\n\n\
         The program contains the standard library of Rust (MIT OR Apache-2.0,\n\
         https://github.com/rust-lang/rust) and these packages (https://crates.io/crates/NAME):\n\n",
    );
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    texts.insert(apache.clone(), vec!["the standard library of Rust".to_owned()]);
    for package in &packages {
        let name = format!("{} {}", package.name, package.version);
        out += &format!("{name}: {}\n", package.terms);
        for text in package.all_texts(&apache)? {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    for (text, names) in texts {
        out += &format!("\n{}\n{}\n\n{}\n", "=".repeat(80), names.join(", "), text.trim_end());
    }
    Ok(out)
}

impl Package {
    /// Its own license files or, if it has none, the standard text of its license.
    fn all_texts(&self, apache: &str) -> io::Result<Vec<String>> {
        if !self.texts.is_empty() {
            return Ok(self.texts.clone());
        }
        let Package { name, authors, .. } = self;
        match self.terms.as_str() {
            terms if terms.contains("MIT") => Ok(vec![mit(authors)]),
            terms if terms.contains("Apache-2.0") => Ok(vec![apache.to_owned()]),
            terms => Err(io::Error::other(format!(
                "package {name} has no license file, and the text of {terms} is unknown"
            ))),
        }
    }
}

/// The text of the MIT license, for packages without a license file.
fn mit(authors: &str) -> String {
    format!(
        "MIT License\n\nCopyright (c) {authors}\n\n{}",
        include_str!("../../../LICENSE-MIT")
            .split_once("Permission is")
            .map_or_else(String::new, |(_, rest)| format!("Permission is{rest}"))
    )
}

/// The packages that are linked into the program for this target, sorted by name.
fn packages(root: &Path, host: &str) -> io::Result<Vec<Package>> {
    let linked = linked(root, host)?;
    let text = cargo(root, &["metadata", "--locked", "--format-version", "1"])?;
    let metadata: Value = serde_json::from_str(&text)?;
    let mut packages = Vec::new();
    for found in metadata["packages"].as_array().into_iter().flatten() {
        let word = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
        let (name, version) = (word("name"), word("version"));
        // Packages of the workspace have no source.
        if found["source"].is_null() || !linked.contains(&(name.clone(), version.clone())) {
            continue;
        }
        let manifest = word("manifest_path");
        let folder = Path::new(&manifest).parent().unwrap_or(root);
        let authors = found["authors"].as_array().into_iter().flatten();
        let authors: Vec<&str> = authors.filter_map(Value::as_str).collect();
        let authors = match authors.join(", ") {
            nobody if nobody.is_empty() => format!("the authors of {name}"),
            authors => authors,
        };
        packages.push(Package {
            terms: word("license"),
            authors,
            texts: texts(folder)?,
            name,
            version,
        });
    }
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(packages)
}

/// The names and versions of the packages that are linked into the program.
fn linked(root: &Path, host: &str) -> io::Result<BTreeSet<(String, String)>> {
    let edges = ["--edges", "normal,no-proc-macro", "--target", host];
    let shown = ["--prefix", "none", "--format", "{p}"];
    let tree = ["tree", "--locked", "--package", "npuzzle-cli"];
    let text = cargo(root, &[&tree[..], &edges, &shown].concat())?;
    let package = |line: &str| {
        let (name, rest) = line.split_once(" v")?;
        Some((name.to_owned(), rest.split(' ').next()?.to_owned()))
    };
    Ok(text.lines().filter_map(package).collect())
}

fn cargo(root: &Path, args: &[&str]) -> io::Result<String> {
    let output = toolchain::cargo().current_dir(root).args(args).output()?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(io::Error::other(format!("cargo {}: {words}", args.join(" "))));
    }
    String::from_utf8(output.stdout).map_err(io::Error::other)
}

/// The contents of the license files in a folder.
fn texts(folder: &Path) -> io::Result<Vec<String>> {
    const BEGIN: &[&str] = &["license", "licence", "copying", "notice", "unlicense", "copyright"];
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        let is_license = BEGIN.iter().any(|begin| name.starts_with(begin));
        if is_license && entry.file_type()?.is_file() {
            let text = String::from_utf8_lossy(&fs::read(entry.path())?).replace("\r\n", "\n");
            found.insert(name, text);
        }
    }
    Ok(found.into_values().filter(|text| !text.trim().is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linked_packages_are_listed_with_a_text() {
        let (root, host) = (crate::root(), toolchain::host().unwrap());
        let packages = packages(&root, &host).unwrap();
        let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
        for name in ["clap", "hyper", "memmap2", "serde", "timely", "image"] {
            assert!(names.contains(&name), "{name} of {names:?}");
        }
        for name in
            ["npuzzle", "npuzzle-core", "proptest", "trycmd", "serde_derive", "libfuzzer-sys"]
        {
            assert!(!names.contains(&name), "{name} is not linked into the program");
        }
        let list = list(&root, &host).unwrap();
        for package in &packages {
            let line = format!("{} {}: {}\n", package.name, package.version, package.terms);
            assert!(!package.terms.is_empty() && list.contains(&line), "{line}");
        }
        assert!(list.contains("Permission is hereby granted") && list.contains("Apache License"));
    }

    #[test]
    fn packages_without_a_text_get_the_standard_one() {
        let package = |terms: &str| Package {
            name: "x".to_owned(),
            version: "1.0".to_owned(),
            terms: terms.to_owned(),
            authors: "Ada".to_owned(),
            texts: vec![],
        };
        let texts = package("MIT OR Apache-2.0").all_texts("apache").unwrap();
        assert!(texts[0].contains("Copyright (c) Ada\n\nPermission is hereby granted"));
        assert_eq!(package("Apache-2.0").all_texts("apache").unwrap(), ["apache"]);
        assert!(package("GPL-3.0").all_texts("apache").is_err());
    }
}
