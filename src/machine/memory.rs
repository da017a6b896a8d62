//! Large buffers.
//!
//! A fresh page costs a fault, a microsecond or more on virtual machines: for 80 MB in pages of 4 KiB
//! that is as long as sorting them takes. Where the system offers huge pages on request, asking for
//! them makes the faults 512 times fewer. numpy does the same for its arrays.

use std::sync::{Mutex, PoisonError};

use bytemuck::{Pod, Zeroable};

use crate::error::{Error, Result};

/// Buffers from this size on ask for huge pages.
#[cfg(target_os = "linux")]
const LARGE_BUFFER: usize = 4 << 20;

/// Work on more rows than this gives back what it no longer needs ([`give_back`]) before it goes on.
pub const LARGE: usize = 1 << 20;

/// `len` zeros, in huge pages where the buffer is large and the system has them.
pub fn zeroed<T: Zeroable>(len: usize) -> Vec<T> {
    // The allocator hands out large buffers untouched, so the advice comes before the first fault.
    let buffer = bytemuck::zeroed_vec(len);
    #[cfg(target_os = "linux")]
    advise_huge_pages(&buffer);
    buffer
}

/// Fails if the system has not so many bytes to give. A vector that does not get its memory ends the whole process,
/// which is too much where a number that the user chose is too large.
pub fn require(bytes: usize) -> Result<()> {
    let reserved = Vec::<u8>::new().try_reserve_exact(bytes);
    reserved.map_err(|_| Error::ManyValues { bytes })
}

/// Gives memory that is free but still held by the allocator back to the system, where it can be asked to.
/// Costs about a millisecond; what is taken after it counts as fresh.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code)]
    // SAFETY: malloc_trim releases pages that belong to no allocation, and may be called at any time.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Buffers that tasks use one after the other: as many as there are tasks at a time.
pub struct Spare<B>(Mutex<Vec<B>>);

impl<B> Default for Spare<B> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<B: Default> Spare<B> {
    /// One that was given back, or a new one.
    pub fn take(&self) -> B {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Gives one back.
    pub fn give(&self, buffer: B) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(buffer);
    }
}

impl<T: Zeroable + Clone> Spare<Vec<T>> {
    /// A buffer of `len` entries: zeros, or what is left of earlier ones.
    pub fn take_any(&self, len: usize) -> Vec<T> {
        let mut buffer = self.take();
        if buffer.capacity() < len {
            return zeroed(len);
        }
        buffer.resize(len, T::zeroed());
        buffer
    }

    /// A buffer of `len` zeros.
    pub fn take_zeros(&self, len: usize) -> Vec<T> {
        let mut buffer = self.take();
        if buffer.capacity() < len {
            return zeroed(len);
        }
        buffer.clear();
        buffer.resize(len, T::zeroed());
        buffer
    }
}

/// Bytes of a cache line.
const LINE: usize = 64;

/// Entries that start at a cache line, so that one of its size lies in one line, not in two.
#[derive(Default)]
pub struct Lines {
    bytes: Vec<u8>,
}

impl Lines {
    /// `len` entries; zeros unless they have been used before.
    pub fn get<T: Pod>(&mut self, len: usize) -> &mut [T] {
        let size = len * size_of::<T>();
        if self.bytes.len() < size + LINE {
            self.bytes = zeroed(size + LINE);
        }
        let first = self.bytes.as_ptr().align_offset(LINE);
        bytemuck::cast_slice_mut(&mut self.bytes[first..first + size])
    }
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn advise_huge_pages<T>(buffer: &[T]) {
    const PAGE: usize = 4096;
    let bytes = size_of_val(buffer);
    if bytes < LARGE_BUFFER {
        return;
    }
    let start = buffer.as_ptr().addr().next_multiple_of(PAGE);
    let end = (buffer.as_ptr().addr() + bytes) / PAGE * PAGE;
    let first = buffer.as_ptr().with_addr(start).cast_mut().cast();
    // SAFETY: MADV_HUGEPAGE changes how the kernel backs the pages of this range, never what they
    // hold, and the range lies within the buffer. A kernel that refuses leaves things as they were.
    unsafe { libc::madvise(first, end - start, libc::MADV_HUGEPAGE) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_any_machine_has_is_refused() {
        assert_eq!(require(1 << 10), Ok(()));
        assert_eq!(require(usize::MAX), Err(Error::ManyValues { bytes: usize::MAX }));
    }
}
