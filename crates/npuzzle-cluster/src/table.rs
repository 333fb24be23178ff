//! A table of all distances, over several processes.
//!
//! A census that keeps all its levels knows the distance of every board. Each process makes the bits
//! of its ranks; the first one puts them together. The bytes are those of a build in one
//! piece.

use npuzzle::Watch;
use npuzzle::tables::{CensusError, FullTable, TableSpec};
use npuzzle_tables::{DistanceTable, FullSpace, TablePart};

use crate::census::{CensusJob, count, looking};
use crate::error::ClusterError;
use crate::exchange::{Mesh, to_bytes, to_numbers};

/// What all processes have been told about a table.
#[derive(Clone, Debug)]
pub struct TableJob {
    /// The census that it is made from.
    pub counting: CensusJob,
}

/// A part of a table: the place of its first byte, and the bytes.
const PART: u8 = 2;

/// Bytes of the program, and of what is on its way.
const BASE_BYTES: u64 = 32 << 20;

/// Bytes that are sent together.
const PIECE: usize = 1 << 20;

impl TableJob {
    /// The table of the boards that are counted; `None` if they have more than 12 cells.
    pub fn new(counting: CensusJob) -> Option<TableJob> {
        let counting = CensusJob { keeps_all: true, ..counting };
        TableJob { counting }.with_space()
    }

    fn with_space(self) -> Option<TableJob> {
        self.space().is_some().then_some(self)
    }

    /// Which boards the table is for.
    pub fn space(&self) -> Option<FullSpace> {
        FullTable::space(self.counting.taker.goal(), self.counting.taker.metric())
    }

    /// How the table is kept in a store.
    pub fn recipe(&self) -> Option<TableSpec> {
        DistanceTable::spec(self.space()?, "built by several processes")
    }

    /// What is done, in words that are the same for all processes.
    pub fn about(&self) -> String {
        self.counting.about()
    }
}

/// Builds a table with the other processes; the first one gets it.
pub fn table(
    mesh: &mut Mesh,
    job: &TableJob,
    watch: &mut dyn Watch,
) -> Result<Option<DistanceTable>, ClusterError> {
    let space = mesh.all_have(space_within(job))?;
    let (counts, _, shard) = count(mesh, &job.counting, watch)?;
    let parts = looking(mesh, |look| shard.table_parts(space, look))?;
    let is_first = mesh.process() == 0;
    let mut bits = if is_first { vec![0; space.table_bytes()] } else { Vec::new() };
    let mut n_sent = 0;
    for TablePart { first, bytes } in parts {
        for (n, piece) in bytes.chunks(PIECE).enumerate() {
            let mut message = to_bytes(&[(first + n * PIECE) as u64]);
            message.extend(piece);
            n_sent += message.len();
            mesh.send(0, PART, message);
            if n_sent >= PIECE {
                n_sent = 0;
                mesh.next_time(&mut |mesh| put_together(mesh, &mut bits))?;
            }
        }
    }
    mesh.end_round(&mut |mesh| put_together(mesh, &mut bits))?;
    if !is_first {
        return Ok(None);
    }
    match DistanceTable::from_parts(space, bits, &counts) {
        Some(table) => Ok(Some(table)),
        None => Err(ClusterError::Garbled { process: 0 }),
    }
}

/// Which boards the table is for, if the memory is enough for it.
fn space_within(job: &TableJob) -> Result<FullSpace, ClusterError> {
    let Some(space) = job.space() else {
        return Err(ClusterError::Impossible("tables are for boards of up to 12 cells".to_owned()));
    };
    // The first process has the table twice while it is brought to the disk, and its own parts.
    let least = BASE_BYTES + 3 * space.table_bytes() as u64;
    if job.counting.memory < least { Err(CensusError::Memory { least }.into()) } else { Ok(space) }
}

fn put_together(mesh: &mut Mesh, bits: &mut [u8]) -> Result<(), ClusterError> {
    while let Some((process, bytes)) = mesh.take(PART) {
        let (place, piece) = bytes.split_at(bytes.len().min(8));
        let first = to_numbers(place).first().map_or(usize::MAX, |&first| first as usize);
        let Some(target) = first.checked_add(piece.len()).and_then(|end| bits.get_mut(first..end))
        else {
            return Err(ClusterError::Garbled { process });
        };
        target.iter_mut().zip(piece).for_each(|(byte, more)| *byte |= more);
    }
    Ok(())
}
