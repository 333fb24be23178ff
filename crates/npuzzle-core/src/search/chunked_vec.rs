//! A column of many rows that grows without being moved.
//!
//! Rows lie in chunks. To make room for the next, the chunks before stay where they are: what is in
//! use is what is counted, and a column is never in memory twice.

/// Rows in a chunk.
const CHUNK: usize = 1 << CHUNK_BITS;
const CHUNK_BITS: u32 = 14;

/// Rows that are added at the end and found by number.
#[derive(Debug)]
pub(super) struct ChunkedVec<T> {
    /// All of them full but the last.
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Default for ChunkedVec<T> {
    fn default() -> Self {
        ChunkedVec { chunks: Vec::new(), len: 0 }
    }
}

impl<T> ChunkedVec<T> {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn push(&mut self, row: T) {
        if self.len.is_multiple_of(CHUNK) {
            self.begin();
        }
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.push(row);
            self.len += 1;
        }
    }

    #[cold]
    fn begin(&mut self) {
        // Most columns are short: only a chunk after the first is given its room at once.
        let room = if self.chunks.is_empty() { 4 } else { CHUNK };
        self.chunks.push(Vec::with_capacity(room));
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<&T> {
        self.chunks.get(at >> CHUNK_BITS)?.get(at % CHUNK)
    }

    /// Bytes that the rows take, without what they own.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }
}

impl<T> std::ops::Index<usize> for ChunkedVec<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: usize) -> &T {
        &self.chunks[at >> CHUNK_BITS][at % CHUNK]
    }
}

impl<T> std::ops::IndexMut<usize> for ChunkedVec<T> {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut T {
        &mut self.chunks[at >> CHUNK_BITS][at % CHUNK]
    }
}

/// Makes a column of another, chunk by chunk, each of which is given back when it is done.
impl<T> ChunkedVec<T> {
    pub(super) fn map<U>(self, f: impl Fn(T) -> U) -> ChunkedVec<U> {
        let chunks = self.chunks.into_iter().map(|chunk| chunk.into_iter().map(&f).collect());
        ChunkedVec { chunks: chunks.collect(), len: self.len }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_where_they_were_put() {
        let mut column = ChunkedVec::default();
        assert_eq!((column.len(), column.bytes(), column.get(0)), (0, 0, None));
        let n = 3 * CHUNK + 5;
        for row in 0..n {
            column.push(row as u32);
            assert_eq!((column.len(), column.bytes()), (row + 1, 4 * (row + 1)));
        }
        column[CHUNK] = 7;
        let column = column.map(u64::from);
        let expect = |at| if at == CHUNK { 7 } else { at as u64 };
        assert!((0..n).all(|at| column[at] == expect(at) && column.get(at) == Some(&expect(at))));
        assert_eq!((column.len(), column.get(n)), (n, None));
    }
}
