//! What is drawn: a board, or moves from a board.

use npuzzle_core::{Board, Cell, Dims, Goal, IllegalSlide, Instance, Moves, Slide, Tile};

/// A board with its goal, if it has one. Tiles that are where the goal has them are marked.
///
/// A board alone is a scene, and so is an [`Instance`]: its start, with its goal.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    board: &'a Board,
    /// Of the board's size.
    goal: Option<&'a Board>,
}

impl<'a> Scene<'a> {
    pub(crate) fn board(self) -> &'a Board {
        self.board
    }

    pub(crate) fn homes(self) -> Homes {
        Homes::new(self.board.dims(), self.goal)
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

/// Where tiles belong.
#[derive(Clone, Debug)]
pub(crate) struct Homes {
    cells: Vec<Cell>,
    /// Whether somebody said so; otherwise it only tells how a picture is cut.
    is_given: bool,
}

impl Homes {
    fn new(dims: Dims, goal: Option<&Board>) -> Homes {
        let cells = match goal {
            Some(goal) => goal.cells_by_tile(),
            None => Goal::Last.board(dims).map(|goal| goal.cells_by_tile()).unwrap_or_default(),
        };
        Homes { cells, is_given: goal.is_some() }
    }

    pub(crate) fn is_given(&self) -> bool {
        self.is_given
    }

    /// Where a tile belongs.
    pub(crate) fn of(&self, tile: Tile) -> Cell {
        self.cells[tile.index()]
    }

    /// Whether a tile is to be marked as being where it belongs.
    pub(crate) fn marks(&self, tile: Tile, cell: Cell) -> bool {
        self.is_given && self.of(tile) == cell
    }
}

/// Moves from a board, every one of which is legal. They need not lead to the goal.
#[derive(Clone, Debug)]
pub struct Replay {
    instance: Instance,
    moves: Moves,
}

impl Replay {
    /// The moves from the start of the instance, or the first of them that is not legal.
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

    pub(crate) fn homes(&self) -> Homes {
        Scene::from(&self.instance).homes()
    }

    /// Every board, with the slide that led to it and the tile that made it.
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
