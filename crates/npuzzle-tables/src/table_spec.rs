//! How a stored table is made: all that the store and its users need to know of it.

use std::fmt;
use std::sync::Arc;

use npuzzle_core::search::{Limit, Watch};

use crate::pdb::build::{AT_ONCE, go_on};
use crate::store::{Checkpoint, LoadedTable, Store, StoreError, TableBytes, TableName};

/// A table that can be built by name.
///
/// ```
/// use npuzzle_tables::{TableSpec, Store};
/// let squares = TableSpec::new("squares-256".parse()?, "the squares of bytes", 256, |work| {
///     // What takes long tells the watch how far it is, and stops when told to.
///     if let Some(limit) = work.watch.building(0.0).break_value() {
///         return Err(limit);
///     }
///     Ok((0..=255u8).map(|n| n.wrapping_mul(n)).collect())
/// });
/// assert_eq!(squares.get(&Store::none(), 1, &mut ()).unwrap().bytes[4], 16);
/// # Ok::<(), npuzzle_tables::TableNameError>(())
/// ```
#[derive(Clone)]
pub struct TableSpec {
    name: TableName,
    purpose: String,
    len: usize,
    build: Arc<Build>,
    prove: Option<Arc<Prove>>,
}

type Prove = dyn Fn(&[u8], usize, &mut dyn Watch) -> Result<Option<String>, Limit> + Send + Sync;

type Build = dyn Fn(&mut Work<'_>) -> Result<Vec<u8>, Limit> + Send + Sync;

/// What a build may use, and whom it tells how far it is.
pub struct Work<'a> {
    /// How many threads it may use, one at least.
    pub threads: usize,
    /// Told how far it is; may end it.
    pub watch: &'a mut dyn Watch,
    /// Where it writes down what it has done, and finds what an earlier build has.
    pub draft: Checkpoint,
}

impl TableSpec {
    /// A table of this name and length, what it is for in a line, and its builder.
    pub fn new(
        name: TableName,
        purpose: impl Into<String>,
        len: usize,
        build: impl Fn(&mut Work<'_>) -> Result<Vec<u8>, Limit> + Send + Sync + 'static,
    ) -> TableSpec {
        TableSpec { name, purpose: purpose.into(), len, build: Arc::new(build), prove: None }
    }

    /// With a way to prove that bytes are this table: given these and a number of threads, it says
    /// what is wrong with them, if anything is.
    pub fn proved_by(
        mut self,
        prove: impl Fn(&[u8], usize, &mut dyn Watch) -> Result<Option<String>, Limit>
        + Send
        + Sync
        + 'static,
    ) -> TableSpec {
        self.prove = Some(Arc::new(prove));
        self
    }

    /// What is wrong with bytes that should be this table, if anything is: by the rules that it
    /// obeys, or else by comparing them with a table that is built anew. Takes longer than to build
    /// it.
    pub fn verify(
        &self,
        bytes: &[u8],
        threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<String>, Limit> {
        let threads = threads.max(1);
        if let Some(prove) = &self.prove {
            return prove(bytes, threads, watch);
        }
        let draft = Checkpoint::none();
        let right = (self.build)(&mut Work { threads, watch: &mut *watch, draft })?;
        let difference = first_difference(bytes, &right, watch)?;
        Ok(difference.map(|at| format!("byte {at} is not that of a table that was built anew")))
    }

    /// The table's name.
    pub fn name(&self) -> &TableName {
        &self.name
    }

    /// What it is for, in a line.
    pub fn purpose(&self) -> &str {
        &self.purpose
    }

    /// Its bytes when it is built.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The table from a store, built on so many threads unless it is there.
    pub fn get(
        &self,
        store: &Store,
        threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<LoadedTable, Limit> {
        store.get_or_go_on(&self.name, self.len, watch, |watch, draft| {
            (self.build)(&mut Work { threads: threads.max(1), watch, draft })
        })
    }

    /// The table from a store, if it is there and right.
    pub fn load(
        &self,
        store: &Store,
        watch: &mut dyn Watch,
    ) -> Result<Option<TableBytes>, StoreError> {
        store.load(&self.name, self.len, watch)
    }
}

/// Where two tables differ first.
pub(crate) fn first_difference(
    found: &[u8],
    right: &[u8],
    watch: &mut dyn Watch,
) -> Result<Option<usize>, Limit> {
    for (index, (found, right)) in found.chunks(AT_ONCE).zip(right.chunks(AT_ONCE)).enumerate() {
        go_on(watch.building(1.0))?;
        if found != right {
            let at = found.iter().zip(right).position(|(found, right)| found != right);
            return Ok(Some(index * AT_ONCE + at.unwrap_or(found.len().min(right.len()))));
        }
    }
    let shorter = found.len().min(right.len());
    Ok((found.len() != right.len()).then_some(shorter))
}

impl fmt::Debug for TableSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recipe({}, {} bytes)", self.name, self.len)
    }
}
