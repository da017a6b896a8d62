//! Scores regrouped by class.

use std::ops::Range;

use ndarray::ArrayView2;

use crate::data::classes::Classes;
use crate::data::sample::Sample;
use crate::data::scores::{Score, any_nan, locate_nan, read_block, reject_nan};
use crate::error::Result;
use crate::machine::memory;

/// Rows regrouped at a stretch.
const STRETCH: usize = 1 << 10;

/// A copy of the scores, column after column and class after class within a column, so that the scores
/// of one class in one column are contiguous. Rows of weight zero are left out.
pub struct ByClass<'a, T> {
    /// The classes.
    pub classes: &'a Classes<'a>,
    scores: Vec<T>,
}

impl<'a, T: Score> ByClass<'a, T> {
    /// Copies the scores; fails on NaN.
    pub fn new(sample: &'a Sample<'_, T>) -> Result<Self> {
        let (scores, classes) = (&sample.scores, sample.classes);
        if classes.len() < scores.nrows() {
            // Rows of weight zero are not copied, but NaN is an error wherever it stands.
            reject_nan(scores, false, sample.workers)?;
        }
        let columns = scores.ncols();
        let width = columns.div_ceil(sample.workers.count()).clamp(1, 128 / size_of::<T>());
        let mut grouped = memory::zeroed(classes.len() * columns);
        let pieces = grouped.chunks_mut(width * classes.len()).collect();
        let clean = sample.workers.map_pieces(pieces, |k, piece| {
            let columns = k * width..((k + 1) * width).min(columns);
            regroup(scores, classes, columns, piece)
        });
        if clean.contains(&false) {
            return Err(locate_nan(scores, false));
        }
        Ok(Self { classes, scores: grouped })
    }

    /// The scores of a class's rows in one column.
    pub fn column(&self, class: usize, column: usize) -> &[T] {
        let span = self.classes.span(class);
        let first = column * self.classes.len();
        &self.scores[first + span.start..first + span.end]
    }
}

/// Copies some columns, each row to its place among its class; false if a score is NaN.
fn regroup<T: Score>(
    scores: &ArrayView2<'_, T>,
    classes: &Classes<'_>,
    columns: Range<usize>,
    out: &mut [T],
) -> bool {
    let height = classes.len();
    let mut next: Vec<u32> =
        (0..classes.count()).map(|class| classes.span(class).start as u32).collect();
    let mut places = Vec::new();
    let mut buffer = Vec::new();
    for first in (0..scores.nrows()).step_by(STRETCH) {
        let rows = first..(first + STRETCH).min(scores.nrows());
        let block = read_block(scores, rows.clone(), columns.clone(), &mut buffer);
        if any_nan(block) {
            return false;
        }
        // Where each row of positive weight goes, and which row of the block it is.
        places.clear();
        for (a, row) in rows.clone().enumerate() {
            if classes.weights.is_positive(row) {
                let place = &mut next[classes.codes[row] as usize];
                places.push((*place, a as u32));
                *place += 1;
            }
        }
        for (column, out) in block.chunks_exact(rows.len()).zip(out.chunks_exact_mut(height)) {
            for &(place, a) in &places {
                out[place as usize] = column[a as usize];
            }
        }
    }
    true
}
