//! `npuzzle compare`.

use crate::program::{Folder, RunResult, command, run};

fn compare(args: &[&str], code: i32) -> RunResult {
    let ran = run(["compare"].iter().chain(args));
    assert_eq!(ran.code, code, "{args:?}: {}{}", ran.stdout, ran.stderr);
    ran
}

/// The cells of the row that starts with these names.
fn row(text: &str, names: &[&str]) -> Vec<String> {
    let cells = |line: &str| -> Vec<String> {
        line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
    };
    let matches = |row: &Vec<String>| row.iter().zip(names).all(|(cell, name)| cell == name);
    text.lines().map(cells).find(matches).unwrap_or_else(|| panic!("{names:?} in {text}"))
}

const BOARD: &str = "8 1 3/4 0 2/7 6 5";

#[test]
fn compare_counts_agree_with_solve() {
    let text = compare(&[BOARD, "--algorithms", "astar,bfs,ida"], 0).stdout;
    for (algorithm, heuristic) in [("astar", "misplaced"), ("ida", "manhattan"), ("bfs", "-")] {
        let mut args = vec!["solve", BOARD, "--json", "--algorithm", algorithm];
        if heuristic != "-" {
            args.extend(["--heuristic", heuristic]);
        }
        let solved: serde_json::Value = serde_json::from_str(&run(args).stdout).unwrap();
        let row = row(&text, &["<board>:1", algorithm, heuristic, "optimal", "14"]);
        let expect = ["h_start", "expanded", "generated"].map(|name| solved[name].to_string());
        assert_eq!(row[5..8], expect, "{text}");
    }
    // One row, although three heuristics are requested.
    assert_eq!(text.lines().filter(|line| line.contains(" bfs ")).count(), 1);
}

#[test]
fn compare_shows_limits_and_errors() {
    let args = ["--korf", "1..2", "--nodes", "1000", "--algorithms", "astar,ida,table"];
    let ran = compare(&[&args[..], &["--heuristics", "manhattan,pattern"]].concat(), 2);
    let cells = row(&ran.stdout, &["astar", "manhattan", "0/2, 2 nodes", "-"]);
    assert!(cells[5] == "≥1000" && cells[6].starts_with('≥'), "{}", ran.stdout);
    row(&ran.stdout, &["table", "-", "0/2, 2 errors [1]", "-", "-"]);
    assert!(
        ran.stdout.contains("\n[1] a full table holds boards of up to 12 cells"),
        "{}",
        ran.stdout
    );
    let csv = compare(&[&args[..], &["--output", "csv"]].concat(), 2).stdout;
    assert_eq!(csv.lines().count(), 1 + 2 * 7);
    let lines: Vec<&str> = csv.lines().filter(|line| line.contains(",limit,")).collect();
    assert!(lines.iter().all(|line| line.contains(",nodes,")), "{csv}");
    compare(&["1 2 3/4 5 6/8 7 0"], 1);
    compare(&["1 2 3/4 5 6/8 7 q"], 2);
}

#[test]
fn korf_counters_reproduce_the_published_nodes() {
    let text = compare(&["--korf", "79,42", "--counters", "korf"], 0).stdout;
    for (board, nodes) in [("korf 79", "540860"), ("korf 42", "877823")] {
        let cells = row(&text, &[board, "ida", "manhattan", "optimal", "42"]);
        assert_eq!(cells[6..8], [nodes, nodes], "{text}");
    }
    let other = compare(&["--korf", "79", "--counters", "korf", "--order", "durl"], 0).stdout;
    let cells = row(&other, &["korf 79", "ida", "manhattan", "optimal", "42"]);
    assert_ne!(cells[6], cells[7], "{other}");
}

#[test]
fn compare_means_skip_bad_and_unsolvable_boards() {
    let folder = Folder::new();
    let all = folder.file("all", format!("{BOARD}\n1 2 3/4 5 6/8 7 0\n1 2 3/4 5 6/8 8 0\n"));
    let args = ["--algorithms", "astar", "--heuristics", "manhattan"];
    let ran = compare(&[&[all.to_str().unwrap()][..], &args].concat(), 2);
    let mean = row(&ran.stdout, &["astar", "manhattan", "1/3, 1 unsolvable, 1 error [1]"]);
    let alone = row(&compare(&[&[BOARD][..], &args].concat(), 0).stdout, &["<board>:1", "astar"]);
    // Means of lengths and estimates have one decimal place.
    assert_eq!(mean[3..5], [&alone[4], &alone[5]].map(|cell| format!("{cell}.0")));
    assert_eq!(mean[5..8], alone[6..9]);
    assert!(ran.stdout.contains("\n[1] ") && ran.stderr.contains("all:3:"), "{ran:?}");
    let each = compare(&[&[all.to_str().unwrap(), "--each"][..], &args].concat(), 2).stdout;
    row(&each, &[&format!("{}:3", all.display()), "astar", "manhattan", "error [1]", "-"]);
    let json = compare(&[&[all.to_str().unwrap(), "--json"][..], &args].concat(), 2).stdout;
    let last: serde_json::Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!((&last["status"], &last["start"]), (&"error".into(), &serde_json::Value::Null));
    let ran = compare(&["--random", "0"], 2);
    assert!(ran.stderr.contains("expected a whole number of at least 1"), "{}", ran.stderr);
    // Flags that would be ignored are refused.
    compare(&["1 2/0 3", "--seed", "1"], 2);
    compare(&["--korf", "1", "--size", "3x3"], 2);
    let ran = compare(&["1 2/0 3", "--weight", "2"], 2);
    assert!(ran.stderr.contains("only wastar takes a weight"), "{}", ran.stderr);
}

#[test]
fn compare_names_counters_like_courses() {
    let princeton = compare(&[BOARD, "--counters", "princeton", "--algorithms", "astar"], 0).stdout;
    assert!(princeton.contains("enqueued  dequeued  max queue"), "{princeton}");
    let board = Folder::new();
    let file = board.file("board", "3\n1 2 3\n8 6 4\n7 0 5\n");
    let file = file.to_str().unwrap();
    let args = ["--counters", "42", "--algorithms", "astar", "--heuristics", "manhattan"];
    let ours = compare(&[&[file, "--goal", "snail"][..], &args].concat(), 0).stdout;
    assert!(ours.contains("complexity in time  complexity in size"), "{ours}");
    // Duplicates that were dropped when dequeued are no longer held.
    let json = compare(&[BOARD, "--json", "--algorithms", "astar"], 0).stdout;
    for line in json.lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let number = |name: &str| record[name].as_u64().unwrap();
        let n_dropped = number("dequeued") - 1 - number("expanded");
        let expect = number("enqueued") - n_dropped..=number("enqueued");
        assert!(expect.contains(&number("max_states")), "{line}");
    }
}

#[test]
fn compare_random_boards_depend_on_the_seed() {
    let folder = Folder::new();
    let chart = folder.path().join("chart.svg");
    let args = ["--random", "3", "--size", "2x3", "--seed", "4", "--output", "csv"];
    let csv = compare(&[&args[..], &["--chart", chart.to_str().unwrap()]].concat(), 0).stdout;
    let again = compare(&args, 0).stdout;
    let starts = |csv: &str| -> Vec<String> {
        csv.lines().map(|line| line.split(',').take(11).collect::<Vec<_>>().join(",")).collect()
    };
    assert_eq!(starts(&csv), starts(&again));
    assert_eq!(csv.lines().count(), 1 + 9 * 3);
    let svg = std::fs::read_to_string(chart).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!(svg.matches("<circle").count(), 9 * 3);
    for name in ["astar with misplaced", "ida with linear-conflict", "States expanded", "3 boards"]
    {
        assert!(svg.contains(name), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn interrupted_compare_replaces_no_file() {
    let folder = Folder::new();
    let file = folder.file("rows.csv", "old\n");
    let args = ["compare", "--korf", "1..9", "--algorithms", "ida", "--heuristics", "zero"];
    let mut child = command()
        .args(args)
        .args(["--output", "csv", "-o"])
        .arg(&file)
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let partial = folder.path().join("rows.csv.partial");
    while !partial.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // Time to install the signal handler.
    std::thread::sleep(std::time::Duration::from_millis(500));
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "old\n");
    assert!(std::fs::read_to_string(&partial).unwrap().lines().count() >= 2);
}
