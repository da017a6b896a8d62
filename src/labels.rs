//! Integer labels to class codes.
//!
//! Labels are mostly a few small integers. They are coded by a table of what is seen between a least
//! label and the labels a table's length above it: one scan where a handful of rows guesses the least
//! label right, two where it has to be looked for. Labels spread more widely are sorted.

use ndarray::{ArrayView1, s};

use crate::workers::Workers;

/// An integer that labels a class.
pub trait Label: Copy + Ord + Send + Sync + 'static {
    /// `self - low`; a huge number if that is negative.
    fn offset(self, low: Self) -> u64;
    /// `self + offset`.
    fn shifted(self, offset: usize) -> Self;
}

macro_rules! impl_label {
    ($($t:ty),*) => {$(
        impl Label for $t {
            #[inline(always)]
            fn offset(self, low: Self) -> u64 {
                (self as u64).wrapping_sub(low as u64)
            }
            fn shifted(self, offset: usize) -> Self {
                (self as u64).wrapping_add(offset as u64) as Self
            }
        }
    )*};
}
impl_label!(i8, i16, i32, i64, u8, u16, u32, u64);

/// The table for labels whose least is guessed.
const SHORT_TABLE: usize = 1 << 8;
/// The table for labels whose least is known.
const LONG_TABLE: usize = 1 << 16;
/// Rows from which the least label is guessed.
const HANDFUL: usize = 64;
/// Rows coded at a stretch.
const CHUNK: usize = 1 << 17;

/// Codes and the sorted distinct labels: `y[a] = labels[codes[a]]`.
pub fn encode<L: Label>(y: ArrayView1<'_, L>, workers: &Workers) -> (Vec<u32>, Vec<L>) {
    let mut codes = vec![0; y.len()];
    let handful = y.iter().step_by(y.len().div_ceil(HANDFUL).max(1));
    let Some(&guess) = handful.min() else {
        return (codes, Vec::new());
    };
    let labels = by_table(y, &mut codes, guess, SHORT_TABLE, workers)
        .or_else(|| {
            let least = y.iter().min().copied()?;
            by_table(y, &mut codes, least, LONG_TABLE, workers)
        })
        .unwrap_or_else(|| by_sorting(y, &mut codes));
    (codes, labels)
}

/// Codes labels in `low..low + length`; `None` if one lies outside.
fn by_table<L: Label>(
    y: ArrayView1<'_, L>,
    codes: &mut [u32],
    low: L,
    length: usize,
    workers: &Workers,
) -> Option<Vec<L>> {
    let mask = length as u64 - 1;
    let tables = workers.map_pieces(codes.chunks_mut(CHUNK).collect(), |k, codes| {
        let mut seen = vec![false; length];
        let mut outside = false;
        let first = k * CHUNK;
        for (&label, code) in y.slice(s![first..first + codes.len()]).iter().zip(codes) {
            let offset = label.offset(low);
            outside |= offset > mask;
            seen[(offset & mask) as usize] = true;
            *code = (offset & mask) as u32;
        }
        (!outside).then_some(seen)
    });
    let tables: Vec<Vec<bool>> = tables.into_iter().collect::<Option<_>>()?;
    let offsets: Vec<usize> = (0..length)
        .filter(|&offset| tables.iter().any(|seen| seen[offset]))
        .collect();
    if offsets.len() <= offsets.last().map_or(0, |&last| last) {
        let mut code_of = vec![0; length];
        for (code, &offset) in offsets.iter().enumerate() {
            code_of[offset] = code as u32;
        }
        workers.map_pieces(codes.chunks_mut(CHUNK).collect(), |_, codes| {
            for code in codes {
                *code = code_of[*code as usize];
            }
        });
    }
    Some(offsets.into_iter().map(|offset| low.shifted(offset)).collect())
}

/// Codes any labels.
fn by_sorting<L: Label>(y: ArrayView1<'_, L>, codes: &mut [u32]) -> Vec<L> {
    // Repeats are dropped chunk by chunk, so that few classes in many rows stay few in memory.
    let mut labels: Vec<L> = Vec::new();
    for chunk in y.axis_chunks_iter(ndarray::Axis(0), CHUNK) {
        labels.extend(chunk);
        labels.sort_unstable();
        labels.dedup();
    }
    for (label, code) in y.iter().zip(codes) {
        *code = labels.partition_point(|known| known < label) as u32;
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::ArrayView1;

    fn assert_encodes<L: Label + std::fmt::Debug>(y: &[L]) {
        let (codes, labels) = encode(ArrayView1::from(y), &Workers::inline());
        assert!(labels.is_sorted_by(|a, b| a < b));
        let back: Vec<L> = codes.iter().map(|&code| labels[code as usize]).collect();
        assert_eq!(back, y);
        assert!(labels.iter().all(|label| y.contains(label)));
    }

    #[test]
    fn codes_give_the_labels_back() {
        assert_encodes::<i64>(&[]);
        assert_encodes(&[1i64, 0, 1, 1]);
        assert_encodes(&[-5i8, 7, -5, 127, -128]);
        assert_encodes(&[300i32, 5, 70_000, -9]);
        assert_encodes(&[300u16, 5, 60_000]);
        assert_encodes(&[i64::MIN, i64::MAX, 0]);
        assert_encodes(&[u64::MAX, 0, u64::MAX - 3]);
        let sparse: Vec<i64> = (0..1000).map(|k| (k * k % 97) * 1_000_003).collect();
        assert_encodes(&sparse);
        // The handful misses the least label.
        let mut rare = vec![3i64; 5000];
        rare[1234] = 0;
        assert_encodes(&rare);
    }
}
