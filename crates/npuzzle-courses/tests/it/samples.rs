//! The samples of the assignments, byte for byte.

use std::fs;

use npuzzle_courses::{ALL, run};
use npuzzle_testkit::data;

use crate::{answer, course, rejection};

/// Every `NAME.in` of a course has a `NAME.out` with the answer.
#[test]
fn every_sample_is_answered_byte_for_byte() {
    let mut n_samples = 0;
    for course in ALL {
        let folder = format!("courses/{}", course.name);
        for entry in fs::read_dir(data::path(&folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let Some(name) = name.strip_suffix(".in") else { continue };
            let input = data::text(&format!("{folder}/{name}.in"));
            let printed = match run(&course, &input, &mut ()) {
                Ok(_) => answer(&course, &input).0,
                Err(_) => rejection(&course, &input).1,
            };
            let expected = data::text(&format!("{folder}/{name}.out"));
            assert_eq!(printed, expected, "{} {name}", course.name);
            n_samples += 1;
        }
    }
    assert_eq!(n_samples, 17);
}

#[test]
fn umbc_solved_board_removes_one_state() {
    let solved = "1 2 3\n4 5 6\n7 8 0\n\n1 2 3\n4 5 6\n7 8 0\n";
    let (answer, _) = answer(&course("umbc"), solved);
    assert!(answer.contains("[*]Solution cost is: 0\n"), "{answer}");
    assert!(answer.contains("openQ at end of search process: 0\n"));
    assert!(answer.contains("[*]State #1\n") && !answer.contains("[*]State #2\n"));
}

#[test]
fn auc_answer_is_valid_input() {
    let first_board = "// Initial board (Input): Level 0\n2\n0 1\n3 2\n";
    let (answer, _) = answer(&course("auc"), first_board);
    let expected = format!(
        "{first_board}// Solution steps (Output)\n\
         // Level 1: 1 Left   g = 1 h = 1 c = 2\n2\n1 0\n3 2\n\
         // Level 2: 2 Up   g = 2 h = 0 c = 2 (Goal)\n2\n1 2\n3 0\n"
    );
    assert_eq!(answer, expected);
}

#[test]
fn bu_remark_warns_of_paths_that_may_not_be_shortest() {
    let bu = course("bu");
    let remark = |text: &str| (bu.remark)(&answer(&bu, text).1);
    assert_eq!(remark("1 0 2\n3 4 5\n6 7 8\n"), None);
    let hard = remark("8 7 6\n5 4 3\n2 0 1\n");
    assert_eq!(hard.as_deref(), Some("greedy search: the path may not be shortest"));
    assert_eq!(remark("2 1 0\n3 4 5\n6 7 8\n"), None);
}
