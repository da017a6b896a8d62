//! The AUC of two classes.

use ndarray::{ArrayView1, Axis};

use crate::error::{Error, Result};
use crate::sample::check_lengths;
use crate::scores::{Score, locate_nan};
use crate::two_sample;
use crate::weights::{Weights, with_weighting};
use crate::workers::Workers;

/// AUC = P(score of a class 1 row > score of a class 0 row) + P(tie) / 2.
///
/// HT01 Eq. 3; equal to Mann-Whitney's U over n_0 n_1 and to the area under the empirical ROC curve
/// by trapezoids (B97 Eq. 7). O(n) on average. Codes other than 0 and 1 are not allowed.
///
/// ```
/// use ndarray::arr1;
/// use polyroc::{measures::auc::auc, weights::Weights};
/// let scores = arr1(&[0.1, 0.4, 0.4, 0.8]);
/// assert_eq!(auc(scores.view(), &[0, 0, 1, 1], &Weights::Unit, 1).unwrap(), 0.875);
/// ```
pub fn auc<T: Score>(
    scores: ArrayView1<'_, T>,
    codes: &[u32],
    weights: &Weights,
    n_threads: usize,
) -> Result<f64> {
    auc_and_ties(scores, codes, weights, n_threads).map(|(auc, _)| auc)
}

/// The AUC and the share of tied pairs.
pub fn auc_and_ties<T: Score>(
    scores: ArrayView1<'_, T>,
    codes: &[u32],
    weights: &Weights,
    n_threads: usize,
) -> Result<(f64, f64)> {
    check_lengths(scores.len(), codes, weights)?;
    if scores.len() > u32::MAX as usize {
        return Err(Error::TooManyRows(scores.len()));
    }
    let workers = Workers::new(n_threads, 8 * scores.len());
    let values = with_weighting!(weights, w => {
        two_sample::compare(scores, codes, w, &workers).map(|tally| (tally.auc(), tally.tied()))
    });
    match values {
        None => Err(locate_nan(&scores.insert_axis(Axis(1)), true)),
        Some((auc, _)) if auc.is_nan() => Err(Error::FewerThanTwoClasses),
        Some(values) => Ok(values),
    }
}
