//! Many boards at once: the answers are those of one after the other, in their order.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use npuzzle::teaching::korf100;
use npuzzle::{Instance, Limit, Metric, Options, Stats, TableSize, Tables, Watch};

fn with_threads(n_threads: usize) -> Options {
    let threads = NonZeroUsize::new(n_threads);
    Options { threads, tables: TableSize::Small, ..Options::default() }
}

/// Lengths and counts in the order in which they are told.
fn told(options: &Options, boards: &[Instance], watch: &mut dyn Watch) -> (usize, Vec<[u64; 2]>) {
    let mut told = Vec::new();
    let mut tell = |index: usize, solved: Result<npuzzle::Report, _>| {
        assert_eq!(index, told.len());
        let report = solved.unwrap();
        told.push([report.moves().unwrap().stm() as u64, report.stats.generated]);
    };
    let ended = options.solve_many(boards, &mut Tables::new(), watch, &mut tell);
    (usize::from(ended.is_err()), told)
}

#[test]
fn answers_are_those_of_one_after_the_other() {
    // Easy ones, and boards of 12 cells among them for another engine.
    let mut boards: Vec<Instance> = korf100().into_iter().take(8).collect();
    boards.push("8 6 7/2 5 4/3 0 1".parse().unwrap());
    let mut tables = Tables::new();
    let alone: Vec<[u64; 2]> = boards
        .iter()
        .map(|board| with_threads(1).solve_with(board, &mut tables, &mut ()).unwrap())
        .map(|report| [report.moves().unwrap().stm() as u64, report.stats.generated])
        .collect();
    for n_threads in [1, 2, 5, 100] {
        let (_, together) = told(&with_threads(n_threads), &boards, &mut ());
        assert_eq!(together, alone, "{n_threads} threads");
    }
}

#[test]
fn tables_are_built_once_for_all() {
    // Of 2x5 and 2x6, in straight runs: two goals, whose tables take more than a moment.
    let wide = "1 2 3 4 0 6/7 8 9 10 5 11".parse::<Instance>().unwrap();
    let narrow = "1 2/3 4/5 0/7 6/9 8/11 10".parse::<Instance>().unwrap();
    let boards: Vec<Instance> = [wide, narrow].into_iter().cycle().take(12).collect();
    let options = Options { metric: Metric::Mtm, ..with_threads(4) };
    let mut tables = Tables::new();
    let lengths = |n_threads, tables: &mut Tables| {
        let mut lengths = Vec::new();
        let options = Options { threads: NonZeroUsize::new(n_threads), ..options.clone() };
        let mut tell = |_, solved: Result<npuzzle::Report, npuzzle::SolveError>| {
            lengths.push(solved.unwrap().upper_bound());
        };
        options.solve_many(&boards, tables, &mut (), &mut tell).unwrap();
        lengths
    };
    let together = lengths(4, &mut tables);
    assert_eq!(together, lengths(1, &mut Tables::new()));
    // What the followers have got is there for the next batch.
    assert!(!tables.is_empty());
}

#[test]
fn no_boards_are_no_answers() {
    assert_eq!(told(&Options::default(), &[], &mut ()), (0, vec![]));
}

#[test]
fn a_watch_stops_all_of_them() {
    struct Never;
    impl Watch for Never {
        fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
            ControlFlow::Break(Limit::Interrupted)
        }
    }
    let hard: Instance = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse().unwrap();
    let (n_stopped, told) = told(&with_threads(2), &vec![hard; 50], &mut Never);
    assert_eq!((n_stopped, told.len()), (1, 0));
}
