//! Heuristic tables for the multi-tile metric (MTM).
//!
//! *Why not additive patterns.* In the single-tile metric every move belongs to one tile, so tables
//! that count the moves of disjoint patterns may be added. In the multi-tile metric a straight run
//! moves tiles of several patterns at the cost of one. The sum would count it once for each of them,
//! and would not be a lower bound. If each pattern counted a share of the run (Yang et al. 2008), the shares
//! would have to add up to one, and would be so small that tiles moving together cost almost nothing.
//!
//! So these tables count *all* runs of an [`Abstraction`](abstraction::Abstraction): a board on which
//! the tiles of a class are indistinguishable. Every solution of the board also solves the abstract
//! board, so the value is a lower bound.
//!
//! *Entries.* Two consecutive runs along the same line are one run. So runs along rows and columns
//! alternate, and the search knows which axis is next. A table stores the number of runs if the next
//! one goes along the row, and the number if it goes along the column. A run of no slides counts as
//! one, too.
//!
//! ```text
//!     a  b  .  c          next run along the row: the blank's row, and the order  a b c  d e f g …
//!     d  e  f  g          next run along the column: the blank's column, and the order of the tiles
//!     …                   after the blank has moved to the first row of its column
//! ```
//!
//! With one run the blank reaches every cell of its row, and that does not change the order of the
//! tiles, read row by row. So the first number depends only on the blank's row and the order, not on
//! the column. Likewise, the second number depends only on the blank's column and the order of the
//! tiles with the blank in the first row of that column. On 4×4 this makes 8 values for each order of
//! the classes instead of 16, and the values are larger.
//!
//! *Values.* An entry leads to the entries of the other axis, one for each cell of the blank in its
//! line. The value of an entry is one more than the smallest value that it leads to. The entries of the
//! solved board have the value 1. The relation is symmetric, so the values of neighbors differ by at
//! most 1, and a table stores values modulo 3 (Cooperman and Finkelstein 1992): a search that knows the
//! value before a run knows the value after it.

pub(crate) mod abstraction;
pub(crate) mod axis;
pub(crate) mod bit_permute;
pub(crate) mod build;
pub(crate) mod multiset_rank;
pub(crate) mod region_shuffle;
pub(crate) mod table;
