//! The AUC of two classes.

use ndarray::ArrayView1;

use crate::count::columns::{Path, map_columns};
use crate::count::contrast::Contrast;
use crate::data::classes::Classes;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::weights::{Weights, with_weighting};
use crate::error::Result;
use crate::machine::workers::Workers;
use crate::measures::measure::{Extra, Masses, Outcome, Statistic};
use crate::measures::measure::{Gradient, Point};
use crate::order::wanted::Wanted;

/// AUC = P(score of a class 1 row > score of a class 0 row) + P(tie) / 2.
///
/// HT01 Eq. 3; equal to Mann-Whitney's U over n_0 n_1 and to the area under the empirical ROC curve
/// by trapezoids (B97 Eq. 7). O(n) on average. Codes other than 0 and 1 are not allowed.
///
/// ```
/// use ndarray::arr1;
/// use polyroc::{data::weights::Weights, measures::auc::auc};
/// let scores = arr1(&[0.1, 0.4, 0.4, 0.8]);
/// assert_eq!(auc(scores.view(), &[0, 0, 1, 1], &Weights::Unit, 1).unwrap(), 0.875);
/// ```
pub fn auc<T: Score>(
    scores: ArrayView1<'_, T>,
    codes: &[u32],
    weights: &Weights<'_>,
    n_threads: usize,
) -> Result<f64> {
    let workers = Workers::new(n_threads, scores.len());
    let classes = Classes::new(codes, 2, weights, &workers)?;
    let sample = Sample::single_column(scores, &classes, &workers)?;
    auc_and_ties(&sample).map(|(auc, _)| auc)
}

/// The AUC and the share of tied pairs of a sample with one column.
pub fn auc_and_ties<T: Score>(sample: &Sample<'_, T>) -> Result<(f64, f64)> {
    let values = with_weighting!(sample.weights, w => {
        map_columns(sample, w, Contrast::SingleColumn, true, Path::Auto, |outcome| {
            (outcome.auc(0), outcome.tied(0))
        })
    })?;
    Ok(values[0])
}

/// The AUC in each replicate; or McClish's partial AUC up to a false positive rate
/// ([`crate::curves::partial`]); or the AUC and, as a second value, its standard error
/// ([`crate::walk::spread`]).
pub struct Auc {
    /// What is wanted beside, or instead of, the AUC.
    pub extra: Extra,
}

impl Statistic for Auc {
    fn wanted(&self) -> Wanted {
        Wanted::SingleColumn
    }
    fn extra(&self) -> Extra {
        self.extra
    }
    fn width(&self) -> usize {
        if self.extra == Extra::Error { 2 } else { 1 }
    }
    fn room(&self) -> usize {
        self.width()
    }
    fn take(&self, outcome: &Outcome<'_>, _: &Masses<'_>, room: &mut [f64]) {
        let lanes = outcome.lanes;
        match self.extra {
            Extra::AreaBelow(_) => room.copy_from_slice(outcome.extra),
            Extra::Nothing | Extra::Error => {
                (0..lanes).for_each(|lane| room[lane] = outcome.auc(0, lane));
                room[lanes..].copy_from_slice(outcome.extra);
            }
        }
    }
    fn gradients(&self, _: &Point<'_>) -> Vec<Gradient> {
        if matches!(self.extra, Extra::AreaBelow(_)) {
            return Vec::new();
        }
        let contrast = Box::new(|_, _| 1.0);
        vec![Gradient { only: None, contrast, mass: Vec::new() }]
    }
    fn value(&self, point: &Point<'_>) -> Option<f64> {
        (self.extra == Extra::Nothing).then(|| (point.auc)(1, 0))
    }
    fn finish(&self, _: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        out.copy_from_slice(room);
    }
}
