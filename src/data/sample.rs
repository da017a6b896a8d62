//! What every measure is given: scores, classes, weights, checked once.

use ndarray::{ArrayView1, ArrayView2, Axis};

use crate::data::classes::Classes;
use crate::data::scores::Score;
use crate::data::weights::{Weights, check_lengths};
use crate::error::{Error, Result};
use crate::machine::workers::Workers;

/// Labelled and scored rows. Column k of the scores belongs to class k.
pub struct Sample<'a, T> {
    /// Scores, rows by classes, in any memory order.
    pub scores: ArrayView2<'a, T>,
    /// The rows of each class.
    pub classes: &'a Classes<'a>,
    /// What each row counts.
    pub weights: &'a Weights<'a>,
    /// Who does the work.
    pub workers: &'a Workers,
}

impl<'a, T: Score> Sample<'a, T> {
    /// One column a class. Checks that scores, classes and weights fit together and that two classes have rows.
    pub fn new(
        scores: ArrayView2<'a, T>,
        classes: &'a Classes<'a>,
        workers: &'a Workers,
    ) -> Result<Self> {
        let columns = scores.ncols();
        if columns != classes.count() {
            return Err(Error::Shape(format!(
                "{columns} score columns for {} classes",
                classes.count()
            )));
        }
        Self::checked(scores, classes, workers)
    }

    /// One score a row, that of class 1, for two classes.
    pub fn single_column(
        scores: ArrayView1<'a, T>,
        classes: &'a Classes<'a>,
        workers: &'a Workers,
    ) -> Result<Self> {
        Self::checked(scores.insert_axis(Axis(1)), classes, workers)
    }

    /// The scores of a label's entries, of class 2l + 1 and of class 2l, each with what `carried(row)` says.
    pub fn sides_of_label<R>(
        &self,
        label: usize,
        carried: impl Fn(usize) -> R,
    ) -> [Vec<(T, R)>; 2] {
        let Self { classes, weights, .. } = self;
        let column = self.scores.index_axis(Axis(1), 0);
        let [other, own] = [0, 1].map(|k| Vec::with_capacity(classes.size(2 * label + k)));
        let mut sides = [own, other];
        match (classes.label_span(label), column.as_slice()) {
            (Some(span), Some(column)) => {
                for row in span.filter(|&row| weights.is_positive(row)) {
                    let side = usize::from(classes.codes[row] % 2 == 0);
                    sides[side].push((column[row], carried(row)));
                }
            }
            _ => {
                for (side, class) in sides.iter_mut().zip([2 * label + 1, 2 * label]) {
                    let rows = classes.rows(class).iter().map(|&row| row as usize);
                    side.extend(rows.map(|row| (column[row], carried(row))));
                }
            }
        }
        sides
    }

    /// The only column, or the second of two, as a sample of its own.
    pub fn last_column(&self) -> Result<Sample<'_, T>> {
        let column = self.scores.index_axis(Axis(1), self.scores.ncols() - 1);
        Sample::single_column(column, self.classes, self.workers)
    }

    /// An error of [`Self::last_column`], with its place in all scores.
    pub fn in_last_column(&self, error: Error) -> Error {
        error.in_column(self.scores.ncols(), self.scores.ncols() - 1)
    }

    fn checked(
        scores: ArrayView2<'a, T>,
        classes: &'a Classes<'a>,
        workers: &'a Workers,
    ) -> Result<Self> {
        check_lengths(scores.nrows(), classes.codes, classes.weights)?;
        if classes.present() < 2 {
            return Err(Error::FewerThanTwoClasses);
        }
        Ok(Self { scores, classes, weights: classes.weights, workers })
    }
}
