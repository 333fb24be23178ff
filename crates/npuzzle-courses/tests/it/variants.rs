//! The courses on variants of the puzzle, through the library: boards, test sets, verdicts and limits.

use npuzzle::Limits;
use npuzzle_core::Random;
use npuzzle_core::search::{Limit, Stats};
use npuzzle_courses::{
    Arguments, ProcessEnd, ProgramOutput, VARIANTS, VariantCourse, VariantEnding, VariantError,
    VariantRun, VariantSpec, find_variant, judge_variant, seeded_variant_test_set,
};
use npuzzle_testkit::data;

pub(crate) fn course(name: &str) -> VariantCourse {
    find_variant(name).unwrap()
}

/// The arguments with their defaults and these values.
pub(crate) fn arguments(course: &VariantCourse, values: &[(&'static str, &str)]) -> Arguments {
    let mut arguments = Arguments::with_defaults(course);
    for (name, value) in values {
        arguments.set(name, *value);
    }
    arguments
}

pub(crate) fn try_run(
    name: &str,
    values: &[(&'static str, &str)],
    limits: Limits,
) -> Result<VariantRun, VariantError> {
    let course = course(name);
    (course.run)(&arguments(&course, values), limits, &mut ())
}

pub(crate) fn run(name: &str, values: &[(&'static str, &str)]) -> VariantRun {
    try_run(name, values, Limits::default()).unwrap()
}

/// Runs a method of UTA's course on its sample.
pub(crate) fn uta(method: &str) -> VariantRun {
    let (start, goal) = (data::text("courses/uta/start.txt"), data::text("courses/uta/goal.txt"));
    run("uta", &[("start", &start), ("goal", &goal), ("method", method)])
}

pub(crate) fn solve(board: &str, options: &[(&'static str, &str)]) -> VariantRun {
    run("uwmadison", &[&[("function", "solve"), ("board", board)], options].concat())
}

pub(crate) fn check(name: &str, puzzle: &str, solution: &str) -> String {
    let course = course(name);
    match (course.check)(puzzle, solution, Limits::default(), &mut ()) {
        Ok(checked) => checked.verdict(),
        Err(error) => format!("error: {error}"),
    }
}

#[test]
fn variant_boards_are_generated_at_the_requested_cost() {
    let mut random = Random::new(11);
    for (name, range, max) in
        [("uta", 60..=65, None), ("uwmadison", 15..=15, None), ("uta", 0..=0, Some(0))]
    {
        let course = course(name);
        let spec = VariantSpec { cost: Some(range.clone()), is_unsolvable: false };
        let case = (course.generate)(&spec, &mut random, &mut ()).unwrap();
        let again = &(course.read_cases)(&case.text).unwrap()[0];
        assert_eq!((&again.files, &again.board), (&case.files, &case.board));
        let solution = match name {
            "uta" => {
                let [(_, start), (_, goal)] = &case.files[..] else { panic!("{case:?}") };
                run("uta", &[("start", start), ("goal", goal)]).answer
            }
            _ => solve(&case.files[0].1, &[]).answer,
        };
        let checked = (course.check)(&case.text, &solution, Limits::default(), &mut ()).unwrap();
        assert!(checked.is_optimal() && range.contains(&checked.cost), "{name} {checked:?}");
        assert!(max.is_none_or(|max| checked.cost <= max));
    }
    let impossible = VariantSpec { cost: Some(1_000..=2_000), is_unsolvable: false };
    for course in VARIANTS {
        let error = (course.generate)(&impossible, &mut random, &mut ()).unwrap_err();
        assert!(matches!(error, VariantError::NoPuzzle(_)), "{error}");
    }
    let unsolvable = VariantSpec { is_unsolvable: true, ..VariantSpec::default() };
    let case = (course("uta").generate)(&unsolvable, &mut random, &mut ()).unwrap();
    assert_eq!(check("uta", &case.text, "No solution found."), "valid: there is no solution");
    let none = (course("uwmadison").generate)(&unsolvable, &mut random, &mut ()).unwrap_err();
    assert_eq!(none.to_string(), "every board with two blanks is solvable");
}

#[test]
fn variant_test_sets_have_the_lengths_in_their_names() {
    for course in VARIANTS {
        for case in (course.test_set)() {
            let again = &(course.read_cases)(&case.text).unwrap()[0];
            assert_eq!(again.files, case.files, "{}", case.name);
            let answer = match course.name {
                "uta" => run("uta", &[("start", &case.files[0].1), ("goal", &case.files[1].1)]),
                _ => solve(&case.files[0].1, &[]),
            }
            .answer;
            let checked = (course.check)(&case.text, &answer, Limits::default(), &mut ()).unwrap();
            assert!(checked.is_optimal(), "{} {checked:?}", case.name);
            let moves = case.name.split(" move").next().and_then(|moves| moves.parse().ok());
            assert!(moves.is_none_or(|moves| checked.moves == Some(moves)), "{checked:?}");
            let cost = case.name.split("cost ").nth(1).and_then(|cost| cost.parse().ok());
            assert!(cost.is_none_or(|cost: u32| checked.cost == cost), "{checked:?}");
        }
    }
}

#[test]
fn variant_searches_stop_at_their_limits() {
    let limits = Limits { nodes: Some(10), ..Limits::default() };
    let board = "1 2 3\n4 5 6\n7 8 0\n";
    let hard = "8 6 7\n2 5 4\n3 0 1\n";
    for method in ["bfs", "ucs", "dfs", "ids", "greedy", "a*"] {
        let values = [("start", hard), ("goal", board), ("method", method)];
        let run = try_run("uta", &values, limits).unwrap();
        assert_eq!(run.ending, VariantEnding::Stopped(Limit::Nodes), "{method}");
        assert_eq!((&*run.answer, run.stats.expanded), ("", 10), "{method}");
    }
    let values = [("function", "solve"), ("board", "[5,2,3,0,6,4,7,1,0]")];
    let run = try_run("uwmadison", &values, limits).unwrap();
    assert_eq!(run.ending, VariantEnding::Stopped(Limit::Nodes));
    assert_eq!(Stats { expanded: 10, ..run.stats }, run.stats);
}

#[test]
fn variant_seeded_test_sets_repeat_and_cover_the_costs() {
    for course in VARIANTS {
        let set = seeded_variant_test_set(&course, 3, &mut ()).unwrap();
        assert_eq!(set, seeded_variant_test_set(&course, 3, &mut ()).unwrap());
        assert_ne!(set, seeded_variant_test_set(&course, 4, &mut ()).unwrap());
        assert_eq!(set.len(), course.seeded_costs.len());
        for (case, range) in set.iter().zip(course.seeded_costs) {
            let arguments = Arguments::solving(&course, case);
            let run = (course.run)(&arguments, Limits::default(), &mut ()).unwrap();
            let checked =
                (course.check)(&case.text, &run.answer, Limits::default(), &mut ()).unwrap();
            assert!(checked.is_optimal() && range.contains(&checked.cost), "{checked:?}");
        }
    }
}

#[test]
fn variant_outputs_of_programs_are_judged() {
    let judge = |course: &VariantCourse, end, text: &str| {
        let case = &(course.test_set)()[2];
        let output = ProgramOutput { end, text: text.to_owned(), stderr: String::new() };
        let verdict = judge_variant(course, case, &output, &mut ()).unwrap();
        match verdict.defect {
            Some(defect) => format!("FAIL {defect}"),
            None => format!("pass {}", verdict.note),
        }
    };
    let uta = course("uta");
    let answer = data::text("courses/uta/astar.out");
    let ok = ProcessEnd::Code(0);
    assert_eq!(judge(&uta, ok, &answer), "pass 12 moves, cost 63, cheapest");
    let greedy = self::uta("greedy").answer;
    let expected = "FAIL 42 moves, cost 191, 128 more than the cheapest, which has 63";
    assert_eq!(judge(&uta, ok, &greedy), expected);
    assert_eq!(judge(&uta, ok, ""), "FAIL no answer in the output");
    assert_eq!(judge(&uta, ProcessEnd::Code(1), ""), "FAIL no answer in the output, exit code 1");
    assert_eq!(judge(&uta, ProcessEnd::Time, &answer), "FAIL timed out");
    assert_eq!(judge(&uta, ok, "No solution found."), "FAIL there is a solution");
    let uwmadison = course("uwmadison");
    let answer = data::text("courses/uwmadison/handout.not-popped.out");
    assert_eq!(judge(&uwmadison, ok, &answer), "pass 11 moves, shortest");
    let wrong = judge(&uwmadison, ok, &answer.replace("h=6", "h=5"));
    assert_eq!(wrong, "FAIL line 2: h is 5, expected 6");
}
