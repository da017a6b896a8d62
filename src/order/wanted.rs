//! Which orderings a measure wants.

use std::sync::Arc;

use ndarray::Array2;

/// The orderings of a measure, and what it asks of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Which ones.
    pub orderings: Orderings,
    /// Whether favoured rows of one score that tie with no others are to be marked too: pairs of rows
    /// do not depend on it, the points of a curve do.
    pub all_ties: bool,
}

impl From<Orderings> for Wanted {
    fn from(orderings: Orderings) -> Self {
        Self { orderings, all_ties: false }
    }
}

/// What rows are sorted by.
#[derive(Clone, Debug, PartialEq)]
pub enum Orderings {
    /// The only column, or the second of two: class 1 against class 0.
    SingleColumn,
    /// The only column: all classes, the last of them favoured, every tie of several classes marked.
    Ordered,
    /// None: the rows themselves are looked at.
    Nothing,
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

impl Orderings {
    /// The favoured class of each ordering and those it is compared with, in the order in which measures are told.
    pub fn contests(&self, present: &[usize]) -> Vec<(usize, Arc<[usize]>)> {
        let others = |i: usize| present.iter().copied().filter(|&j| j != i).collect();
        match self {
            Self::SingleColumn | Self::Pooled => vec![(1, Arc::new([0]))],
            Self::Nothing => Vec::new(),
            Self::Ordered => present.last().map(|&i| (i, others(i))).into_iter().collect(),
            Self::Columns => present.iter().map(|&i| (i, others(i))).collect(),
            Self::Pairs { .. } => {
                // Of many classes there are very many pairs: those with the same class j share it.
                let other: Vec<Arc<[usize]>> = present.iter().map(|&j| Arc::from([j])).collect();
                let first = present.iter().enumerate();
                first
                    .flat_map(|(k, &i)| other[k + 1..].iter().map(move |j| (i, Arc::clone(j))))
                    .collect()
            }
        }
    }
}
