//! A vector that grows without moving its elements.
//!
//! Elements are stored in chunks of fixed size. Growing allocates a chunk and leaves the others in
//! place, so the memory in use is the memory counted, and a vector is never in memory twice.

/// Elements per chunk.
const CHUNK: usize = 1 << CHUNK_BITS;
const CHUNK_BITS: u32 = 14;

/// A vector stored in chunks, to which elements are only appended.
#[derive(Debug)]
pub(super) struct ChunkedVec<T> {
    /// All full except the last.
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
    pub(super) fn push(&mut self, element: T) {
        if self.len.is_multiple_of(CHUNK) {
            self.add_chunk();
        }
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.push(element);
            self.len += 1;
        }
    }

    #[cold]
    fn add_chunk(&mut self) {
        // Most vectors are short: only chunks after the first are allocated at full size.
        let capacity = if self.chunks.is_empty() { 4 } else { CHUNK };
        self.chunks.push(Vec::with_capacity(capacity));
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<&T> {
        self.chunks.get(index >> CHUNK_BITS)?.get(index % CHUNK)
    }

    /// Bytes that the elements occupy, without memory that they own.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }

    /// Converts every element. Each old chunk is freed as soon as it has been converted.
    pub(super) fn map<U>(self, f: impl Fn(T) -> U) -> ChunkedVec<U> {
        let chunks = self.chunks.into_iter().map(|chunk| chunk.into_iter().map(&f).collect());
        ChunkedVec { chunks: chunks.collect(), len: self.len }
    }
}

impl<T> std::ops::Index<usize> for ChunkedVec<T> {
    type Output = T;

    #[inline]
    fn index(&self, index: usize) -> &T {
        &self.chunks[index >> CHUNK_BITS][index % CHUNK]
    }
}

impl<T> std::ops::IndexMut<usize> for ChunkedVec<T> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.chunks[index >> CHUNK_BITS][index % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_keep_their_index_when_chunks_are_added_and_mapped() {
        let mut vec = ChunkedVec::default();
        assert_eq!((vec.len(), vec.bytes(), vec.get(0)), (0, 0, None));
        let n = 3 * CHUNK + 5;
        for element in 0..n {
            vec.push(element as u32);
            assert_eq!((vec.len(), vec.bytes()), (element + 1, 4 * (element + 1)));
        }
        vec[CHUNK] = 7;
        let vec = vec.map(u64::from);
        let expect = |index| if index == CHUNK { 7 } else { index as u64 };
        assert!((0..n).all(|i| vec[i] == expect(i) && vec.get(i) == Some(&expect(i))));
        assert_eq!((vec.len(), vec.get(n)), (n, None));
    }
}
