//! The bounds against their definitions, and the methods against each other and naive enumeration.

use std::ops::ControlFlow;
use std::sync::Arc;

use npuzzle_core::search::Heuristic;
use npuzzle_core::{Goal, Sliding};
use npuzzle_tables::MtmTable;
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{board, dims, naive};

use super::*;
use crate::options::Limits;

fn goals(size: &str) -> Vec<Board> {
    let goals = [Goal::Last, Goal::First, Goal::Snail];
    goals.iter().map(|goal| goal.board(dims(size)).unwrap()).collect()
}

/// The small pattern databases, built in memory.
fn patterns(goal: &Board) -> crate::tables::additive_pdb::AdditivePdb {
    let resources = Options { limits: Limits::NONE, ..Options::default() }.resources();
    Tables::new().small_pdb(goal, &resources, &mut ()).unwrap().unwrap()
}

/// The MTM tables that the default options select.
fn mtm_tables(goal: &Board) -> Vec<Arc<MtmTable>> {
    let options = Options::default();
    mtm::tables_within(goal, &options, &mut Tables::new(), &mut ()).unwrap().unwrap()
}

fn request<'a>(instance: &'a Instance, options: &'a Options, length: Cost) -> CountRequest<'a> {
    CountRequest { instance, length, max_listed: 50, options, stats: Stats::default() }
}

fn optimal_length(instance: &Instance, metric: Metric) -> Cost {
    let options = Options { metric, ..Options::default() };
    options.solve(instance).unwrap().upper_bound().unwrap()
}

#[test]
fn pdb_bound_equals_the_heuristic() {
    let mut random = Random::new(3);
    for size in ["2x5", "4x3", "3x5", "4x4", "5x5"] {
        for goal in goals(size) {
            let patterns = patterns(&goal);
            let bound = PdbBound::new(&patterns);
            for n_steps in 0..60 {
                let state = random.walk(&goal, 3 * n_steps);
                let h = Heuristic::<Sliding<Board>>::eval(&patterns, &state);
                let packed = Packed128::from_board(&state).unwrap();
                for left in h.saturating_sub(3)..h + 3 {
                    assert_eq!(bound.is_within(&state, left), h <= left, "{}", state.slash());
                    assert_eq!(bound.is_within(&packed, left), h <= left, "{}", state.slash());
                }
            }
        }
    }
}

#[test]
fn mtm_counts_equal_enumeration_on_3x3() {
    let [last, first] = ["1 2 3/4 5 6/7 8 0", "0 1 2/3 4 5/6 7 8"].map(board);
    // Goals with the blank in the center and at an edge; the latter has no mirror image.
    let [center, edge] = ["1 2 3/4 0 5/6 7 8", "1 0 3/4 2 6/7 5 8"].map(board);
    let options = Options { metric: Metric::Mtm, ..Options::default() };
    let boards = npuzzle_testkit::space::of("3x3").next().unwrap().arrangements;
    let every = if npuzzle_testkit::is_long() { 1 } else { 401 };
    let (mut watch, mut n_solutions) = ((), 0);
    for (at, goal) in [last, first, center, edge].iter().enumerate() {
        let (form, tables) = (CanonicalForm::new(goal).unwrap(), mtm_tables(goal));
        let oracle = naive::Oracle::new(goal, Metric::Mtm);
        let paths = oracle.paths();
        for start in boards.iter().skip(at).step_by(every) {
            let (Some(length), Some(expected)) = (oracle.distance(start), paths.get(start)) else {
                continue;
            };
            let instance = Instance::new(start.clone(), &Goal::Board(goal.clone())).unwrap();
            let request = request(&instance, &options, length);
            let counted = count_mtm_paths(&request, &form, &tables, &mut watch).unwrap();
            assert_eq!((counted.count, counted.stopped), (expected, None), "{}", start.slash());
            assert_eq!(counted.listed.len() as u128, expected.min(50), "{}", start.slash());
            n_solutions += expected;
        }
    }
    assert!(n_solutions > 2_000, "{n_solutions}");
}

#[test]
fn packed128_moves_like_a_board() {
    let mut random = Random::new(4);
    for size in ["2x2", "4x4", "3x7", "5x5"] {
        let mut board = random.board(dims(size));
        let mut packed = Packed128::from_board(&board).unwrap();
        for _ in 0..500 {
            let slides: Vec<Slide> = board.slides().collect();
            let slide = slides[random.below(slides.len())];
            let from = board.dims().source(board.blank(), slide).unwrap();
            board.slide(slide);
            packed.move_tile(from);
            assert_eq!(packed.blank(), board.blank());
            assert_eq!(packed.to_board(board.dims()), board);
        }
    }
    assert_eq!(Packed128::from_board(&random.board(dims("2x13"))), None);
}

#[test]
fn counts_and_lists_do_not_depend_on_the_bound() {
    let (mut random, mut watch) = (Random::new(5), ());
    for size in ["2x5", "3x3"] {
        for goal in goals(size) {
            let patterns = patterns(&goal);
            let mtm_tables = mtm_tables(&goal);
            for metric in Metric::ALL {
                let options = Options { metric, ..Options::default() };
                let table = FullTable::build(&goal, metric).unwrap();
                for n_steps in [0, 1, 8, 16, 24] {
                    let start = random.walk(&goal, n_steps);
                    let instance = Instance::new(start, &Goal::Board(goal.clone())).unwrap();
                    let length = optimal_length(&instance, metric);
                    let request = request(&instance, &options, length);
                    let complete = |counted: Result<PathCount, Limit>| {
                        let PathCount { count, listed, stopped } = counted.unwrap();
                        assert_eq!(stopped, None);
                        (count, listed)
                    };
                    let expected = complete(count_without_tables(&request, &mut ()));
                    let bound = FullTableBound::new(&table);
                    let by_table = count_by_layers::<Packed>(&request, bound, &mut ());
                    assert_eq!(complete(by_table), expected, "{}", instance.start().slash());
                    let other = match metric {
                        Metric::Stm => {
                            let bound = PdbBound::new(&patterns);
                            count_by_layers::<Packed128>(&request, bound, &mut ())
                        }
                        Metric::Mtm => {
                            let form = CanonicalForm::new(&goal).unwrap();
                            count_mtm_paths(&request, &form, &mtm_tables, &mut watch)
                        }
                    };
                    assert_eq!(complete(other), expected, "{}", instance.start().slash());
                }
            }
        }
    }
}

#[test]
fn mtm_count_without_tables_equals_enumeration_on_4x4() {
    let mut random = Random::new(6);
    let goal = Goal::Last.board(dims("4x4")).unwrap();
    let options = Options { metric: Metric::Mtm, ..Options::default() };
    for n_steps in [0, 1, 2, 3, 5, 7, 9] {
        let start = random.walk(&goal, n_steps);
        let walks = |length| naive::n_walks(&start, &goal, Metric::Mtm, length);
        let length = (0..).find(|&length| walks(length) > 0).unwrap();
        let instance = Instance::from(start.clone());
        let counted = count_without_tables(&request(&instance, &options, length), &mut ()).unwrap();
        assert_eq!(counted.count, walks(length), "{}", start.slash());
        let moves: Vec<Moves> = counted.listed.into_iter().map(Moves::from).collect();
        assert!(moves.iter().all(|moves| moves.mtm() as Cost == length));
        assert!(moves.iter().all(|moves| moves.replay(&start).as_ref() == Ok(&goal)));
    }
}

#[test]
fn inadmissible_bound_leads_to_a_count_of_zero() {
    struct Inadmissible;
    impl<A> LowerBound<A> for Inadmissible {
        fn is_within(&self, _: &A, _: Cost) -> bool {
            false
        }
    }
    let instance = Instance::from(board("1 2 3/4 5 6/7 0 8"));
    let options = Options::default();
    let request = request(&instance, &options, 1);
    let counted = count_by_layers::<Packed>(&request, Inadmissible, &mut ()).unwrap();
    assert_eq!((counted.count, counted.listed.len()), (0, 0));
}

#[test]
fn saturated_sum_is_a_lower_bound() {
    assert_eq!(Count::of(7), Count::Exactly(7));
    assert_eq!(Count::of(u128::MAX).to_string(), format!("at least {}", u128::MAX));
}

/// Stops after a number of polls.
struct StopAfter(u32);

impl Watch for StopAfter {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        match self.0.checked_sub(1) {
            Some(left) => {
                self.0 = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(Limit::Interrupted),
        }
    }
}

#[test]
fn count_stops_at_every_poll() {
    // A few thousand states of 2×5 are within the optimal length.
    let instance = Instance::from(board("0 9 8 7 6/5 4 3 2 1"));
    let options = Options { limits: Limits::NONE, ..Options::default() };
    let request = request(&instance, &options, optimal_length(&instance, Metric::Stm));
    let complete = count_without_tables(&request, &mut ()).unwrap();
    let mut n_stopped = 0;
    let counts = (0..).map(|n_polls| count_without_tables(&request, &mut StopAfter(n_polls)));
    for counted in counts {
        match counted {
            Err(limit) => assert_eq!(limit, Limit::Interrupted),
            Ok(PathCount { count, stopped: Some(_), .. }) => assert_eq!(count, complete.count),
            Ok(counted) => {
                assert_eq!((counted.count, counted.listed), (complete.count, complete.listed));
                break;
            }
        }
        n_stopped += 1;
    }
    assert!(n_stopped > 3, "{n_stopped}");
}

#[test]
fn count_keeps_to_its_memory_limit() {
    let instance = Instance::from(board("0 9 8 7 6/5 4 3 2 1"));
    let length = optimal_length(&instance, Metric::Stm);
    let count_within = |memory| {
        let limits = Limits { memory, ..Limits::NONE };
        let options = Options { limits, ..Options::default() };
        count_without_tables(&request(&instance, &options, length), &mut ())
    };
    // The layers take more than a kilobyte and less than a gigabyte.
    assert_eq!(count_within(Some(1 << 10)).unwrap_err(), Limit::Memory);
    assert_eq!(count_within(Some(1 << 30)).unwrap().count, count_within(None).unwrap().count);
}
