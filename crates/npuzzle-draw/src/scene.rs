//! The input of drawings: a board, or moves from a board.

use npuzzle_core::{Board, Cell, Dims, Goal, IllegalSlide, Instance, Moves, Slide, Tile};

/// A board, optionally with its goal. Tiles in their goal cells are marked.
///
/// A [`Board`] converts to a scene without a goal, an [`Instance`] to its start with its goal.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    board: &'a Board,
    /// A board of the same size.
    goal: Option<&'a Board>,
}

impl<'a> Scene<'a> {
    pub(crate) fn board(self) -> &'a Board {
        self.board
    }

    pub(crate) fn goal_cells(self) -> GoalCells {
        GoalCells::new(self.board.dims(), self.goal)
    }
}

impl<'a> From<&'a Board> for Scene<'a> {
    fn from(board: &'a Board) -> Scene<'a> {
        Scene { board, goal: None }
    }
}

impl<'a> From<&'a Instance> for Scene<'a> {
    fn from(instance: &'a Instance) -> Scene<'a> {
        Scene { board: instance.start(), goal: Some(instance.goal()) }
    }
}

/// The goal cell of every tile.
#[derive(Clone, Debug)]
pub(crate) struct GoalCells {
    cells: Vec<Cell>,
    /// Whether the goal is known; otherwise the cells only say how a picture is cut.
    is_given: bool,
}

impl GoalCells {
    fn new(dims: Dims, goal: Option<&Board>) -> GoalCells {
        let cells = match goal {
            Some(goal) => goal.cells_by_tile(),
            None => Goal::Last.board(dims).map(|goal| goal.cells_by_tile()).unwrap_or_default(),
        };
        GoalCells { cells, is_given: goal.is_some() }
    }

    pub(crate) fn is_given(&self) -> bool {
        self.is_given
    }

    /// The goal cell of a tile.
    pub(crate) fn of(&self, tile: Tile) -> Cell {
        self.cells[tile.index()]
    }

    /// Whether a tile is marked as being in its goal cell.
    pub(crate) fn marks(&self, tile: Tile, cell: Cell) -> bool {
        self.is_given && self.of(tile) == cell
    }

    /// Whether every tile of a board is in its goal cell. A picture on the tiles is then drawn completely: the
    /// piece of the blank is filled in.
    pub(crate) fn is_goal(&self, board: &Board) -> bool {
        let mut tiles = (0..).map(Cell::new).zip(board.tiles());
        tiles.all(|(cell, &tile)| self.of(tile) == cell)
    }
}

/// Legal moves from a board. They need not lead to the goal.
#[derive(Clone, Debug)]
pub struct Replay {
    instance: Instance,
    moves: Moves,
}

impl Replay {
    /// The moves from the start of an instance. An error is the first illegal slide.
    pub fn new(instance: &Instance, moves: Moves) -> Result<Replay, IllegalSlide> {
        moves.replay(instance.start())?;
        Ok(Replay { instance: instance.clone(), moves })
    }

    /// The start and the goal.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// The moves.
    pub fn moves(&self) -> &Moves {
        &self.moves
    }

    pub(crate) fn dims(&self) -> Dims {
        self.instance.dims()
    }

    pub(crate) fn goal_cells(&self) -> GoalCells {
        Scene::from(&self.instance).goal_cells()
    }

    /// Every board, with the slide that led to it and the moved tile.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (Board, Option<(Slide, Tile)>)> + '_ {
        let start = self.instance.start().clone();
        let slid = self.moves.slides().iter().scan(start.clone(), |board, &slide| {
            let to = board.blank();
            board.slide(slide);
            Some((board.clone(), Some((slide, board.tile(to)))))
        });
        std::iter::once((start, None)).chain(slid)
    }
}
