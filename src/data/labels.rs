//! Integer labels to class codes.
//!
//! Labels are mostly a few small integers: a code is then the label less the least one, which a handful
//! of rows guesses, and one scan does all. Labels spread more widely take a table, or are sorted.

use ndarray::ArrayView1;

use crate::machine::lanes::{self, Kernel};
use crate::machine::memory;
use crate::machine::workers::Workers;

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

/// Labels this far from the least are coded without a table: a word of bits tells which were seen.
const WORD: usize = 64;
/// The length of the table for labels that are not.
const TABLE: usize = 1 << 16;
/// Rows from which the least label is guessed.
const HANDFUL: usize = 64;
/// Rows coded at a stretch.
const CHUNK: usize = 1 << 17;

/// Codes and the sorted distinct labels: `y[a] = labels[codes[a]]`.
pub fn encode<L: Label>(y: ArrayView1<'_, L>, workers: &Workers) -> (Vec<u32>, Vec<L>) {
    let mut codes = memory::zeroed(y.len());
    let handful = y.iter().step_by(y.len().div_ceil(HANDFUL).max(1));
    let Some(&guess) = handful.min() else {
        return (codes, Vec::new());
    };
    let labels = by_word(y, &mut codes, guess, workers)
        .or_else(|| by_table(y, &mut codes, workers))
        .unwrap_or_else(|| by_sorting(y, &mut codes));
    (codes, labels)
}

/// Codes labels in `low..low + WORD`; `None` if one lies outside.
fn by_word<L: Label>(
    y: ArrayView1<'_, L>,
    codes: &mut [u32],
    low: L,
    workers: &Workers,
) -> Option<Vec<L>> {
    let y = y.to_slice()?;
    let words = workers.map_pieces(codes.chunks_mut(CHUNK).collect(), |k, codes| {
        let y = &y[k * CHUNK..k * CHUNK + codes.len()];
        lanes::launch(SubtractLow { y, codes, low })
    });
    let seen = words.into_iter().try_fold(0, |seen, word| Some(seen | word?))?;
    let offsets: Vec<usize> = (0..WORD).filter(|&offset| seen >> offset & 1 == 1).collect();
    Some(close_gaps(codes, low, &offsets, workers))
}

/// Codes are labels less the least one. Gives a bit for each code seen; `None` if one is too large.
struct SubtractLow<'a, L> {
    y: &'a [L],
    codes: &'a mut [u32],
    low: L,
}

impl<L: Label> Kernel for SubtractLow<'_, L> {
    type Output = Option<u64>;

    #[inline(always)]
    fn run(self) -> Option<u64> {
        let (mut seen, mut all) = (0, 0);
        for (&label, code) in self.y.iter().zip(self.codes) {
            let offset = label.offset(self.low);
            all |= offset;
            seen |= 1u64 << (offset & 63);
            *code = offset as u32;
        }
        (all < WORD as u64).then_some(seen)
    }
}

/// Codes labels that are no further than TABLE from the least; `None` if one is.
fn by_table<L: Label>(
    y: ArrayView1<'_, L>,
    codes: &mut [u32],
    workers: &Workers,
) -> Option<Vec<L>> {
    let low = y.iter().min().copied()?;
    let mut seen = vec![false; TABLE];
    for (&label, code) in y.iter().zip(&mut *codes) {
        let offset = label.offset(low);
        *seen.get_mut(offset as usize)? = true;
        *code = offset as u32;
    }
    let offsets: Vec<usize> = (0..TABLE).filter(|&offset| seen[offset]).collect();
    Some(close_gaps(codes, low, &offsets, workers))
}

/// Turns offsets from the least label into numbers without gaps; returns the labels.
fn close_gaps<L: Label>(codes: &mut [u32], low: L, offsets: &[usize], workers: &Workers) -> Vec<L> {
    if offsets.last().is_some_and(|&last| last >= offsets.len()) {
        let mut code_of = vec![0; TABLE];
        for (code, &offset) in offsets.iter().enumerate() {
            code_of[offset] = code as u32;
        }
        workers.map_pieces(codes.chunks_mut(CHUNK).collect(), |_, codes| {
            codes.iter_mut().for_each(|code| *code = code_of[*code as usize]);
        });
    }
    offsets.iter().map(|&offset| low.shifted(offset)).collect()
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
