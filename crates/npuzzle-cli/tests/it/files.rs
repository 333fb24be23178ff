//! Input and output files.

use std::fs;
use std::process::Stdio;

use crate::program::{Folder, command, run};

#[test]
fn missing_file_is_a_file_error() {
    let ran = run(["solve", "no-such-file.txt"]);
    assert_eq!(ran.code, 4);
    assert!(ran.stderr.starts_with("npuzzle: no-such-file.txt: "), "{}", ran.stderr);
}

#[test]
fn messages_escape_control_characters() {
    let ran = run(["solve", "\u{1b}[31mred"]);
    assert_eq!(ran.code, 4);
    assert!(ran.stderr.starts_with("npuzzle: \\u{1b}[31mred: "), "{}", ran.stderr);
}

#[test]
fn folder_is_a_file_error() {
    let folder = Folder::new();
    let ran = run(["solve".as_ref(), folder.path().as_os_str()]);
    assert_eq!(ran.code, 4, "{}", ran.stderr);
    let file = folder.file("a.txt", "1 2/0 3");
    let mut args = vec!["solve".as_ref(), file.as_os_str(), "-o".as_ref()];
    args.push(folder.path().as_os_str());
    assert_eq!(run(args).code, 4);
}

#[test]
fn invalid_utf8_is_bad_input() {
    let folder = Folder::new();
    let file = folder.file("noise.bin", [b'1', b'\n', 0xff, 0xfe]);
    let ran = run(["solve".as_ref(), file.as_os_str()]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("noise.bin:2: not text (invalid UTF-8)"), "{}", ran.stderr);
}

#[test]
fn empty_file_is_bad_input() {
    let folder = Folder::new();
    let file = folder.file("empty.txt", "");
    let ran = run(["solve".as_ref(), file.as_os_str()]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
}

#[test]
fn answer_replaces_the_whole_file() {
    let folder = Folder::new();
    let out = folder.file("out.txt", "old");
    let args = ["solve", "1 2/0 3", "-q", "-o"].map(AsRef::as_ref);
    let ran = run(args.into_iter().chain([out.as_os_str()]));
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(&out).unwrap(), "L\n");
    assert_eq!(folder.names(), ["out.txt"]);
}

#[test]
fn output_must_not_be_an_input_file() {
    let folder = Folder::new();
    let board = "1 2 3/4 5 6/7 0 8\n";
    let file = folder.file("boards", board);
    let file = file.to_str().unwrap();
    let same = format!("{}/./boards", folder.path().display());
    for args in [
        &["solve", file, "-o", &same][..],
        &["solve", file, "--checkpoint", &same],
        &["compare", file, "-o", &same],
        &["compare", file, "--chart", &same],
        &["trace", file, "-o", &same],
        &["render", file, "--as", "svg", "-o", &same],
        &["render", "1 2/0 3", "--solution", file, "--as", "svg", "-o", &same],
        &["render", "1 2/0 3", "--picture", file, "--as", "svg", "-o", &same],
        &["convert", file, "-o", &same],
        &["grade", "--course", "princeton", "--boards", file, "--json", &same, "--", "true"],
        &["generate", "--for-each", file, "-o", &same],
        &["generate", "--for-each", file, "--key", &same],
        &["cluster", "batch", file, "--folder", file, "--local", "2", "-o", &same],
    ] {
        let ran = run(args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.stderr);
        let words = "boards: used both as input and as output";
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
        assert_eq!(fs::read_to_string(file).unwrap(), board, "{args:?}");
    }
    assert_eq!(folder.names(), ["boards"]);
}

#[cfg(target_os = "linux")]
#[test]
fn output_must_not_be_stdin_or_journal() {
    let folder = Folder::new();
    let boards = "1 2 3/4 5 6/7 0 8\n";
    let file = folder.file("boards", boards);
    let stdin = fs::File::open(&file).unwrap();
    let ran = command().args(["solve", "-", "-o"]).arg(&file).stdin(stdin).output().unwrap();
    assert_eq!(ran.status.code(), Some(2), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!(fs::read_to_string(&file).unwrap(), boards);

    let journal = folder.path().join("journal");
    let journal = journal.to_str().unwrap();
    let ran = run(["solve", boards, "--checkpoint", journal, "-o", journal]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert_eq!(folder.names(), ["boards"]);
}

#[test]
fn named_stdout_is_appended_to() {
    let folder = Folder::new();
    let log = folder.file("log", "before\n");
    for name in ["-", "/dev/stdout"] {
        let stdout = fs::OpenOptions::new().append(true).open(&log).unwrap();
        let ran = command().args(["solve", "1 2/0 3", "-q", "-o", name]).stdout(stdout).status();
        assert!(ran.unwrap().success());
    }
    assert_eq!(fs::read_to_string(&log).unwrap(), "before\nL\nL\n");
    assert_eq!(folder.names(), ["log"]);
}

#[test]
fn uncreatable_file_is_a_file_error() {
    let folder = Folder::new();
    let out = folder.path().join("no/such/folder.txt");
    let args = ["solve", "1 2/0 3", "-o"].map(AsRef::as_ref);
    let ran = run(args.into_iter().chain([out.as_os_str()]));
    assert_eq!((ran.code, ran.stdout.as_str()), (4, ""));
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_a_file_error() {
    for args in
        [&["solve", "1 2/0 3", "-o", "/dev/full"][..], &["convert", "1 2/0 3", "-o", "/dev/full"]]
    {
        let ran = run(args);
        assert_eq!(ran.code, 4, "{args:?}");
        assert!(ran.stderr.contains("/dev/full: No space left"), "{}", ran.stderr);
    }
    for args in [&["solve", "1 2/0 3"][..], &["--help"], &["--version"], &["solve", "--help"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let status = command().args(args).stdout(full).stderr(Stdio::null()).status();
        assert_eq!(status.unwrap().code(), Some(4), "{args:?}");
    }
    assert!(fs::metadata("/dev/full").unwrap().len() == 0);
}

/// A reader that closes the pipe changes neither the files nor the exit code.
#[test]
fn closed_pipe_does_not_stop_files() {
    let folder = Folder::new();
    let (json, key) = (folder.path().join("results.json"), folder.path().join("key.csv"));
    let unread = |args: &[&str]| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        command().args(args).stdout(writer).status().unwrap().code()
    };
    let board = folder.file("board.txt", "1 2 3/4 0 5/7 8 6");
    let [board, json, key] = [&board, &json, &key].map(|path| path.to_str().unwrap());
    let grade = ["grade", "--course", "princeton", "--boards", board, "--json", json, "--", "true"];
    assert_eq!(unread(&grade), Some(1));
    assert!(fs::read_to_string(json).unwrap().contains("\"score\":0"));
    let generate = ["generate", "--size", "3x3", "--seed", "1", "--count", "50", "--key", key];
    assert_eq!(unread(&generate), Some(0));
    assert_eq!(fs::read_to_string(key).unwrap().lines().count(), 51);
}

#[cfg(unix)]
#[test]
fn symbolic_link_stays_a_link() {
    let folder = Folder::new();
    let real = folder.file("real.txt", "old");
    let link = folder.path().join("link.txt");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let args = ["solve", "1 2/0 3", "-q", "-o"].map(AsRef::as_ref);
    run(args.into_iter().chain([link.as_os_str()]));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "L\n");
}

#[test]
fn closed_pipe_is_not_an_error() {
    let mut child = command()
        .args(["solve", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, "1 2/0 3\n".repeat(1000).as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn man_writes_pages_of_all_commands() {
    let folder = Folder::new();
    run(["man".as_ref(), "-o".as_ref(), folder.path().as_os_str()]);
    let names = folder.names();
    for name in [
        "npuzzle.1",
        "npuzzle-solve.1",
        "npuzzle-course.1",
        "npuzzle-convert.1",
        "npuzzle-tables-build.1",
    ] {
        assert!(names.iter().any(|n| n == name), "{name}: {names:?}");
    }
}
