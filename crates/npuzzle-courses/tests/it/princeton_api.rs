//! The classes of the Princeton assignment.

use npuzzle_core::BoardError;
use npuzzle_courses::courses::princeton::{Board, Solver};
use npuzzle_testkit::naive;
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{dims, space};

#[test]
fn board_distances_match_their_definitions() {
    let mut random = Random::new(7);
    for size in ["2x2", "3x3", "4x4", "9x9"] {
        let goal = npuzzle_core::Goal::Last.board(dims(size)).unwrap();
        for _ in 0..20 {
            let inner = random.board(goal.dims());
            let board = Board::from(inner.clone());
            assert_eq!(board.dimension(), goal.dims().rows());
            assert_eq!(board.hamming() as u32, naive::misplaced(&inner, &goal), "{board:?}");
            assert_eq!(board.manhattan() as u32, naive::manhattan(&inner, &goal), "{board:?}");
            assert_eq!(board.is_goal(), inner == goal);
            assert_eq!(board.twin().twin(), board);
            assert_eq!(board.to_string(), inner.to_string());
        }
        assert!(Board::from(goal).is_goal());
    }
}

#[test]
fn board_neighbors_are_one_move_away() {
    let corner = Board::new(&[[0, 1, 3], [4, 2, 5], [7, 8, 6]]).unwrap();
    let neighbors: Vec<Board> = corner.neighbors().collect();
    assert_eq!(neighbors.len(), 2);
    assert!(neighbors.iter().all(|board| board.neighbors().any(|back| back == corner)));
}

#[test]
fn board_must_be_a_square_permutation() {
    let rectangle = Board::new(&[[1, 2, 3], [4, 5, 0]]);
    assert_eq!(rectangle, Err(BoardError::Ragged { row: 0, expected: 2, found: 3 }));
    let duplicate = Board::new(&[[1, 1], [2, 0]]);
    assert_eq!(duplicate, Err(BoardError::Duplicate { tile: 1, first: 0, second: 1 }));
    assert_eq!(Board::new::<[u16; 0]>(&[]), Err(BoardError::BadSize { rows: 0, cols: 0 }));
}

#[test]
fn solver_finds_shortest_solutions_and_unsolvable_boards() {
    let space = space::of("3x3").next().unwrap();
    let goal = Board::from(space.goal.clone());
    let mut random = Random::new(40);
    for _ in 0..20 {
        let start = &space.arrangements[random.below(space.arrangements.len())];
        let distance = space.oracle.distance(start).map(|distance| distance as usize);
        let start = Board::from(start.clone());
        let solver = Solver::new(&start).unwrap();
        assert_eq!(solver.is_solvable(), distance.is_some(), "{start:?}");
        assert_eq!(solver.moves(), distance, "{start:?}");
        assert_eq!(solver.solution().map(|boards| boards.len()), distance.map(|n| n + 1));
        if let Some(boards) = solver.solution() {
            assert_eq!((boards.first(), boards.last()), (Some(&start), Some(&goal)));
            assert!(boards.windows(2).all(|pair| pair[0].neighbors().any(|b| b == pair[1])));
        }
    }
}
