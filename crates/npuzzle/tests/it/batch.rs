//! Solving many boards on several threads.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use npuzzle::teaching::korf100;
use npuzzle::{Instance, Limit, Metric, Options, Stats, TableSize, Tables, Watch};

fn with_threads(n_threads: usize) -> Options {
    let threads = NonZeroUsize::new(n_threads);
    Options { threads, tables: TableSize::Small, ..Options::default() }
}

/// Solves a batch. Returns the number of errors, and the lengths and counts in the order received.
fn solve_batch(
    options: &Options,
    boards: &[Instance],
    watch: &mut dyn Watch,
) -> (usize, Vec<[u64; 2]>) {
    let mut results = Vec::new();
    let mut receive = |index: usize, solved: Result<npuzzle::Report, _>| {
        assert_eq!(index, results.len());
        let report = solved.unwrap();
        results.push([report.moves().unwrap().stm() as u64, report.stats.generated]);
    };
    let ended = options.solve_many(boards, &mut Tables::new(), watch, &mut receive);
    (usize::from(ended.is_err()), results)
}

#[test]
fn batch_equals_solving_one_by_one_on_any_threads() {
    // Easy boards, and one of 9 cells for another engine.
    let mut boards: Vec<Instance> = korf100().into_iter().take(8).collect();
    boards.push("8 6 7/2 5 4/3 0 1".parse().unwrap());
    let mut tables = Tables::new();
    let one_by_one: Vec<[u64; 2]> = boards
        .iter()
        .map(|board| with_threads(1).solve_with(board, &mut tables, &mut ()).unwrap())
        .map(|report| [report.moves().unwrap().stm() as u64, report.stats.generated])
        .collect();
    for n_threads in [1, 2, 5, 100] {
        let (_, together) = solve_batch(&with_threads(n_threads), &boards, &mut ());
        assert_eq!(together, one_by_one, "{n_threads} threads");
    }
}

#[test]
fn batch_keeps_the_tables_of_all_workers() {
    // Two goals whose MTM tables take more than a moment to build.
    let wide = "1 2 3 4 0 6/7 8 9 10 5 11".parse::<Instance>().unwrap();
    let narrow = "1 2/3 4/5 0/7 6/9 8/11 10".parse::<Instance>().unwrap();
    let boards: Vec<Instance> = [wide, narrow].into_iter().cycle().take(12).collect();
    let options = Options { metric: Metric::Mtm, ..with_threads(4) };
    let mut tables = Tables::new();
    let lengths = |n_threads, tables: &mut Tables| {
        let mut lengths = Vec::new();
        let options = Options { threads: NonZeroUsize::new(n_threads), ..options.clone() };
        let mut receive = |_, solved: Result<npuzzle::Report, npuzzle::SolveError>| {
            lengths.push(solved.unwrap().upper_bound());
        };
        options.solve_many(&boards, tables, &mut (), &mut receive).unwrap();
        lengths
    };
    let together = lengths(4, &mut tables);
    assert_eq!(together, lengths(1, &mut Tables::new()));
    // The next batch can use the tables of all workers.
    assert!(!tables.is_empty());
}

#[test]
fn empty_batch_has_no_results() {
    assert_eq!(solve_batch(&Options::default(), &[], &mut ()), (0, vec![]));
}

#[test]
fn watch_stops_the_whole_batch() {
    struct StopNow;
    impl Watch for StopNow {
        fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
            ControlFlow::Break(Limit::Interrupted)
        }
    }
    let hard: Instance = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse().unwrap();
    let (n_stopped, results) = solve_batch(&with_threads(2), &vec![hard; 50], &mut StopNow);
    assert_eq!((n_stopped, results.len()), (1, 0));
}
