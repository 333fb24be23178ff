//! The bounds against their plain twins, and against each other.

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

/// The tables that are built on the spot.
fn patterns(goal: &Board) -> crate::tables::additive_pdb::AdditivePdb {
    let effort = Options { limits: Limits::NONE, ..Options::default() }.resources();
    Tables::new().small(goal, &effort, &mut ()).unwrap().unwrap()
}

/// Tables of straight runs, in as many classes as memory is for.
fn runs(goal: &Board) -> Vec<Arc<MtmTable>> {
    let options = Options::default();
    mtm::tables_within(goal, &options, &mut Tables::new(), &mut ()).unwrap().unwrap()
}

fn question<'a>(instance: &'a Instance, options: &'a Options, length: Cost) -> Question<'a> {
    Question { instance, length, most: 50, options, stats: Stats::default() }
}

fn shortest(instance: &Instance, metric: Metric) -> Cost {
    let start = Options { metric, ..Options::default() };
    start.solve(instance).unwrap().upper_bound().unwrap()
}

#[test]
fn the_bound_by_patterns_is_the_heuristic() {
    let mut random = Random::new(3);
    for size in ["2x5", "4x3", "3x5", "4x4", "5x5"] {
        for goal in goals(size) {
            let patterns = patterns(&goal);
            let bound = ByPatterns::new(&patterns);
            for n_steps in 0..60 {
                let state = random.walk(&goal, 3 * n_steps);
                let h = Heuristic::<Sliding<Board>>::eval(&patterns, &state);
                let wide = Wide::from_board(&state).unwrap();
                for left in h.saturating_sub(3)..h + 3 {
                    assert_eq!(bound.is_within(&state, left), h <= left, "{}", state.slash());
                    assert_eq!(bound.is_within(&wide, left), h <= left, "{}", state.slash());
                }
            }
        }
    }
}

#[test]
fn all_8_puzzles_have_as_many_solutions_by_runs_as_by_enumeration() {
    let [last, first] = ["1 2 3/4 5 6/7 8 0", "0 1 2/3 4 5/6 7 8"].map(board);
    // The blank in the middle and at an edge, where there is no mirror.
    let [centre, edge] = ["1 2 3/4 0 5/6 7 8", "1 0 3/4 2 6/7 5 8"].map(board);
    let options = Options { metric: Metric::Mtm, ..Options::default() };
    let boards = npuzzle_testkit::space::of("3x3").next().unwrap().arrangements;
    let every = if npuzzle_testkit::is_long() { 1 } else { 401 };
    let (mut nobody, mut n_solutions) = ((), 0);
    for (at, goal) in [last, first, centre, edge].iter().enumerate() {
        let (frame, runs) = (CanonicalForm::new(goal).unwrap(), runs(goal));
        let oracle = naive::Oracle::new(goal, Metric::Mtm);
        let paths = oracle.paths();
        for start in boards.iter().skip(at).step_by(every) {
            let (Some(length), Some(expect)) = (oracle.distance(start), paths.get(start)) else {
                continue;
            };
            let instance = Instance::new(start.clone(), &Goal::Board(goal.clone())).unwrap();
            let question = question(&instance, &options, length);
            let counted =
                count_run_paths(start, &frame, &runs, task(&question, &mut nobody)).unwrap();
            assert_eq!((counted.count, counted.stopped), (expect, None), "{}", start.slash());
            assert_eq!(counted.listed.len() as u128, expect.min(50), "{}", start.slash());
            n_solutions += expect;
        }
    }
    assert!(n_solutions > 2_000, "{n_solutions}");
}

#[test]
fn wide_boards_move_as_boards_do() {
    let mut random = Random::new(4);
    for size in ["2x2", "4x4", "3x7", "5x5"] {
        let mut plain = random.board(dims(size));
        let mut wide = Wide::from_board(&plain).unwrap();
        for _ in 0..500 {
            let slides: Vec<Slide> = plain.slides().collect();
            let slide = slides[random.below(slides.len())];
            let from = plain.dims().source(plain.blank(), slide).unwrap();
            plain.slide(slide);
            wide.move_tile(from);
            assert_eq!(wide.blank(), plain.blank());
            assert_eq!(wide.to_board(plain.dims()), plain);
        }
    }
    assert_eq!(Wide::from_board(&random.board(dims("2x13"))), None);
}

#[test]
fn counts_and_lists_do_not_hang_on_the_bound() {
    let (mut random, mut nobody) = (Random::new(5), ());
    for size in ["2x5", "3x3"] {
        for goal in goals(size) {
            let patterns = patterns(&goal);
            let runs = runs(&goal);
            for metric in Metric::ALL {
                let options = Options { metric, ..Options::default() };
                let table = FullTable::build(&goal, metric).unwrap();
                for n_steps in [0, 1, 8, 16, 24] {
                    let start = random.walk(&goal, n_steps);
                    let instance = Instance::new(start, &Goal::Board(goal.clone())).unwrap();
                    let question = question(&instance, &options, shortest(&instance, metric));
                    let all = |counted: Result<Counted, Limit>| {
                        let Counted { count, listed, stopped } = counted.unwrap();
                        assert_eq!(stopped, None);
                        (count, listed)
                    };
                    let weak = all(by_weak_bound(&question, &mut ()));
                    let exact = by_layers::<Packed>(&question, Exact::new(&table), &mut ());
                    assert_eq!(all(exact), weak, "{}", instance.start().slash());
                    if metric == Metric::Mtm {
                        let (frame, task) =
                            (CanonicalForm::new(&goal), task(&question, &mut nobody));
                        let by_runs =
                            count_run_paths(instance.start(), &frame.unwrap(), &runs, task);
                        assert_eq!(all(by_runs), weak, "{}", instance.start().slash());
                    }
                    if metric == Metric::Stm {
                        let bound = ByPatterns::new(&patterns);
                        let by_patterns = by_layers::<Wide>(&question, bound, &mut ());
                        assert_eq!(all(by_patterns), weak, "{}", instance.start().slash());
                    }
                }
            }
        }
    }
}

#[test]
fn runs_are_counted_on_boards_without_a_table() {
    let mut random = Random::new(6);
    let goal = Goal::Last.board(dims("4x4")).unwrap();
    let options = Options { metric: Metric::Mtm, ..Options::default() };
    for n_steps in [0, 1, 2, 3, 5, 7, 9] {
        let start = random.walk(&goal, n_steps);
        let walks = |length| naive::n_walks(&start, &goal, Metric::Mtm, length);
        let length = (0..).find(|&length| walks(length) > 0).unwrap();
        let instance = Instance::from(start.clone());
        let counted = by_weak_bound(&question(&instance, &options, length), &mut ()).unwrap();
        assert_eq!(counted.count, walks(length), "{}", start.slash());
        let moves: Vec<Moves> = counted.listed.into_iter().map(Moves::from).collect();
        assert!(moves.iter().all(|moves| moves.mtm() as Cost == length));
        assert!(moves.iter().all(|moves| moves.replay(&start).as_ref() == Ok(&goal)));
    }
}

#[test]
fn a_bound_that_throws_out_all_solutions_is_noticed() {
    struct Wrong;
    impl<A> Bound<A> for Wrong {
        fn is_within(&self, _: &A, _: Cost) -> bool {
            false
        }
    }
    let instance = Instance::from(board("1 2 3/4 5 6/7 0 8"));
    let options = Options::default();
    let counted = by_layers::<Packed>(&question(&instance, &options, 1), Wrong, &mut ()).unwrap();
    assert_eq!((counted.count, counted.listed.len()), (0, 0));
}

#[test]
fn a_sum_that_stops_at_the_largest_number_is_not_exact() {
    assert_eq!(Count::of(7), Count::Exactly(7));
    assert_eq!(Count::of(u128::MAX).to_string(), format!("at least {}", u128::MAX));
}

/// Stops at the nth look.
struct Stops(u32);

impl Watch for Stops {
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
fn a_count_stops_wherever_it_is() {
    // All boards of 2×5 within 30 moves: some thousand states to look at.
    let instance = Instance::from(board("0 9 8 7 6/5 4 3 2 1"));
    let options = Options { limits: Limits::NONE, ..Options::default() };
    let length = shortest(&instance, Metric::Stm);
    let question = question(&instance, &options, length);
    let whole = by_weak_bound(&question, &mut ()).unwrap();
    let mut n_stopped = 0;
    let ended = (0..).map(|n_looks| by_weak_bound(&question, &mut Stops(n_looks)));
    for counted in ended {
        match counted {
            Err(limit) => assert_eq!(limit, Limit::Interrupted),
            Ok(Counted { count, stopped: Some(_), .. }) => assert_eq!(count, whole.count),
            Ok(counted) => {
                assert_eq!((counted.count, counted.listed), (whole.count, whole.listed));
                break;
            }
        }
        n_stopped += 1;
    }
    assert!(n_stopped > 3, "{n_stopped}");
    // The states of all layers take more than this, and less than that.
    let with = |memory| Options {
        limits: Limits { memory: Some(memory), ..Limits::NONE },
        ..Options::default()
    };
    let small = by_weak_bound(&Question { options: &with(1 << 10), ..question }, &mut ());
    assert_eq!(small.unwrap_err(), Limit::Memory);
    let large = by_weak_bound(&Question { options: &with(1 << 30), ..question }, &mut ());
    assert_eq!(large.unwrap().count, whole.count);
}
