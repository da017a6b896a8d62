//! One class against all others.

use crate::columns::{Path, map_columns};
use crate::contrast::Contrast;
use crate::error::Result;
use crate::sample::Sample;
use crate::scores::Score;
use crate::weights::{Real, Weighting, Weights, Whole, with_weighting};

/// The AUC of each class i against all other rows by column i; NaN for a class without rows.
///
/// Their mean is the macro average; weighted by prevalence it is Provost & Domingos' (KP19 s.2).
pub fn one_vs_rest<T: Score>(sample: &Sample<'_, T>) -> Result<Vec<f64>> {
    with_weighting!(sample.weights, w => {
        map_columns(sample, w, Contrast::OwnColumns, false, Path::Auto, |outcome| {
            outcome.auc_rest()
        })
    })
}

/// The micro average: the AUC of all n K scores together, a score being positive where its column is
/// the class of its row.
pub fn micro<T: Score>(sample: &Sample<'_, T>) -> Result<f64> {
    // The mass of all n K scores may be more than what serves n rows.
    let columns = sample.scores.ncols();
    match sample.weights {
        Weights::Unit if sample.scores.len() > u32::MAX as usize => {
            let ones = vec![1; sample.scores.nrows()];
            micro_with(sample, Whole(&ones))
        }
        Weights::Whole(weights) if weights.iter().sum::<u64>() > u64::MAX / columns as u64 => {
            let weights: Vec<f64> = weights.iter().map(|&weight| weight as f64).collect();
            micro_with(sample, Real(&weights))
        }
        weights => with_weighting!(weights, w => micro_with(sample, w)),
    }
}

fn micro_with<T: Score, W: Weighting>(sample: &Sample<'_, T>, weighting: W) -> Result<f64> {
    let pooled = Contrast::Pooled;
    let values =
        map_columns(sample, weighting, pooled, false, Path::Auto, |outcome| outcome.auc(0))?;
    Ok(values[0])
}
