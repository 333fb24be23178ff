//! Judging answers of models: answers per second.

use std::time::Instant;

use npuzzle::teaching::{Dataset, DatasetSpec, JudgeRules, JudgeTask, judge_many};
use npuzzle::{Goal, Tables};
use npuzzle_testkit::dims;

use crate::table::{Figure, Row, Table};

/// The words of a long reasoning, some 2 kB.
const REASONING: &str =
    "First I look at the blank. If tile 5 moves left, then tile 6 can move up. ";

pub(crate) fn run(table: &mut Table) {
    table.part("answers of models");
    measure(table, "3x3", "train=20000", "short answers, 8-puzzle", "");
    measure(table, "3x3", "train=20000", "answers of 2 kB, 8-puzzle", &REASONING.repeat(27));
    measure(table, "4x4", "train=400@10..30", "short answers, 15-puzzle", "");
}

/// Judges shortest solutions, solutions without their last move, and illegal moves.
fn measure(table: &mut Table, size: &str, split: &str, name: &str, reasoning: &str) {
    let goal = Goal::Last.board(dims(size)).expect("a goal");
    let splits = vec![split.parse().expect("a split")];
    let spec = DatasetSpec { splits, ..DatasetSpec::new(goal) };
    let mut dataset = Dataset::new(spec).expect("a valid specification");
    let tasks = std::iter::from_fn(|| dataset.next_task(&mut ()).expect("enough boards"));
    let answers: Vec<_> = tasks
        .enumerate()
        .map(|(n, task)| {
            let solution = task.solution.to_string();
            let moves = match n % 3 {
                0 => solution,
                1 => solution[..solution.len() - 1].to_owned(),
                _ => format!("{solution} U U U U"),
            };
            (task.puzzle, format!("<think>{reasoning}</think><answer>{moves}</answer>"))
        })
        .collect();
    let rules = JudgeRules::default();
    let tasks: Vec<JudgeTask<'_>> =
        answers.iter().map(|(puzzle, text)| JudgeTask { rules, puzzle, text }).collect();
    let mut tables = Tables::new();
    let mut pass = |threads| {
        let (start, mut judgments) = (Instant::now(), Vec::new());
        let threads = std::num::NonZeroUsize::new(threads);
        judge_many(&tasks, 1_000_000, threads, &mut tables, &mut (), &mut judgments)
            .expect("nothing stops it");
        assert_eq!(
            judgments.iter().filter(|judgment| judgment.score == 1.0).count(),
            tasks.len().div_ceil(3)
        );
        tasks.len() as f64 / start.elapsed().as_secs_f64()
    };
    pass(1);
    let best = (0..3).map(|_| pass(1)).fold(0.0, f64::max);
    let row = Row::new(format!("{name}, one thread, best of 3"), Figure::PerSecond(best));
    table.add(if size == "3x3" { row.at_least(20_000.0) } else { row });
}
