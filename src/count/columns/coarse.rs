//! Few distinct scores: rows counted by score and side.
//!
//! Scores rounded to a few decimals, votes of small ensembles and single trees take few values. Then a
//! table of masses by value and side says all, and neither sorting nor searching is needed: O(n) with
//! a small constant, for any n.

use std::ops::Range;

use super::{BLOCK_ROWS, stretches};
use crate::count::contrast::Contrast;
use crate::count::tally::Tally;
use crate::data::sample::Sample;
use crate::data::scores::{Score, read_block};
use crate::data::spread::spread;
use crate::data::weights::Weighting;
use crate::machine::lanes::{self, Kernel};

/// Distinct scores that a table holds at most.
const MOST_VALUES: usize = 512;
/// Slots of a table: twice as many, so that chains of collisions stay short.
const SLOTS: usize = 2 * MOST_VALUES;
/// Sides beyond which a table would leave the cache.
const MOST_SIDES: usize = 64;
/// Rows below which sorting is as fast.
const LEAST_ROWS: usize = 1 << 12;
/// Rows sampled to see whether scores are coarse, and distinct scores that the sample may have.
const SAMPLE: usize = 1 << 10;
const SAMPLE_VALUES: usize = 128;
/// Rows counted at once, at least, and chunks at most; fixed, so that sums of real weights do not
/// depend on threads.
const LEAST_CHUNK: usize = 1 << 15;
const MOST_CHUNKS: usize = 64;

/// What came of counting.
pub enum Attempt<W: Weighting> {
    /// More distinct scores than a table holds.
    TooFine,
    /// A score is NaN.
    Nan,
    /// The tallies of each pool of columns against every side.
    Done(Vec<Vec<Tally<W>>>),
}

/// Whether a sample of every column has few distinct scores.
pub fn is_likely<T: Score>(sample: &Sample<'_, T>, contrast: Contrast) -> bool {
    let n = sample.scores.nrows();
    if n < LEAST_ROWS || contrast.sides(sample.classes) > MOST_SIDES {
        return false;
    }
    sample.scores.columns().into_iter().all(|column| {
        let mut scores: Vec<T> = spread(n, SAMPLE).map(|row| column[row]).collect();
        scores.sort_unstable_by(T::order);
        scores.dedup();
        scores.len() <= SAMPLE_VALUES
    })
}

/// The tallies of all columns.
pub fn tallies<T: Score, W: Weighting>(
    sample: &Sample<'_, T>,
    weighting: W,
    contrast: Contrast,
) -> Attempt<W> {
    let (n, columns) = sample.scores.dim();
    let chunk = n.div_ceil(MOST_CHUNKS).max(LEAST_CHUNK);
    let chunks: Vec<Range<usize>> = stretches(0..n, chunk).collect();
    let counted = sample.workers.map(chunks.len(), |k| {
        lanes::launch(CountChunk { sample, weighting, contrast, rows: chunks[k].clone() })
    });
    let mut tables: Option<Vec<Table<W>>> = None;
    for chunk in counted {
        match (chunk, &mut tables) {
            (Err(fault), _) => return fault,
            (Ok(more), None) => tables = Some(more),
            (Ok(more), Some(tables)) => {
                for (table, more) in tables.iter_mut().zip(more) {
                    if !table.join(&more) {
                        return Attempt::TooFine;
                    }
                }
            }
        }
    }
    let pool = contrast.pool(columns);
    let pools = tables.unwrap_or_default();
    let pools =
        pools.iter().enumerate().map(|(p, table)| table.tallies(contrast.favoured(p * pool)));
    Attempt::Done(pools.collect())
}

/// The key of a free slot: -0.0, which no score has for a key.
const FREE: u64 = (-0.0f64).to_bits();

/// Masses by distinct score and side: a hash table with open addresses.
struct Table<W: Weighting> {
    sides: usize,
    /// The bits of each slot's score, or FREE.
    keys: Box<[u64; SLOTS]>,
    /// Masses, slot after slot and side after side.
    masses: Vec<W::Mass>,
    used: usize,
}

impl<W: Weighting> Table<W> {
    fn new(sides: usize) -> Self {
        Self {
            sides,
            keys: Box::new([FREE; SLOTS]),
            masses: vec![W::Mass::default(); SLOTS * sides],
            used: 0,
        }
    }

    /// The slot of a score; an error if it is NaN or the table is full.
    #[inline(always)]
    fn slot(&mut self, x: f64) -> Result<usize, Attempt<W>> {
        // Adding zero makes -0.0 and 0.0 one. The product spreads the bits over the top ones.
        let key = (x + 0.0).to_bits();
        let mut slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54) as usize;
        while self.keys[slot & (SLOTS - 1)] != key {
            if self.keys[slot & (SLOTS - 1)] == FREE {
                // A score met for the first time.
                if x.is_nan() {
                    return Err(Attempt::Nan);
                }
                if self.used == MOST_VALUES {
                    return Err(Attempt::TooFine);
                }
                self.used += 1;
                self.keys[slot & (SLOTS - 1)] = key;
                break;
            }
            slot += 1;
        }
        Ok(slot & (SLOTS - 1))
    }

    #[inline(always)]
    fn add(&mut self, slot: usize, side: usize, mass: W::Mass) {
        let sum = &mut self.masses[slot * self.sides + side];
        *sum = W::join(*sum, mass);
    }

    /// Adds another table; false if this one is full.
    fn join(&mut self, more: &Self) -> bool {
        for slot in more.slots() {
            let Ok(own) = self.slot(f64::from_bits(more.keys[slot])) else {
                return false;
            };
            for side in 0..self.sides {
                self.add(own, side, more.masses[slot * self.sides + side]);
            }
        }
        true
    }

    /// The slots in use.
    fn slots(&self) -> impl Iterator<Item = usize> {
        (0..SLOTS).filter(|&slot| self.keys[slot] != FREE)
    }

    /// The favoured side against every side.
    fn tallies(&self, favoured: usize) -> Vec<Tally<W>> {
        let mut slots: Vec<usize> = self.slots().collect();
        let score = |slot: usize| f64::from_bits(self.keys[slot]);
        slots.sort_unstable_by(|&a, &b| score(a).order(&score(b)));
        let mass = |slot: usize, side| self.masses[slot * self.sides + side];
        let total = |side| {
            slots.iter().fold(W::Mass::default(), |sum, &slot| W::join(sum, mass(slot, side)))
        };
        let class = total(favoured);
        let against = |side| {
            let mut tally = Tally::<W>::empty(class);
            tally.other = total(side);
            let mut below = W::Mass::default();
            for &slot in &slots {
                let upto = W::join(below, mass(slot, favoured));
                let others = mass(slot, side);
                tally.wins = W::add(tally.wins, W::wins(others, below, upto, class));
                tally.ties = W::add(tally.ties, W::ties(others, below, upto, class));
                below = upto;
            }
            tally
        };
        (0..self.sides).map(against).collect()
    }
}

/// Counts a chunk of rows, a table a pool of columns.
struct CountChunk<'a, 's, T, W: Weighting> {
    sample: &'a Sample<'s, T>,
    weighting: W,
    contrast: Contrast,
    rows: Range<usize>,
}

impl<T: Score, W: Weighting> Kernel for CountChunk<'_, '_, T, W> {
    type Output = Result<Vec<Table<W>>, Attempt<W>>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { sample, weighting, contrast, rows } = self;
        let columns = sample.scores.ncols();
        let pool = contrast.pool(columns);
        let sides = contrast.sides(sample.classes);
        let mut tables: Vec<Table<W>> = (0..columns / pool).map(|_| Table::new(sides)).collect();
        let mut buffer = Vec::new();
        for rows in stretches(rows, BLOCK_ROWS) {
            let block = read_block(&sample.scores, rows.clone(), 0..columns, &mut buffer);
            let codes = &sample.classes.codes[rows.clone()];
            for (column, scores) in block.chunks_exact(rows.len()).enumerate() {
                let table = &mut tables[column / pool];
                for (a, (&x, &code)) in scores.iter().zip(codes).enumerate() {
                    let slot = table.slot(x.to_f64())?;
                    let mass = W::mass(weighting.row(rows.start + a));
                    table.add(slot, contrast.side(code, column), mass);
                }
            }
        }
        Ok(tables)
    }
}
