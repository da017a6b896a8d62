//! Rows of a batch, some at a time: both passes read them so, each cache line once.

use std::ops::Range;

use ndarray::{ArrayView2, s};

use super::keys::Key;
use crate::data::scores::{Score, read_block};
use crate::machine::lanes::{Kernel, launch};
use crate::machine::workers::Workers;
use crate::resample::stream::mix;

/// Rows that are worked on together; with ten columns of scores they stay in the second cache.
pub const STRETCH: usize = 1 << 12;
/// 2^64 over the golden ratio: multiples of it are far apart.
pub const G: u64 = 0x9E37_79B9_7F4A_7C15;

/// Scores that are checked and then counted at once: they stay in the third cache, so that memory is read once.
pub const AT_ONCE: usize = 1 << 19;

/// Stretches of a batch that are taken one after the other; none where it is small enough to be taken whole.
pub fn portions(rows: usize, width: usize) -> Option<impl Iterator<Item = Range<usize>>> {
    let step = (AT_ONCE / width.max(1)).max(STRETCH);
    let portion = move |start: usize| start..rows.min(start + step);
    (rows > step).then(|| (0..rows).step_by(step).map(portion))
}

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

/// What a first look at rows tells.
#[derive(Clone, Copy)]
pub struct Inspected {
    /// A sum of a hash of each row: its class, its weight and all its scores. Two passes over the same rows find the
    /// same, in any order; one that misses a row, or has it twice, does not.
    pub checksum: u64,
    /// Whether every score has a key.
    pub fits: bool,
}

/// Looks at rows for the first time: one reading of the memory for all that has to be known before any row is taken.
pub fn inspect<T: Score>(
    scores: &ArrayView2<'_, T>,
    codes: &[u32],
    weights: Option<&[f64]>,
    key: Key,
    workers: &Workers,
) -> Inspected {
    let width = scores.ncols();
    let factors: Vec<u64> = (0..width as u64).map(|k| mix(G.wrapping_mul(k + 1)) | 1).collect();
    let share = codes.len().div_ceil(workers.count()).max(1);
    let parts = workers.map(codes.len().div_ceil(share), |k| {
        let rows = k * share..codes.len().min((k + 1) * share);
        let scores = scores.slice(s![rows.clone(), ..]);
        let weights = weights.map(|weights| &weights[rows.clone()]);
        let look = Look { scores, codes: &codes[rows], weights, factors: &factors, admits: () };
        match key {
            Key::Fold => launch(look.with(|x| Key::Fold.admits(x))),
            Key::Float => launch(look.with(|x| Key::Float.admits(x))),
        }
    });
    parts.iter().fold(Inspected { checksum: 0, fits: true }, |all, part| Inspected {
        checksum: all.checksum.wrapping_add(part.checksum),
        fits: all.fits & part.fits,
    })
}

struct Look<'a, T, F> {
    scores: ArrayView2<'a, T>,
    codes: &'a [u32],
    weights: Option<&'a [f64]>,
    factors: &'a [u64],
    admits: F,
}

impl<'a, T, F> Look<'a, T, F> {
    fn with<A: Fn(f64) -> bool>(self, admits: A) -> Look<'a, T, A> {
        let Self { scores, codes, weights, factors, .. } = self;
        Look { scores, codes, weights, factors, admits }
    }
}

impl<T: Score, F: Fn(f64) -> bool> Kernel for Look<'_, T, F> {
    type Output = Inspected;

    #[inline(always)]
    fn run(self) -> Inspected {
        let mut all = Inspected { checksum: 0, fits: true };
        match self.scores.as_slice() {
            Some(values) if !self.factors.is_empty() => {
                for (row, own) in values.chunks_exact(self.factors.len()).enumerate() {
                    self.take(&mut all, row, own.iter());
                }
            }
            _ => {
                for (row, own) in self.scores.rows().into_iter().enumerate() {
                    self.take(&mut all, row, own.iter());
                }
            }
        }
        all
    }
}

impl<T: Score, F: Fn(f64) -> bool> Look<'_, T, F> {
    #[inline(always)]
    fn take<'b>(&self, all: &mut Inspected, row: usize, own: impl Iterator<Item = &'b T>) {
        let (mut sum, mut fits) = (0_u64, true);
        for (x, factor) in own.zip(self.factors) {
            let x = x.to_f64();
            let bits = (x + 0.0).to_bits();
            sum = sum.wrapping_add((bits ^ (bits >> 32)).wrapping_mul(*factor));
            fits &= (self.admits)(x);
        }
        let weight = self.weights.map_or(1.0, |weights| weights[row]);
        let class = mix(G.wrapping_mul(u64::from(self.codes[row]) + 1) ^ weight.to_bits());
        all.checksum = all.checksum.wrapping_add(mix(sum ^ class));
        all.fits &= fits;
    }
}
