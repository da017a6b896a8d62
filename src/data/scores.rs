//! The numbers that order rows, and how blocks of score columns are read.

use std::cmp::Ordering;
use std::ops::Range;

use bytemuck::Zeroable;
use ndarray::{ArrayView2, s};

use crate::error::{Error, Result};
use crate::machine::workers::Workers;

/// Scores checked at a stretch.
const CHUNK: usize = 1 << 17;

/// A score: a double or a float, compared as it is given. -0.0 ties 0.0.
///
/// Integers come as doubles, or where a double cannot hold them as their ranks: order is all that
/// counts. Two kinds of numbers are enough, and every further kind compiles all kernels once more.
pub trait Score: Copy + PartialOrd + Default + Zeroable + Send + Sync + 'static {
    /// A whole number of as many bits.
    type Bits: Copy + Ord + Zeroable + Send + Sync;

    /// A value that is below no score.
    const TOP: Self;

    /// A whole number that is below none.
    const TOP_BITS: Self::Bits;

    /// Whether it has no place in the order.
    fn is_nan(self) -> bool;

    /// The same number as a double.
    fn to_f64(self) -> f64;

    /// A whole number that orders as the score does, and is the same for -0.0 and 0.0.
    #[inline(always)]
    fn key(self) -> u64 {
        const SIGN: u64 = 1 << 63;
        let bits = (self.to_f64() + 0.0).to_bits();
        if bits & SIGN == 0 { bits | SIGN } else { !bits }
    }

    /// The same in as few bits as the score has. Never 0.
    fn short_key(self) -> Self::Bits;

    /// The score of a short key, 0.0 where it was -0.0.
    fn of_short_key(key: Self::Bits) -> f64;

    /// Such a number in 64 bits.
    fn wide(bits: Self::Bits) -> u64;

    /// The order of scores. NaN comes last: it is an error, but one that is found while sorting or
    /// later, and sorting wants a total order.
    fn order(&self, other: &Self) -> Ordering {
        self.partial_cmp(other).unwrap_or_else(|| self.is_nan().cmp(&other.is_nan()))
    }
}

macro_rules! impl_score {
    ($($t:ident as $bits:ident),*) => {$(
        impl Score for $t {
            type Bits = $bits;
            const TOP: Self = $t::INFINITY;
            const TOP_BITS: $bits = $bits::MAX;
            #[inline(always)]
            fn short_key(self) -> $bits {
                const SIGN: $bits = 1 << ($bits::BITS - 1);
                let bits = (self + 0.0).to_bits();
                if bits & SIGN == 0 { bits | SIGN } else { !bits }
            }
            #[inline(always)]
            fn of_short_key(key: $bits) -> f64 {
                const SIGN: $bits = 1 << ($bits::BITS - 1);
                $t::from_bits(if key & SIGN == 0 { !key } else { key ^ SIGN }).into()
            }
            #[inline(always)]
            fn wide(bits: $bits) -> u64 {
                bits.into()
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                self.is_nan()
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self.into()
            }
        }
    )*};
}
impl_score!(f64 as u64, f32 as u32);

/// `scores[rows, columns]`, one column after the other: copied into `buffer`, unless a single column is asked for
/// that already lies so.
///
/// Scores that are contiguous row by row are read so, and each cache line is fetched once. A few of many columns
/// are fetched no further ahead than they are copied: the rows between them need not be near.
#[inline(always)]
pub fn read_block<'a, T: Copy + Default>(
    scores: &'a ArrayView2<'_, T>,
    rows: Range<usize>,
    columns: Range<usize>,
    buffer: &'a mut Vec<T>,
) -> &'a [T] {
    let (height, width) = (rows.len(), columns.len());
    let all = scores.as_slice();
    if let (Some(all), 1) = (all, scores.ncols()) {
        return &all[rows];
    }
    if width == 1
        && let Some(column) = scores.column(columns.start).to_slice()
    {
        return &column[rows];
    }
    buffer.resize(height * width, T::default());
    if let Some(all) = all {
        let stride = scores.ncols();
        let rows = &all[rows.start * stride..rows.end * stride];
        let together = (AHEAD / (stride * size_of::<T>()).max(1)).max(1);
        let most = 2 * width >= stride;
        for (piece, some) in rows.chunks((together * stride).max(1)).enumerate() {
            if most {
                fetch(some);
            }
            for (a, row) in (piece * together..).zip(some.chunks_exact(stride)) {
                for (k, &x) in row[columns.clone()].iter().enumerate() {
                    buffer[k * height + a] = x;
                }
            }
        }
        return buffer;
    }
    let part = scores.slice(s![rows, columns]);
    for (column, out) in part.columns().into_iter().zip(buffer.chunks_exact_mut(height)) {
        for (&x, out) in column.iter().zip(out) {
            *out = x;
        }
    }
    buffer
}

/// Bytes of rows that are brought near before they are turned into columns.
const AHEAD: usize = 1 << 16;

/// Brings scores from the memory into a cache, one look at each line: a processor fetches ahead of a plain run, not of
/// one that writes to many columns meanwhile.
#[inline(always)]
pub fn fetch<T: Copy>(scores: &[T]) {
    for x in scores.iter().step_by((64 / size_of::<T>()).max(1)) {
        std::hint::black_box(*x);
    }
}

/// Whether any of the scores is NaN, without a branch per score.
#[inline]
pub fn any_nan<T: Score>(scores: &[T]) -> bool {
    scores.iter().fold(false, |found, x| found | x.is_nan())
}

/// The error for the first NaN in row order, for use once one is known to be there.
pub fn locate_nan<T: Score>(scores: &ArrayView2<'_, T>, one_dimensional: bool) -> Error {
    let place = scores.indexed_iter().find(|(_, x)| x.is_nan()).map_or((0, 0), |(place, _)| place);
    Error::NanScore { row: place.0, column: (!one_dimensional).then_some(place.1) }
}

/// Fails on the first NaN.
pub fn reject_nan<T: Score>(
    scores: &ArrayView2<'_, T>,
    one_dimensional: bool,
    workers: &Workers,
) -> Result<()> {
    let found = match scores.as_slice_memory_order() {
        Some(scores) => {
            let chunks: Vec<&[T]> = scores.chunks(CHUNK).collect();
            workers.map(chunks.len(), |k| any_nan(chunks[k])).contains(&true)
        }
        None => scores.iter().any(|x| x.is_nan()),
    };
    if found { Err(locate_nan(scores, one_dimensional)) } else { Ok(()) }
}
