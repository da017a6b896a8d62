//! Rows with many labels as entries: what one row says of one label.
//!
//! An entry has a score, a class (2l for a negative, 2l + 1 for a positive of label l) and its row. Entries stand
//! one label after the other, so that the scores of a label are next to each other; labels that are missing
//! have none.

use std::ops::Range;

use ndarray::ArrayView2;

use crate::data::scores::{Score, read_block};
use crate::error::{Error, Result};
use crate::machine::memory;
use crate::machine::workers::Workers;

/// Rows copied at a stretch.
const STRETCH: usize = 1 << 10;
/// Bytes of a cache line.
const CACHE_LINE: usize = 64;

/// Whether a row has a label: a number that is 0 or 1, or missing.
pub trait Indicator: Copy + Default + Send + Sync + 'static {
    /// What it says.
    fn said(self) -> Said;
    /// As a double.
    fn number(self) -> f64;
}

/// What a row says of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// It does not have it.
    No = 0,
    /// It has it.
    Yes = 1,
    /// That is not known.
    Nothing = 2,
    /// What is neither 0 nor 1.
    Other = 3,
}

macro_rules! impl_indicator {
    ($($t:ty),*) => {$(
        impl Indicator for $t {
            #[inline(always)]
            #[allow(clippy::eq_op, reason = "a NaN is no equal of itself; whole numbers are")]
            fn said(self) -> Said {
                if self == 0 as $t {
                    Said::No
                } else if self == 1 as $t {
                    Said::Yes
                } else if self != self {
                    Said::Nothing
                } else {
                    Said::Other
                }
            }
            #[allow(clippy::cast_lossless, reason = "for messages alone")]
            fn number(self) -> f64 {
                self as f64
            }
        }
    )*};
}
impl_indicator!(f64, i64, u8);

/// Entries, one label after the other.
#[derive(Debug, Default)]
pub struct Entries<T> {
    /// The score of each.
    pub scores: Vec<T>,
    /// The class of each.
    pub codes: Vec<u32>,
    /// The row of each.
    pub rows: Vec<u32>,
    /// How many each class has.
    pub sizes: Vec<usize>,
}

impl<T: Score> Entries<T> {
    /// Reads labels and scores, a row and a column each. Scores of missing labels are not looked at.
    pub fn new<Y: Indicator>(
        labels: &ArrayView2<'_, Y>,
        scores: &ArrayView2<'_, T>,
        workers: &Workers,
    ) -> Result<Self> {
        let (n, columns) = labels.dim();
        if scores.dim() != (n, columns) {
            return Err(Error::Shape("labels and scores differ in shape".into()));
        }
        if n > u32::MAX as usize || n.saturating_mul(columns) > u32::MAX as usize {
            return Err(Error::TooManyRows(n.saturating_mul(columns)));
        }
        let width = columns.div_ceil(workers.count()).clamp(1, CACHE_LINE / size_of::<T>());
        let blocks: Vec<Range<usize>> =
            (0..columns).step_by(width).map(|k| k..(k + width).min(columns)).collect();
        let counted = workers.map(blocks.len(), |k| count(labels, blocks[k].clone()));
        let sizes: Vec<usize> = counted.into_iter().collect::<Result<Vec<_>>>()?.concat();
        let total = sizes.iter().sum();
        let (mut all, mut codes, mut rows) =
            (memory::zeroed(total), memory::zeroed(total), memory::zeroed(total));
        let mut rest = (&mut all[..], &mut codes[..], &mut rows[..]);
        let mut pieces = Vec::with_capacity(blocks.len());
        for block in &blocks {
            let ends: Vec<usize> = (block.clone())
                .scan(0, |end, k| {
                    *end += sizes[2 * k] + sizes[2 * k + 1];
                    Some(*end)
                })
                .collect();
            let size = ends[ends.len() - 1];
            let (all, all_after) = rest.0.split_at_mut(size);
            let (codes, codes_after) = rest.1.split_at_mut(size);
            let (rows, rows_after) = rest.2.split_at_mut(size);
            pieces.push(Piece { columns: block.clone(), ends, scores: all, codes, rows });
            rest = (all_after, codes_after, rows_after);
        }
        let clean = workers.map_pieces(pieces, |_, piece| piece.fill(labels, scores));
        if clean.contains(&false) {
            return Err(nan_of_entry(labels, scores));
        }
        Ok(Self { scores: all, codes, rows, sizes })
    }
}

/// How many rows say no and yes to each of some labels.
fn count<Y: Indicator>(labels: &ArrayView2<'_, Y>, columns: Range<usize>) -> Result<Vec<usize>> {
    let mut counts = vec![[0usize; 4]; columns.len()];
    let mut buffer = Vec::new();
    for first in (0..labels.nrows()).step_by(STRETCH) {
        let rows = first..(first + STRETCH).min(labels.nrows());
        let block = read_block(labels, rows.clone(), columns.clone(), &mut buffer);
        for (column, counts) in block.chunks_exact(rows.len()).zip(&mut counts) {
            // Sums are done with vector instructions, a table is not.
            let of = |said: Said| column.iter().map(|y| u32::from(y.said() == said)).sum::<u32>();
            let (no, yes, nothing) = (of(Said::No), of(Said::Yes), of(Said::Nothing));
            let other = rows.len() as u32 - no - yes - nothing;
            for (sum, more) in counts.iter_mut().zip([no, yes, nothing, other]) {
                *sum += more as usize;
            }
        }
    }
    if counts.iter().any(|counts| counts[Said::Other as usize] > 0) {
        let wrong = labels.indexed_iter().find(|(_, y)| y.said() == Said::Other);
        let ((row, column), value) = wrong.map_or(((0, 0), 0.0), |(at, y)| (at, y.number()));
        return Err(Error::NotALabel { row, column, value });
    }
    Ok(counts.iter().flat_map(|counts| [counts[0], counts[1]]).collect())
}

/// Some labels, and where their entries go.
struct Piece<'a, T> {
    columns: Range<usize>,
    /// Where the entries of each label end.
    ends: Vec<usize>,
    scores: &'a mut [T],
    codes: &'a mut [u32],
    rows: &'a mut [u32],
}

impl<T: Score> Piece<'_, T> {
    /// Copies the entries; false if a score is NaN.
    fn fill<Y: Indicator>(self, labels: &ArrayView2<'_, Y>, scores: &ArrayView2<'_, T>) -> bool {
        let Self { columns, ends, scores: all, codes, rows } = self;
        let mut next: Vec<usize> =
            [0].into_iter().chain(ends.iter().copied()).take(columns.len()).collect();
        let (mut said, mut scored) = (Vec::new(), Vec::new());
        let mut clean = true;
        for first in (0..labels.nrows()).step_by(STRETCH) {
            let some = first..(first + STRETCH).min(labels.nrows());
            let said = read_block(labels, some.clone(), columns.clone(), &mut said);
            let scored = read_block(scores, some.clone(), columns.clone(), &mut scored);
            let each = said.chunks_exact(some.len()).zip(scored.chunks_exact(some.len()));
            for (k, (said, scored)) in each.enumerate() {
                let class = 2 * (columns.start + k) as u32;
                for ((row, y), &score) in some.clone().zip(said).zip(scored) {
                    let said = y.said();
                    // Where the next label begins nothing more is to come but what is missing.
                    let at = next[k];
                    if said == Said::Nothing {
                        continue;
                    }
                    clean &= !score.is_nan();
                    (all[at], codes[at], rows[at]) = (score, class + said as u32, row as u32);
                    next[k] = at + 1;
                }
            }
        }
        clean
    }
}

/// The error for the first NaN among the scores of entries.
fn nan_of_entry<Y: Indicator, T: Score>(
    labels: &ArrayView2<'_, Y>,
    scores: &ArrayView2<'_, T>,
) -> Error {
    let nan = |&((row, column), y): &((usize, usize), &Y)| {
        y.said() != Said::Nothing && scores[[row, column]].is_nan()
    };
    let (row, column) = labels.indexed_iter().find(nan).map_or((0, 0), |(at, _)| at);
    Error::NanScore { row, column: Some(column) }
}

#[cfg(test)]
mod tests {
    use ndarray::arr2;

    use super::*;

    #[test]
    fn missing_labels_have_no_entries() {
        let labels = arr2(&[[1.0, f64::NAN], [0.0, 1.0], [f64::NAN, 0.0]]);
        let scores = arr2(&[[0.1, f64::NAN], [0.2, 0.3], [0.4, 0.5]]);
        let found = Entries::new(&labels.view(), &scores.view(), &Workers::inline()).unwrap();
        assert_eq!(found.scores, [0.1, 0.2, 0.3, 0.5]);
        assert_eq!(found.codes, [1, 0, 3, 2]);
        assert_eq!(found.rows, [0, 1, 1, 2]);
        assert_eq!(found.sizes, [1, 1, 1, 1]);
    }

    #[test]
    fn faults_are_found_where_they_are() {
        let labels = arr2(&[[0i64, 1], [1, 2]]);
        let scores = arr2(&[[0.1f32, 0.2], [0.3, 0.4]]);
        let workers = Workers::inline();
        let error = Entries::new(&labels.view(), &scores.view(), &workers).unwrap_err();
        assert_eq!(error, Error::NotALabel { row: 1, column: 1, value: 2.0 });
        let labels = arr2(&[[0u8, 1], [1, 0]]);
        let scores = arr2(&[[0.1f32, 0.2], [f32::NAN, 0.4]]);
        let error = Entries::new(&labels.view(), &scores.view(), &workers).unwrap_err();
        assert_eq!(error, Error::NanScore { row: 1, column: Some(0) });
    }
}
