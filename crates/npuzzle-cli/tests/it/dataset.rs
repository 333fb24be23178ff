//! `npuzzle dataset`, and `npuzzle judge` on its tasks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::program::{Folder, run, run_with};

const PUZZLE: &str = "1 2 3/4 0 5/7 8 6";

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text<'a>(record: &'a Value, field: &str) -> &'a str {
    record[field].as_str().unwrap_or_else(|| panic!("{field}: {record}"))
}

fn write(folder: &Folder, name: &str, text: &str) -> String {
    folder.file(name, text).to_str().unwrap().to_owned()
}

#[test]
fn dataset_is_reproducible_and_disjoint() {
    let args = ["dataset", "--size", "2x3,3x3", "--split", "test=21,train=42", "--seed", "9"];
    let ran = run(args);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, run(args).stdout.as_str()), "{}", ran.stderr);
    let tasks = lines(&ran.stdout);
    let boards: BTreeSet<&str> = tasks.iter().map(|task| text(task, "board")).collect();
    assert_eq!((tasks.len(), boards.len()), (126, 126));
    for task in &tasks {
        let solution = text(task, "solution");
        let checked = run(["check", text(task, "board"), solution, "--json"]);
        assert_eq!(checked.code, 0, "{task}: {}", checked.stdout);
        assert_eq!(lines(&checked.stdout)[0]["moves_stm"], task["distance"]);
        if task["distance"].as_u64() > Some(6) {
            break;
        }
    }
    let other = run(args.map(|arg| if arg == "9" { "10" } else { arg }));
    assert_ne!(other.stdout, ran.stdout);
}

#[test]
fn dataset_writes_one_file_per_split() {
    let folder = Folder::new();
    let tasks = folder.path().join("tasks");
    let tasks = tasks.to_str().unwrap();
    let args =
        ["--split", "test=31,hard=6@30..31", "--out-dir", tasks, "--seed", "1", "--metric", "mtm"];
    let ran = run(["dataset", "--distances", "1..20"].iter().chain(&args));
    // In the multi-tile metric the hardest 8-puzzles take 24 moves.
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("hard: 6 boards requested, but only 0 are available"),
        "{}",
        ran.stderr
    );
    let args = args.map(|arg| if arg.contains("hard") { "test=31,hard=6@23..24" } else { arg });
    let ran = run(["dataset", "--distances", "1..20"].iter().chain(&args));
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    let read = |name: &str| lines(&fs::read_to_string(format!("{tasks}/{name}.jsonl")).unwrap());
    assert_eq!((read("test").len(), read("hard").len()), (31, 6));
    assert!(read("hard").iter().all(|task| task["distance"].as_u64() >= Some(23)));
    assert_eq!(fs::read_dir(tasks).unwrap().count(), 2);
}

#[test]
fn dataset_reads_templates_from_files() {
    let folder = Folder::new();
    let template = write(&folder, "prompt.txt", "{rows}x{cols} {board} {{{notation}}}\n");
    let args = ["dataset", "--size", "2x2", "--split", "all=1", "--seed", "1", "--quiet"];
    let template = ["--template", &template, "--notation", "numbers"];
    let ran = run(args.iter().chain(&template));
    let task = &lines(&ran.stdout)[0];
    let start = format!("2x2 {} {{Write each move as the number", text(task, "board"));
    assert!(text(task, "prompt").starts_with(&start), "{task}");
    let bad = write(&folder, "bad.txt", "Solve\n {bord}");
    for (template, code, message) in [
        (bad.as_str(), 2, "bad.txt: line 2, column 2: {bord} is not a placeholder"),
        ("missing.txt", 4, "built-in templates: grid, line, json"),
    ] {
        let ran = run(args.iter().chain(&["--template", template]));
        assert_eq!(ran.code, code, "{}", ran.stderr);
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
}

#[test]
fn dataset_refuses_contradictions() {
    for (args, code, message) in [
        (&["--split", "a=1,a=2"][..], 2, "two splits have the name a"),
        (&["--split", "a/b=1"], 2, "letters, digits"),
        (&["--split", "a"], 2, "expected NAME=COUNT"),
        (&["--distances", "5..2"], 2, "empty range"),
        (&["--size", "2x2", "--split", "a=12"], 1, "only 11 are available"),
        (&["--size", "2x2,2x2"], 2, "2x2 is listed twice"),
        (
            &["--size", "2x2", "--goal", "1 2 3/4 5 6/7 8 0"],
            2,
            "the goal is not a board of size 2x2",
        ),
        (&["--out-dir", "x", "-o", "y"], 2, "cannot be used with"),
    ] {
        let ran = run(["dataset", "--seed", "1"].iter().chain(args));
        assert_eq!(ran.code, code, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn judge_scores_one_answer() {
    for (args, code, expect) in [
        (&[PUZZLE, "Answer: L U"][..], 0, "1.000 shortest: solved in 2 moves, shortest\n"),
        (&[PUZZLE, "L R L U"], 0, "0.750 solved: solved in 4 moves; the shortest solution has 2\n"),
        (&[PUZZLE, "hm"], 1, "0.000 unreadable: no answer found\n"),
        (&[PUZZLE, "L R L U", "--scoring", "shortest"], 0, "0.000 solved: "),
        (&[PUZZLE, "R D", "--notation", "blank"], 0, "1.000"),
        (&[PUZZLE, "R D", "--notation", "any"], 0, "1.000"),
        (&["1 2 3/8 4 0/7 6 5", "R", "--goal", "snail"], 0, "1.000"),
        (&["1 2 3/4 5 6/8 7 0", "<answer>unsolvable</answer>"], 0, "1.000"),
    ] {
        let ran = run(["judge"].iter().chain(args));
        assert_eq!(ran.code, code, "{args:?}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.starts_with(expect), "{args:?}: {}", ran.stdout);
    }
    let ran = run_with(["judge", PUZZLE, "-", "--json"], "<answer>L L</answer>");
    let record = &lines(&ran.stdout)[0];
    assert_eq!((ran.code, text(record, "status")), (1, "illegal"));
    assert_eq!((record["illegal_at"].as_u64(), record["progress"].as_u64()), (Some(2), Some(1)));
}

#[test]
fn judge_scores_files_by_distance() {
    let folder = Folder::new();
    let ran = run(["dataset", "--split", "test=62", "--seed", "3", "--notation", "blank"]);
    let tasks_file = write(&folder, "tasks.jsonl", &ran.stdout);
    let tasks = lines(&ran.stdout);
    let mut answers = String::new();
    let mut expect = BTreeMap::new();
    for (n, task) in tasks.iter().enumerate() {
        let answer = match n % 3 {
            0 => format!("<answer>{}</answer>", text(task, "solution")),
            1 => "I give up.".to_owned(),
            _ => format!("Answer: {}", task["first_moves"][0].as_str().unwrap()),
        };
        expect.insert(text(task, "id").to_owned(), n % 3);
        answers += &serde_json::json!({"id": task["id"], "reply": answer}).to_string();
        answers.push('\n');
    }
    let answers = write(&folder, "answers.jsonl", &answers);
    let args = ["judge", &answers, "--tasks", &tasks_file, "--field", "reply"];
    let ran = run(args.iter().chain(&["--json"]));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let judgments = lines(&ran.stdout);
    assert_eq!(judgments.len(), 62);
    for judgment in &judgments {
        let kind = expect[text(judgment, "id")];
        let distance = judgment["distance"].as_u64().unwrap();
        let status = match kind {
            0 => "shortest",
            1 => "unreadable",
            _ if distance == 1 => "shortest",
            _ => "unsolved",
        };
        assert_eq!(text(judgment, "status"), status, "{judgment}");
        assert_eq!(judgment["first_move_optimal"].as_bool(), (kind != 1).then_some(true));
    }
    let table = run(args).stdout;
    let rows: Vec<Vec<&str>> =
        table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0][..3], ["distance", "answers", "shortest"]);
    assert_eq!(rows.len(), 1 + 31 + 1);
    assert_eq!(rows[32][..2], ["all", "62"]);
}

#[test]
fn judge_reports_lines_that_cannot_be_read() {
    let input = format!(
        "{{\"board\":\"{PUZZLE}\",\"answer\":\"L U\"}}\n\
         not json\n\n\
         {{\"board\":\"{PUZZLE}\"}}\n\
         {{\"board\":\"1 2/3 3\",\"answer\":\"L\"}}\n\
         {{\"board\":[[1,2],[0,3]],\"answer\":null,\"goal\":\"last\"}}\n\
         {{\"board\":\"{PUZZLE}\",\"answer\":7}}\n\
         {{\"answer\":\"L\"}}\n\
         {{\"board\":\"{PUZZLE}\",\"goal\":\"1 2/3 0\",\"answer\":\"L\"}}\n"
    );
    let ran = run_with(["judge", "-", "--json"], &input);
    assert_eq!(ran.code, 2);
    assert_eq!(lines(&ran.stdout).len(), 2, "{}", ran.stdout);
    for message in [
        "<stdin>:2: expected one JSON object per line",
        "<stdin>:4: no field `answer`",
        "<stdin>:5: `board`: tile 3 appears twice",
        "<stdin>:7: the field `answer` is not a text",
        "<stdin>:8: no field `board`",
        "<stdin>:9: the goal and the board have different sizes",
    ] {
        assert!(ran.stderr.contains(message), "{message:?}: {}", ran.stderr);
    }
    let folder = Folder::new();
    let tasks = write(&folder, "tasks.jsonl", "{\"id\":1,\"board\":\"1 2/0 3\"}\n");
    let unknown = run_with(["judge", "-", "--tasks", &tasks], "{\"id\":2,\"answer\":\"L\"}\n");
    assert_eq!((unknown.code, unknown.stderr.contains("no task has the id \"2\"")), (2, true));
    let found = run_with(["judge", "-", "--tasks", &tasks], "{\"id\":1,\"answer\":\"L\"}\n");
    assert_eq!(found.code, 0, "{}", found.stderr);
}
