//! A* with a heuristic of one's own beside those of the library: how many states each expands.

use std::error::Error;

use npuzzle::search::heuristic::{Manhattan, Misplaced};
use npuzzle::search::queue::BucketQueue;
use npuzzle::search::{BestFirst, Heuristic, Settings};
use npuzzle::search::{Packed, Sliding};
use npuzzle::{Board, Cell, Dims, Instance, Slide};

fn main() -> Result<(), Box<dyn Error>> {
    for (name, expanded) in expanded(&"8 6 7/2 5 4/3 0 1".parse()?)? {
        println!("{name}: {expanded} states");
    }
    Ok(())
}

/// How many tiles are in a wrong row, and how many in a wrong column. A slide mends one of these for
/// one tile at best, so it is never more than the truth.
pub struct RowsAndColumns {
    dims: Dims,
    homes: Vec<Cell>,
}

impl RowsAndColumns {
    /// For a goal.
    pub fn new(goal: &Board) -> RowsAndColumns {
        RowsAndColumns { dims: goal.dims(), homes: goal.cells_by_tile() }
    }

    /// What a tile adds that lies here.
    fn cost(&self, tile: usize, at: usize) -> u32 {
        let (home, n_cols) = (self.homes[tile].index(), self.dims.cols());
        u32::from(at / n_cols != home / n_cols) + u32::from(at % n_cols != home % n_cols)
    }
}

impl Heuristic<Sliding<Packed>> for RowsAndColumns {
    type Memo = u32;

    fn eval(&self, board: &Packed) -> u32 {
        let cells = (0..self.dims.cells()).map(|at| (board.tile(Cell::new(at as u16)), at));
        cells
            .filter(|(tile, _)| !tile.is_blank())
            .map(|(tile, at)| self.cost(tile.index(), at))
            .sum()
    }

    /// Only the tile that has moved counts anew. It lies where the blank was, and came from where the
    /// blank is.
    fn step(&self, before: &u32, after: &Packed, slide: Slide) -> u32 {
        let from = after.blank();
        let to = self.dims.source_unchecked(from, slide.opposite());
        let tile = after.tile(to).index();
        before + self.cost(tile, to.index()) - self.cost(tile, from.index())
    }

    fn value(&self, memo: &u32) -> u32 {
        *memo
    }
}

/// How many states A* expands with each heuristic.
pub fn expanded(puzzle: &Instance) -> Result<[(&'static str, u64); 3], Box<dyn Error>> {
    let problem = Sliding::<Packed>::new(puzzle).ok_or("this is for boards of up to 16 cells")?;
    let goal = puzzle.goal();
    Ok([
        ("misplaced", astar(&problem, &Misplaced::new(goal))),
        ("rows and columns", astar(&problem, &RowsAndColumns::new(goal))),
        ("manhattan", astar(&problem, &Manhattan::new(goal))),
    ])
}

fn astar<H: Heuristic<Sliding<Packed>>>(problem: &Sliding<Packed>, h: &H) -> u64 {
    let search = BestFirst::<_, _, BucketQueue<_>>::new(problem, h, Settings::ASTAR);
    search.run(&mut (), &mut ()).stats.expanded
}
