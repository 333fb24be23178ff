//! Distributed build of a full table.
//!
//! A census that keeps all levels knows the distance of every board. Each process makes the bits of
//! its ranks, and process 0 combines them. The bytes equal those of a build on one machine.

use npuzzle::Watch;
use npuzzle::tables::{CensusError, FullTable, TableSpec};
use npuzzle_tables::{DistanceTable, FullSpace, TablePart};

use crate::census::{CensusJob, count, with_checks};
use crate::error::ClusterError;
use crate::exchange::{Exchange, to_bytes, to_numbers};

/// A build of a full table; the same in all processes, except for the folder and the memory.
#[derive(Clone, Debug)]
pub struct TableJob {
    /// The census that knows the distances.
    pub census: CensusJob,
}

/// Message kind: a part of the table, as the offset of its first byte and the bytes.
const PART: u8 = 2;

/// The memory of the program and of messages in flight, in bytes.
const BASE_BYTES: u64 = 32 << 20;

/// The maximum number of table bytes in a message.
const MAX_PART: usize = 1 << 20;

impl TableJob {
    /// The table of the boards of a census; `None` if they have more than 12 cells.
    pub fn new(census: CensusJob) -> Option<TableJob> {
        let job = TableJob { census: CensusJob { keeps_all: true, ..census } };
        job.space().is_some().then_some(job)
    }

    /// Returns the boards of the table.
    pub fn space(&self) -> Option<FullSpace> {
        FullTable::space(self.census.census.goal(), self.census.census.metric())
    }

    /// Returns the spec of the table.
    pub fn table_spec(&self) -> Option<TableSpec> {
        DistanceTable::spec(self.space()?, "built by several processes")
    }

    /// Returns a text that identifies the job, the same in all processes.
    pub fn about(&self) -> String {
        self.census.about()
    }
}

/// Builds a full table together with the other processes. Only process 0 returns it.
pub fn table(
    exchange: &mut Exchange,
    job: &TableJob,
    watch: &mut dyn Watch,
) -> Result<Option<DistanceTable>, ClusterError> {
    let space = exchange.all_ok(checked_space(job))?;
    let (counts, _, shard) = count(exchange, &job.census, watch)?;
    let parts = with_checks(exchange, |check| shard.table_parts(space, check))?;
    let is_first = exchange.process() == 0;
    let mut bits = if is_first { vec![0; space.table_bytes()] } else { Vec::new() };
    let mut n_sent = 0;
    for TablePart { first, bytes } in parts {
        for (n, part) in bytes.chunks(MAX_PART).enumerate() {
            let mut message = to_bytes(&[(first + n * MAX_PART) as u64]);
            message.extend(part);
            n_sent += message.len();
            exchange.send(0, PART, message);
            if n_sent >= MAX_PART {
                n_sent = 0;
                exchange.advance(&mut |exchange| receive_parts(exchange, &mut bits))?;
            }
        }
    }
    exchange.end_phase(&mut |exchange| receive_parts(exchange, &mut bits))?;
    if !is_first {
        return Ok(None);
    }
    match DistanceTable::from_parts(space, bits, &counts) {
        Some(table) => Ok(Some(table)),
        None => Err(ClusterError::Protocol { process: 0 }),
    }
}

/// The boards of the table. Fails if the memory is too small for the table.
fn checked_space(job: &TableJob) -> Result<FullSpace, ClusterError> {
    let Some(space) = job.space() else {
        return Err(ClusterError::Impossible(
            "full tables exist for boards of up to 12 cells".to_owned(),
        ));
    };
    // Process 0 holds the table twice while it is written to disk, and its own parts.
    let min_bytes = BASE_BYTES + 3 * space.table_bytes() as u64;
    if job.census.memory < min_bytes {
        Err(CensusError::Memory { min_bytes }.into())
    } else {
        Ok(space)
    }
}

fn receive_parts(exchange: &mut Exchange, bits: &mut [u8]) -> Result<(), ClusterError> {
    while let Some((process, bytes)) = exchange.take(PART) {
        let (offset, part) = bytes.split_at(bytes.len().min(8));
        let first = to_numbers(offset).first().map_or(usize::MAX, |&first| first as usize);
        let Some(target) = first.checked_add(part.len()).and_then(|end| bits.get_mut(first..end))
        else {
            return Err(ClusterError::Protocol { process });
        };
        target.iter_mut().zip(part).for_each(|(byte, more)| *byte |= more);
    }
    Ok(())
}
