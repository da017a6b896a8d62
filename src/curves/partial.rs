//! The AUC over a range of false positive rates.

use std::ops::Range;

use ndarray::ArrayView1;

use crate::data::scores::{Score, locate_nan};
use crate::data::weights::Weights;
use crate::data::weights::check_lengths;
use crate::error::{Error, Result};
use crate::order::ordering::Ordering;

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
    Ok(standardise(area / (positives * negatives), max_fpr))
}

/// The same area in many replicates: rows of one ordering from the highest score down, weighed anew.
pub struct LaneArea {
    max_fpr: f64,
    negatives: Vec<f64>,
    positives: Vec<f64>,
    /// Weights above the rows at hand, and of the tie group at hand.
    above: Vec<Curve>,
    tied: Vec<Curve>,
    area: Vec<f64>,
    /// Replicates whose limit is not reached.
    open: usize,
    /// Tie groups still to come.
    ties: Option<usize>,
}

/// A point of a curve in masses, or a step along it; `done` beyond the limit.
#[derive(Clone, Copy, Default)]
struct Curve {
    fp: f64,
    tp: f64,
    done: bool,
}

impl LaneArea {
    /// Replicates with their negative and positive weight.
    pub fn new(max_fpr: f64, negatives: &[f64], positives: &[f64]) -> Self {
        let lanes = negatives.len();
        Self {
            max_fpr,
            negatives: negatives.to_vec(),
            positives: positives.to_vec(),
            above: vec![Curve::default(); lanes],
            tied: vec![Curve::default(); lanes],
            area: vec![0.0; lanes],
            open: lanes,
            ties: None,
        }
    }

    /// Goes down a stretch of rows, which must come from the last one to the first;
    /// `weight(k, lane)` is that of the k-th row of the stretch.
    pub fn descend(
        &mut self,
        ordering: &Ordering,
        rows: Range<usize>,
        weight: impl Fn(usize, usize) -> f64,
    ) {
        for k in (0..rows.len()).rev() {
            if self.open == 0 {
                return;
            }
            let row = rows.start + k;
            let positive = ordering.group[row] == 1;
            for (lane, tied) in self.tied.iter_mut().enumerate() {
                *(if positive { &mut tied.tp } else { &mut tied.fp }) += weight(k, lane);
            }
            let ties = self.ties.get_or_insert(ordering.ties.len());
            let tie = ties.checked_sub(1).map(|last| ordering.ties[last]);
            match tie {
                Some((first, end)) if (first as usize..end as usize).contains(&row) => {
                    if row == first as usize {
                        *ties -= 1;
                        self.step();
                    }
                }
                _ => self.step(),
            }
        }
    }

    /// Draws the line across the tie group at hand.
    fn step(&mut self) {
        for lane in 0..self.area.len() {
            let step = std::mem::take(&mut self.tied[lane]);
            let at = &mut self.above[lane];
            if at.done {
                continue;
            }
            let limit = self.max_fpr * self.negatives[lane];
            if at.fp + step.fp >= limit {
                let share = if step.fp > 0.0 { (limit - at.fp) / step.fp } else { 0.0 };
                self.area[lane] += (limit - at.fp) * (at.tp + 0.5 * share * step.tp);
                at.done = true;
                self.open -= 1;
                continue;
            }
            self.area[lane] += step.fp * (at.tp + 0.5 * step.tp);
            at.fp += step.fp;
            at.tp += step.tp;
        }
    }

    /// McClish's standardised areas; NaN where a class was lost.
    pub fn standardised(&self) -> Vec<f64> {
        let masses = self.negatives.iter().zip(&self.positives);
        let areas = self.area.iter().zip(masses);
        areas.map(|(area, (n, p))| standardise(area / (p * n), self.max_fpr)).collect()
    }
}

fn standardise(partial: f64, max_fpr: f64) -> f64 {
    let least = 0.5 * max_fpr * max_fpr;
    0.5 * (1.0 + (partial - least) / (max_fpr - least))
}
