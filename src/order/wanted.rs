//! Which orderings a measure wants.

use ndarray::Array2;

/// Orderings that a statistic wants walked.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// The only column, or the second of two: class 1 against class 0.
    SingleColumn,
    /// Each class's own column, against every other class.
    Columns,
    /// All scores together: those of the row's own class against the others.
    Pooled,
    /// A projection for each pair of classes; `None` is the argmax partition.
    Pairs {
        /// The cost matrix.
        partition: Option<Array2<f64>>,
        /// The unit roundoff of the scores as given.
        unit_roundoff: f64,
    },
}
