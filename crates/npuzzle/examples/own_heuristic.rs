//! Compares a new heuristic with those of the library: the number of states that A* expands.

use std::error::Error;

use npuzzle::search::heuristic::{Manhattan, Misplaced};
use npuzzle::search::queue::BucketQueue;
use npuzzle::search::{BestFirst, Heuristic, Packed, Settings, Sliding};
use npuzzle::{Board, Cell, Dims, Instance, Slide};

fn main() -> Result<(), Box<dyn Error>> {
    for (name, expanded) in expanded(&"8 6 7/2 5 4/3 0 1".parse()?)? {
        println!("{name}: {expanded} states");
    }
    Ok(())
}

/// The number of tiles in a wrong row plus the number of tiles in a wrong column. A slide corrects at
/// most one of the two for one tile, so the heuristic is admissible.
pub struct RowsAndColumns {
    dims: Dims,
    goal_cells: Vec<Cell>,
}

impl RowsAndColumns {
    /// Returns the heuristic for a goal.
    pub fn new(goal: &Board) -> RowsAndColumns {
        RowsAndColumns { dims: goal.dims(), goal_cells: goal.cells_by_tile() }
    }

    /// Returns the contribution of a tile at a cell.
    fn cost(&self, tile: usize, cell: usize) -> u32 {
        let (goal, n_cols) = (self.goal_cells[tile].index(), self.dims.cols());
        u32::from(cell / n_cols != goal / n_cols) + u32::from(cell % n_cols != goal % n_cols)
    }
}

impl Heuristic<Sliding<Packed>> for RowsAndColumns {
    type Memo = u32;

    fn eval(&self, board: &Packed) -> u32 {
        let cells = (0..self.dims.cells()).map(|cell| (board.tile(Cell::new(cell as u16)), cell));
        cells
            .filter(|(tile, _)| !tile.is_blank())
            .map(|(tile, cell)| self.cost(tile.index(), cell))
            .sum()
    }

    /// Updates the estimate for the tile that moved, from the cell where the blank is now.
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

/// Returns the number of states that A* expands with each heuristic.
pub fn expanded(puzzle: &Instance) -> Result<[(&'static str, u64); 3], Box<dyn Error>> {
    let problem = Sliding::<Packed>::new(puzzle).ok_or("the board has more than 16 cells")?;
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
