//! Rows of a batch, some at a time: both passes read them so, each cache line once.

use std::ops::Range;

use ndarray::ArrayView2;

use crate::data::scores::{Score, read_block};
use crate::machine::lanes::{Kernel, launch};
use crate::resample::stream::mix;

/// Rows that are worked on together; with ten columns of scores they stay in the second cache.
pub const STRETCH: usize = 1 << 12;
const G: u64 = 0x9E37_79B9_7F4A_7C15;

/// Hands over some columns of a stretch of rows at a time, one column after the other.
pub fn by_stretch<T: Score>(
    scores: &ArrayView2<'_, T>,
    columns: Range<usize>,
    mut take: impl FnMut(Range<usize>, &[T]),
) {
    let mut buffer = Vec::new();
    for start in (0..scores.nrows()).step_by(STRETCH) {
        let rows = start..scores.nrows().min(start + STRETCH);
        take(rows.clone(), read_block(scores, rows, columns.clone(), &mut buffer));
    }
}

/// The rows of a stretch by class, in the order they came in.
#[derive(Default)]
pub struct ByClass {
    rows: Vec<u32>,
    ends: Vec<usize>,
}

impl ByClass {
    /// Sorts the rows of a stretch by their classes.
    pub fn sort(&mut self, codes: &[u32], classes: usize) {
        self.ends.clear();
        self.ends.resize(classes + 1, 0);
        for &code in codes {
            self.ends[code as usize + 1] += 1;
        }
        for class in 0..classes {
            self.ends[class + 1] += self.ends[class];
        }
        self.rows.resize(codes.len(), 0);
        let mut next = self.ends.clone();
        for (row, &code) in codes.iter().enumerate() {
            let at = &mut next[code as usize];
            self.rows[*at] = row as u32;
            *at += 1;
        }
    }

    /// The rows of a class, numbered within the stretch.
    pub fn of(&self, class: usize) -> &[u32] {
        &self.rows[self.ends[class]..self.ends[class + 1]]
    }
}

/// A sum of a hash of each row: its class, its weight and all its scores. Two passes over the same rows find the
/// same, in any order; one that misses a row, or has it twice, does not.
pub fn checksum<T: Score>(
    scores: &ArrayView2<'_, T>,
    codes: &[u32],
    weights: Option<&[f64]>,
) -> u64 {
    let width = scores.ncols();
    let factors: Vec<u64> = (0..width as u64).map(|k| mix(G.wrapping_mul(k + 1)) | 1).collect();
    let own = |row: usize| {
        let weight = weights.map_or(1.0, |weights| weights[row]);
        mix(G.wrapping_mul(u64::from(codes[row]) + 1) ^ weight.to_bits())
    };
    let rows = launch(Hashes { scores, factors: &factors });
    rows.iter().enumerate().fold(0, |total, (row, sum)| total.wrapping_add(mix(sum ^ own(row))))
}

/// A hash of the scores of each row.
struct Hashes<'a, T> {
    scores: &'a ArrayView2<'a, T>,
    factors: &'a [u64],
}

impl<T: Score> Kernel for Hashes<'_, T> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run(self) -> Vec<u64> {
        let hash = |sum: u64, (x, factor): (&T, &u64)| {
            let bits = (x.to_f64() + 0.0).to_bits();
            sum.wrapping_add((bits ^ (bits >> 32)).wrapping_mul(*factor))
        };
        let (factors, width) = (self.factors, self.factors.len());
        match self.scores.as_slice() {
            Some(all) if width > 0 => {
                let rows = all.chunks_exact(width);
                rows.map(|row| row.iter().zip(factors).fold(0, hash)).collect()
            }
            _ => {
                let rows = self.scores.rows().into_iter();
                rows.map(|row| row.iter().zip(factors).fold(0, hash)).collect()
            }
        }
    }
}
