//! The AUC over a range of false positive rates.

use ndarray::ArrayView1;

use crate::error::{Error, Result};
use crate::sample::check_lengths;
use crate::scores::{Score, locate_nan};
use crate::weights::Weights;

/// McClish's standardised partial AUC over FPR in [0, f].
///
/// With pAUC the area under the ROC curve (ties joined by straight lines) up to f, the result is
/// 1/2 [1 + (pAUC - f^2/2) / (f - f^2/2)]: 1/2 for chance, 1 for a perfect score, whatever f.
/// O(n log n).
pub fn auc_below<T: Score>(
    scores: ArrayView1<'_, T>,
    codes: &[u32],
    weights: &Weights<'_>,
    max_fpr: f64,
) -> Result<f64> {
    check_lengths(scores.len(), codes, weights)?;
    if !(max_fpr > 0.0 && max_fpr <= 1.0) {
        return Err(Error::Domain(format!("max_fpr is {max_fpr:?}; it must be in (0, 1]")));
    }
    if codes.iter().any(|&code| code > 1) {
        return Err(Error::Shape("a class code is neither 0 nor 1".into()));
    }
    if scores.iter().any(|x| x.is_nan()) {
        return Err(locate_nan(&scores.insert_axis(ndarray::Axis(1)), true));
    }
    // The sign of the weight tells the class: nothing else has to be carried through the sort.
    let mut rows: Vec<(T, f64)> = scores
        .iter()
        .zip(codes)
        .enumerate()
        .map(|(row, (&x, &code))| (x, weights.weight(row) * if code == 1 { 1.0 } else { -1.0 }))
        .collect();
    rows.sort_unstable_by(|a, b| b.0.order(&a.0));
    let mass =
        |rows: &[(T, f64)], sign: f64| rows.iter().map(|row| (sign * row.1).max(0.0)).sum::<f64>();
    let (positives, negatives) = (mass(&rows, 1.0), mass(&rows, -1.0));
    if !(positives > 0.0 && negatives > 0.0) {
        return Err(Error::FewerThanTwoClasses);
    }
    // Walk down the scores; each tie group is one straight piece of the curve. Masses, not rates,
    // are added up, so that whole weights stay exact.
    let limit = max_fpr * negatives;
    let (mut fp, mut tp, mut area) = (0.0, 0.0, 0.0);
    for group in rows.chunk_by(|a, b| a.0 == b.0) {
        let (more_tp, more_fp) = (mass(group, 1.0), mass(group, -1.0));
        if fp + more_fp >= limit {
            let share = if more_fp > 0.0 { (limit - fp) / more_fp } else { 0.0 };
            area += (limit - fp) * (tp + 0.5 * share * more_tp);
            break;
        }
        area += more_fp * (tp + 0.5 * more_tp);
        fp += more_fp;
        tp += more_tp;
    }
    let partial = area / (positives * negatives);
    let least = 0.5 * max_fpr * max_fpr;
    Ok(0.5 * (1.0 + (partial - least) / (max_fpr - least)))
}
