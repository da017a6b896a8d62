//! The AUCs of all pairs of classes by their columns, of each class against the rest, and of all scores pooled.

use ndarray::Array2;

use crate::count::columns::{Path, map_columns};
use crate::count::contrast::Contrast;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::weights::{Real, Weighting, Weights, Whole, with_weighting};
use crate::error::Result;

/// Values for all ordered pairs of classes; NaN on the diagonal and where a class is absent.
pub struct Pairs {
    /// The AUC of each pair.
    pub auc: Array2<f64>,
    /// The share of tied pairs of rows.
    pub tied: Array2<f64>,
}

/// A(i|j): the AUC of class i against class j by the scores of column i (HT01 s.3), for all pairs.
///
/// O(K n) after indexing, on average. Ties count one half.
pub fn conditional<T: Score>(sample: &Sample<'_, T>) -> Result<Pairs> {
    let count = sample.classes.count();
    let (mut auc, mut tied) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for column in by_column(sample, Asked { pairs: true, ties: true })? {
        auc.push(column.auc);
        tied.push(column.tied);
    }
    let square = |rows: Vec<Vec<f64>>| Array2::from_shape_fn((count, count), |(i, j)| rows[i][j]);
    Ok(Pairs { auc: square(auc), tied: square(tied) })
}

/// A class by its own column.
pub struct Column {
    /// The AUC against each class, NaN for itself; if asked for.
    pub auc: Vec<f64>,
    /// The share of tied pairs with each class, if asked for.
    pub tied: Vec<f64>,
    /// The AUC against all other classes together; NaN for a class without rows.
    pub rest: f64,
}

/// What is asked for of every column beside the AUC against the rest.
#[derive(Clone, Copy)]
pub struct Asked {
    /// The AUC against each class: K numbers per column.
    pub pairs: bool,
    /// The share of ties with each class.
    pub ties: bool,
}

/// Every class by its own column.
pub fn by_column<T: Score>(sample: &Sample<'_, T>, asked: Asked) -> Result<Vec<Column>> {
    let count = sample.classes.count();
    let own = Contrast::OwnColumns;
    with_weighting!(sample.weights, w => {
        map_columns(sample, w, own, asked.ties, Path::Auto, |outcome| {
            let others = |wanted: bool, value: &dyn Fn(usize) -> f64| -> Vec<f64> {
                let value = |j| if j == outcome.favoured { f64::NAN } else { value(j) };
                if wanted { (0..count).map(value).collect() } else { Vec::new() }
            };
            Column {
                auc: others(asked.pairs, &|j| outcome.auc(j)),
                tied: others(asked.ties, &|j| outcome.tied(j)),
                rest: outcome.auc_rest(),
            }
        })
    })
}

/// The AUC of all n K scores together, a score being positive where its column is the class of its row.
pub fn pooled<T: Score>(sample: &Sample<'_, T>) -> Result<f64> {
    // The mass of all n K scores may be more than what serves n rows.
    let columns = sample.scores.ncols();
    match sample.weights {
        Weights::Unit if sample.scores.len() > u32::MAX as usize => {
            let ones = vec![1.0; sample.scores.nrows()];
            pooled_with(sample, Whole(&ones))
        }
        Weights::Whole(weights)
            if weights.iter().sum::<f64>() as u64 > u64::MAX / columns as u64 =>
        {
            pooled_with(sample, Real(weights))
        }
        weights => with_weighting!(weights, w => pooled_with(sample, w)),
    }
}

fn pooled_with<T: Score, W: Weighting>(sample: &Sample<'_, T>, weighting: W) -> Result<f64> {
    let pooled = Contrast::Pooled;
    let values =
        map_columns(sample, weighting, pooled, false, Path::Auto, |outcome| outcome.auc(0))?;
    Ok(values[0])
}
