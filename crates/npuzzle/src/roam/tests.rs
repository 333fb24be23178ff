//! Passes solve boards of all shapes, and a beam's board is where its walk leads.

use npuzzle_core::{Dims, Goal, Instance, Moves};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{NAMED_GOALS, dims};

use super::beam::{Beam, Potential};
use super::{Widths, go_over, roam};
use crate::field::Field;

fn instance(size: Dims, goal: &Goal, random: &mut Random) -> Instance {
    let instance = Instance::new(random.board(size), goal).unwrap();
    if instance.is_solvable() { instance } else { instance.twin() }
}

#[test]
fn a_pass_solves_boards_of_every_shape() {
    let mut random = Random::new(9);
    let widths = Widths { flow: 4, sweep: 20 };
    for rows in 2..=9 {
        for cols in 2..=9 {
            let size = Dims::new(rows, cols).unwrap();
            let goals = [Goal::Snail, Goal::Board(random.board(size))];
            let instance = instance(size, &goals[random.below(2)], &mut random);
            let path = go_over(Field::new(&instance), widths, 1, &mut || false).unwrap();
            let end = Moves::from(path).replay(instance.start());
            assert_eq!(end.as_ref(), Ok(instance.goal()), "{instance:?}");
        }
    }
}

#[test]
fn a_pass_ends_when_it_is_stopped() {
    let instance = instance(dims("20x20"), &Goal::Last, &mut Random::new(20));
    let mut n_looks = 0;
    let mut stop = || {
        n_looks += 1;
        n_looks > 10
    };
    let widths = Widths { flow: 10, sweep: 10 };
    assert_eq!(go_over(Field::new(&instance), widths, 1, &mut stop), None);
    assert_eq!(n_looks, 11);
}

#[test]
fn the_solution_does_not_hang_on_the_number_of_threads() {
    let mut random = Random::new(2);
    for goal in NAMED_GOALS {
        let instance = instance(dims("4x6"), &goal, &mut random);
        let [alone, both] = [1, 2].map(|threads| roam(&instance, threads, None, &mut ()));
        assert!(alone.is_ok() && alone == both, "{instance:?}");
    }
}

/// The sum of the distances.
struct Plain(Field);

impl Potential for Plain {
    fn rise(&self, label: usize, from: usize, to: usize) -> i32 {
        self.0.distance(label, to) as i32 - self.0.distance(label, from) as i32
    }
}

#[test]
fn a_beams_board_is_where_its_walk_leads() {
    let mut random = Random::new(5);
    let start = Field::new(&instance(dims("5x7"), &Goal::First, &mut random));
    let mut beam = Beam::new(&start, 0);
    let potential = Plain(start.clone());
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
    for cell in (0..start.n_cells()).filter(|&cell| cell != beam.blank()) {
        assert_eq!(walked.label(cell), beam.label(cell));
        assert_eq!(beam.cell(beam.label(cell)), cell);
    }
}
