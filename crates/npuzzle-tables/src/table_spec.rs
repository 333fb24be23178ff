//! How each stored table is built and verified.

use std::fmt;
use std::sync::Arc;

use npuzzle_core::search::{Limit, Watch};

use crate::build_context::{BuildContext, first_difference};
use crate::full::{DistanceTable, FullSpace};
use crate::mtm::abstraction::Abstraction;
use crate::mtm::table::MtmTable;
use crate::pdb::partition::Partition;
use crate::store::{Checkpoint, LoadedTable, Store, StoreError, TableBytes, TableName};

/// The description of a stored table: its name, size and purpose, and the functions that build and
/// verify it.
///
/// ```
/// use npuzzle_tables::{TableSpec, Store};
/// let squares = TableSpec::new("squares-256".parse()?, "the squares of bytes", 256, |context| {
///     // A long build reports its progress to the watch, and stops if the watch says so.
///     if let Some(limit) = context.watch.building(0.0).break_value() {
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
    build: Arc<BuildFn>,
    verify: Option<Arc<VerifyFn>>,
}

type BuildFn = dyn Fn(&mut BuildContext<'_>) -> Result<Vec<u8>, Limit> + Send + Sync;

type VerifyFn = dyn Fn(&[u8], usize, &mut dyn Watch) -> Result<Option<String>, Limit> + Send + Sync;

impl TableSpec {
    /// A table with this name, purpose (one line of text), size in bytes and build function.
    pub fn new(
        name: TableName,
        purpose: impl Into<String>,
        len: usize,
        build: impl Fn(&mut BuildContext<'_>) -> Result<Vec<u8>, Limit> + Send + Sync + 'static,
    ) -> TableSpec {
        TableSpec { name, purpose: purpose.into(), len, build: Arc::new(build), verify: None }
    }

    /// Adds a function that proves whether bytes are this table. It gets the bytes and the number of
    /// threads, and returns a description of the first flaw.
    pub fn with_verify(
        mut self,
        verify: impl Fn(&[u8], usize, &mut dyn Watch) -> Result<Option<String>, Limit>
        + Send
        + Sync
        + 'static,
    ) -> TableSpec {
        self.verify = Some(Arc::new(verify));
        self
    }

    /// Verifies bytes that should be this table, with the function of
    /// [`with_verify`](TableSpec::with_verify), or else by comparison with a new build. Takes longer
    /// than a build. Returns a description of the first flaw.
    pub fn verify(
        &self,
        bytes: &[u8],
        threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<String>, Limit> {
        let threads = threads.max(1);
        if let Some(verify) = &self.verify {
            return verify(bytes, threads, watch);
        }
        let checkpoint = Checkpoint::none();
        let expected = (self.build)(&mut BuildContext { threads, watch: &mut *watch, checkpoint })?;
        let difference = first_difference(bytes, &expected, &mut |done| watch.building(done))?;
        Ok(difference.map(|at| format!("byte {at} differs from that of a newly built table")))
    }

    /// The table's name.
    pub fn name(&self) -> &TableName {
        &self.name
    }

    /// The table's purpose, in one line.
    pub fn purpose(&self) -> &str {
        &self.purpose
    }

    /// The table's size in bytes.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Loads the table from a store, or else builds it on `threads` threads and stores it.
    pub fn get(
        &self,
        store: &Store,
        threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<LoadedTable, Limit> {
        store.get_or_resume(&self.name, self.len, watch, |watch, checkpoint| {
            (self.build)(&mut BuildContext { threads: threads.max(1), watch, checkpoint })
        })
    }

    /// Loads the table from a store. Returns `None` if the store does not have it.
    pub fn load(
        &self,
        store: &Store,
        watch: &mut dyn Watch,
    ) -> Result<Option<TableBytes>, StoreError> {
        store.load(&self.name, self.len, watch)
    }
}

impl Partition {
    /// The specification of the tables of all patterns, as one stored table.
    pub fn spec(&self, purpose: &str) -> Option<TableSpec> {
        let (name, len) = (self.name().parse().ok()?, self.n_bytes());
        let [to_build, to_verify] = [self.clone(), self.clone()];
        let spec =
            TableSpec::new(name, purpose, len, move |context| to_build.build_payload(context));
        Some(spec.with_verify(move |bytes, threads, watch| {
            Ok(to_verify.verify(bytes, threads, watch)?.map(|flaw| flaw.to_string()))
        }))
    }
}

impl DistanceTable {
    /// The specification of the table of a space.
    pub fn spec(space: FullSpace, purpose: impl Into<String>) -> Option<TableSpec> {
        let name = space.to_string().parse().ok()?;
        Some(TableSpec::new(name, purpose, space.n_bytes(), move |context| {
            DistanceTable::build_payload(space, context.threads, context.watch)
        }))
    }
}

impl MtmTable {
    /// The specification of the table of an abstraction.
    pub fn spec(abstraction: &Abstraction, purpose: impl Into<String>) -> Option<TableSpec> {
        let (name, len) = (abstraction.name()?, MtmTable::n_bytes(abstraction));
        let abstraction = abstraction.clone();
        Some(TableSpec::new(name, purpose, len, move |context| {
            MtmTable::build_payload(&abstraction, context.threads, context.watch)
        }))
    }
}

impl fmt::Debug for TableSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableSpec({}, {} bytes)", self.name, self.len)
    }
}
