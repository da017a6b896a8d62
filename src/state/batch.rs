//! Rows of a batch, some at a time: both passes read them so, each cache line once.

use std::ops::Range;

use super::keys::Key;
use super::scores::Scores;
use crate::data::scores::Score;
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

/// Hands over some columns of so many rows at a time.
pub fn by_stretch<T: Score>(
    scores: &Scores<'_, T>,
    columns: Range<usize>,
    stretch: usize,
    mut take: impl FnMut(Range<usize>, &[&[T]]),
) {
    let (mut buffer, all) = (Vec::new(), scores.dim().0);
    for start in (0..all).step_by(stretch) {
        let rows = start..all.min(start + stretch);
        take(rows.clone(), &scores.block(rows, columns.clone(), &mut buffer));
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
    scores: &Scores<'_, T>,
    codes: &[u32],
    weights: Option<&[f64]>,
    key: Key,
    workers: &Workers,
) -> Inspected {
    let width = scores.dim().1;
    let factors: Vec<u64> = (0..width as u64).map(|k| mix(G.wrapping_mul(k + 1)) | 1).collect();
    let share = codes.len().div_ceil(workers.count()).max(1);
    let parts = workers.map(codes.len().div_ceil(share), |k| {
        let rows = k * share..codes.len().min((k + 1) * share);
        let weights = weights.map(|weights| &weights[rows.clone()]);
        let part = scores.part(rows.clone());
        let look = Look { codes: &codes[rows], weights, factors: &factors, admits: () };
        match key {
            Key::Fold => look.with(|x| Key::Fold.admits(x)).over(&part),
            Key::Float => look.with(|x| Key::Float.admits(x)).over(&part),
        }
    });
    parts.iter().fold(Inspected { checksum: 0, fits: true }, |all, part| Inspected {
        checksum: all.checksum.wrapping_add(part.checksum),
        fits: all.fits & part.fits,
    })
}

/// What is looked up, and how, for some rows.
#[derive(Clone, Copy)]
struct Look<'a, F> {
    codes: &'a [u32],
    weights: Option<&'a [f64]>,
    factors: &'a [u64],
    admits: F,
}

impl<'a, F> Look<'a, F> {
    fn with<A: Fn(f64) -> bool + Copy>(self, admits: A) -> Look<'a, A> {
        let Self { codes, weights, factors, .. } = self;
        Look { codes, weights, factors, admits }
    }
}

impl<F: Fn(f64) -> bool + Copy> Look<'_, F> {
    /// Looks row by row where scores lie so, else column by column, some rows at a time.
    fn over<T: Score>(self, scores: &Scores<'_, T>) -> Inspected {
        let mut all = Inspected { checksum: 0, fits: true };
        if let Some(values) = scores.by_row()
            && !self.factors.is_empty()
        {
            launch(ByRow { look: self, values, all: &mut all });
            return all;
        }
        let mut sums = Vec::new();
        by_stretch(scores, 0..self.factors.len(), STRETCH, |rows, block| {
            launch(ByColumn { look: self, block, rows, sums: &mut sums, all: &mut all });
        });
        all
    }

    /// What a score adds to the sum of its row.
    #[inline(always)]
    fn term(&self, x: f64, factor: u64) -> u64 {
        let bits = (x + 0.0).to_bits();
        (bits ^ (bits >> 32)).wrapping_mul(factor)
    }

    /// The hash of a row whose scores have this sum.
    #[inline(always)]
    fn hash(&self, row: usize, sum: u64) -> u64 {
        let weight = self.weights.map_or(1.0, |weights| weights[row]);
        mix(sum ^ mix(G.wrapping_mul(u64::from(self.codes[row]) + 1) ^ weight.to_bits()))
    }
}

struct ByRow<'a, T, F> {
    look: Look<'a, F>,
    values: &'a [T],
    all: &'a mut Inspected,
}

impl<T: Score, F: Fn(f64) -> bool + Copy> Kernel for ByRow<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { look, values, all } = self;
        for (row, own) in values.chunks_exact(look.factors.len()).enumerate() {
            let (mut sum, mut fits) = (0_u64, true);
            for (x, &factor) in own.iter().zip(look.factors) {
                sum = sum.wrapping_add(look.term(x.to_f64(), factor));
                fits &= (look.admits)(x.to_f64());
            }
            all.checksum = all.checksum.wrapping_add(look.hash(row, sum));
            all.fits &= fits;
        }
    }
}

struct ByColumn<'a, T, F> {
    look: Look<'a, F>,
    block: &'a [&'a [T]],
    rows: Range<usize>,
    sums: &'a mut Vec<u64>,
    all: &'a mut Inspected,
}

impl<T: Score, F: Fn(f64) -> bool + Copy> Kernel for ByColumn<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { look, block, rows, sums, all } = self;
        sums.clear();
        sums.resize(rows.len(), 0);
        for (column, &factor) in block.iter().zip(look.factors) {
            let mut fits = true;
            for (sum, x) in sums.iter_mut().zip(*column) {
                *sum = sum.wrapping_add(look.term(x.to_f64(), factor));
                fits &= (look.admits)(x.to_f64());
            }
            all.fits &= fits;
        }
        for (row, &sum) in rows.zip(sums.iter()) {
            all.checksum = all.checksum.wrapping_add(look.hash(row, sum));
        }
    }
}
