//! What moves are worth, against distances that are known otherwise.

use std::ops::ControlFlow;

use npuzzle::tables::FullTable;
use npuzzle::teaching::Loss;
use npuzzle::{Goal, Instance, Limit, Metric, Moves, Options, Random, Stats, Tables, Watch};
use npuzzle_testkit::dims;

#[test]
fn moves_are_worth_what_the_table_of_all_distances_says() {
    let mut random = Random::new(3);
    for metric in Metric::ALL {
        for size in ["3x3", "2x5"] {
            let goal = Goal::Last.board(dims(size)).unwrap();
            let table = FullTable::build(&goal, metric).unwrap();
            let options = Options { metric, ..Options::default() };
            for _ in 0..50 {
                let instance = random.instance(&goal, true);
                let here = table.distance(instance.start()).unwrap() as u32;
                let analysis = options.analyse(&instance, &mut Tables::new(), &mut ()).unwrap();
                assert_eq!((analysis.distance, analysis.stopped), (Some(here), None));
                for advice in &analysis.moves {
                    let slides: Moves = vec![advice.slide; advice.count].into();
                    let board = slides.replay(instance.start()).unwrap();
                    let there = table.distance(&board).unwrap() as u32;
                    assert_eq!(advice.distance, Some(there), "{instance:?} {advice:?}");
                    assert_eq!(advice.loss, Some(1 + there - here));
                    assert_eq!(board.tile(instance.start().blank()), advice.tile);
                }
                assert!(here == 0 || analysis.moves.iter().any(|advice| advice.loss == Some(0)));
            }
        }
    }
}

#[test]
fn games_lose_what_their_boards_say() {
    let mut random = Random::new(4);
    let goal = Goal::Snail.board(dims("3x3")).unwrap();
    for metric in Metric::ALL {
        let table = FullTable::build(&goal, metric).unwrap();
        let options = Options { metric, ..Options::default() };
        let mut slides = Vec::new();
        let start = random.board(dims("3x3"));
        let instance = Instance::new(start, &Goal::Snail).unwrap();
        let instance = if instance.is_solvable() { instance } else { instance.twin() };
        let mut board = instance.start().clone();
        for _ in 0..60 {
            let legal: Vec<_> = board.slides().collect();
            let slide = legal[random.below(legal.len() as u64) as usize];
            board.slide(slide);
            slides.push(slide);
        }
        let moves = Moves::from(slides);
        let losses = options.analyse_game(&instance, &moves, &mut Tables::new(), &mut ()).unwrap();
        let mut board = instance.start().clone();
        let mut expect = vec![table.distance(&board).unwrap() as u32];
        let counts: Vec<usize> = match metric {
            Metric::Stm => vec![1; moves.stm()],
            Metric::Mtm => moves.runs().map(|(_, n)| n).collect(),
        };
        let mut slides = moves.slides().iter();
        for n in counts {
            slides.by_ref().take(n).for_each(|&slide| assert!(board.slide(slide)));
            expect.push(table.distance(&board).unwrap() as u32);
        }
        assert!(losses.distances.iter().copied().eq(expect.iter().copied().map(Some)));
        let lost: Vec<_> = expect.windows(2).map(|two| Some(1 + two[1] - two[0])).collect();
        assert_eq!((losses.losses, losses.stopped), (lost, None));
    }
}

/// A way to the goal that wanders about first.
fn wandering(random: &mut Random, options: &Options, n_slides: usize) -> (Instance, Moves) {
    let instance = random.instance(&Goal::Last.board(dims("3x3")).unwrap(), true);
    let mut board = instance.start().clone();
    let mut slides = Vec::new();
    for _ in 0..n_slides {
        let legal: Vec<_> = board.slides().collect();
        let slide = legal[random.below(legal.len() as u64) as usize];
        board.slide(slide);
        slides.push(slide);
    }
    let rest = options.solve(&Instance::new(board, &Goal::Last).unwrap()).unwrap();
    slides.extend(rest.moves().unwrap().slides());
    (instance, slides.into())
}

#[test]
fn a_checked_solution_loses_what_its_game_loses() {
    let mut random = Random::new(6);
    for metric in Metric::ALL {
        let options = Options { metric, ..Options::default() };
        for n_slides in [0, 1, 7, 100] {
            let (instance, moves) = wandering(&mut random, &options, n_slides);
            let mut tables = Tables::new();
            let checked =
                options.check(&instance, &moves.to_string(), &mut tables, &mut ()).unwrap();
            let game = options.analyse_game(&instance, &moves, &mut tables, &mut ()).unwrap();
            let lost = (1..).zip(game.losses.iter().map(|lost| lost.unwrap()));
            let expect: Vec<Loss> = lost
                .filter(|&(_, lost)| lost > 0)
                .map(|(step, lost)| Loss { step, lost })
                .collect();
            assert_eq!(checked.quality.unwrap().losses, expect, "{instance:?} {moves}");
        }
    }
}

/// Is asked so often, then ends what it watches.
struct Patience(usize);

impl Watch for Patience {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { ControlFlow::Break(Limit::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn a_long_solution_can_be_interrupted() {
    let instance = "1 2 3/4 0 5/7 8 6".parse().unwrap();
    let text = "LR".repeat(1000) + "LU";
    let check = |patience| {
        let mut watch = Patience(patience);
        let checked = Options::default().check(&instance, &text, &mut Tables::new(), &mut watch);
        checked.unwrap().quality.unwrap()
    };
    let quality = check(usize::MAX);
    assert_eq!((quality.losses.len(), quality.stopped), (1000, None));
    let quality = check(100);
    assert_eq!((quality.losses.len(), quality.stopped), (0, Some(Limit::Interrupted)));
}

#[test]
fn neighbours_of_a_15_puzzle_are_one_nearer_or_one_farther() {
    let mut random = Random::new(5);
    let goal = Goal::Last.board(dims("4x4")).unwrap();
    let mut tables = Tables::new();
    for _ in 0..6 {
        let instance = random.instance(&goal, true);
        let analysis = Options::default().analyse(&instance, &mut tables, &mut ()).unwrap();
        for advice in analysis.moves {
            let mut board = instance.start().clone();
            board.slide(advice.slide);
            let there = Options::default().solve(&Instance::from(board)).unwrap();
            assert_eq!(advice.distance, there.upper_bound());
        }
    }
}
