//! Rows whatever the type of their scores, for what is computed in doubles.

use ndarray::Axis;

use crate::data::classes::Classes;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::machine::workers::Workers;

/// Scored and labelled rows.
pub trait Table: Sync {
    /// The class of each row.
    fn classes(&self) -> &Classes<'_>;
    /// How many columns of scores.
    fn columns(&self) -> usize;
    /// The scores of all rows in a column, as doubles.
    fn column(&self, column: usize) -> Vec<f64>;
    /// Who does the work.
    fn workers(&self) -> &Workers;
}

impl<T: Score> Table for Sample<'_, T> {
    fn classes(&self) -> &Classes<'_> {
        self.classes
    }
    fn columns(&self) -> usize {
        self.scores.ncols()
    }
    fn column(&self, column: usize) -> Vec<f64> {
        self.scores.index_axis(Axis(1), column).iter().map(|score| score.to_f64()).collect()
    }
    fn workers(&self) -> &Workers {
        self.workers
    }
}
