//! `npuzzle generate`.

use std::collections::BTreeSet;
use std::fs;

use crate::program::{Folder, run};

fn generate(args: &str) -> String {
    let ran = run(["generate"].into_iter().chain(args.split_whitespace()));
    assert_eq!(ran.code, 0, "{args}: {}", ran.stderr);
    ran.stdout
}

#[test]
fn generate_moves_yields_exactly_those_boards() {
    let text = generate("--size 3x3 --moves 31 --count 2 --seed 1");
    assert_eq!(text.lines().count(), 2);
    let boards: BTreeSet<&str> = text.lines().collect();
    assert_eq!(boards, BTreeSet::from(["6 4 7/8 5 0/3 2 1", "8 6 7/2 5 4/3 0 1"]));
}

#[test]
fn generate_depends_on_seed_and_student() {
    let random = generate("--size 4x5 --count 3 --seed 5");
    assert_eq!(random, generate("--size 4x5 --count 3 --seed 5"));
    assert_ne!(random, generate("--size 4x5 --count 3 --seed 6"));
    // Without a seed, a new one is printed.
    let ran = run(["generate"]);
    let seed = ran.stderr.trim().strip_prefix("seed: ").unwrap();
    assert_eq!(generate(&format!("--seed {seed}")), ran.stdout);

    let both = generate("--size 3x3 --moves 20 --for ada --for bob --seed 9");
    let ada = generate("--size 3x3 --moves 20 --for ada --seed 9");
    let bob = generate("--size 3x3 --moves 20 --for bob --seed 9");
    assert_ne!(ada, bob);
    assert_eq!(both, format!("{} # ada\n{} # bob\n", ada.trim_end(), bob.trim_end()));
    let folder = Folder::new();
    let names = folder.file("names", "# a course\nada\n\n  bob\n");
    let ran = run(["generate", "--size", "3x3", "--moves", "20", "--seed", "9", "--for-each"]
        .into_iter()
        .chain([names.to_str().unwrap()]));
    assert_eq!(ran.stdout, both);
}

#[test]
fn generate_names_are_escaped_or_rejected() {
    let json = generate("--size 2x2 --seed 1 --format json --for a\"b --for c");
    let boards: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&boards[0]["id"], &boards[1]["id"]), (&"a\"b".into(), &"c".into()));
    let folder = Folder::new();
    let file = folder.file("boards", &json);
    assert_eq!(run(["solve", file.to_str().unwrap()]).code, 0);
    let ran = run(["generate", "--size", "3x3", "--for", "ada", "--for", "ada"]);
    assert!(ran.stderr.contains("warning: ada is listed more than once"), "{}", ran.stderr);
    for bad in ["", " ", "a\nb", "a\u{1b}[2J"] {
        let ran = run(["generate", "--for", bad]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{bad:?}");
        assert!(ran.stderr.contains("is not a valid student name"), "{}", ran.stderr);
    }
}

#[test]
fn generate_opens_distinct_outputs_first() {
    let folder = Folder::new();
    let file = folder.path().join("file");
    let file = file.to_str().unwrap();
    let ran = run(["generate", "--size", "3x3", "--key", file, "-o", file]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("used for two outputs"), "{}", ran.stderr);
    let ran = run(["generate", "--size", "3x3", "--key", "/no/such/folder/key", "--seed", "1"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (4, ""));
    assert!(folder.names().is_empty());
}

#[test]
fn generate_key_has_the_answers() {
    let folder = Folder::new();
    let (key, out) = (folder.path().join("key.csv"), folder.path().join("boards"));
    let args = ["generate", "--size", "3x3", "--count", "2", "--seed", "3", "--goal", "snail"];
    let files = ["--key", key.to_str().unwrap(), "-o", out.to_str().unwrap(), "--for", "a,b"];
    let ran = run(args.into_iter().chain(files));
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    let boards = std::fs::read_to_string(out).unwrap();
    let solved =
        run(["solve", "--goal", "snail", "--output", "csv"].into_iter().chain(boards.lines()));
    assert_eq!(solved.code, 0);
    let key = std::fs::read_to_string(key).unwrap();
    let mut lines = key.lines();
    let head = "number,id,start,goal,optimal,moves_stm,moves_mtm,solution";
    assert_eq!(lines.next(), Some(head));
    for ((number, board), line) in (1..).zip(boards.lines()).zip(lines.by_ref()) {
        assert!(line.starts_with(&format!("{number},\"a,b\",{board},1 2 3/8 0 4/7 6 5,true,")));
        let solution = line.rsplit(',').next().unwrap();
        assert!(solved.stdout.contains(solution), "{line}");
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn generate_writes_a_file_and_a_key_per_student() {
    let folder = Folder::new();
    let students = folder.file("students.txt", "ada\nGrace Hopper\n../=1+1\n");
    let [boards, keys] = ["boards", "keys"].map(|name| folder.path().join(name));
    let args =
        ["generate", "--size", "3x3", "--moves", "12", "--count", "2", "--course", "princeton"];
    let files = [
        ["--for-each", students.to_str().unwrap()],
        ["--out-dir", boards.to_str().unwrap()],
        ["--key-dir", keys.to_str().unwrap()],
    ];
    let ran = run(args.into_iter().chain(files.concat()));
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    for (name, stem) in [("ada", "ada"), ("Grace Hopper", "Grace Hopper"), ("../=1+1", "_.__1+1")] {
        let text = fs::read_to_string(boards.join(format!("{stem}.txt"))).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        // Two boards in the format of the course, separated by an empty line.
        assert_eq!((lines.len(), lines[0], lines[4], lines[5]), (9, "3", "", "3"), "{text}");
        let key = fs::read_to_string(keys.join(format!("{stem}.csv"))).unwrap();
        assert_eq!(key.lines().count(), 3, "{key}");
        let same = ["generate", "--size", "3x3", "--moves", "12", "--count", "2", "--for", name];
        for (line, board) in key.lines().skip(1).zip(run(same).stdout.lines()) {
            assert!(line.contains(&format!("{name},{board},1 2 3/4 5 6/7 8 0,true,12,")), "{line}");
        }
    }
    assert_eq!(fs::read_dir(&boards).unwrap().count(), 3);
}

#[test]
fn generate_rejects_files_that_would_be_the_same() {
    let folder = Folder::new();
    let boards = folder.path().join("boards");
    let check = |flags: &[&str], words: &str| {
        let args = ["generate", "--size", "3x3", "--out-dir", boards.to_str().unwrap()];
        let ran = run(args.iter().chain(flags));
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
        assert!(!boards.exists());
    };
    check(&["--for", "a/b", "--for", "A:b"], "a/b and A:b would have the same file: A_b");
    check(&[], "--out-dir needs students");
}

#[test]
fn generate_key_has_no_formulas() {
    let folder = Folder::new();
    let key = folder.path().join("key.csv");
    let students = folder.file("students.txt", "=HYPERLINK(\"x\")\n+1\n-1\n@a\na=b\n");
    let flags = ["--for-each", students.to_str().unwrap(), "--key", key.to_str().unwrap()];
    let ran = run(["generate", "--size", "2x2", "--quiet"].into_iter().chain(flags));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let key = fs::read_to_string(key).unwrap();
    let ids: Vec<&str> = key.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(ids, ["\"'=HYPERLINK(\"\"x\"\")\"", "'+1", "'-1", "'@a", "a=b"]);
}

#[test]
fn generate_unsolvable_boards_in_any_format() {
    let text = generate("--size 3x4 --unsolvable --count 2 --seed 2 --format grid");
    // In a file, two boards separated by an empty line.
    let folder = Folder::new();
    let file = folder.file("boards", &text);
    let ran = run(["solve", "--quiet", file.to_str().unwrap()]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, "unsolvable\nunsolvable\n"), "{}", ran.stderr);
    let pair = generate("--size 3x3 --seed 2 --goal first --format pair");
    assert!(pair.ends_with("0 1 2\n3 4 5\n6 7 8\n"), "{pair}");
}

#[test]
fn generate_accepts_ranges_beyond_the_maximum() {
    generate("--size 3x3 --moves 30..40 --seed 1");
    generate("--size 2x3 --expanded 0..18446744073709551615 --algorithm astar --seed 1");
}

#[test]
fn generate_rejects_impossible_requests() {
    let check = |args: &str, code: i32, words: &str| {
        let ran = run(["generate"].into_iter().chain(args.split_whitespace()));
        assert_eq!(ran.code, code, "{args}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{args}: {}", ran.stderr);
        assert_eq!(ran.stdout, "");
    };
    check("--size 3x3 --moves 32", 1, "the hardest take 31");
    check("--size 3x3 --moves 32..40", 1, "the hardest take 31");
    check("--size 4x4 --moves 81", 1, "the hardest take 80");
    check("--moves 5..3 --seed 1", 2, "empty range");
    check("--size 1x9", 2, "1x9");
    check("--size 3x3 --goal 0,1,2,3", 2, "not a board of size 3x3");
    check("--size 3x5 --format digits --seed 1", 2, "squares");
    check("--expanded 5..9", 2, "--algorithm");
    check("--unsolvable --moves 3", 2, "cannot be used with");
    check("--seed 1 -o /no/such/folder/file", 4, "/no/such/folder/file");
    check("--size 2x8 --moves 200 --time 200ms --seed 1", 3, "limit");
    check("--for-each /no/such/file", 4, "No such file");
}

#[test]
fn generate_reports_an_incomplete_key() {
    let folder = Folder::new();
    let key = folder.path().join("key.csv");
    let args = ["generate", "--size", "4x4", "--seed", "1", "--count", "3", "--time", "0"];
    let ran = run([&args[..], &["--key", key.to_str().unwrap()]].concat());
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("3 of 3 boards could not be solved within the limits"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        (ran.stdout.lines().count(), fs::read_to_string(&key).unwrap().lines().count()),
        (3, 4)
    );
}
