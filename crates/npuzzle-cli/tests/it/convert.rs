//! `npuzzle convert`.

use crate::program::{run, run_with};

fn check(args: &[&str], stdin: &str, expect: &str) {
    let ran = run_with(["convert"].iter().chain(args), stdin);
    assert_eq!(ran.stdout, expect, "{args:?}: {}", ran.stderr);
    assert_eq!(ran.code, 0, "{args:?}");
}

#[test]
fn convert_boards_between_all_formats() {
    let board = "8 1 3/4 0 2/7 6 5";
    check(&[board, "--to", "grid"], "", "8 1 3\n4 0 2\n7 6 5\n");
    check(&[board, "--to", "flat"], "", "8 1 3 4 0 2 7 6 5\n");
    check(&[board, "--to", "digits"], "", "813402765\n");
    check(&["813402765"], "", "8 1 3/4 0 2/7 6 5\n");
    check(&["-"], "3\n 8 1 3\n 4 0 2\n 7 6 5\n", "8 1 3/4 0 2/7 6 5\n");
    for format in ["slash", "grid", "dim", "pair", "flat", "digits", "json"] {
        let goal: &[&str] = if format == "pair" { &["--goal", "snail"] } else { &[] };
        let written = run(["convert", board, "--to", format].iter().chain(goal));
        assert_eq!(written.code, 0, "{format}: {}", written.stderr);
        check(&["-", "--format", format], &written.stdout, "8 1 3/4 0 2/7 6 5\n");
    }
}

#[test]
fn convert_separates_boards_of_several_lines() {
    check(&["-", "--to", "grid"], "1 2/3 0\n0 1/2 3\n", "1 2\n3 0\n\n0 1\n2 3\n");
}

#[test]
fn convert_moves_between_notations() {
    let board = "1 2 3/4 0 6/7 5 8";
    check(&["--moves", "ULL", "--notation", "blank"], "", "D R2\n");
    check(&["--moves", "D R2", "--from", "blank"], "", "U L2\n");
    check(&[board, "--moves", "UL", "--notation", "numbers"], "", "5 8\n");
    check(&[board, "--moves", "5 8", "--from", "numbers"], "", "U L\n");
    let boards = "1 2 3/4 0 6/7 5 8\n1 2 3/4 5 6/7 0 8\n1 2 3/4 5 6/7 8 0\n";
    check(&[board, "--moves", "UL", "--notation", "boards"], "", boards);
    check(&["-", "--from", "boards"], boards, "U L\n");
}

#[test]
fn convert_applies_and_inverts_moves() {
    let solved = "1 2 3/4 5 6/7 8 0";
    check(&[solved, "--moves", "R2DLU", "--apply"], "", "1 2 3/5 7 6/4 0 8\n");
    check(&[solved, "--moves", "R2DLU", "--apply", "--to", "digits"], "", "123576408\n");
    check(&["--moves", "R2DLU", "--inverse"], "", "D R U L2\n");
    check(&["--moves", "R2DLU", "--inverse", "--compact"], "", "DRUL2\n");
    check(&["1 2 3/4 5 6/7 8 0", "--moves", "R2DLU", "--inverse"], "", "D R U L2\n");
    check(&["1 2 3/5 7 6/4 0 8", "--moves", "DRUL2", "--apply"], "", "1 2 3/4 5 6/7 8 0\n");
    check(&["--moves", "R2DLU", "--notation", "blank", "--compact"], "", "L2URD\n");
}

#[test]
fn convert_reads_moves_from_stdin_and_files() {
    check(&["--moves", "-", "--compact"], "R2 D L U\n", "R2DLU\n");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "U L\n").unwrap();
    check(&["--moves", file.path().to_str().unwrap(), "--notation", "blank"], "", "D R\n");
    let ran = run(["convert", "--moves", "nowhere/moves.txt"]);
    assert_eq!(ran.code, 4, "{}", ran.stderr);
}

#[test]
fn convert_rejects_impossible_requests() {
    let refused = |args: &[&str], stdin: &str, why: &str| {
        let ran = run_with(["convert"].iter().chain(args), stdin);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(why), "{args:?}: {}", ran.stderr);
    };
    refused(&["--moves", "UX"], "", "\"X\" is not one of the letters U D L R");
    refused(&["--moves", "U", "--notation", "numbers"], "", "require the board");
    refused(&["--moves", "U", "--apply"], "", "require the board");
    refused(
        &["1 2/3 0", "--moves", "3", "--from", "numbers", "--notation", "numbers", "--compact"],
        "",
        "letters",
    );
    refused(&["1 2/3 0", "--compact"], "", "require --moves");
    refused(&["1 2/3 0", "--moves", "U"], "", "slide 1 (U) is not legal");
    refused(&["1 2/3 0", "--moves", "1", "--from", "numbers"], "", "is not next to the blank");
    refused(&["-", "--from", "boards"], "1 2/3 0\n0 1/2 3\n", "is not one slide from");
    refused(&["1 2/3 0", "--to", "pair"], "", "goal");
    refused(&["1 2/3 0", "--to", "grid", "--goal", "first"], "", "goal");
    refused(&["1 2/3 0", "--notation", "blank"], "", "require --moves");
    refused(&["1 2 3/4 5 0", "--to", "digits"], "", "square");
}

#[test]
fn convert_writes_planning_tasks() {
    use npuzzle_testkit::pddl::PlanningTask;
    let folder = crate::program::Folder::new();
    let [domain, problem] = ["domain.pddl", "problem.pddl"].map(|name| folder.path().join(name));
    let files = ["--domain", domain.to_str().unwrap(), "-o", problem.to_str().unwrap()];
    let ran = run(["convert", "1 2/0 3", "--to", "pddl"].iter().chain(&files));
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    let [domain, problem] = [domain, problem].map(|path| std::fs::read_to_string(path).unwrap());
    let task = PlanningTask::read(&domain, &problem);
    let names: Vec<String> =
        task.successors(&task.init).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["down", "left"]);
    check(&["1 2/0 3", "--to", "pddl"], "", &(domain + &problem));
    for args in [
        &["1 2/0 3", "1 2/3 0", "--to", "pddl"][..],
        &["1 2/0 3", "--domain", "d"],
        &["1 2/0 3", "--moves", "L", "--apply", "--to", "pddl"],
    ] {
        assert_eq!(run(["convert"].iter().chain(args)).code, 2, "{args:?}");
    }
}
