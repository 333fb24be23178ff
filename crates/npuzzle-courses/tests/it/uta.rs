//! UTA's course: moves that cost the number of the tile.

use npuzzle::Limits;
use npuzzle_courses::{VariantEnding, VariantError};
use npuzzle_testkit::data;

use crate::variants::{arguments, check, course, run, try_run, uta};

#[test]
fn uta_sample_is_answered_byte_for_byte() {
    let expected = data::text("courses/uta/astar.out");
    assert_eq!(uta("a*").answer, expected);
    assert_eq!(uta("A*").answer, expected);
    // Without the method, the flag comes third.
    assert!(uta("true").wants_trace && !uta("a*").wants_trace);
    assert_eq!(uta("true").answer, expected);
}

#[test]
fn uta_methods_have_the_known_counters() {
    let known = data::text("courses/uta/counters.txt");
    let rows = known.lines().filter(|line| !line.starts_with('#'));
    let mut n_methods = 0;
    for row in rows {
        let [method, popped, expanded, generated, fringe, depth, cost] =
            row.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let head = format!(
            "Nodes Popped: {popped}\nNodes Expanded: {expanded}\nNodes Generated: {generated}\n\
             Max Fringe Size: {fringe}\nSolution Found at depth {depth} with cost of {cost}.\nSteps:\n"
        );
        let answer = uta(method).answer;
        let found: String = answer.lines().take(6).map(|line| format!("{line}\n")).collect();
        assert_eq!(found, head, "{method}");
        let puzzle = data::text("courses/uta/start.txt") + &data::text("courses/uta/goal.txt");
        let verdict = check("uta", &puzzle, &answer);
        assert!(verdict.starts_with(&format!("valid: {depth} moves, cost {cost}")), "{verdict}");
        n_methods += 1;
    }
    assert_eq!(n_methods, 6);
}

#[test]
fn uta_depth_limit_decides_between_a_solution_and_none() {
    let (start, goal) = (data::text("courses/uta/start.txt"), data::text("courses/uta/goal.txt"));
    let dls = |limit| {
        let values =
            [("start", &*start), ("goal", &goal), ("method", "dls"), ("depth-limit", limit)];
        run("uta", &values)
    };
    assert!(dls("12").answer.contains("Solution Found at depth 12 with cost of 63.\n"));
    let none = dls("11");
    assert_eq!(none.ending, VariantEnding::Unsolvable);
    assert!(none.answer.ends_with("\nNo solution found.\n"), "{}", none.answer);
    let values = [("start", &*start), ("goal", &goal), ("method", "dls")];
    let asked = try_run("uta", &values, Limits::default()).unwrap_err();
    assert!(matches!(asked, VariantError::Ask { argument: "depth-limit", .. }));
}

#[test]
fn uta_solved_and_unsolvable_boards_are_answered() {
    let goal = data::text("courses/uta/goal.txt");
    for method in ["bfs", "ucs", "dfs", "ids", "greedy", "a*"] {
        let solved = run("uta", &[("start", &goal), ("goal", &goal), ("method", method)]);
        let text = "Nodes Popped: 1\nNodes Expanded: 0\nNodes Generated: 1\nMax Fringe Size: 1\n\
                    Solution Found at depth 0 with cost of 0.\nSteps:\n";
        assert_eq!(solved.answer, text, "{method}");
        let unsolvable = "1 2 3\n4 5 6\n8 7 0\n";
        let none = run("uta", &[("start", unsolvable), ("goal", &goal), ("method", method)]);
        assert_eq!(none.ending, VariantEnding::Unsolvable, "{method}");
        assert!(none.answer.ends_with("No solution found.\n"), "{method}");
        // All boards that can be reached are expanded, except by ids, which would never end.
        let expanded = if method == "ids" { 0 } else { 181_440 };
        assert_eq!(none.stats.expanded, expanded, "{method}");
    }
}

#[test]
fn uta_rejects_bad_arguments_with_a_reason() {
    let board = "1 2 3\n4 5 6\n7 8 0\n";
    let error = |values: &[(&'static str, &str)]| {
        let both = [("start", board), ("goal", board)];
        try_run("uta", &[&both, values].concat(), Limits::default()).unwrap_err().to_string()
    };
    let expected = "\"best\" is not a method: expected bfs, ucs, dfs, dls, ids, greedy, a*";
    assert_eq!(error(&[("method", "best")]), expected);
    assert_eq!(error(&[("dump", "yes")]), "the dump flag is \"yes\": expected true or false");
    assert_eq!(error(&[("depth-limit", "3")]), "--depth-limit is for the method dls");
    let many = [("method", "dls"), ("depth-limit", "x")];
    assert_eq!(error(&many), "the depth limit \"x\" is not a number");
    assert!(error(&[("start", "")]).contains("no board"), "{}", error(&[("start", "")]));
    let twice = error(&[("goal", "1 2 3\n4 5 6\n7 8 8\nEND OF FILE\n")]);
    assert!(twice.contains("8"), "{twice}");
    let larger = error(&[("start", "1 2\n3 0\n")]);
    assert_eq!(larger, "this course solves 3x3 boards, this one is 2x2");
}

#[test]
fn uta_trace_begins_and_ends_as_the_copies_do() {
    let course = course("uta");
    let (start, goal) = (data::text("courses/uta/start.txt"), data::text("courses/uta/goal.txt"));
    for (method, n_blocks) in [("a*", 64), ("greedy", 138), ("ids", 32), ("dls", 18), ("bfs", 8)] {
        // A board that blind methods solve quickly.
        let near = "1 2 3\n4 0 5\n7 8 6\n";
        let start = if matches!(method, "a*" | "greedy") { &start } else { near };
        let mut values = vec![("start", start), ("goal", &*goal), ("method", method)];
        if method == "dls" {
            values.push(("depth-limit", "4"));
        }
        let mut arguments = arguments(&course, &values);
        arguments.command_line =
            ["start.txt", "goal.txt", method, "true"].map(str::to_owned).into();
        let mut text = Vec::new();
        (course.trace)(&arguments, Limits::default(), &mut (), &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let head = format!(
            "Command-Line Arguments : ['start.txt', 'goal.txt', '{method}', 'true']\n\
             Method Selected: {method}\nRunning {method}\n"
        );
        assert!(text.starts_with(&head), "{text}");
        let run = (course.run)(&arguments, Limits::default(), &mut ()).unwrap();
        let n_expansions = text.matches("Generating successors to ").count();
        assert_eq!(n_expansions as u64, run.stats.expanded, "{method}");
        if n_expansions > 30 {
            assert_eq!(n_expansions, n_blocks, "{method}");
        }
        let counters: String = run.answer.lines().take(4).map(|line| format!("{line}\n")).collect();
        let end = text.lines().rev().nth(4).unwrap();
        assert!(
            end.starts_with("Goal Found: < state = [[1, 2, 3], [4, 5, 6], [7, 8, 0]]"),
            "{end}"
        );
        assert!(text.ends_with(&counters), "{method}");
    }
}

#[test]
fn uta_first_step_of_the_trace_lists_four_nodes() {
    let course = course("uta");
    let (start, goal) = (data::text("courses/uta/start.txt"), data::text("courses/uta/goal.txt"));
    let arguments = arguments(&course, &[("start", &*start), ("goal", &goal)]);
    let mut text = Vec::new();
    (course.trace)(&arguments, Limits::default(), &mut (), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let block: Vec<&str> = text.lines().skip(3).take(9).collect();
    let parent = "Parent = Pointer to {[[2, 3, 6], [1, 0, 7], [4, 8, 5]]} >";
    assert_eq!(
        block[..4],
        [
            "Generating successors to < state = [[2, 3, 6], [1, 0, 7], [4, 8, 5]], action = {Start} \
             g(n) = 0, d = 0, f(n) = 47, Parent = Pointer to {None} >:",
            "\t4 successors generated",
            "\tClosed: [[[2, 3, 6], [1, 0, 7], [4, 8, 5]]]",
            "\tFringe: [",
        ]
    );
    assert!(block[4..8].iter().all(|line| line.starts_with("\t\t< state = [[")));
    assert!(block[4..8].iter().all(|line| line.ends_with(parent)), "{block:?}");
    assert!(
        block[4..8].iter().any(|line| line.contains("action = {Move 7 Left} g(n) = 7, d = 1,"))
    );
    assert_eq!(block[8], "\t]");
}

#[test]
fn uta_solutions_are_checked_by_cost() {
    let puzzle = data::text("courses/uta/start.txt") + &data::text("courses/uta/goal.txt");
    let answer = data::text("courses/uta/astar.out");
    let check = |solution: &str| check("uta", &puzzle, solution);
    assert_eq!(check(&answer), "valid: 12 moves, cost 63, cheapest");
    assert_eq!(check("L U R D L D R R U U L L"), "valid: 12 moves, cost 63, cheapest");
    let error = check(&answer.replace("cost of 63", "cost of 60"));
    assert_eq!(error, "not valid: claims cost 60, the moves cost 63");
    let error = check(&answer.replace("depth 12", "depth 11"));
    assert_eq!(error, "not valid: claims depth 11, shows 12 moves");
    let error = check(&answer.replace("Move 5 Up", "Move 6 Up"));
    assert_eq!(error, "not valid: step 2: tile 6 cannot move up, only tile 5 can");
    let error = check(&answer.replace("Move 5 Up", "Move 5 Left"));
    assert_eq!(error, "not valid: step 2: no tile can move left");
    let error = check(&answer.replace("\tMove 8 Left\n", "").replace("Solution Found", "Found"));
    assert_eq!(error, "not valid: the moves end at 1 2 3/4 5 6/7 0 8, not at the goal");
    assert_eq!(check("No solution found."), "not valid: there is a solution");
    assert_eq!(check("hello"), "error: no moves such as `Move 7 Left`");
    // A move and back costs 14 more.
    let longer = answer.replace("Steps:\n", "Steps:\n\tMove 7 Left\n\tMove 7 Right\n");
    let longer = longer.replace("depth 12", "depth 14").replace("cost of 63", "cost of 77");
    let expected = "valid: 14 moves, cost 77, 14 more than the cheapest, which has 63";
    assert_eq!(check(&longer), expected);
    let unsolvable = "1 2 3\n4 5 6\n8 7 0\n";
    let verdict = self::check("uta", unsolvable, "No Solution");
    assert_eq!(verdict, "valid: there is no solution");
}
