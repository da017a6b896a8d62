//! Rows that are equal, drawn together.
//!
//! Rows of one class, one sample weight and the same scores form a *cell*; how often a cell is drawn is
//! all that a measure can see. With far fewer cells than rows, replicates draw cells: given how
//! many of a stratum's n draws are left, and rows in the cells that are left, a cell of m rows gets a
//! binomial number of them ([`super::binomial`]); the last one gets the rest. That is the law of the
//! rows' multinomial weights, summed by cell. Cells are gone through in the order in which their first
//! rows come, and the numbers come from sequence(b, t, stratum) ([`super::stream`]).

use ndarray::{Array2, ArrayView2};

use crate::data::classes::Classes;
use crate::data::scores::Score;
use crate::data::weights::Weights;
use crate::machine::lanes::instructions::WIDTH;
use crate::machine::lanes::weights::Reals;
use crate::machine::workers::Workers;
use crate::resample::binomial::binomial;
use crate::resample::stream::{Draw, Stream};

/// Fewer rows than this are drawn one by one.
const LEAST_ROWS: usize = 1 << 12;
/// Rows that one task looks at.
const CHUNK: usize = 1 << 16;
/// Rows looked at first.
const SAMPLE: usize = 1 << 10;
/// Rows for each cell, at least, for cells to be worth it.
const ROWS_PER_CELL: usize = 16;

/// Equal rows together.
pub struct Cells<T> {
    /// The scores of each cell.
    pub scores: Array2<T>,
    /// The class of each cell.
    pub codes: Vec<u32>,
    /// How many rows each cell has.
    pub counts: Vec<u64>,
    /// The sample weight of a row of each cell; empty if all count one.
    pub mass: Vec<f64>,
}

impl<T: Score> Cells<T> {
    /// The cells of rows with positive weight; `None` if there are too many. The answer depends on the
    /// rows alone, not on the measures, so that these see the same replicates alone and together.
    pub fn find(
        scores: &ArrayView2<'_, T>,
        classes: &Classes<'_>,
        workers: &Workers,
    ) -> Option<Self> {
        let n = classes.codes.len();
        if classes.len() < LEAST_ROWS {
            return None;
        }
        // A few rows tell at once that scores are not coarse.
        let mut few = Table::new(scores, classes);
        (0..n).step_by(n / SAMPLE).for_each(|row| few.add(row, 1));
        if few.firsts.len() > SAMPLE / 2 {
            return None;
        }
        let most = classes.len() / ROWS_PER_CELL;
        let look = |chunk: usize| {
            let mut table = Table::new(scores, classes);
            let rows = chunk * CHUNK..((chunk + 1) * CHUNK).min(n);
            for row in rows.filter(|&row| classes.weights.is_positive(row)) {
                table.add(row, 1);
                if table.firsts.len() > most {
                    return None;
                }
            }
            Some(table)
        };
        // Chunks are joined in their order, so that cells stay in the order of their first rows; few at a
        // time, because in most of them all rows may differ.
        let mut all = Table::new(scores, classes);
        let (chunks, round) = (n.div_ceil(CHUNK), 4 * workers.count());
        for first in (0..chunks).step_by(round) {
            let tables = workers.map(round.min(chunks - first), |k| look(first + k));
            for table in tables {
                let table = table?;
                for (&row, &count) in table.firsts.iter().zip(&table.counts) {
                    all.add(row, count);
                }
                if all.firsts.len() > most {
                    return None;
                }
            }
        }
        let Table { firsts, counts, .. } = all;
        let cells = (firsts.len(), scores.ncols());
        let unit = matches!(classes.weights, Weights::Unit);
        let weighed = firsts.iter().filter(|_| !unit);
        Some(Self {
            scores: Array2::from_shape_fn(cells, |(k, column)| scores[[firsts[k], column]]),
            codes: firsts.iter().map(|&row| classes.codes[row]).collect(),
            mass: weighed.map(|&row| classes.weights.weight(row)).collect(),
            counts,
        })
    }
}

/// Cells met so far: a hash table with open addresses that holds the numbers of cells.
struct Table<'a, T> {
    scores: &'a ArrayView2<'a, T>,
    classes: &'a Classes<'a>,
    /// A cell's number, or FREE; twice as many as there may be cells before the table grows.
    slots: Vec<u32>,
    /// The first row of each cell, its hash, and how many rows the cell has.
    firsts: Vec<usize>,
    hashes: Vec<u64>,
    counts: Vec<u64>,
    /// The scores of each cell, cell after cell: near each other, unlike the rows they come from.
    known: Vec<T>,
    /// Whether all rows count one.
    unit: bool,
}

const FREE: u32 = u32::MAX;

impl<'a, T: Score> Table<'a, T> {
    fn new(scores: &'a ArrayView2<'a, T>, classes: &'a Classes<'a>) -> Self {
        let (slots, firsts) = (vec![FREE; 1 << 10], Vec::new());
        let (hashes, counts, known) = (Vec::new(), Vec::new(), Vec::new());
        let unit = matches!(classes.weights, Weights::Unit);
        Self { scores, classes, slots, firsts, hashes, counts, known, unit }
    }

    /// Adds a row that stands for `count` rows.
    #[inline]
    fn add(&mut self, row: usize, count: u64) {
        let hash = self.hash(row);
        let mut slot = hash as usize;
        loop {
            slot &= self.slots.len() - 1;
            match self.slots[slot] {
                FREE => break,
                cell if self.hashes[cell as usize] == hash && self.same(row, cell) => {
                    self.counts[cell as usize] += count;
                    return;
                }
                _ => slot += 1,
            }
        }
        self.slots[slot] = self.firsts.len() as u32;
        self.firsts.push(row);
        self.hashes.push(hash);
        self.counts.push(count);
        self.known.extend(self.scores.row(row));
        if 2 * self.firsts.len() > self.slots.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let size = 4 * self.slots.len();
        self.slots = vec![FREE; size];
        for (cell, &hash) in self.hashes.iter().enumerate() {
            let mut slot = hash as usize & (size - 1);
            while self.slots[slot] != FREE {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = cell as u32;
        }
    }

    #[inline]
    fn hash(&self, row: usize) -> u64 {
        let mut hash = u64::from(self.classes.codes[row]);
        let mut take = |word: u64| {
            hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        };
        if !self.unit {
            take(self.classes.weights.weight(row).to_bits());
        }
        for score in self.scores.row(row) {
            // Adding zero makes -0.0 and 0.0 one.
            take((score.to_f64() + 0.0).to_bits());
        }
        hash ^ hash >> 32
    }

    #[inline]
    fn same(&self, row: usize, cell: u32) -> bool {
        let (first, width) = (self.firsts[cell as usize], self.scores.ncols());
        let known = &self.known[cell as usize * width..][..width];
        self.classes.codes[row] == self.classes.codes[first]
            && (self.unit || self.classes.weights.weight(row) == self.classes.weights.weight(first))
            && self.scores.row(row).iter().zip(known).all(|(score, known)| score == known)
    }
}

impl<T> Cells<T> {
    /// What all rows of each cell count.
    pub fn weights(&self) -> Weights<'static> {
        if self.mass.is_empty() {
            return Weights::Whole(self.counts.iter().map(|&count| count as f64).collect());
        }
        let masses = self.counts.iter().zip(&self.mass).map(|(&count, mass)| count as f64 * mass);
        Weights::Real(masses.collect::<Vec<f64>>().into())
    }
}

/// How often each cell is drawn in 32 replicates, by place; `strata` are the places of each stratum.
pub fn draw(
    stream: &Stream,
    draws: &[Draw; WIDTH],
    counts: &[u64],
    strata: impl Iterator<Item = (usize, std::ops::Range<usize>)>,
    out: &mut [Reals],
) {
    for (stratum, places) in strata {
        let total: u64 = counts[places.clone()].iter().sum();
        for (lane, &draw) in draws.iter().enumerate() {
            let mut sequence = stream.sequence(draw, stratum as u64);
            let (mut left, mut rows) = (total, total);
            for place in places.clone() {
                let drawn = binomial(left, counts[place], rows, &mut sequence);
                out[place][lane] = drawn as f64;
                left -= drawn;
                rows -= counts[place];
            }
        }
    }
}
