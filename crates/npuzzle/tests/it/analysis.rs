//! What moves are worth, against distances that are known otherwise.

use npuzzle::{FullTable, Goal, Instance, Metric, Moves, Options, Random, Tables};
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
        let losses = options.losses(&instance, &moves, &mut Tables::new(), &mut ()).unwrap();
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
