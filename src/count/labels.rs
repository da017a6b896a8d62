//! The AUC of every label by its entries.

use crate::count::two_classes::Duel;
use crate::data::sample::Sample;
use crate::data::scores::{Score, reject_nan};
use crate::data::weights::{Weighting, with_weighting};
use crate::error::Result;

/// The AUC of class 2l + 1 against class 2l for each label l, by the only column; NaN for a label without both.
pub fn by_label<T: Score>(sample: &Sample<'_, T>) -> Result<Vec<f64>> {
    reject_nan(&sample.scores, true, sample.workers)?;
    Ok(with_weighting!(sample.weights, w => {
        sample.workers.map(sample.classes.count() / 2, |label| auc(sample, w, label))
    }))
}

fn auc<T: Score, W: Weighting>(sample: &Sample<'_, T>, weighting: W, label: usize) -> f64 {
    let sides = sample.sides_of_label(label, |row| weighting.row(row));
    Duel::<T, W>::default().compare(&sides[0], &sides[1], -1.0).0.auc()
}
