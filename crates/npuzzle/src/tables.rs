//! Tables for the engines: built, loaded, cached and shared between boards.

pub(crate) mod additive_pdb;
pub(crate) mod cache;
pub(crate) mod canonical;
pub(crate) mod catalogue;
pub(crate) mod full;
pub(crate) mod zero_aware;

pub use npuzzle_tables::parallel::{n_cores, n_threads};
pub use npuzzle_tables::{
    CensusError, CensusFolder, Damage, FullSpace, LoadedTable, Neighbors, Ranks, Store, StoreError,
    StoreWarning, StoredTable, TableBytes, TableName, TableNameError, TableSpec,
};

pub use cache::Tables;
pub use catalogue::{catalogue, full_table_named, large_patterns};
pub use full::FullTable;
