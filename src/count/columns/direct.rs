//! Rows looked up as they come, in indexes that fit the cache.

use std::ops::Range;

use super::{BLOCK_ROWS, PoolTallies, masses, stretches};
use crate::count::contrast::Contrast;
use crate::count::rank_index::RankIndex;
use crate::count::tally::Tally;
use crate::data::sample::Sample;
use crate::data::scores::{Score, any_nan, read_block};
use crate::data::weights::Weighting;
use crate::machine::lanes::{self, Kernel};

/// Rows summed at a stretch; fixed, so that sums of real weights do not depend on threads.
const SEGMENT: usize = 1 << 16;

/// The tallies of a block of columns.
pub fn tallies<T: Score, W: Weighting>(
    sample: &Sample<'_, T>,
    weighting: W,
    contrast: Contrast,
    columns: Range<usize>,
    with_ties: bool,
) -> PoolTallies<W> {
    let pool = contrast.pool(sample.scores.ncols());
    let sides = contrast.sides(sample.classes);
    let indexes: Vec<RankIndex<T, W>> = columns
        .clone()
        .step_by(pool)
        .map(|first| RankIndex::new(&favoured_rows(sample, weighting, contrast, first)))
        .collect();
    let segments: Vec<Range<usize>> = stretches(0..sample.scores.nrows(), SEGMENT).collect();
    let sums = sample.workers.map(segments.len(), |k| {
        let rows = segments[k].clone();
        let (columns, indexes) = (columns.clone(), indexes.as_slice());
        lanes::launch(SumSegment { sample, weighting, contrast, columns, rows, indexes, with_ties })
    });
    let mut sums = sums.into_iter();
    let mut total = sums.next()??;
    for segment in sums {
        total.add(segment?);
    }
    let masses = group_masses(sample, weighting, contrast);
    let pools = indexes.iter().enumerate().map(|(p, index)| {
        let tally = |j| Tally {
            wins: total.wins[p * sides + j],
            ties: total.ties.get(p * sides + j).copied().unwrap_or_default(),
            class: index.total(),
            other: masses[j],
        };
        (0..sides).map(tally).collect()
    });
    Some(pools.collect())
}

/// The scores that the columns from `first` on favour.
fn favoured_rows<T: Score, W: Weighting>(
    sample: &Sample<'_, T>,
    weighting: W,
    contrast: Contrast,
    first: usize,
) -> Vec<(T, W::Row)> {
    let class_in_column = |class: usize, column: usize| {
        let scores = sample.scores.index_axis_move(ndarray::Axis(1), column);
        let rows = sample.classes.rows(class).iter().map(|&row| row as usize);
        rows.map(move |row| (scores[row], weighting.row(row)))
    };
    match contrast {
        Contrast::OwnColumns => class_in_column(first, first).collect(),
        Contrast::SingleColumn => class_in_column(1, 0).collect(),
        Contrast::Pooled => {
            (0..sample.classes.count()).flat_map(|class| class_in_column(class, class)).collect()
        }
    }
}

fn group_masses<T, W: Weighting>(
    sample: &Sample<'_, T>,
    weighting: W,
    contrast: Contrast,
) -> Vec<W::Mass> {
    let masses = masses(sample, weighting);
    if contrast != Contrast::Pooled {
        return masses;
    }
    let join = |a, b| W::join(a, b);
    let all = masses.into_iter().fold(W::Mass::default(), join);
    let others = (1..sample.classes.count()).fold(W::Mass::default(), |sum, _| join(sum, all));
    vec![others, all]
}

/// Wins and ties of each index against each side, index after index.
struct Sums<W: Weighting> {
    wins: Vec<W::Sum>,
    ties: Vec<W::Sum>,
}

impl<W: Weighting> Sums<W> {
    fn add(&mut self, more: Self) {
        for (sum, more) in self.wins.iter_mut().zip(more.wins) {
            *sum = W::add(*sum, more);
        }
        for (sum, more) in self.ties.iter_mut().zip(more.ties) {
            *sum = W::add(*sum, more);
        }
    }
}

/// The sums over a segment of rows; `None` if a score is NaN.
struct SumSegment<'a, 's, T, W: Weighting> {
    sample: &'a Sample<'s, T>,
    weighting: W,
    contrast: Contrast,
    columns: Range<usize>,
    rows: Range<usize>,
    indexes: &'a [RankIndex<T, W>],
    with_ties: bool,
}

impl<T: Score, W: Weighting> Kernel for SumSegment<'_, '_, T, W> {
    type Output = Option<Sums<W>>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { sample, weighting, contrast, columns, rows: segment, indexes, with_ties } = self;
        let sides = contrast.sides(sample.classes);
        let pool = contrast.pool(sample.scores.ncols());
        let size = indexes.len() * sides;
        let mut sums = Sums {
            wins: vec![W::Sum::default(); size],
            ties: vec![W::Sum::default(); if with_ties { size } else { 0 }],
        };
        let mut buffer = Vec::new();
        for rows in stretches(segment, BLOCK_ROWS) {
            let block = read_block(&sample.scores, rows.clone(), columns.clone(), &mut buffer);
            if any_nan(block) {
                return None;
            }
            let codes = &sample.classes.codes[rows.clone()];
            for (k, scores) in block.chunks_exact(rows.len()).enumerate() {
                let column = columns.start + k;
                let index = &indexes[k / pool];
                let span = k / pool * sides..(k / pool + 1) * sides;
                let class = index.total();
                let wins = &mut sums.wins[span.clone()];
                if with_ties {
                    let ties = &mut sums.ties[span];
                    index.look_up(scores, |a, _, place| {
                        let row = weighting.row(rows.start + a);
                        let j = contrast.side(codes[a], column);
                        wins[j] =
                            W::add(wins[j], W::wins(W::mass(row), place.below, place.upto, class));
                        ties[j] =
                            W::add(ties[j], W::ties(W::mass(row), place.below, place.upto, class));
                    });
                } else {
                    index.look_up(scores, |a, _, place| {
                        let row = weighting.row(rows.start + a);
                        let j = contrast.side(codes[a], column);
                        wins[j] =
                            W::add(wins[j], W::wins(W::mass(row), place.below, place.upto, class));
                    });
                }
            }
        }
        Some(sums)
    }
}
