//! The first look at rows: one reading of the memory tells whether all of them can be taken, what their checksum is, and
//! where they are to be counted or what they are worth.

use std::ops::Range;

use super::batch::{STRETCH, by_stretch};
use super::keys::Key;
use super::scores::Scores;
use crate::data::scores::Score;
use crate::machine::lanes::{Kernel, launch_wide};
use crate::machine::workers::Workers;
use crate::resample::stream::mix;

/// Rows whose sums and classes stay in the first cache beside a column of scores.
const FEW: usize = STRETCH / 4;
/// 2^64 over the golden ratio: multiples of it are far apart.
pub const G: u64 = 0x9E37_79B9_7F4A_7C15;

/// What a first look at rows tells.
#[derive(Clone, Copy)]
pub struct Inspected {
    /// A sum of a hash of each row: its class, its weight and all its scores. Two passes over the same rows find the
    /// same, in any order; one that misses a row, or has it twice, does not.
    pub checksum: u64,
    /// Whether every score has a key.
    pub fits: bool,
}

/// How a key and a class become a number: that of a row's counter, or of what the row is worth.
pub trait Aim: Copy + Send + Sync {
    /// The number.
    fn number(self, key: u64, code: u32) -> u32;
}

/// What the first look at a column writes down: a number of each row.
pub struct Numbered<A> {
    /// How it is found.
    pub aim: A,
    /// As many as there are rows.
    pub numbers: Vec<u32>,
}

/// The same for some of the rows.
pub struct Piece<'a, A> {
    /// How it is found.
    pub aim: A,
    /// As many as there are rows.
    pub numbers: &'a mut [u32],
}

/// Cuts what is written down of columns, none of them or each, into pieces of so many rows, one after the other.
fn cut<A: Copy>(
    columns: &mut [Option<Numbered<A>>],
    share: usize,
    parts: usize,
) -> Vec<Vec<Option<Piece<'_, A>>>> {
    let mut pieces: Vec<Vec<_>> = (0..parts).map(|_| Vec::with_capacity(columns.len())).collect();
    for column in columns {
        let Some(Numbered { aim, numbers }) = column else {
            pieces.iter_mut().for_each(|piece| piece.push(None));
            continue;
        };
        for (piece, numbers) in pieces.iter_mut().zip(numbers.chunks_mut(share)) {
            piece.push(Some(Piece { aim: *aim, numbers }));
        }
    }
    pieces
}

/// Looks at rows for the first time: one reading of the memory for all that has to be known before any row is taken,
/// and for the numbers that are asked for.
pub fn inspect<T: Score, A: Aim>(
    scores: &Scores<'_, T>,
    codes: &[u32],
    weights: Option<&[f64]>,
    key: Key,
    numbered: &mut [Option<Numbered<A>>],
    workers: &Workers,
) -> Inspected {
    let share = codes.len().div_ceil(workers.count()).max(1);
    let pieces = cut(numbered, share, codes.len().div_ceil(share));
    let parts = workers.map_pieces(pieces, |k, piece| {
        let rows = k * share..codes.len().min((k + 1) * share);
        let weights = weights.map(|weights| &weights[rows.clone()]);
        let part = scores.part(rows.clone());
        inspect_part(&part, &codes[rows], weights, key, piece, &mut Vec::new())
    });
    parts.iter().fold(Inspected { checksum: 0, fits: true }, |all, part| Inspected {
        checksum: all.checksum.wrapping_add(part.checksum),
        fits: all.fits & part.fits,
    })
}

/// As [`inspect`], for one thread, in memory that is kept: systems ask for time to give it anew.
pub fn inspect_part<T: Score, A: Aim>(
    scores: &Scores<'_, T>,
    codes: &[u32],
    weights: Option<&[f64]>,
    key: Key,
    pieces: Vec<Option<Piece<'_, A>>>,
    buffer: &mut Vec<T>,
) -> Inspected {
    let width = scores.dim().1 as u64;
    let factors: Vec<u64> = (0..width).map(|k| mix(G.wrapping_mul(k + 1)) | 1).collect();
    let look = Look { codes, weights, factors: &factors, admits: (), key: () };
    match key {
        Key::Fold => {
            let look = look.with(|x| Key::Fold.admits(x), |x| Key::Fold.of(x));
            look.over(scores, pieces, buffer)
        }
        Key::Float => {
            let look = look.with(|x| Key::Float.admits(x), |x| Key::Float.of(x));
            look.over(scores, pieces, buffer)
        }
    }
}

/// What is looked up, and how, for some rows.
#[derive(Clone, Copy)]
struct Look<'a, F, K> {
    codes: &'a [u32],
    weights: Option<&'a [f64]>,
    factors: &'a [u64],
    admits: F,
    key: K,
}

impl<'a> Look<'a, (), ()> {
    fn with<A, K>(self, admits: A, key: K) -> Look<'a, A, K>
    where
        A: Fn(f64) -> bool + Copy,
        K: Fn(f64) -> u64 + Copy,
    {
        let Self { codes, weights, factors, .. } = self;
        Look { codes, weights, factors, admits, key }
    }
}

impl<F: Fn(f64) -> bool + Copy, K: Fn(f64) -> u64 + Copy> Look<'_, F, K> {
    /// Looks row by row where scores lie so and no number is asked for, else column by column, some rows at a time.
    fn over<T: Score, A: Aim>(
        self,
        scores: &Scores<'_, T>,
        mut numbered: Vec<Option<Piece<'_, A>>>,
        buffer: &mut Vec<T>,
    ) -> Inspected {
        let mut all = Inspected { checksum: 0, fits: true };
        if let Some(values) = scores.by_row()
            && !self.factors.is_empty()
            && numbered.iter().all(Option::is_none)
        {
            launch_wide(ByRow { look: self, values, all: &mut all });
            return all;
        }
        numbered.resize_with(self.factors.len(), || None);
        let mut sums = [0; FEW];
        by_stretch(scores, 0..self.factors.len(), FEW, buffer, |rows, block| {
            let sums = &mut sums[..rows.len()];
            sums.fill(0);
            let columns = block.iter().zip(self.factors).zip(&mut numbered);
            for ((&column, &factor), piece) in columns {
                let seen = Seen { look: self, column, factor, sums };
                all.fits &= match piece {
                    Some(Piece { aim, numbers }) => {
                        let (codes, numbers) =
                            (&self.codes[rows.clone()], &mut numbers[rows.clone()]);
                        launch_wide(Aimed { seen, codes, aim: *aim, numbers })
                    }
                    None => launch_wide(seen),
                };
            }
            all.checksum =
                all.checksum.wrapping_add(launch_wide(Hashes { look: self, rows, sums }));
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

struct ByRow<'a, T, F, K> {
    look: Look<'a, F, K>,
    values: &'a [T],
    all: &'a mut Inspected,
}

impl<T, F, K> Kernel for ByRow<'_, T, F, K>
where
    T: Score,
    F: Fn(f64) -> bool + Copy,
    K: Fn(f64) -> u64 + Copy,
{
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

/// Adds the terms of a column to the sums of its rows; tells whether all scores have a key.
struct Seen<'a, T, F, K> {
    look: Look<'a, F, K>,
    column: &'a [T],
    factor: u64,
    sums: &'a mut [u64],
}

impl<T, F, K> Kernel for Seen<'_, T, F, K>
where
    T: Score,
    F: Fn(f64) -> bool + Copy,
    K: Fn(f64) -> u64 + Copy,
{
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { look, column, factor, sums } = self;
        let mut fits = true;
        for (sum, x) in sums.iter_mut().zip(column) {
            *sum = sum.wrapping_add(look.term(x.to_f64(), factor));
            fits &= (look.admits)(x.to_f64());
        }
        fits
    }
}

/// As [`Seen`], and finds numbers.
struct Aimed<'a, T, F, K, A> {
    seen: Seen<'a, T, F, K>,
    codes: &'a [u32],
    aim: A,
    numbers: &'a mut [u32],
}

impl<T, F, K, A> Kernel for Aimed<'_, T, F, K, A>
where
    T: Score,
    A: Aim,
    F: Fn(f64) -> bool + Copy,
    K: Fn(f64) -> u64 + Copy,
{
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { seen: Seen { look, column, factor, sums }, codes, aim, numbers } = self;
        let mut fits = true;
        let rows = sums.iter_mut().zip(column).zip(codes).zip(numbers);
        for (((sum, x), &code), number) in rows {
            let x = x.to_f64();
            *sum = sum.wrapping_add(look.term(x, factor));
            fits &= (look.admits)(x);
            *number = aim.number((look.key)(x), code);
        }
        fits
    }
}

/// The sum of the hashes of rows whose scores have these sums.
struct Hashes<'a, F, K> {
    look: Look<'a, F, K>,
    rows: Range<usize>,
    sums: &'a [u64],
}

impl<F, K> Kernel for Hashes<'_, F, K>
where
    F: Fn(f64) -> bool + Copy,
    K: Fn(f64) -> u64 + Copy,
{
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self { look, rows, sums } = self;
        let hashes = rows.zip(sums).map(|(row, &sum)| look.hash(row, sum));
        hashes.fold(0, u64::wrapping_add)
    }
}
