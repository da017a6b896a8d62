//! One class against all others.

use crate::columns::{Path, map_columns};
use crate::contrast::Contrast;
use crate::error::Result;
use crate::sample::Sample;
use crate::scores::Score;
use crate::weights::with_weighting;

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
    let values = with_weighting!(sample.weights, w => {
        map_columns(sample, w, Contrast::Pooled, false, Path::Auto, |outcome| {
            outcome.auc(0)
        })
    })?;
    Ok(values[0])
}
