//! Passes on boards of all shapes, the limits of the search, and the incremental state of walk beams.

use npuzzle_tables::clock::Instant;
use std::time::Duration;

use npuzzle_core::search::Stats;
use npuzzle_core::{Dims, Goal, Instance, Metric, Moves, Slide};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{NAMED_GOALS, dims};

use super::global_phase::{self, GlobalTuning};
use super::pass::{Pass, PassWidths};
use super::walk_beam::{Potential, WalkBeam, WalkBeamConfig};
use super::walk_board::WalkBoard;
use super::{InitialSolution, NeighborhoodConfig, large_neighborhood};
use crate::anytime::beam::adjacency::{AdjacencyTerm, AdjacencyView, Displacement};
use crate::anytime::beam::tuple_change::Content;
use crate::anytime::beam::tuple_term::TupleTerm;
use crate::anytime::beam::tuple_weights::TupleWeights;
use crate::anytime::beam::weights::Weights;
use crate::anytime::constructive::{Routing, construct};
use crate::anytime::working_board::WorkingBoard;
use crate::engine::lower_bound::Objective;

fn instance(size: Dims, goal: &Goal, random: &mut Random) -> Instance {
    let instance = Instance::new(random.board(size), goal).unwrap();
    if instance.is_solvable() { instance } else { instance.twin() }
}

/// A pass without a time limit.
fn pass(metric: Metric, tuning: GlobalTuning, global: usize, line: usize) -> Pass {
    let widths = PassWidths { global, line, block: 2 * line };
    Pass { metric, widths, tuning, seed: 1, end: None, lookahead_until: None }
}

#[test]
fn pass_solves_boards_of_every_shape() {
    let mut random = Random::new(9);
    let tunings = [GlobalTuning::NARROW, GlobalTuning::MEDIUM, GlobalTuning::WIDE];
    let passes = tunings.map(|tuning| pass(Metric::Mtm, tuning, 4, 20));
    for rows in 2..=9 {
        for cols in 2..=9 {
            let size = Dims::new(rows, cols).unwrap();
            let goals = [Goal::Snail, Goal::Board(random.board(size))];
            let instance = instance(size, &goals[random.below(2)], &mut random);
            for pass in passes {
                let path = pass.run(WorkingBoard::new(&instance), &mut |_| false).unwrap();
                let end = Moves::from(path).replay(instance.start());
                assert_eq!(end.as_ref(), Ok(instance.goal()), "{instance:?}");
            }
        }
    }
}

#[test]
fn pass_ends_at_the_poll_that_stops_it() {
    let instance = instance(dims("20x20"), &Goal::Last, &mut Random::new(20));
    for tuning in [GlobalTuning::NARROW, GlobalTuning::WIDE] {
        let mut n_polls = 0;
        let mut stop = |_| {
            n_polls += 1;
            n_polls > 10
        };
        let pass = pass(Metric::Stm, tuning, 10, 10);
        assert_eq!(pass.run(WorkingBoard::new(&instance), &mut stop), None);
        assert_eq!(n_polls, 11);
    }
}

#[test]
fn narrow_pass_is_shorter_than_twice_the_distance() {
    let instance = instance(dims("32x32"), &Goal::Last, &mut Random::new(32));
    let pass = pass(Metric::Stm, GlobalTuning::NARROW, 8, 80);
    let path = pass.run(WorkingBoard::new(&instance), &mut |_| false).unwrap();
    let distance = instance.start().manhattan() as usize;
    assert!(path.len() < 2 * distance, "{} slides, distance {distance}", path.len());
}

#[test]
fn pass_without_time_is_completed_constructively() {
    let instance = instance(dims("20x30"), &Goal::Snail, &mut Random::new(21));
    let now = Some(Instant::now());
    for tuning in [GlobalTuning::NARROW, GlobalTuning::WIDE] {
        let pass = Pass { end: now, lookahead_until: now, ..pass(Metric::Stm, tuning, 10, 10) };
        let path = pass.run(WorkingBoard::new(&instance), &mut |_| false).unwrap();
        assert_eq!(Moves::from(path).replay(instance.start()).as_ref(), Ok(instance.goal()));
    }
}

/// Runs the search without a time limit, from the constructive solution without lookahead.
fn solve(instance: &Instance, threads: usize, nodes: Option<u64>, stats: &mut Stats) -> Vec<Slide> {
    let objective = Objective { metric: Metric::Stm, lower_bound: 0 };
    let config = NeighborhoodConfig { objective, threads, time: None, nodes, bytes: None };
    let path = construct(instance, Routing::Shortest, &mut ()).unwrap();
    let initial = InitialSolution { path, has_lookahead: false, time: Duration::ZERO };
    large_neighborhood(instance, initial, config, stats, &mut ())
}

#[test]
fn solution_does_not_depend_on_the_number_of_threads() {
    let mut random = Random::new(2);
    for goal in NAMED_GOALS {
        let instance = instance(dims("4x6"), &goal, &mut random);
        for nodes in [None, Some(20_000)] {
            let path = |threads| solve(&instance, threads, nodes, &mut Stats::default());
            assert_eq!(path(1), path(2), "{instance:?}");
        }
    }
}

#[test]
fn node_limit_is_exceeded_by_a_few_layers_at_most() {
    let instance = instance(dims("20x20"), &Goal::Last, &mut Random::new(22));
    let lengths = [10_000, 2_000_000].map(|max_nodes| {
        let mut stats = Stats::default();
        let path = solve(&instance, 2, Some(max_nodes), &mut stats);
        let allowed = max_nodes..max_nodes + max_nodes / 20;
        assert!(allowed.contains(&stats.expanded), "{stats:?}");
        path.len()
    });
    assert!(lengths[1] < lengths[0], "{lengths:?}");
}

#[test]
fn network_change_equals_the_difference_of_sums() {
    let mut random = Random::new(6);
    for size in ["5x7", "2x9", "20x3"] {
        let instance = instance(dims(size), &Goal::Snail, &mut random);
        let mut board = WorkingBoard::new(&instance);
        let weights = TupleWeights::for_size(board.n_cells());
        let term = TupleTerm::new(dims(size), instance.goal().blank().index() as u8, weights);
        let sum_of = |board: &WorkingBoard| {
            let labels = (0..board.n_cells()).map(|cell| board.label(cell) as u8);
            term.sum(&labels.collect::<Vec<u8>>())
        };
        let mut sum = sum_of(&board);
        for _ in 0..300 {
            let walked = WalkBoard::new(&board);
            let neighbors: Vec<(usize, Slide)> = board.neighbors(board.blank()).collect();
            let (from, slide) = neighbors[random.below(neighbors.len())];
            let after = walked.content_at(board.label(from), board.blank());
            sum += weights.change(&walked.surroundings(), slide as usize, after);
            board.slide(from, slide);
            assert_eq!(sum, sum_of(&board), "{size}");
        }
    }
}

/// A board as the adjacency term sees it, by the definitions.
struct NaiveView<'a>(&'a WorkingBoard);

impl AdjacencyView for NaiveView<'_> {
    fn neighbors(&self, cell: usize) -> [usize; 4] {
        let neighbor = |slide: Slide| {
            let found = self.0.neighbors(cell).find(|&(_, by)| by == slide);
            found.map_or(cell, |(neighbor, _)| neighbor)
        };
        Slide::ALL.map(neighbor)
    }

    fn displacement(&self, cell: usize) -> Displacement {
        let (label, NaiveView(board)) = (self.0.label(cell), self);
        if cell == board.blank() {
            return Displacement::BLANK;
        }
        let steps = |goal: usize, at: usize| goal as isize - at as isize;
        Displacement::new(
            steps(board.col(label), board.col(cell)),
            steps(board.row(label), board.row(cell)),
        )
    }
}

#[test]
fn adjacency_change_equals_the_difference_of_sums() {
    let mut random = Random::new(6);
    for size in ["5x7", "2x9", "20x3"] {
        let mut board = WorkingBoard::new(&instance(dims(size), &Goal::Snail, &mut random));
        let n_cells = board.n_cells();
        let adjacency = AdjacencyTerm::new(Weights::for_size(n_cells));
        let mut walked = WalkBoard::new(&board);
        let mut sum = adjacency.sum(&NaiveView(&board), n_cells);
        for _ in 0..300 {
            let neighbors: Vec<(usize, Slide)> = board.neighbors(board.blank()).collect();
            let (from, slide) = neighbors[random.below(neighbors.len())];
            let after = walked.displacement_of(walked.content_at(board.label(from), board.blank()));
            sum += adjacency.change(&walked, from, board.blank(), after);
            board.slide(from, slide);
            assert_eq!(sum, adjacency.sum(&NaiveView(&board), n_cells), "{size}");
            walked = WalkBoard::new(&board);
            assert_eq!(sum, adjacency.sum(&walked, n_cells), "{size}");
        }
    }
}

/// The sum of the Manhattan distances.
struct TotalDistance(WorkingBoard);

impl Potential for TotalDistance {
    type Common = ();

    fn common(&self, _: &WalkBoard) {}

    fn change(
        &self,
        _: &WalkBoard,
        (): &(),
        _: usize,
        label: usize,
        from: usize,
        to: usize,
    ) -> i32 {
        self.0.distance(label, to) as i32 - self.0.distance(label, from) as i32
    }
}

#[test]
fn walk_beam_board_equals_replay_of_committed_slides() {
    let mut random = Random::new(5);
    let start = WorkingBoard::new(&instance(dims("5x7"), &Goal::First, &mut random));
    let mut beam = WalkBeam::new(&start, 0);
    let potential = TotalDistance(start.clone());
    for _ in 0..200 {
        // `add_layer` returns false when every child was visited recently.
        (0..random.below(9)).for_each(|_| _ = beam.add_layer(&potential, 50));
        beam.commit(beam.best_leaf(), random.below(9));
    }
    beam.commit(beam.best_leaf(), 0);
    assert!(beam.committed_slides().count() > 50);
    let mut replayed = start.clone();
    replayed.apply(beam.committed_slides());
    let board = beam.board();
    assert_eq!(replayed.blank(), board.blank());
    assert_eq!(board.content(board.blank()), Content::BLANK);
    assert_eq!(board.displacement(board.blank()), Displacement::BLANK);
    for cell in (0..start.n_cells()).filter(|&cell| cell != board.blank()) {
        assert_eq!(replayed.label(cell), board.label(cell));
        assert_eq!(board.cell(board.label(cell)), cell);
        assert_eq!(board.content(cell), board.content_at(replayed.label(cell), cell));
        assert_eq!(board.displacement(cell), NaiveView(&replayed).displacement(cell));
    }
}

#[test]
fn walk_beam_slides_lead_to_each_leaf() {
    let start = WorkingBoard::new(&instance(dims("5x7"), &Goal::First, &mut Random::new(5)));
    let mut beam = WalkBeam::new(&start, 0);
    let potential = TotalDistance(start.clone());
    for lag in [9, 4, 0] {
        (0..9).for_each(|_| assert!(beam.add_layer(&potential, 20)));
        beam.commit(beam.best_leaf(), lag);
        for leaf in [0, beam.best_leaf()] {
            beam.go_to_leaf(leaf);
            let mut replayed = start.clone();
            let slides = beam.slides_to(leaf);
            assert_eq!(slides.len(), lag);
            let to_root = beam.committed_slides().take(beam.n_committed());
            replayed.apply(to_root.chain(slides));
            assert_eq!(replayed.blank(), beam.board().blank());
            let mut tiles = (0..start.n_cells()).filter(|&cell| cell != replayed.blank());
            assert!(tiles.all(|cell| replayed.label(cell) == beam.board().label(cell)), "{lag}");
        }
    }
}

/// A potential that ranks boards close to the goal last.
struct Away(TotalDistance);

impl Potential for Away {
    type Common = ();

    fn common(&self, _: &WalkBoard) {}

    fn change(
        &self,
        board: &WalkBoard,
        (): &(),
        slide: usize,
        label: usize,
        from: usize,
        to: usize,
    ) -> i32 {
        -self.0.change(board, &(), slide, label, from, to)
    }
}

#[test]
fn walk_beam_selects_the_goal_whatever_its_rank() {
    let instance: Instance = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15".parse().unwrap();
    let start = WorkingBoard::new(&instance);
    let mut beam = WalkBeam::new(&start, 0);
    assert_eq!(beam.goal_leaf(), None);
    assert!(beam.add_layer(&Away(TotalDistance(start)), 1));
    beam.commit(beam.goal_leaf().unwrap(), 0);
    let slides: Vec<Slide> = beam.committed_slides().collect();
    assert_eq!(Moves::from(slides).replay(instance.start()).as_ref(), Ok(instance.goal()));
}

#[test]
fn global_phase_solves_a_board() {
    let instance = instance(dims("6x6"), &Goal::Last, &mut Random::new(3));
    let mut board = WorkingBoard::new(&instance);
    let config = WalkBeamConfig { metric: Metric::Stm, width: 500, seed: 0, end: None };
    assert!(global_phase::run(&mut board, GlobalTuning::WIDE, config, &mut |_| false));
    let end = Moves::from(board.into_path()).replay(instance.start());
    assert_eq!(end.as_ref(), Ok(instance.goal()));
}
