//! `npuzzle trace` and `npuzzle trace diff`.

use crate::program::{Folder, RunResult, run};

const BOARD: &str = "1 2 3/4 0 5/7 8 6";

fn trace(args: &[&str], code: i32) -> RunResult {
    let ran = run(["trace"].iter().chain(args));
    assert_eq!(ran.code, code, "{args:?}: {}{}", ran.stdout, ran.stderr);
    ran
}

#[test]
fn trace_text_shows_the_queue() {
    let text = trace(&[BOARD], 0).stdout;
    let expect = "\
astar, h = manhattan, ties lifo, closed list

step 1: expand #0 [1 2 3/4 0 5/7 8 6] g=0 h=2 f=2
  queue before (1): #0 f=2
  push   D #1 [1 0 3/4 2 5/7 8 6] g=1 h=3 f=4
  push   R #2 [1 2 3/0 4 5/7 8 6] g=1 h=3 f=4
  push   U #3 [1 2 3/4 8 5/7 0 6] g=1 h=3 f=4
  push   L #4 [1 2 3/4 5 0/7 8 6] g=1 h=1 f=2
  queue after  (4): #4 f=2, #3 f=4, #2 f=4, #1 f=4

step 2: expand #4 [1 2 3/4 5 0/7 8 6] g=1 h=1 f=2
  queue before (4): #4 f=2, #3 f=4, #2 f=4, #1 f=4
  push   D #5 [1 2 0/4 5 3/7 8 6] g=2 h=2 f=4
  push   U #6 [1 2 3/4 5 6/7 8 0] g=2 h=0 f=2
  refuse R #0, the parent
  queue after  (5): #6 f=2, #5 f=4, #3 f=4, #2 f=4, #1 f=4

step 3: goal #6 [1 2 3/4 5 6/7 8 0] g=2 h=0 f=2
  queue before (5): #6 f=2, #5 f=4, #3 f=4, #2 f=4, #1 f=4
  queue after  (4): #5 f=4, #3 f=4, #2 f=4, #1 f=4

the goal after 2 moves, at step 3
tile slides: L U
2 expanded, 6 generated, 7 enqueued, 3 dequeued, 0 duplicates, 5 at most in the queue
";
    assert_eq!(text, expect);
    let cut = trace(&["8 1 3/4 0 2/7 6 5", "--steps", "5", "--queue", "2"], 0).stdout;
    assert_eq!(cut.matches("\nstep ").count(), 5);
    assert!(cut.contains(" more\n") && cut.contains("cut off after 5 steps"), "{cut}");
    let none = trace(&["1 2/0 3", "--goal", "2 1/3 0"], 0).stdout;
    assert!(none.contains("unsolvable") && !none.contains("step 1"), "{none}");
}

#[test]
fn trace_json_has_a_line_per_step() {
    let text = trace(&[BOARD, "--json", "--algorithm", "bfs"], 0).stdout;
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["algorithm"], &lines[0]["tie_break"]), (&"bfs".into(), &"fifo".into()));
    let steps = &lines[1..lines.len() - 1];
    for (at, step) in steps.iter().enumerate() {
        assert_eq!(step["step"], at + 1);
        assert_eq!(step["before"][0], step["node"]["node"]);
        if let Some(next) = steps.get(at + 1) {
            assert_eq!(step["after"], next["before"]);
        }
    }
    let end = &lines[lines.len() - 1];
    assert_eq!(
        (&end["ending"], end["dequeued"].as_u64()),
        (&"goal".into(), Some(steps.len() as u64))
    );
    assert_eq!(end["solution"].as_array().unwrap().len(), 3);
}

#[test]
fn trace_tree_has_every_node_once() {
    let dot = trace(&[BOARD, "--output", "dot"], 0).stdout;
    assert!(dot.starts_with("digraph search {") && dot.ends_with("}\n"), "{dot}");
    // Seven nodes, two of them on the path to the goal.
    assert_eq!((dot.matches("label=").count(), dot.matches("penwidth=3").count()), (7, 2), "{dot}");
    assert_eq!(dot.matches(" -> ").count(), 6);
    let folder = Folder::new();
    let file = folder.path().join("tree.svg");
    trace(&[BOARD, "--output", "svg", "-o", file.to_str().unwrap()], 0);
    let svg = std::fs::read_to_string(file).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!((svg.matches("<line").count(), svg.matches("stroke-width=\"4\"").count()), (6, 2));
    assert_eq!(svg.matches(" h=").count(), 7);
}

/// The boards that a trace expands, one per line.
fn log(args: &[&str]) -> String {
    let text = trace(&[args, &["--json", "--steps", "1000"]].concat(), 0).stdout;
    let steps = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let expanded = steps.filter(|step| step["fate"] == "expanded" || step["fate"] == "goal");
    expanded.map(|step| format!("{}\n", step["node"]["board"].as_str().unwrap())).collect()
}

#[test]
fn trace_diff_explains_logs_or_not() {
    let puzzle = "8 1 3/4 0 2/7 6 5";
    let folder = Folder::new();
    let diff = |log: &str, more: &[&str], code: i32, words: &[&str]| {
        let file = folder.file("log", log);
        let ran = trace(&[&["diff", file.to_str().unwrap(), puzzle], more].concat(), code);
        for words in words {
            assert!(ran.stdout.contains(words), "{more:?}: {:?} has no {words:?}", ran.stdout);
        }
    };
    for tie_break in ["fifo", "lifo", "heap"] {
        let log = log(&[puzzle, "--tie-break", tie_break]);
        diff(&log, &[], 0, &["explained: all ", "up to the goal; no state is expanded twice"]);
        diff(&log, &["--heuristic", "misplaced"], 1, &["not explained by any tie-break"]);
    }
    let greedy = log(&[puzzle, "--algorithm", "greedy"]);
    diff(&greedy, &["--algorithm", "greedy"], 0, &["explained"]);
    let words = ["not explained", "it is queued with g=", "legal at this step:\n  "];
    diff(&greedy, &[], 1, &words);
    diff(&greedy, &["--json"], 1, &["\"explained\":false", "\"line\":", "\"legal\":["]);
    // The output of our own traces.
    let n_steps = log(&[puzzle]).lines().count();
    for format in ["json", "text"] {
        let ours = trace(&[puzzle, "--output", format, "--steps", "1000"], 0).stdout;
        diff(&ours, &[], 0, &[&format!("explained: all {n_steps} steps, up to the goal")]);
        diff(&ours, &["--heuristic", "misplaced"], 1, &["not explained by any tie-break"]);
    }
    let file = folder.file("log", "{\"start\":\"8 1 3/4 0 2/7 6 5\"}\nnothing here");
    let ran = trace(&["diff", file.to_str().unwrap(), puzzle], 2);
    assert!(ran.stderr.contains("no boards of 3x3"), "{}", ran.stderr);
}

#[test]
fn trace_shows_uninformed_searches() {
    let text = |args: &[&str]| trace(&[&[BOARD, "--algorithm"], args].concat(), 0).stdout;
    let bfs = text(&["bfs", "--goal-test", "generation"]);
    assert!(bfs.starts_with("bfs, queue, closed list, goal test at generation\n"), "{bfs}");
    assert!(bfs.contains("\n  goal   U #") && bfs.contains("the goal after 2 moves"), "{bfs}");
    let dfs = text(&["dfs", "--depth-limit", "1"]);
    assert!(dfs.starts_with("dfs, stack, closed list, depth limit 1\n"), "{dfs}");
    assert!(dfs.contains("  the node is at the depth limit\n"), "{dfs}");
    assert!(dfs.contains("no solution within the depth limit, after 5 steps"), "{dfs}");
    assert!(text(&["dfs", "--steps", "1"]).contains("depth limit 20"));
    let iddfs = text(&["iddfs"]);
    assert!(iddfs.starts_with("iddfs, parents refused\n\nround 1: bound 0\n"), "{iddfs}");
    assert!(iddfs.contains("round 3: bound 2\n") && iddfs.ends_with(" 3 rounds\n"), "{iddfs}");
    let refused = trace(&[BOARD, "--depth-limit", "3"], 2).stderr;
    assert!(refused.contains("only bfs, dfs and iddfs have a depth limit"), "{refused}");
}

#[test]
fn trace_shows_rounds_of_ida() {
    let puzzle = "1 2 3/4 0 6/7 5 8";
    let text = trace(&[puzzle, "--algorithm", "ida"], 0).stdout;
    let expect = "\
ida, h = manhattan, parents refused

round 1: bound 2
step 1: expand #0 [1 2 3/4 0 6/7 5 8] g=0 h=2 f=2
";
    assert!(text.starts_with(expect), "{text}");
    assert!(text.contains(": cut ") && text.ends_with(" 1 round\n"), "{text}");
    let json = trace(&[puzzle, "--algorithm", "ida", "--json"], 0).stdout;
    let lines: Vec<&str> = json.lines().collect();
    assert!(lines[1].starts_with("{\"step\":1,\"round\":1,\"bound\":2,\"fate\":\"expanded\""));
    assert!(lines[lines.len() - 1].contains("\"rounds\":[{\"bound\":2,"), "{json}");
    for format in ["dot", "svg"] {
        let tree = trace(&[puzzle, "--algorithm", "ida", "--output", format], 0).stdout;
        assert!(tree.contains("f="), "{tree}");
    }
}

#[test]
fn trace_rejects_impossible_requests() {
    let check = |args: &[&str], words: &str| {
        let ran = trace(args, 2);
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    };
    check(&[BOARD, "--algorithm", "table"], "bfs, dfs, iddfs, ida]");
    check(
        &[BOARD, "--algorithm", "ida", "--tie-break", "fifo"],
        "ida stores only its current path",
    );
    check(&[BOARD, "--weight", "2"], "only wastar takes a weight");
    check(&[BOARD, "--algorithm", "bfs", "--tie-break", "lifo"], "use uniform");
    check(&[BOARD, "--heuristic", "mahattan"], "linear-conflict-pairs");
    check(&[BOARD, "--heuristic", "auto"], "not a heuristic");
    check(&[], "BOARD");
}
