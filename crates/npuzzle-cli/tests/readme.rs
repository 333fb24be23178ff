//! The examples of the README, of the user guide and of the page on datasets work as shown.
//!
//! `console` blocks are compared with the output of the program, the commands of `sh` blocks must
//! succeed, and commands in running text must exist. Rust examples are doctests of `npuzzle`, Python
//! examples are tests of the Python package, and `cargo xtask` commands are tested by xtask.
//!
//! This is a test binary of its own because it changes the working directory.

// Helpers may panic, as tests may.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::Path;
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache");

/// Pages whose `console` and `sh` blocks are run.
const PAGES: &[&str] = &["README.md", "docs/guide.md", "docs/datasets.md"];

#[test]
fn console_examples_print_what_the_pages_show() {
    std::env::set_current_dir(ROOT).expect("the root of the repository");
    let cases = trycmd::TestCases::new();
    cases.default_bin_path(trycmd::cargo::cargo_bin!("npuzzle")).env("NPUZZLE_CACHE", CACHE);
    for page in PAGES {
        cases.case(page);
    }
}

#[cfg(unix)]
#[test]
fn shell_examples_succeed() {
    for page in PAGES {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(
            fs::canonicalize(format!("{ROOT}/examples")).unwrap(),
            folder.path().join("examples"),
        )
        .unwrap();
        let commands = shell_commands(&read(page));
        assert!(!commands.is_empty(), "{page} has no shell examples");
        for command in commands {
            run(page, &command, folder.path());
        }
    }
}

/// Runs a command, or checks what it needs if it would build or install something.
#[cfg(unix)]
fn run(page: &str, command: &str, folder: &Path) {
    let exists = |path: &str| assert!(Path::new(ROOT).join(path).exists(), "{page}: {command}");
    if let Some(path) = command.strip_prefix("cargo install --path ") {
        return exists(&format!("{path}/Cargo.toml"));
    }
    if let Some(path) = command.strip_prefix("pip install ") {
        return exists(&format!("{path}/pyproject.toml"));
    }
    if command.starts_with("cargo xtask ") {
        return;
    }
    if command.starts_with("cargo run ") {
        assert!(read("Cargo.toml").contains("default-members = [\"crates/npuzzle-cli\"]"));
    }
    let command = command.replace("cargo run --release --", "npuzzle");
    assert!(command.starts_with("npuzzle "), "{page}: this test cannot run `{command}`");
    let program = trycmd::cargo::cargo_bin!("npuzzle");
    let path = program.parent().unwrap().to_str().unwrap();
    let path = format!("{path}:{}", std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-ec", &command]).current_dir(folder).env("PATH", path);
    let output = shell.env("NPUZZLE_CACHE", CACHE).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{page}: {command}\n{error}");
}

#[test]
fn commands_in_running_text_exist() {
    let mut pages = vec!["README.md".to_owned(), "examples/README.md".to_owned()];
    for folder in ["docs", "docs/howto", "docs/algorithms"] {
        let entries = fs::read_dir(format!("{ROOT}/{folder}")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        pages.extend(
            names.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}/{name}")),
        );
    }
    for page in pages {
        for command in inline_commands(&read(&page)) {
            let words: Vec<&str> = command.split_whitespace().skip(1).collect();
            let words: Vec<&str> = words.into_iter().take_while(|word| *word != "--").collect();
            let is_word = |word: &&&str| word.chars().all(|c| c.is_ascii_lowercase());
            let Some(verb) = words.first().filter(is_word) else { continue };
            let help = help(verb).unwrap_or_else(|| panic!("{page}: `{command}`: no such command"));
            let flags = words.iter().filter(|word| word.starts_with("--"));
            let flags = flags.map(|flag| flag.split(['=', '[']).next().unwrap_or(flag));
            for flag in flags {
                assert!(help.contains(flag), "{page}: `{command}`: {verb} has no {flag}");
            }
        }
    }
}

/// The help of a command and of its subcommands.
fn help(verb: &str) -> Option<String> {
    let run = |args: &[&str]| {
        let output =
            Command::new(trycmd::cargo::cargo_bin!("npuzzle")).args(args).output().unwrap();
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
    };
    let help = run(&[verb, "--help"])?;
    let subcommands = help.split_once("\nCommands:\n").map_or("", |(_, rest)| rest);
    let subcommands = subcommands.lines().take_while(|line| !line.is_empty());
    let names = subcommands.filter_map(|line| line.split_whitespace().next());
    let more: Vec<String> = names.filter_map(|name| run(&[verb, name, "--help"])).collect();
    Some(help.clone() + &more.concat())
}

fn read(page: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(page)).unwrap()
}

/// The lines of the `sh` blocks of a page, without comments.
#[cfg(unix)]
fn shell_commands(text: &str) -> Vec<String> {
    let blocks = text.split("\n```sh\n").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split("\n```").next());
    let lines = blocks.flat_map(str::lines);
    lines.map(|line| line.split("  #").next().unwrap_or(line).trim().to_owned()).collect()
}

/// Inline code of a page that starts with `npuzzle `.
fn inline_commands(text: &str) -> Vec<String> {
    let outside_blocks = text.split("\n```").step_by(2);
    let code = outside_blocks.flat_map(|text| text.split('`').skip(1).step_by(2));
    code.filter(|code| code.starts_with("npuzzle ")).map(str::to_owned).collect()
}
