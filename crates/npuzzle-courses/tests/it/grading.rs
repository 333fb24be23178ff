//! Verdicts on the outputs of programs, and the test sets.

use npuzzle::{Options, Tables};
use npuzzle_courses::{
    ALL, Behavior, Defect, ProcessEnd, ProgramOutput, QueueAnomaly, TestCase, Verdict,
    default_test_set, judge, seeded_test_set,
};
use npuzzle_testkit::board;

use crate::{answer, course};

fn judge_output(name: &str, start: &str, output: ProgramOutput) -> Verdict {
    let course = course(name);
    let case = TestCase::new(&course, "case", &board(start), None).unwrap();
    judge(&course, &case, &output, &mut Tables::new(), &mut ()).unwrap()
}

/// The verdict on a program that prints this text and exits with code 0.
fn judge_text(name: &str, start: &str, text: &str) -> Verdict {
    let (end, text) = (ProcessEnd::Code(0), text.to_owned());
    judge_output(name, start, ProgramOutput { end, text, stderr: String::new() })
}

/// The defect as it is reported; empty if the program passes.
fn defect(name: &str, start: &str, text: &str) -> String {
    judge_text(name, start, text).defect.map_or(String::new(), |defect| defect.to_string())
}

const TWO_MOVES: &str = "1 2 3/4 0 5/7 8 6";
const UNSOLVABLE: &str = "1 2 3/4 5 6/8 7 0";
const TWO_MOVES_SOLVED: &str = "\
Minimum number of moves = 2
3\n 1 2 3\n 4 0 5\n 7 8 6
3\n 1 2 3\n 4 5 0\n 7 8 6
3\n 1 2 3\n 4 5 6\n 7 8 0\n";

#[test]
fn course_answers_pass_on_their_default_test_set() {
    let mut tables = Tables::new();
    for course in ALL {
        for case in default_test_set(&course).unwrap() {
            let (text, _) = answer(&course, &case.text);
            let (end, stderr) = (ProcessEnd::Code(0), String::new());
            let output = ProgramOutput { end, text, stderr };
            let verdict = judge(&course, &case, &output, &mut tables, &mut ()).unwrap();
            assert_eq!(verdict.defect, None, "{} {}", course.name, case.name);
        }
    }
}

#[test]
fn shortest_solution_passes_with_a_note() {
    let verdict = judge_text("princeton", TWO_MOVES, TWO_MOVES_SOLVED);
    assert_eq!((verdict.defect, verdict.note.as_str()), (None, "2 moves, shortest"));
    assert_eq!(verdict.observation.behavior, Behavior::Solved(2));
    assert_eq!(verdict.observation.shortest, Some(2));
}

#[test]
fn defects_name_what_is_wrong() {
    let check = |text: &str, expected: &str| {
        assert_eq!(defect("princeton", TWO_MOVES, text), expected, "{text}");
    };
    check("", "no answer in the output");
    let counted = |n, rest: &str| check(&format!("Minimum number of moves = {n}\n"), rest);
    counted(2, "claims 2 moves, which is right, and shows no solution");
    counted(5, "claims 5 moves instead of 2, and shows no solution");
    counted(1, "claims 1 move instead of 2, and shows no solution");
    let detour = "Minimum number of moves = 4
3\n 1 2 3\n 4 0 5\n 7 8 6
3\n 1 2 3\n 0 4 5\n 7 8 6
3\n 1 2 3\n 4 0 5\n 7 8 6
3\n 1 2 3\n 4 5 0\n 7 8 6
3\n 1 2 3\n 4 5 6\n 7 8 0\n";
    check(detour, "4 moves, 2 more than the shortest");
    let verdict = judge_text("princeton", TWO_MOVES, &TWO_MOVES_SOLVED.replace("= 2", "= 3"));
    assert_eq!(verdict.observation.behavior, Behavior::Miscounted { claimed: 3, moves: 2 });
    let without_goal = &TWO_MOVES_SOLVED[..TWO_MOVES_SOLVED.len() - 23];
    let verdict = judge_text("princeton", TWO_MOVES, without_goal);
    assert_eq!(verdict.observation.behavior, Behavior::BoardMissing, "{verdict:?}");
    let verdict = judge_text("princeton", TWO_MOVES, "No solution possible\n");
    assert_eq!(verdict.observation.behavior, Behavior::ReportedUnsolvable);
    assert!(verdict.defect.is_some());
}

#[test]
fn longer_solution_passes_where_any_is_valid() {
    let bu = course("bu");
    let is_longer = |case: &TestCase| {
        let (text, run) = answer(&bu, &case.text);
        let verdict = judge_text("bu", &case.instance.start().slash().to_string(), &text);
        assert_eq!(verdict.defect, None, "{}", case.name);
        let shortest = verdict.observation.shortest.map(|n| n as usize);
        let is_longer = shortest < crate::n_moves(&run);
        assert_eq!(verdict.note.contains("moves, the shortest has"), is_longer, "{}", verdict.note);
        is_longer
    };
    assert!(default_test_set(&bu).unwrap().iter().filter(|case| is_longer(case)).count() > 2);
}

#[test]
fn exit_code_counts_only_where_the_course_requires_it() {
    let (text, _) = answer(&course("42"), "3\n1 2 3\n8 4 0\n7 6 5\n");
    let output = |code| {
        let end = ProcessEnd::Code(code);
        ProgramOutput { end, text: text.clone(), stderr: String::new() }
    };
    let start = "1 2 3/8 4 0/7 6 5";
    assert_eq!(judge_output("42", start, output(0)).defect, None);
    assert_eq!(judge_output("42", start, output(3)).defect, Some(Defect::ExitCode { code: 3 }));
}

#[test]
fn unsolvable_boards_need_a_report_or_silence() {
    for course in ALL {
        let case = TestCase::new(&course, "case", &board(UNSOLVABLE), None).unwrap();
        if case.instance.is_solvable() {
            continue;
        }
        let passes = |text: &str| judge_text(course.name, UNSOLVABLE, text).defect.is_none();
        assert!(passes("No solution possible\n"), "{}", course.name);
        assert_eq!(passes(""), !course.grading.reports_unsolvable, "{}", course.name);
        let claimed = "1 2 3\n4 5 6\n8 7 0\n\n1 2 3\n4 5 6\n7 8 0\n";
        assert!(!passes(claimed), "{}", course.name);
    }
}

#[test]
fn crash_on_an_unsolvable_board_is_not_silence() {
    let crash = "Traceback (most recent call last):\n";
    let output = |stderr: &str| ProgramOutput {
        end: ProcessEnd::Code(1),
        text: String::new(),
        stderr: stderr.to_owned(),
    };
    for name in ["umbc", "auc", "cuhk", "princeton"] {
        let crashed = judge_output(name, UNSOLVABLE, output(crash));
        assert_eq!(crashed.defect, Some(Defect::Crashed { code: 1 }), "{name}");
        assert_eq!(crashed.observation.behavior, Behavior::Crashed, "{name}");
        let silent = judge_output(name, UNSOLVABLE, output("")).defect;
        let must_report = name == "princeton";
        assert_eq!(silent, must_report.then_some(Defect::UnsolvableNotReported), "{name}");
    }
}

#[test]
fn process_end_decides_before_the_output() {
    let ended = |end, stderr: &str| {
        let text = TWO_MOVES_SOLVED.to_owned();
        let output = ProgramOutput { end, text, stderr: stderr.to_owned() };
        let verdict = judge_output("princeton", TWO_MOVES, output);
        (verdict.observation.behavior, verdict.defect.unwrap().to_string())
    };
    assert_eq!(ended(ProcessEnd::Time, ""), (Behavior::TimedOut, "timed out".to_owned()));
    let out_of_memory = ended(ProcessEnd::Code(1), "java.lang.OutOfMemoryError: heap");
    assert_eq!(out_of_memory, (Behavior::OutOfMemory, "exceeded the memory limit".to_owned()));
    let crashed = ended(ProcessEnd::Signal(11), "");
    assert_eq!(crashed, (Behavior::Crashed, "crashed: killed by signal 11".to_owned()));
}

#[test]
fn reported_values_must_be_correct() {
    let (levels, _) = answer(&course("auc"), "3\n1 2 3\n4 0 5\n7 8 6\n");
    assert_eq!(defect("auc", TWO_MOVES, &levels), "");
    let wrong = |from: &str, to: &str| defect("auc", TWO_MOVES, &levels.replace(from, to));
    assert_eq!(wrong("g = 1 h = 1", "g = 1 h = 2"), "line 7: h = 2, expected 1");
    assert_eq!(wrong("g = 1 h = 1", "g = 2 h = 1"), "line 7: g = 2, expected 1");
    assert_eq!(wrong("5 Left", "5 Right"), "line 7: the tile moves left");
    // The first defect of the output is reported.
    assert_eq!(wrong("5 Left   g = 1 h = 1", "5 Right   g = 2 h = 2"), "line 7: h = 2, expected 1");
    let swapped = levels.replace("5 Left", "5 Right").replace("6 Up", "6 Down");
    let observation = judge_text("auc", TWO_MOVES, &swapped).observation;
    assert!(observation.has_reversed_directions && !observation.has_shifted_g);
}

#[test]
fn first_states_must_be_plausible() {
    let (summary, _) = answer(&course("umbc"), "1 2 3\n4 0 5\n7 8 6\n1 2 3\n4 5 6\n7 8 0\n");
    assert_eq!(defect("umbc", TWO_MOVES, &summary), "");
    let without_goal = &summary[..summary.find("[*]State #3").unwrap()];
    let verdict = judge_text("umbc", TWO_MOVES, without_goal);
    assert_eq!(verdict.observation.queue_anomaly, Some(QueueAnomaly::GoalNotRemoved));
    assert!(matches!(verdict.defect, Some(Defect::FirstStates(_))), "{verdict:?}");
}

#[test]
fn default_test_set_names_the_lengths() {
    for course in ALL {
        for case in default_test_set(&course).unwrap() {
            let report = Options::default().solve(&case.instance).unwrap();
            let length = report.upper_bound().map_or("no".to_owned(), |n| n.to_string());
            let named = case.name.split(' ').next().unwrap();
            assert_eq!(named, length, "{} {}", course.name, case.instance.start().slash());
        }
    }
}

#[test]
fn seeded_test_set_depends_only_on_the_seed() {
    let texts = |name: &str, seed| {
        let cases = seeded_test_set(&course(name), seed).unwrap();
        cases.into_iter().map(|case| case.text).collect::<Vec<_>>()
    };
    for name in ["umbc", "bu", "42"] {
        assert_eq!(texts(name, 7), texts(name, 7));
        assert_ne!(texts(name, 7), texts(name, 8));
    }
}

#[test]
fn test_case_rejects_what_the_course_does_not_accept() {
    let (large, other_goal) = (board("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"), board("0 1/2 3"));
    let message = |name: &str, start, goal| {
        TestCase::new(&course(name), "case", start, goal).unwrap_err().to_string()
    };
    assert!(message("bu", &large, None).contains("this course solves 3x3 boards"));
    let start = board("1 2/3 0");
    assert!(message("princeton", &start, Some(&other_goal)).contains("has a fixed goal"));
}
