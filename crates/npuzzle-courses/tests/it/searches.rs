//! The searches that the assignments describe.

use npuzzle_core::search::Limit;
use npuzzle_courses::{Course, Ending, run};
use npuzzle_testkit::data;

use crate::{answer, course, n_moves, with_flag};

const SOLVED: &str = "1 2 3\n4 5 6\n7 8 0\n";
const HARDEST: &str = "8 6 7\n2 5 4\n3 0 1\n";
const UNSOLVABLE: &str = "1 2 3\n4 5 6\n8 7 0\n";

/// Princeton's course with its own A*, with all choices of its flags.
fn princeton_variants() -> Vec<Course> {
    let princeton = course("princeton");
    let lockstep = with_flag(princeton, "detect", "lockstep");
    vec![
        princeton,
        with_flag(princeton, "faithful", ""),
        with_flag(princeton, "heuristic", "hamming"),
        with_flag(princeton, "heuristic", "linear-conflict"),
        lockstep,
        with_flag(lockstep, "heuristic", "misplaced"),
    ]
}

#[test]
fn every_course_solves_easy_hardest_and_unsolvable_boards() {
    let cuhk = course("cuhk");
    let mut variants = princeton_variants();
    variants.extend([cuhk, with_flag(cuhk, "faithful", ""), course("auc")]);
    for course in variants {
        let needs_size = course.name != "cuhk";
        for (board, length) in [(SOLVED, Some(0)), (HARDEST, Some(31)), (UNSOLVABLE, None)] {
            let text = if needs_size { format!("3\n{board}") } else { board.to_owned() };
            let (printed, run) = answer(&course, &text);
            assert_eq!(n_moves(&run), length, "{} {board}", course.name);
            let reports_unsolvable = course.grading.reports_unsolvable;
            assert_eq!(printed.is_empty(), length.is_none() && !reports_unsolvable, "{printed}");
        }
    }
}

/// The size of the queue depends on the heap's order of equal keys.
#[test]
fn umbc_hardest_board_leaves_a_million_states_open() {
    let (answer, run) = answer(&course("umbc"), &format!("{HARDEST}{SOLVED}"));
    assert_eq!(n_moves(&run), Some(31));
    assert!(answer.contains("openQ at end of search process: 1059119\n"), "{answer}");
}

#[test]
fn umbc_reports_unsolvable_boards_without_a_search() {
    let (printed, run) = answer(&course("umbc"), &format!("{UNSOLVABLE}{SOLVED}"));
    assert_eq!((printed.as_str(), &run.ending), ("", &Ending::Unsolvable));
    assert_eq!(run.stats.expanded, 0);
}

#[test]
fn princeton_counts_match_the_assignment() {
    let text = data::text("princeton/puzzle04.txt");
    let faithful = with_flag(course("princeton"), "faithful", "");
    let (printed, run) = answer(&faithful, &text);
    assert_eq!(printed, data::text("courses/princeton/puzzle04.out"));
    assert_eq!((faithful.remark)(&run).as_deref(), Some("10 enqueued, 5 dequeued"));
    let (_, run) = answer(&course("princeton"), &text);
    assert_eq!((faithful.remark)(&run), None);
}

#[test]
fn princeton_lockstep_remark_counts_both_searches() {
    let lockstep = with_flag(course("princeton"), "detect", "lockstep");
    let (_, run) = answer(&lockstep, &data::text("princeton/puzzle3x3-unsolvable.txt"));
    let remark = (lockstep.remark)(&run).unwrap();
    assert!(remark.contains("; twin: "), "{remark}");
}

#[test]
fn princeton_searches_agree() {
    for name in ["puzzle2x2-06", "puzzle3x3-20", "puzzle3x3-unsolvable", "puzzle4x4-unsolvable"] {
        let text = data::text(&format!("princeton/{name}.txt"));
        // In lockstep, an unsolvable 4x4 board means to solve its twin, a hard board.
        let n_variants = if name == "puzzle4x4-unsolvable" { 2 } else { usize::MAX };
        let variants = princeton_variants().into_iter().take(n_variants);
        let lengths: Vec<_> = variants.map(|course| n_moves(&answer(&course, &text).1)).collect();
        assert!(lengths.iter().all(|length| *length == lengths[0]), "{name} {lengths:?}");
    }
}

#[test]
fn princeton_solves_4x4_files_up_to_45_moves() {
    let mut n_solved = 0;
    for known in data::princeton_known() {
        let is_easy = known.board.dims().cells() <= 16 && known.optimal.is_some_and(|n| n <= 45);
        if known.optimal.is_none() || is_easy {
            let (_, run) = answer(&course("princeton"), &known.board.to_string());
            let length = n_moves(&run).map(|n| n as u32);
            assert_eq!(length, known.optimal, "{}", known.name);
            n_solved += 1;
        }
    }
    assert!(n_solved >= 60, "only {n_solved} files");
}

#[test]
fn princeton_stops_at_its_memory_limit() {
    let text = data::text("princeton/puzzle4x4-78.txt");
    let stopped = |mut course: Course| {
        course.limits.memory = Some(4 << 20);
        run(&course, &text, &mut ()).unwrap().ending
    };
    let faithful = with_flag(course("princeton"), "faithful", "");
    let Ending::Stopped(Limit::Memory, Some(bound)) = stopped(faithful) else { panic!("solved") };
    assert!((1..=78).contains(&bound), "{bound}");
    // The searches in lockstep have not shown that the board is solvable, so there is no lower bound.
    let lockstep = with_flag(faithful, "detect", "lockstep");
    assert_eq!(stopped(lockstep), Ending::Stopped(Limit::Memory, None));
}

#[test]
fn bu_path_is_legal_and_ends_at_the_goal() {
    let (_, run) = answer(&course("bu"), "8 7 6\n5 4 3\n2 0 1\n");
    let Ending::Solved(steps) = &run.ending else { panic!("{:?}", run.ending) };
    let boards: Vec<_> = steps.iter().map(|step| &step.board).collect();
    assert!(boards.windows(2).all(|pair| pair[0].neighbors().any(|board| board == *pair[1])));
    assert_eq!((boards[0], boards[boards.len() - 1]), (run.instance.start(), run.instance.goal()));
}

#[test]
fn bu_gives_up_at_the_node_limit() {
    let limited = with_flag(course("bu"), "limit", "7");
    let (printed, run) = answer(&limited, HARDEST);
    let sorry = "Sorry, I could not find a solution after looking at 7 nodes.\n";
    assert!(printed.ends_with(sorry), "{printed}");
    assert_eq!(run.ending, Ending::Stopped(Limit::Nodes, None));
    // The search of an unsolvable board runs to the limit; then parity gives the reason.
    let (printed, run) = answer(&limited, "0 2 1\n3 4 5\n6 7 8\n");
    assert!(printed.ends_with(sorry), "{printed}");
    assert_eq!(run.ending, Ending::Unsolvable);
}

#[test]
fn fortytwo_searches_find_the_lengths_they_promise() {
    let fortytwo = course("42");
    let text = data::text("courses/42/sample.in");
    let run = |course: Course| answer(&course, &text).1;
    let default = run(fortytwo);
    let [hamming, linear_conflict] = ["hamming", "linear-conflict"]
        .map(|heuristic| run(with_flag(fortytwo, "heuristic", heuristic)));
    let [uniform, greedy] =
        ["uniform", "greedy"].map(|search| run(with_flag(fortytwo, "search", search)));
    for exact in [&hamming, &linear_conflict, &uniform] {
        assert_eq!(n_moves(exact), n_moves(&default));
    }
    assert!(n_moves(&greedy) >= n_moves(&default));
    // A better heuristic selects fewer states.
    let selected = [&linear_conflict, &default, &hamming, &uniform].map(|run| run.stats.dequeued);
    assert!(selected.is_sorted(), "{selected:?}");
    // Every selected state was in memory.
    assert!(default.max_states >= default.stats.dequeued);
}
