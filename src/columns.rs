//! All contrasts on all score columns: class i against every class j by column i.
//!
//! For each column the rows of its own class are indexed ([`RankIndex`]) and all rows are looked up,
//! so a column costs O(n), and M, one-vs-rest and polar area all come from one reading of the scores.
//! Columns are read in blocks about a cache line wide.

use std::ops::Range;

use crate::error::Result;
use crate::rank_index::RankIndex;
use crate::sample::Sample;
use crate::scores::{Score, any_nan, fill_block, locate_nan};
use crate::weights::Weighting;
use crate::workers::Workers;

/// Rows of a block that is copied before its columns are looked up.
const BLOCK_ROWS: usize = 1 << 10;
/// Rows summed at a stretch; fixed, so that sums of real weights do not depend on threads.
const SEGMENT: usize = 1 << 16;

/// What one column says of its class against every class.
pub struct Column<'a, W: Weighting> {
    /// The class that the column favours.
    pub class: usize,
    /// Doubled wins over each class; the entry for the class itself means nothing.
    pub wins: &'a [W::Sum],
    /// Doubled ties with each class; empty unless asked for.
    pub ties: &'a [W::Sum],
    /// The mass of each class.
    pub masses: &'a [W::Mass],
}

impl<W: Weighting> Column<'_, W> {
    /// A(i|j): the AUC of the column's class i against class j (HT01 s.3). NaN if either is absent.
    pub fn auc(&self, j: usize) -> f64 {
        W::share(self.wins[j], self.masses[self.class], self.masses[j])
    }

    /// The share of tied pairs with class j.
    pub fn tied(&self, j: usize) -> f64 {
        W::share(self.ties[j], self.masses[self.class], self.masses[j])
    }

    /// The AUC of the column's class against all other classes together.
    pub fn auc_rest(&self) -> f64 {
        let (wins, rest) = self.rest();
        W::share(wins, self.masses[self.class], rest)
    }

    /// Doubled wins over all other classes, and their mass.
    pub fn rest(&self) -> (W::Sum, W::Mass) {
        let others = (0..self.masses.len()).filter(|&j| j != self.class);
        others.fold(Default::default(), |(wins, mass), j| {
            (W::add(wins, self.wins[j]), W::join(mass, self.masses[j]))
        })
    }
}

/// `fold` of every column, where column i compares class i with the others.
pub fn map_columns<T: Score, W: Weighting, R: Send>(
    sample: &Sample<'_, T>,
    weighting: W,
    with_ties: bool,
    workers: &Workers,
    fold: impl Fn(&Column<'_, W>) -> R + Sync,
) -> Result<Vec<R>> {
    map_blocks(sample, weighting, None, with_ties, workers, fold)
}

/// `fold` of every column, where every column compares the rows of one given index with the others.
pub fn map_columns_shared<T: Score, W: Weighting, R: Send>(
    sample: &Sample<'_, T>,
    weighting: W,
    index: &RankIndex<T, W>,
    workers: &Workers,
    fold: impl Fn(&Column<'_, W>) -> R + Sync,
) -> Result<Vec<R>> {
    map_blocks(sample, weighting, Some(index), false, workers, fold)
}

/// The scores that the rows of a class have in a column.
pub fn class_column<T: Score, W: Weighting>(
    sample: &Sample<'_, T>,
    weighting: W,
    class: usize,
    column: usize,
) -> Vec<(T, W::Row)> {
    let scores = sample.scores.column(column);
    let rows = sample.classes.rows(class).iter().map(|&row| row as usize);
    rows.map(|row| (scores[row], weighting.row(row))).collect()
}

fn map_blocks<T: Score, W: Weighting, R: Send>(
    sample: &Sample<'_, T>,
    weighting: W,
    shared: Option<&RankIndex<T, W>>,
    with_ties: bool,
    workers: &Workers,
    fold: impl Fn(&Column<'_, W>) -> R + Sync,
) -> Result<Vec<R>> {
    let count = sample.classes.count();
    let masses = masses(sample, weighting);
    let line = 64 / size_of::<T>();
    let width = count.div_ceil(workers.count()).clamp(1, line);
    let folded = workers.map(count.div_ceil(width), |block| {
        let columns = block * width..((block + 1) * width).min(count);
        let own: Vec<RankIndex<T, W>> = match shared {
            Some(_) => Vec::new(),
            None => columns
                .clone()
                .map(|i| RankIndex::new(&class_column(sample, weighting, i, i)))
                .collect(),
        };
        let indexes: Vec<&RankIndex<T, W>> = match shared {
            Some(index) => vec![index; columns.len()],
            None => own.iter().collect(),
        };
        let sums = block_sums(sample, weighting, columns.clone(), &indexes, with_ties, workers)?;
        let fold_one = |(k, class)| {
            fold(&Column {
                class,
                wins: &sums.wins[k * count..(k + 1) * count],
                ties: sums.ties.get(k * count..(k + 1) * count).unwrap_or(&[]),
                masses: &masses,
            })
        };
        Some(columns.enumerate().map(fold_one).collect::<Vec<R>>())
    });
    match folded.into_iter().collect::<Option<Vec<_>>>() {
        Some(folded) => Ok(folded.into_iter().flatten().collect()),
        None => Err(locate_nan(&sample.scores, false)),
    }
}

/// The mass of each class, its rows added in row order.
fn masses<T, W: Weighting>(sample: &Sample<'_, T>, weighting: W) -> Vec<W::Mass> {
    let mass = |class| {
        let rows = sample.classes.rows(class).iter();
        rows.fold(W::Mass::default(), |mass, &row| {
            W::join(mass, W::mass(weighting.row(row as usize)))
        })
    };
    (0..sample.classes.count()).map(mass).collect()
}

/// Wins and ties of a block of columns by class, column after column.
struct BlockSums<W: Weighting> {
    wins: Vec<W::Sum>,
    ties: Vec<W::Sum>,
}

/// The sums of a block of columns over all rows; `None` if a score is NaN.
fn block_sums<T: Score, W: Weighting>(
    sample: &Sample<'_, T>,
    weighting: W,
    columns: Range<usize>,
    indexes: &[&RankIndex<T, W>],
    with_ties: bool,
    workers: &Workers,
) -> Option<BlockSums<W>> {
    let n = sample.scores.nrows();
    let segments = workers.map(n.div_ceil(SEGMENT), |segment| {
        let rows = segment * SEGMENT..((segment + 1) * SEGMENT).min(n);
        segment_sums(sample, weighting, columns.clone(), rows, indexes, with_ties)
    });
    segments.into_iter().reduce(|sum, segment| {
        let (mut sum, segment) = (sum?, segment?);
        for (sum, more) in sum.wins.iter_mut().zip(segment.wins) {
            *sum = W::add(*sum, more);
        }
        for (sum, more) in sum.ties.iter_mut().zip(segment.ties) {
            *sum = W::add(*sum, more);
        }
        Some(sum)
    })?
}

fn segment_sums<T: Score, W: Weighting>(
    sample: &Sample<'_, T>,
    weighting: W,
    columns: Range<usize>,
    rows: Range<usize>,
    indexes: &[&RankIndex<T, W>],
    with_ties: bool,
) -> Option<BlockSums<W>> {
    let (count, codes) = (sample.classes.count(), sample.classes.codes);
    let size = columns.len() * count;
    let mut sums = BlockSums {
        wins: vec![W::Sum::default(); size],
        ties: vec![W::Sum::default(); if with_ties { size } else { 0 }],
    };
    let mut block = Vec::new();
    for first in rows.clone().step_by(BLOCK_ROWS) {
        let rows = first..(first + BLOCK_ROWS).min(rows.end);
        fill_block(&sample.scores, rows.clone(), columns.clone(), &mut block);
        if any_nan(&block) {
            return None;
        }
        let codes = &codes[rows.clone()];
        for (k, (scores, index)) in block.chunks_exact(rows.len()).zip(indexes).enumerate() {
            let span = k * count..(k + 1) * count;
            let wins = &mut sums.wins[span.clone()];
            let class = index.total();
            if with_ties {
                let ties = &mut sums.ties[span];
                index.look_up(scores.iter().copied(), |a, below, upto| {
                    let (row, j) = (weighting.row(first + a), codes[a] as usize);
                    wins[j] = W::add(wins[j], W::wins(row, below, upto, class));
                    ties[j] = W::add(ties[j], W::ties(row, below, upto, class));
                });
            } else {
                index.look_up(scores.iter().copied(), |a, below, upto| {
                    let (row, j) = (weighting.row(first + a), codes[a] as usize);
                    wins[j] = W::add(wins[j], W::wins(row, below, upto, class));
                });
            }
        }
    }
    Some(sums)
}
