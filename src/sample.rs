//! What every measure is given: scores, classes, weights, checked once.

use ndarray::{ArrayView1, ArrayView2, Axis};

use crate::classes::Classes;
use crate::error::{Error, Result};
use crate::scores::Score;
use crate::weights::Weights;
use crate::workers::Workers;

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

/// Fails unless there is one code, and one weight if there are weights, for each row of scores.
pub fn check_lengths(rows: usize, codes: &[u32], weights: &Weights<'_>) -> Result<()> {
    let weighted = match weights {
        Weights::Unit => rows,
        Weights::Whole(weights) => weights.len(),
        Weights::Real(weights) => weights.len(),
    };
    if codes.len() != rows || weighted != rows {
        return Err(Error::Shape(format!(
            "{rows} rows of scores, {} class codes and {weighted} weights; lengths must agree",
            codes.len()
        )));
    }
    Ok(())
}
