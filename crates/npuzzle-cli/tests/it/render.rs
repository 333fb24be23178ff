//! `npuzzle render`.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::program::{Folder, command, run, run_with};

const EASY: &str = "1 2 3/4 0 6/7 5 8";

/// Draws into a file, and returns its bytes.
fn drawn(args: &[&str], name: &str) -> Vec<u8> {
    let folder = Folder::new();
    let path = folder.path().join(name);
    let out = ["-o", path.to_str().unwrap()];
    let ran = run(["render"].iter().chain(args).chain(&out));
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""), "{args:?}");
    assert_eq!(folder.names(), [name]);
    fs::read(path).unwrap()
}

fn refused(args: &[&str], why: &str) {
    let ran = run(["render"].iter().chain(args));
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
    assert!(ran.stderr.contains(why), "{args:?}: {}", ran.stderr);
}

#[test]
fn render_kind_follows_the_extension() {
    assert!(drawn(&[EASY], "a.svg").starts_with(b"<svg "));
    assert!(drawn(&[EASY], "a.PNG").starts_with(b"\x89PNG"));
    assert!(drawn(&[EASY], "a.gif").starts_with(b"GIF89a"));
    assert!(drawn(&[EASY], "a.htm").starts_with(b"<!DOCTYPE html>"));
    assert!(drawn(&[EASY, "--as", "png"], "a.svg").starts_with(b"\x89PNG"));
}

#[test]
fn render_without_file_writes_to_stdout() {
    let ran = run(["render", EASY, "--as", "svg"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("<title>3x3 sliding puzzle: 1 2 3/4 0 6/7 5 8</title>"));
    let args = ["render", EASY, "--as", "gif", "--solve"];
    let output = command().args(args).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.starts_with(b"GIF89a") && output.stdout.ends_with(b";"));
}

#[test]
fn render_reads_boards_from_files_and_stdin() {
    let folder = Folder::new();
    let file = folder.file("board.txt", "3\n1 2 3\n4 0 6\n7 5 8\n");
    let from_file = run(["render", file.to_str().unwrap(), "--as", "svg"]);
    let from_stdin = run_with(["render", "-", "--as", "svg"], "123406758");
    assert_eq!(from_file, from_stdin);
    assert_eq!(from_file, run(["render", EASY, "--as", "svg"]));
}

#[test]
fn render_marks_tiles_at_their_goal_cells() {
    let n_marks = |args: &[&str]| {
        let ran = run(["render", EASY, "--as", "svg"].iter().chain(args));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout.matches("<circle ").count()
    };
    assert_eq!(n_marks(&[]), 0);
    assert_eq!(n_marks(&["--goal", "last"]), 6);
    assert_eq!(n_marks(&["--goal", "snail"]), 4);
    assert_eq!(n_marks(&["--goal", "8 1 2/3 0 4/5 6 7"]), 0);
}

#[test]
fn render_reads_every_notation_or_solves() {
    let folder = Folder::new();
    let file = folder.file("moves.txt", "U\nL\n");
    let file = file.to_str().unwrap();
    let sheet = |args: &[&str]| {
        let ran = run(["render", EASY, "--as", "svg", "--theme", "light"].iter().chain(args));
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{args:?}");
        ran.stdout
    };
    let expect = sheet(&["--moves", "UL"]);
    assert!(expect.contains(">1 U</text>") && expect.contains(">2 L</text>"));
    assert_eq!(sheet(&["--moves", "d r", "--from", "blank"]), expect);
    assert_eq!(sheet(&["--moves", "5 8", "--from", "numbers"]), expect);
    assert_eq!(sheet(&["--solution", file]), expect);
    assert_eq!(sheet(&["--solve"]), expect);
    let args = ["render", EASY, "--as", "svg", "--theme", "light", "--solution", "-"];
    assert_eq!(run_with(args, "U L").stdout, expect);
}

#[test]
fn render_solution_as_sheet_animation_and_page() {
    let solved = |name: &str| drawn(&[EASY, "--moves", "UL", "--delay", "500ms"], name);
    assert!(solved("a.png").starts_with(b"\x89PNG"));
    let page = String::from_utf8(solved("a.html")).unwrap();
    assert!(page.contains("<title>3x3 sliding puzzle, 2 STM / 2 MTM</title>"));
    assert!(page.contains("\"moves\":\"U L\",\"delay\":500"));
    assert!(!page.contains("http:") && !page.contains("https:"));
    let (animation, still) = (solved("a.gif"), drawn(&[EASY], "a.gif"));
    assert!(
        animation.len() > still.len() && animation.windows(11).any(|bytes| bytes == b"NETSCAPE2.0")
    );
}

#[test]
fn render_cuts_pictures_into_tiles() {
    let folder = Folder::new();
    // Any picture works; this one shows a board.
    let picture = folder.file("cat.png", drawn(&[EASY], "cat.png"));
    let picture = picture.to_str().unwrap();
    for name in ["a.svg", "a.html"] {
        let text = String::from_utf8(drawn(&[EASY, "--picture", picture], name)).unwrap();
        assert_eq!(text.matches("data:image/").count(), 1, "{name}");
    }
    let plain = drawn(&[EASY, "--picture", picture, "--solve"], "a.gif");
    let numbered = drawn(&[EASY, "--picture", picture, "--solve", "--numbers"], "a.gif");
    assert_ne!(plain, numbered);
    let args = [EASY, "--picture", "no-such-cat.png", "-o", "a.svg"];
    let ran = run(["render"].iter().chain(&args));
    assert_eq!(ran.code, 4, "{}", ran.stderr);
    let text = folder.file("cat.txt", "meow");
    let args = [EASY, "--picture", text.to_str().unwrap(), "--as", "svg"];
    refused(&args, "cat.txt: not a picture that can be read");
    refused(&[EASY, "--numbers", "--as", "svg"], "--picture");
}

#[test]
fn render_tile_size_is_configurable() {
    let ran = run(["render", "1 2/3 0", "--as", "svg", "--tile", "32"]);
    assert!(ran.stdout.contains(" width=\"74\" height=\"74\""), "{}", ran.stdout);
    let large = ["1 2/3 0", "--as", "png", "--tile", "4000"];
    refused(&large, "pixels, and 4096x4096 is the maximum: use tiles of at most");
    refused(&["1 2/3 0", "--as", "png", "--tile", "0"], "--tile");
}

#[test]
fn render_points_at_an_illegal_move() {
    let ran = run(["render", EASY, "--moves", "U L L D", "-o", "never.gif"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert_eq!(
        ran.stderr,
        "npuzzle: --moves:1:5: slide 3 (L) is not legal: no tile can slide in that direction\n  |\n\
         1 | U L L D\n  |     ^\n"
    );
    assert!(!Path::new("never.gif").exists() && !Path::new("never.gif.partial").exists());
    let folder = Folder::new();
    let file = folder.file("moves.txt", "5 8\n1\n");
    let file = file.to_str().unwrap();
    let args = [EASY, "--solution", file, "--from", "numbers", "--as", "svg"];
    refused(&args, "moves.txt:2:1: \"1\" is not next to the blank\n  |\n2 | 1\n  | ^");
    refused(
        &[EASY, "--moves", "U?", "--as", "svg"],
        "--moves:1:2: \"?\" is not one of the letters",
    );
}

#[test]
fn render_rejects_impossible_requests() {
    refused(&[EASY], "name a file with -o");
    refused(&[EASY, "-o", "a.bmp"], "a.bmp: the extension is not svg, png, gif or html");
    refused(&["1 2 3/4 5 6/7 8 8", "--as", "svg"], "tile 8");
    refused(&[EASY, "--goal", "1 2/3 0", "--as", "svg"], "the goal is 2x2, but the start is 3x3");
    refused(&[EASY, "--moves", "U", "--solve", "--as", "svg"], "cannot be used with");
    refused(&[EASY, "--from", "blank", "--as", "svg"], "required");
    refused(&[EASY, "--delay", "1s", "--as", "svg"], "required");
    refused(&[EASY, "--delay", "5ms", "--as", "svg"], "a time from 20ms to 60s");
    refused(&[EASY, "--time", "5s", "--as", "svg"], "--solve");
    let never = run(["render", "1 2 3/4 5 6/8 7 0", "--solve", "--as", "svg"]);
    assert_eq!((never.code, never.stdout.as_str()), (1, ""));
    assert!(never.stderr.starts_with("npuzzle: unsolvable: "), "{}", never.stderr);
    let hard = ["render", "0 15 8 3/12 11 7 4/14 10 5 6/9 13 1 2", "--solve", "--time", "1ms"];
    let stopped = run(hard.iter().chain(&["--as", "svg"]));
    assert_eq!((stopped.code, stopped.stdout.as_str()), (3, ""), "{}", stopped.stderr);
}

#[test]
fn render_to_unwritable_file_is_a_file_error() {
    let folder = Folder::new();
    let path = folder.path().join("no/such/folder.gif");
    let ran = run(["render", EASY, "--solve", "-o", path.to_str().unwrap()]);
    assert_eq!((ran.code, ran.stdout.as_str()), (4, ""));
    assert!(ran.stderr.contains("folder.gif"), "{}", ran.stderr);
    if Path::new("/dev/full").exists() {
        let ran = run(["render", EASY, "--solve", "--as", "gif", "-o", "/dev/full"]);
        assert_eq!(ran.code, 4);
        assert!(ran.stderr.starts_with("npuzzle: /dev/full: "), "{}", ran.stderr);
    }
}
