//! A beam over the blank's walks, on one board.
//!
//! A node is a slide after another node, so it takes four bytes whatever the size of the board. The
//! nodes of a layer are visited in the order of the tree, the one board there is being played back
//! and forth along its branches; neighbours in a layer have most of their walk in common, so the way
//! from one to the next is short. What guides the beam is a potential, a sum over the tiles of what
//! each weighs where it lies, and over neighbours; a slide changes few addends.

use std::collections::VecDeque;

use npuzzle_core::Slide;

use crate::anytime::beam::adjacency::{Crowd, Want};
use crate::anytime::working_board::WorkingBoard;

/// What a tile weighs in a place; the beam seeks to lose weight.
pub(crate) trait Potential {
    /// How much heavier everything is after the tile of this label has gone from one cell to the
    /// next, where the blank is on this board.
    fn rise(&self, board: &Beam, label: usize, from: usize, to: usize) -> i32;
}

/// No cell: beyond the border, or walled up.
const NOWHERE: u16 = u16::MAX;

/// What the directions mean; opposites come in pairs.
const SLIDES: [Slide; 4] = [Slide::Up, Slide::Down, Slide::Left, Slide::Right];

/// A slide after another node: the parent's place in the layer before, and the direction.
#[derive(Clone, Copy, Debug)]
struct Step(u32);

impl Step {
    const ROOT: Step = Step(0);

    fn new(parent: usize, direction: usize) -> Step {
        Step((parent as u32) << 2 | direction as u32)
    }

    #[inline]
    fn parent(self) -> usize {
        (self.0 >> 2) as usize
    }

    #[inline]
    fn direction(self) -> usize {
        (self.0 & 3) as usize
    }
}

/// A node of the last layer.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    weight: i32,
    hash: u64,
}

#[derive(Clone, Copy, Debug)]
struct Child {
    /// The weight, and among equals what the hash makes of it.
    key: i64,
    step: Step,
    leaf: Leaf,
}

/// A tree of walks, and a board at one of its nodes.
#[derive(Clone, Debug)]
pub(crate) struct Beam {
    /// By cell; the blank's cell has what was there last.
    labels: Vec<u16>,
    /// By label.
    cells: Vec<u16>,
    blank: usize,
    /// By cell, and so by label where it belongs.
    places: Vec<[i16; 2]>,
    /// By cell.
    wants: Vec<Want>,
    /// The cells beside each, by direction; the cell itself at the border.
    sides: Vec<[u16; 4]>,
    /// Of these the ones that the blank may enter.
    near: Vec<[u16; 4]>,
    /// From a cell to the one beside it, by direction.
    offsets: [isize; 4],
    /// The first has the root alone.
    layers: VecDeque<Vec<Step>>,
    leaves: Vec<Leaf>,
    /// The layer and the node where the board is.
    at: (usize, usize),
    /// Hashes of boards that were met, each in the place where it was the last.
    met: Vec<u64>,
    /// Decides between equals.
    seed: u64,
    /// What a turn of the blank weighs.
    turn: i32,
    children: Vec<Child>,
    keys: Vec<i64>,
    way: Vec<usize>,
    /// The directions from the beginning to the root.
    done: Vec<u8>,
    n_expanded: u64,
}

impl Beam {
    /// How many boards are remembered: a few layers of a wide beam.
    const N_MET: usize = 1 << 17;

    /// What these take, which is most of it.
    pub(crate) const BYTES: u64 = 8 * Beam::N_MET as u64;

    /// The tree of no walk from this board.
    pub(crate) fn new(field: &WorkingBoard, seed: u64) -> Beam {
        let cols = field.cols() as isize;
        let near = |cell: usize| {
            let mut near = [NOWHERE; 4];
            for (beside, slide) in field.beside(cell) {
                let direction = SLIDES.iter().position(|&of_direction| of_direction == slide);
                near[direction.unwrap_or_default()] = beside as u16;
            }
            near
        };
        let near: Vec<[u16; 4]> = (0..field.n_cells()).map(near).collect();
        let sides = near
            .iter()
            .zip(0..)
            .map(|(near, cell)| near.map(|beside| if beside == NOWHERE { cell } else { beside }));
        let place = |cell| [field.row(cell) as i16, field.col(cell) as i16];
        let mut beam = Beam {
            labels: (0..field.n_cells()).map(|cell| field.label(cell) as u16).collect(),
            cells: (0..field.n_cells()).map(|label| field.cell(label) as u16).collect(),
            blank: field.blank(),
            places: (0..field.n_cells()).map(place).collect(),
            wants: vec![Want::BLANK; field.n_cells()],
            sides: sides.collect(),
            near,
            offsets: [cols, -cols, 1, -1],
            layers: VecDeque::from([vec![Step::ROOT]]),
            leaves: vec![Leaf { weight: 0, hash: 1 }],
            at: (0, 0),
            met: vec![0; Beam::N_MET],
            seed,
            turn: 0,
            children: Vec::new(),
            keys: Vec::new(),
            way: Vec::new(),
            done: Vec::new(),
            n_expanded: 0,
        };
        for cell in (0..field.n_cells()).filter(|&cell| cell != field.blank()) {
            beam.wants[cell] = beam.want_at(field.label(cell), cell);
        }
        beam
    }

    /// What a tile would want in a cell.
    #[inline]
    pub(crate) fn want_at(&self, label: usize, cell: usize) -> Want {
        let ([row, col], [home_row, home_col]) = (self.places[cell], self.places[label]);
        Want::new((home_col - col).into(), (home_row - row).into())
    }

    /// Keeps the blank out of a cell from now on.
    pub(crate) fn wall(&mut self, cell: usize) {
        for direction in 0..4 {
            let beside = cell.wrapping_add_signed(self.offsets[direction]);
            // What lies beyond a side edge is the next row's, whose other neighbour this is not.
            if let Some(near) = self.near.get_mut(beside)
                && near[direction ^ 1] == cell as u16
            {
                near[direction ^ 1] = NOWHERE;
            }
        }
    }

    /// Makes walks weigh more that turn more often.
    pub(crate) fn weigh_turns(&mut self, turn: i32) {
        self.turn = turn;
    }

    /// The label of the tile in a cell that is not the blank's.
    pub(crate) fn label(&self, cell: usize) -> usize {
        usize::from(self.labels[cell])
    }

    /// The cell of a tile.
    pub(crate) fn cell(&self, label: usize) -> usize {
        usize::from(self.cells[label])
    }

    pub(crate) fn blank(&self) -> usize {
        self.blank
    }

    /// How many nodes have borne children since it was last asked.
    pub(crate) fn take_count(&mut self) -> u64 {
        std::mem::take(&mut self.n_expanded)
    }

    /// The slides from the beginning to the root.
    pub(crate) fn slides(&self) -> impl Iterator<Item = Slide> + '_ {
        self.slides_after(0)
    }

    /// The same without the first few.
    pub(crate) fn slides_after(&self, n: usize) -> impl Iterator<Item = Slide> + '_ {
        self.done[n..].iter().map(|&direction| SLIDES[usize::from(direction)])
    }

    #[inline]
    fn shift(&mut self, direction: usize) {
        let to = self.blank.wrapping_add_signed(self.offsets[direction]);
        let label = self.labels[to];
        self.labels[self.blank] = label;
        self.cells[usize::from(label)] = self.blank as u16;
        self.wants[self.blank] = self.want_at(usize::from(label), self.blank);
        self.wants[to] = Want::BLANK;
        self.blank = to;
    }

    /// Plays the board to a leaf.
    pub(crate) fn visit(&mut self, leaf: usize) {
        let (mut level, mut here) = self.at;
        let (last, mut there) = (self.layers.len() - 1, leaf);
        for above in (level + 1..=last).rev() {
            let step = self.layers[above][there];
            self.way.push(step.direction());
            there = step.parent();
        }
        while here != there {
            let (back, forth) = (self.layers[level][here], self.layers[level][there]);
            self.shift(back.direction() ^ 1);
            self.way.push(forth.direction());
            (here, there) = (back.parent(), forth.parent());
            level -= 1;
        }
        while let Some(direction) = self.way.pop() {
            self.shift(direction);
        }
        self.at = (last, leaf);
    }

    /// Grows a layer of so many nodes at most; `false` if there is nowhere to go that was not met.
    pub(crate) fn grow(&mut self, potential: &impl Potential, width: usize) -> bool {
        let mut children = std::mem::take(&mut self.children);
        children.clear();
        self.n_expanded += self.leaves.len() as u64;
        for leaf in 0..self.leaves.len() {
            self.visit(leaf);
            self.bear(leaf, potential, &mut children);
        }
        let most = if children.len() > width {
            self.keys.clear();
            self.keys.extend(children.iter().map(|child| child.key));
            *self.keys.select_nth_unstable(width - 1).1
        } else {
            i64::MAX
        };
        let chosen = || children.iter().filter(|child| child.key <= most);
        let is_grown = !children.is_empty();
        if is_grown {
            self.layers.push_back(chosen().map(|child| child.step).collect());
            self.leaves.clear();
            self.leaves.extend(chosen().map(|child| child.leaf));
        }
        self.children = children;
        is_grown
    }

    /// Adds the children of the leaf where the board is.
    #[inline]
    fn bear(&mut self, leaf: usize, potential: &impl Potential, children: &mut Vec<Child>) {
        let Leaf { weight, hash } = self.leaves[leaf];
        let last = self.layers.len() - 1;
        let back = (last > 0).then(|| self.layers[last][leaf].direction() ^ 1);
        for direction in 0..4 {
            let from = self.near[self.blank][direction];
            if from == NOWHERE || Some(direction) == back {
                continue;
            }
            let from = usize::from(from);
            let label = usize::from(self.labels[from]);
            let hash = hash ^ mix(label, from) ^ mix(label, self.blank);
            let met = &mut self.met[hash as usize % Beam::N_MET];
            if *met == hash {
                continue;
            }
            *met = hash;
            let turn = if back == Some(direction ^ 1) { 0 } else { self.turn };
            let weight = weight + potential.rise(self, label, from, self.blank) + turn;
            let key = i64::from(weight) << 16 | ((hash ^ self.seed) >> 48) as i64;
            children.push(Child {
                key,
                step: Step::new(leaf, direction),
                leaf: Leaf { weight, hash },
            });
        }
    }

    /// The lightest leaf.
    pub(crate) fn best(&self) -> usize {
        let leaves = self.leaves.iter().enumerate();
        leaves.min_by_key(|(_, leaf)| leaf.weight).map_or(0, |(at, _)| at)
    }

    /// Moves the root along the walk to a leaf, up to so many slides before its end; leaves that have
    /// gone another way are dropped. Tells how many slides that were.
    pub(crate) fn commit(&mut self, leaf: usize, lag: usize) -> usize {
        let last = self.layers.len() - 1;
        let root = last.saturating_sub(lag);
        self.visit(leaf);
        let ancestor = |mut node: usize| {
            for level in (root + 1..=last).rev() {
                node = self.layers[level][node].parent();
            }
            node
        };
        let chosen = ancestor(leaf);
        let stays: Vec<bool> =
            (0..self.leaves.len()).map(|leaf| ancestor(leaf) == chosen).collect();
        let (mut node, n_done) = (chosen, self.done.len());
        for level in (1..=root).rev() {
            let step = self.layers[level][node];
            self.done.push(step.direction() as u8);
            node = step.parent();
        }
        self.done[n_done..].reverse();
        self.layers.drain(..root);
        self.at = (last - root, stays[..leaf].iter().filter(|&&stays| stays).count());
        let mut each = stays.iter();
        self.leaves.retain(|_| each.next() == Some(&true));
        let mut each = stays.iter();
        if root == last {
            // Where it came from is forgotten.
            self.layers[0] = vec![Step::ROOT];
        } else {
            self.layers[last - root].retain(|_| each.next() == Some(&true));
        }
        root
    }

    /// Weighs the leaves anew: adds what is said of the board at each.
    pub(crate) fn reweigh(&mut self, more: impl Fn(&Beam) -> i32) {
        // None is to overflow, however long the walk.
        let least = self.leaves.iter().map(|leaf| leaf.weight).min().unwrap_or(0);
        for leaf in 0..self.leaves.len() {
            self.visit(leaf);
            self.leaves[leaf].weight += more(self) - least;
        }
    }

    /// The cells that the blank has left by the last slides to the root.
    pub(crate) fn walked(&mut self, n_slides: usize) -> Vec<usize> {
        let (mut level, mut node) = self.at;
        let mut cell = self.blank;
        while level > 0 {
            let step = self.layers[level][node];
            cell = cell.wrapping_add_signed(self.offsets[step.direction() ^ 1]);
            node = step.parent();
            level -= 1;
        }
        let back = self.done[self.done.len() - n_slides..].iter().rev();
        back.map(|&direction| {
            cell = cell.wrapping_add_signed(self.offsets[usize::from(direction) ^ 1]);
            cell
        })
        .collect()
    }
}

impl Crowd for Beam {
    #[inline]
    fn near(&self, cell: usize) -> [usize; 4] {
        self.sides[cell].map(usize::from)
    }

    #[inline]
    fn want(&self, cell: usize) -> Want {
        self.wants[cell]
    }
}

/// A tile in a place, for the hash of a board: their sum in bits.
#[inline]
fn mix(label: usize, cell: usize) -> u64 {
    let x = ((label << 16 | cell) as u64 ^ 0x5851_f42d).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}
