//! The values of moves, compared with known distances.

use std::ops::ControlFlow;

use npuzzle::tables::FullTable;
use npuzzle::teaching::Loss;
use npuzzle::{Goal, Instance, Limit, Metric, Moves, Options, Random, Stats, Tables, Watch};
use npuzzle_testkit::dims;

#[test]
fn move_values_match_the_full_table() {
    let mut random = Random::new(3);
    for metric in Metric::ALL {
        for size in ["3x3", "2x5"] {
            let goal = Goal::Last.board(dims(size)).unwrap();
            let table = FullTable::build(&goal, metric).unwrap();
            let options = Options { metric, ..Options::default() };
            for _ in 0..50 {
                let instance = random.instance(&goal, true);
                let here = table.distance(instance.start()).unwrap() as u32;
                let analysis = options.analyze(&instance, &mut Tables::new(), &mut ()).unwrap();
                assert_eq!((analysis.distance, analysis.stopped), (Some(here), None));
                for found in &analysis.moves {
                    let slides: Moves = vec![found.slide; found.count].into();
                    let board = slides.replay(instance.start()).unwrap();
                    let there = table.distance(&board).unwrap() as u32;
                    assert_eq!(found.distance, Some(there), "{instance:?} {found:?}");
                    assert_eq!(found.loss, Some(1 + there - here));
                    assert_eq!(board.tile(instance.start().blank()), found.tile);
                }
                assert!(here == 0 || analysis.moves.iter().any(|found| found.loss == Some(0)));
            }
        }
    }
}

#[test]
fn game_losses_match_the_full_table() {
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
        let game = options.analyze_game(&instance, &moves, &mut Tables::new(), &mut ()).unwrap();
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
        assert!(game.distances.iter().copied().eq(expect.iter().copied().map(Some)));
        let lost: Vec<_> = expect.windows(2).map(|two| Some(1 + two[1] - two[0])).collect();
        assert_eq!((game.losses, game.stopped), (lost, None));
    }
}

/// A solution that starts with a random walk.
fn wasteful_solution(random: &mut Random, options: &Options, n_slides: usize) -> (Instance, Moves) {
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
fn check_and_game_analysis_find_the_same_losses() {
    let mut random = Random::new(6);
    for metric in Metric::ALL {
        let options = Options { metric, ..Options::default() };
        for n_slides in [0, 1, 7, 100] {
            let (instance, moves) = wasteful_solution(&mut random, &options, n_slides);
            let mut tables = Tables::new();
            let checked =
                options.check(&instance, &moves.to_string(), &mut tables, &mut ()).unwrap();
            let game = options.analyze_game(&instance, &moves, &mut tables, &mut ()).unwrap();
            let lost = (1..).zip(game.losses.iter().map(|lost| lost.unwrap()));
            let expect: Vec<Loss> = lost
                .filter(|&(_, lost)| lost > 0)
                .map(|(step, lost)| Loss { step, lost })
                .collect();
            assert_eq!(checked.quality.unwrap().losses, expect, "{instance:?} {moves}");
        }
    }
}

/// Stops at the n-th poll.
struct StopAtPoll(usize);

impl Watch for StopAtPoll {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { ControlFlow::Break(Limit::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn check_of_a_long_solution_can_be_interrupted() {
    let instance = "1 2 3/4 0 5/7 8 6".parse().unwrap();
    let text = "LR".repeat(1000) + "LU";
    let check = |n_polls| {
        let mut watch = StopAtPoll(n_polls);
        let checked = Options::default().check(&instance, &text, &mut Tables::new(), &mut watch);
        checked.unwrap().quality.unwrap()
    };
    let quality = check(usize::MAX);
    assert_eq!((quality.losses.len(), quality.stopped), (1000, None));
    let quality = check(100);
    assert_eq!((quality.losses.len(), quality.stopped), (0, Some(Limit::Interrupted)));
}

#[test]
fn move_distances_match_solving_each_neighbor() {
    let mut random = Random::new(5);
    let goal = Goal::Last.board(dims("4x4")).unwrap();
    let mut tables = Tables::new();
    for _ in 0..6 {
        let instance = random.instance(&goal, true);
        let analysis = Options::default().analyze(&instance, &mut tables, &mut ()).unwrap();
        for found in analysis.moves {
            let mut board = instance.start().clone();
            board.slide(found.slide);
            let there = Options::default().solve(&Instance::from(board)).unwrap();
            assert_eq!(found.distance, there.upper_bound());
        }
    }
}
