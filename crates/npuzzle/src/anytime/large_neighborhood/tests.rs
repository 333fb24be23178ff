//! Passes solve boards of all shapes, and a beam's board is where its walk leads.

use std::time::{Duration, Instant};

use npuzzle_core::search::Stats;
use npuzzle_core::{Dims, Goal, Instance, Metric, Moves, Slide};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{NAMED_GOALS, dims};

use super::walk_beam::{Beam, Potential};
use super::{Means, Pass, Plain, Widths, large_neighborhood};
use crate::anytime::beam::adjacency::{Crowd, Strife, Want};
use crate::anytime::beam::weights::Weights;
use crate::anytime::constructive::{Ways, construct};
use crate::anytime::working_board::WorkingBoard;
use crate::engine::lower_bound::Measure;

fn instance(size: Dims, goal: &Goal, random: &mut Random) -> Instance {
    let instance = Instance::new(random.board(size), goal).unwrap();
    if instance.is_solvable() { instance } else { instance.twin() }
}

#[test]
fn a_pass_solves_boards_of_every_shape() {
    let mut random = Random::new(9);
    let metric = Metric::Mtm;
    let widths = Widths { flow: 4, sweep: 20 };
    let pass = Pass { metric, widths, seed: 1, end: None, short_from: None };
    for rows in 2..=9 {
        for cols in 2..=9 {
            let size = Dims::new(rows, cols).unwrap();
            let goals = [Goal::Snail, Goal::Board(random.board(size))];
            let instance = instance(size, &goals[random.below(2)], &mut random);
            let path = pass.run(WorkingBoard::new(&instance), &mut |_| false).unwrap();
            let end = Moves::from(path).replay(instance.start());
            assert_eq!(end.as_ref(), Ok(instance.goal()), "{instance:?}");
        }
    }
}

#[test]
fn a_pass_ends_when_it_is_stopped() {
    let instance = instance(dims("20x20"), &Goal::Last, &mut Random::new(20));
    let mut n_looks = 0;
    let mut stop = |_| {
        n_looks += 1;
        n_looks > 10
    };
    let widths = Widths { flow: 10, sweep: 10 };
    let pass = Pass { metric: Metric::Stm, widths, seed: 1, end: None, short_from: None };
    assert_eq!(pass.run(WorkingBoard::new(&instance), &mut stop), None);
    assert_eq!(n_looks, 11);
}

#[test]
fn what_a_pass_has_no_time_for_is_done_plainly() {
    let instance = instance(dims("20x30"), &Goal::Snail, &mut Random::new(21));
    let now = Some(Instant::now());
    let widths = Widths { flow: 10, sweep: 10 };
    let pass = Pass { metric: Metric::Stm, widths, seed: 1, end: now, short_from: now };
    let path = pass.run(WorkingBoard::new(&instance), &mut |_| false).unwrap();
    assert_eq!(Moves::from(path).replay(instance.start()).as_ref(), Ok(instance.goal()));
}

fn means(threads: usize, nodes: Option<u64>) -> Means {
    let measure = Measure { metric: Metric::Stm, least: 0 };
    Means { measure, threads, time: None, nodes, bytes: None }
}

fn roam_over(instance: &Instance, means: Means, stats: &mut Stats) -> Vec<Slide> {
    let path = construct(instance, Ways::Short, &mut ()).unwrap();
    large_neighborhood(
        instance,
        Plain { path, is_helpful: false, time: Duration::ZERO },
        means,
        stats,
        &mut (),
    )
}

#[test]
fn the_solution_does_not_hang_on_the_number_of_threads() {
    let mut random = Random::new(2);
    for goal in NAMED_GOALS {
        let instance = instance(dims("4x6"), &goal, &mut random);
        for nodes in [None, Some(20_000)] {
            let on = |threads| roam_over(&instance, means(threads, nodes), &mut Stats::default());
            assert_eq!(on(1), on(2), "{instance:?}");
        }
    }
}

#[test]
fn nodes_are_limited() {
    let instance = instance(dims("20x20"), &Goal::Last, &mut Random::new(22));
    let lengths = [10_000, 2_000_000].map(|most| {
        let mut stats = Stats::default();
        let path = roam_over(&instance, means(2, Some(most)), &mut stats);
        // A few layers go by between two looks.
        assert!((most..most + most / 20).contains(&stats.expanded), "{stats:?}");
        path.len()
    });
    assert!(lengths[1] < lengths[0], "{lengths:?}");
}

/// What neighbours weigh, by the plain definition.
struct Plainly<'a>(&'a WorkingBoard);

impl Crowd for Plainly<'_> {
    fn near(&self, cell: usize) -> [usize; 4] {
        let beside = |slide: Slide| {
            self.0.beside(cell).find(|&(_, by)| by == slide).map_or(cell, |(beside, _)| beside)
        };
        Slide::ALL.map(beside)
    }

    fn want(&self, cell: usize) -> Want {
        let (label, Plainly(field)) = (self.0.label(cell), self);
        if cell == field.blank() {
            return Want::BLANK;
        }
        let steps = |home: usize, at: usize| home as isize - at as isize;
        Want::new(
            steps(field.col(label), field.col(cell)),
            steps(field.row(label), field.row(cell)),
        )
    }
}

/// Weighs neighbours alone.
struct Neighbours(Strife);

impl Potential for Neighbours {
    fn rise(&self, board: &Beam, label: usize, from: usize, to: usize) -> i32 {
        self.0.rise(board, from, to, board.want_at(label, to))
    }
}

#[test]
fn what_neighbours_weigh_is_carried_along() {
    let mut random = Random::new(6);
    for size in ["5x7", "2x9", "20x3"] {
        let mut field = WorkingBoard::new(&instance(dims(size), &Goal::Snail, &mut random));
        let n_cells = field.n_cells();
        let strife = Strife::new(Weights::of(n_cells));
        let mut beam = Beam::new(&field, 0);
        let mut sum = strife.sum(&Plainly(&field), n_cells);
        for _ in 0..300 {
            let beside: Vec<(usize, Slide)> = field.beside(field.blank()).collect();
            let (from, slide) = beside[random.below(beside.len())];
            sum += Neighbours(strife).rise(&beam, field.label(from), from, field.blank());
            field.slide(from, slide);
            assert_eq!(sum, strife.sum(&Plainly(&field), n_cells), "{size}");
            beam = Beam::new(&field, 0);
            assert_eq!(sum, strife.sum(&beam, n_cells), "{size}");
        }
    }
}

/// The sum of the distances.
struct Distances(WorkingBoard);

impl Potential for Distances {
    fn rise(&self, _: &Beam, label: usize, from: usize, to: usize) -> i32 {
        self.0.distance(label, to) as i32 - self.0.distance(label, from) as i32
    }
}

#[test]
fn a_beams_board_is_where_its_walk_leads() {
    let mut random = Random::new(5);
    let start = WorkingBoard::new(&instance(dims("5x7"), &Goal::First, &mut random));
    let mut beam = Beam::new(&start, 0);
    let potential = Distances(start.clone());
    for _ in 0..200 {
        // Where everything was met before, it does not grow.
        (0..random.below(9)).for_each(|_| _ = beam.grow(&potential, 50));
        beam.commit(beam.best(), random.below(9));
    }
    beam.commit(beam.best(), 0);
    assert!(beam.slides().count() > 50);
    let mut walked = start.clone();
    walked.follow(beam.slides());
    assert_eq!(walked.blank(), beam.blank());
    assert_eq!(Beam::want(&beam, beam.blank()), Want::BLANK);
    for cell in (0..start.n_cells()).filter(|&cell| cell != beam.blank()) {
        assert_eq!(walked.label(cell), beam.label(cell));
        assert_eq!(beam.cell(beam.label(cell)), cell);
        assert_eq!(beam.want(cell), Plainly(&walked).want(cell));
    }
}
