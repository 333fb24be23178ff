//! The course programs against their assignments.

use std::fs;

use npuzzle_testkit::data;

use crate::program::{Folder, RunResult, run};

/// Runs a course on a file of `testdata/courses` and compares what it prints byte for byte.
fn check(course: &str, name: &str, code: i32) -> RunResult {
    let input = data::path(&format!("courses/{course}/{name}.in"));
    let ran = run(["course".as_ref(), course.as_ref(), input.as_os_str()]);
    let expect = data::text(&format!("courses/{course}/{name}.out"));
    assert_eq!(ran.stdout, expect, "{course} {name}: {}", ran.stderr);
    assert_eq!(ran.code, code, "{course} {name}");
    ran
}

/// Runs a course on a text.
fn on(course: &[&str], text: &str) -> RunResult {
    let folder = Folder::new();
    let file = folder.file("board.txt", text);
    let args = ["course"].iter().chain(course).map(AsRef::as_ref).chain([file.as_os_str()]);
    run(args)
}

#[test]
fn umbc_prints_its_sample() {
    check("umbc", "sample", 0);
}

#[test]
fn umbc_prints_fewer_than_five_states_when_there_are_fewer() {
    let ran = on(&["umbc"], "1 2 3\n4 5 6\n7 8 0\n\n1 2 3\n4 5 6\n7 8 0\n");
    assert!(ran.stdout.contains("[*]Solution cost is: 0\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("openQ at end of search process: 0\n"));
    assert!(ran.stdout.contains("[*]State #1\n") && !ran.stdout.contains("[*]State #2\n"));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn umbc_ignores_blank_lines_anywhere() {
    let spread = "\n1 3 4\n\n\n8 6 2\n7 0 5\n1 2 3\n\n8 0 4\n7 6 5\n\n";
    assert_eq!(on(&["umbc"], spread).stdout, data::text("courses/umbc/sample.out"));
}

#[test]
fn umbc_solves_a_board_of_31_moves() {
    let ran = on(&["umbc"], "8 6 7\n2 5 4\n3 0 1\n1 2 3\n4 5 6\n7 8 0\n");
    assert!(ran.stdout.contains("[*]Solution cost is: 31\n"), "{}", ran.stderr);
    // About a million states are open then: the figure hangs on the heap's order among equals.
    assert!(ran.stdout.contains("openQ at end of search process: 1059119\n"), "{}", ran.stdout);
}

#[test]
fn umbc_tells_unsolvable_boards_at_once() {
    let ran = on(&["umbc"], "1 2 3\n4 5 6\n8 7 0\n1 2 3\n4 5 6\n7 8 0\n");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("unsolvable: "), "{}", ran.stderr);
}

#[test]
fn umbc_takes_two_boards_of_three_by_three() {
    let ran = on(&["umbc"], "1 2\n3 0\n0 1\n2 3\n");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("board.txt:1"), "{}", ran.stderr);
    let ran = on(&["umbc"], "1 2 3\n4 5 6\n7 8 0\n");
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
}

#[test]
fn auc_prints_the_levels_of_its_example() {
    check("auc", "sample", 0);
}

#[test]
fn auc_reads_what_it_prints() {
    let first_board = "// Initial board (Input): Level 0\n2\n0 1\n3 2\n";
    let ran = on(&["auc"], first_board);
    let expect = format!(
        "{first_board}// Solution steps (Output)\n\
         // Level 1: 1 Left   g = 1 h = 1 c = 2\n2\n1 0\n3 2\n\
         // Level 2: 2 Up   g = 2 h = 0 c = 2 (Goal)\n2\n1 2\n3 0\n"
    );
    assert_eq!((ran.code, ran.stdout), (0, expect));
}

#[test]
fn princeton_prints_its_samples() {
    check("princeton", "puzzle04", 0);
    check("princeton", "unsolvable", 1);
}

#[test]
fn princeton_counts_as_the_course_documents() {
    let file = data::path("princeton/puzzle04.txt");
    let ran =
        run(["course".as_ref(), "princeton".as_ref(), "--faithful".as_ref(), file.as_os_str()]);
    assert_eq!(ran.stdout, data::text("courses/princeton/puzzle04.out"));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "10 enqueued, 5 dequeued\n"));
}

#[test]
fn princeton_searches_agree() {
    let flags: [&[&str]; 5] = [
        &[],
        &["--faithful"],
        &["--heuristic", "hamming"],
        &["--detect", "lockstep"],
        &["--detect", "lockstep", "--heuristic", "hamming"],
    ];
    for name in ["puzzle2x2-06", "puzzle3x3-20", "puzzle3x3-unsolvable", "puzzle4x4-unsolvable"] {
        // Searching a 4x4 board that has no solution in lockstep solves its twin, a hard board.
        let flags = if name == "puzzle4x4-unsolvable" { &flags[..2] } else { &flags[..] };
        let first_lines = flags.iter().map(|flags| {
            let text = data::text(&format!("princeton/{name}.txt"));
            let ran = on(&[&["princeton"], *flags].concat(), &text);
            ran.stdout.lines().next().map(str::to_owned)
        });
        let first_lines: Vec<_> = first_lines.collect();
        assert!(first_lines.iter().all(|line| *line == first_lines[0]), "{name} {first_lines:?}");
    }
}

#[test]
fn princeton_solves_every_file_up_to_45_moves_on_4x4() {
    let mut n_checked = 0;
    for (name, text) in data::princeton() {
        let n: usize = text.split_whitespace().next().unwrap().parse().unwrap();
        let length = name.rsplit(['-', 'e']).next().and_then(|end| end.parse::<u32>().ok());
        let expect = match length {
            _ if name.contains("unsolvable") => "No solution possible\n".to_owned(),
            Some(moves) if n <= 4 && moves <= 45 => format!("Minimum number of moves = {moves}\n"),
            _ => continue,
        };
        let ran = on(&["princeton"], &text);
        assert!(ran.stdout.starts_with(&expect), "{name}: {expect}{}{}", ran.stdout, ran.stderr);
        n_checked += 1;
    }
    assert!(n_checked >= 60, "only {n_checked} files");
}

#[test]
fn princeton_reads_and_checks_every_size_to_127() {
    for n in 2..=127 {
        let tiles: Vec<String> = (1..n * n).map(|tile| tile.to_string()).collect();
        let ran = on(&["princeton"], &format!("{n}\n{} 0\n", tiles.join(" ")));
        assert!(ran.stdout.starts_with("Minimum number of moves = 0\n"), "{n}: {}", ran.stderr);
        let mut swapped = tiles;
        swapped.swap(0, 1);
        let ran = on(&["princeton"], &format!("{n}\n{} 0\n", swapped.join(" ")));
        assert_eq!((ran.code, ran.stdout.as_str()), (1, "No solution possible\n"), "{n}");
    }
    let ran = on(&["princeton"], "128\n0\n");
    assert_eq!(ran.code, 2);
}

#[test]
fn princeton_gives_up_at_its_memory_limit() {
    let text = data::text("princeton/puzzle4x4-78.txt");
    let ran = on(&["princeton", "--faithful", "--memory", "16M"], &text);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""));
    assert!(ran.stderr.contains("memory limit of 16 MiB reached"), "{}", ran.stderr);
}

#[test]
fn bu_speaks_as_in_its_sample_session() {
    check("bu", "input01", 0);
    check("bu", "error01", 2);
    check("bu", "error02", 2);
    let ran = check("bu", "unsolvable", 1);
    assert!(ran.stderr.contains("unsolvable: "), "{}", ran.stderr);
}

#[test]
fn bu_reads_input01_from_the_working_folder() {
    let folder = Folder::new();
    folder.file("input01.txt", "1 4 2\n3 5 8\n6 7 0\n");
    let output = crate::program::command()
        .args(["course", "bu"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), data::text("courses/bu/input01.out"));
}

#[test]
fn bu_gives_up_at_the_limit_it_is_given() {
    let ran = on(&["bu", "--limit", "7"], "8 6 7\n2 5 4\n3 0 1\n");
    let sorry = "Sorry, I could not find a solution after looking at 7 nodes.\n";
    assert!(ran.stdout.ends_with(sorry), "{}", ran.stdout);
    assert_eq!(ran.code, 3);
}

#[test]
fn bu_paths_are_legal_and_end_at_the_goal() {
    let ran = on(&["bu"], "8 7 6\n5 4 3\n2 0 1\n");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let (_, boards) = ran.stdout.split_once("moves:\n\n").unwrap();
    let boards = boards.strip_suffix("\n\nBye!\n").unwrap();
    let folder = Folder::new();
    let file = folder.file("steps.txt", boards);
    let ran = run(["convert".as_ref(), file.as_os_str(), "--from".as_ref(), "boards".as_ref()]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(boards.starts_with("8 7 6\n5 4 3\n2 0 1\n") && boards.ends_with("0 1 2\n3 4 5\n6 7 8"));
}

#[test]
fn cuhk_writes_its_sample() {
    for name in ["sample", "joined", "mixed"] {
        let folder = Folder::new();
        let initial = data::path(&format!("courses/cuhk/{name}.in"));
        let moves = folder.path().join("moves.txt");
        let ran = run(["course".as_ref(), "cuhk".as_ref(), initial.as_os_str(), moves.as_os_str()]);
        assert_eq!(ran, RunResult { code: 0, stdout: String::new(), stderr: String::new() });
        let expect = data::text(&format!("courses/cuhk/{name}.out"));
        assert_eq!(fs::read_to_string(&moves).unwrap(), expect);
        assert_eq!(folder.names(), ["moves.txt"]);
    }
}

#[test]
fn cuhk_leaves_the_file_alone_when_there_is_nothing_to_write() {
    let folder = Folder::new();
    let moves = folder.file("moves.txt", "precious");
    for (text, code) in [("1 2 3\n4 5 6\n8 7 0\n", 1), ("1 2 3\n4 5 6\n7 8 8\n", 2), ("", 2)] {
        let initial = folder.file("initial.txt", text);
        let ran = run(["course".as_ref(), "cuhk".as_ref(), initial.as_os_str(), moves.as_os_str()]);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{}", ran.stderr);
        assert_eq!(fs::read_to_string(&moves).unwrap(), "precious");
    }
}

#[test]
fn missing_files_and_wrong_numbers_of_arguments_are_bad_usage() {
    for course in ["umbc", "auc", "princeton", "bu"] {
        let ran = run(["course", course, "no-such-file.txt"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{course}");
        assert!(ran.stderr.starts_with("npuzzle: no-such-file.txt: "), "{}", ran.stderr);
        assert_eq!(run(["course", course, "a", "b"]).code, 2);
    }
    for course in ["umbc", "auc", "princeton", "cuhk"] {
        assert_eq!(run(["course", course]).code, 2, "{course}");
    }
    assert_eq!(run(["course", "yale", "x"]).code, 2);
}

#[test]
fn every_course_takes_start_equal_to_goal_31_moves_and_unsolvable() {
    let board = |text: &str| text.replace('/', "\n") + "\n";
    let cases = [
        ("1 2 3/4 5 6/7 8 0", Some(0)),
        ("8 6 7/2 5 4/3 0 1", Some(31)),
        ("6 4 7/8 5 0/3 2 1", Some(31)),
        ("1 2 3/4 5 6/8 7 0", None),
    ];
    for (start, length) in cases {
        let dim = format!("3\n{}", board(start));
        let ran = on(&["auc"], &dim);
        assert_eq!(ran.code, i32::from(length.is_none()), "auc {start}: {}", ran.stderr);
        let n_levels = ran.stdout.matches("// Level").count();
        assert_eq!(n_levels, length.unwrap_or(0), "auc {start}");
        for flags in [&["princeton"][..], &["princeton", "--faithful"]] {
            let ran = on(flags, &dim);
            let expect = match length {
                Some(n) => format!("Minimum number of moves = {n}\n"),
                None => "No solution possible\n".to_owned(),
            };
            assert!(ran.stdout.starts_with(&expect), "{flags:?} {start}: {}", ran.stdout);
        }
        for faithful in [&[][..], &["--faithful"]] {
            let folder = Folder::new();
            let initial = folder.file("initial.txt", board(start));
            let moves = folder.path().join("moves.txt");
            let args = ["course".as_ref(), "cuhk".as_ref(), initial.as_os_str(), moves.as_os_str()];
            let ran = run(args.into_iter().chain(faithful.iter().map(AsRef::as_ref)));
            assert_eq!(ran.code, i32::from(length.is_none()), "cuhk {start}: {}", ran.stderr);
            let n_boards = fs::read_to_string(&moves).ok().map(|t| t.matches("\n\n").count() + 1);
            assert_eq!(n_boards, length.map(|n| n + 1), "cuhk {start}");
        }
    }
}

#[test]
fn limits_of_courses_are_told_and_hold_for_any_time() {
    let text = data::text("princeton/puzzle4x4-78.txt");
    let ran = on(&["auc", "--memory", "16M"], &text);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("moves are needed"), "{}", ran.stderr);
    let ran = on(&["princeton", "--faithful", "--time", "1e19", "--memory", "4M"], &text);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    // Nobody knows yet that there is a solution.
    let ran = on(&["princeton", "--detect", "lockstep", "--memory", "4M"], &text);
    assert!(ran.code == 3 && !ran.stderr.contains("needed"), "{}", ran.stderr);
    assert!(ran.stderr.contains("; twin: "), "{}", ran.stderr);
}

#[test]
fn files_larger_than_any_board_are_refused_unread() {
    for course in ["umbc", "auc", "princeton", "bu"] {
        let ran = on(&[course], &"1 ".repeat(1 << 20));
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{course}");
        assert!(ran.stderr.contains("more than 1 MiB of input"), "{}", ran.stderr);
    }
}

#[test]
fn cuhk_does_not_write_over_its_input() {
    let folder = Folder::new();
    let file = folder.file("board.txt", "0 1 3\n4 2 5\n7 8 6\n");
    let ran = run(["course".as_ref(), "cuhk".as_ref(), file.as_os_str(), file.as_os_str()]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert_eq!(fs::read_to_string(&file).unwrap(), "0 1 3\n4 2 5\n7 8 6\n");
}

#[test]
fn cuhk_takes_rows_together_and_apart_with_comments_and_blank_lines() {
    let odd = ["\u{feff}013\n4 2 5\n786\n", "013 # top\n\n4 2 5\n\n# last\n786"];
    for text in odd {
        let folder = Folder::new();
        let initial = folder.file("initial.txt", text);
        let moves = folder.path().join("moves.txt");
        let ran = run(["course".as_ref(), "cuhk".as_ref(), initial.as_os_str(), moves.as_os_str()]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_eq!(fs::read_to_string(&moves).unwrap(), data::text("courses/cuhk/sample.out"));
    }
}

#[test]
fn auc_shows_mistakes_as_they_stand_in_the_file() {
    let ran = on(&["auc"], "3 // size\n1 2 3\n4 x 5 // middle\n7 8 6\n");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("board.txt:3:3: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("\n3 | 4 x 5\n"), "{}", ran.stderr);
}

#[test]
fn the_list_has_a_line_for_each_course() {
    let ran = run(["course", "--list"]);
    let names: Vec<&str> = ran.stdout.lines().filter_map(|l| l.split_whitespace().next()).collect();
    assert_eq!(names, ["umbc", "auc", "princeton", "bu", "cuhk", "42"]);
}

#[test]
fn forty_two_prints_its_four_figures() {
    check("42", "sample", 0);
    check("42", "unsolvable", 1);
}

#[test]
fn forty_two_searches_as_asked_and_finds_the_same_length_where_it_must() {
    let text = data::text("courses/42/sample.in");
    let figure = |args: &[&str], name: &str| {
        let ran = on(&[&["42"], args].concat(), &text);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let line = ran.stdout.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
        line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()
    };
    let moves = |args: &[&str]| figure(args, "Number of moves");
    let time = |args: &[&str]| figure(args, "Complexity in time");
    let shortest = moves(&[]);
    for heuristic in ["manhattan", "hamming", "linear-conflict"] {
        assert_eq!(moves(&["--heuristic", heuristic]), shortest);
    }
    assert_eq!(moves(&["--search", "uniform"]), shortest);
    assert!(moves(&["--search", "greedy"]) >= shortest);
    // What knows more selects less.
    assert!(time(&["--heuristic", "linear-conflict"]) <= time(&[]));
    assert!(time(&[]) < time(&["--heuristic", "hamming"]));
    assert!(time(&["--heuristic", "hamming"]) < time(&["--search", "uniform"]));
    // Whatever was selected was in memory.
    assert!(figure(&[], "Complexity in size") >= time(&[]));
}

#[test]
fn forty_two_makes_boards_of_its_own() {
    let ran = run(["course", "42", "--random", "3", "--seed", "5"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "random 3x3, seed 5\n"));
    assert!(ran.stdout.ends_with("\n\n1 2 3\n8 0 4\n7 6 5\n"), "{}", ran.stdout);
    let ran = run(["course", "42", "--random", "17", "--seed", "5", "--unsolvable"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, "This puzzle is unsolvable\n"));
    assert_eq!(run(["course", "42"]).code, 2);
    assert_eq!(run(["course", "42", "--random", "1"]).code, 2);
    assert_eq!(on(&["42"], "3\n1 2 3\n4 5 6\n").code, 2);
}
