//! Which orderings a measure wants.

use std::sync::Arc;

use ndarray::Array2;

use crate::project::row_values::RowValue;

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
    /// The only column, for each label l its entries alone: class 2l + 1 against class 2l.
    Labels,
    /// A projection for each pair of classes; `None` is the argmax partition.
    Pairs {
        /// The cost matrix.
        partition: Option<Array2<f64>>,
        /// The unit roundoff of the scores as given.
        unit_roundoff: f64,
    },
    /// By no score but by what each row is worth, once for all rows or once against each class.
    Rows(RowValue),
}

impl Orderings {
    /// The favoured class of each ordering and those it is compared with, in the order in which measures are told. Of
    /// row values: the class that they are against, and those whose rows have them.
    pub fn contests(&self, present: &[usize]) -> Vec<(usize, Arc<[usize]>)> {
        let others = |i: usize| present.iter().copied().filter(|&j| j != i).collect();
        match self {
            Self::SingleColumn | Self::Pooled => vec![(1, Arc::new([0]))],
            Self::Nothing => Vec::new(),
            Self::Ordered => present.last().map(|&i| (i, others(i))).into_iter().collect(),
            Self::Rows(RowValue::Greatest | RowValue::Thresholds { .. }) => {
                vec![(present[0], Arc::from(present))]
            }
            Self::Columns | Self::Rows(RowValue::Against) => {
                present.iter().map(|&i| (i, others(i))).collect()
            }
            Self::Labels => {
                let both = present.windows(2).filter(|two| two[0] % 2 == 0 && two[1] == two[0] + 1);
                both.map(|two| (two[1], Arc::from([two[0]]))).collect()
            }
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
