//! Hand & Till's M.

use std::sync::Arc;

use ndarray::Array2;

use crate::count::columns::{Path, map_columns};
use crate::count::contrast::Contrast;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::weights::with_weighting;
use crate::error::Result;
use crate::measures::mean::LaneMeans;
use crate::measures::measure::{Gradient, Point};
use crate::measures::measure::{Masses, Outcome, Statistic};
use crate::measures::pairs::{PairWeights, Pairs};
use crate::order::wanted::Wanted;

/// A(i|j): the AUC of class i against class j by the scores of column i (HT01 s.3), for all pairs.
///
/// O(K n) after indexing, on average. Ties count one half.
pub fn conditional<T: Score>(sample: &Sample<'_, T>) -> Result<Pairs> {
    let rows = conditional_rows(sample, true)?;
    let count = sample.classes.count();
    let (auc, tied): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    Ok(Pairs { auc: square(count, auc), tied: square(count, tied) })
}

/// M = 2 / (K (K - 1)) sum_{i<j} A(i,j), A(i,j) = (A(i|j) + A(j|i)) / 2 (HT01 Eq. 7), or the average
/// of A(i,j) by other pair weights.
pub fn hand_till<T: Score>(sample: &Sample<'_, T>, pair_weights: &PairWeights<'_>) -> Result<f64> {
    let rows = conditional_rows(sample, false)?;
    let masses = sample.classes.masses();
    pair_weights.average(&masses, |i, j| 0.5 * (rows[i].0[j] + rows[j].0[i]))
}

/// A(i|j) and, if asked for, the tied shares, a row a class i.
fn conditional_rows<T: Score>(
    sample: &Sample<'_, T>,
    with_ties: bool,
) -> Result<Vec<(Vec<f64>, Vec<f64>)>> {
    let count = sample.classes.count();
    let own = Contrast::OwnColumns;
    with_weighting!(sample.weights, w => {
        map_columns(sample, w, own, with_ties, Path::Auto, |outcome| {
            let others = |value: &dyn Fn(usize) -> f64| -> Vec<f64> {
                (0..count).map(|j| if j == outcome.favoured { f64::NAN } else { value(j) }).collect()
            };
            let tied = if with_ties { others(&|j| outcome.tied(j)) } else { Vec::new() };
            (others(&|j| outcome.auc(j)), tied)
        })
    })
}

fn square(count: usize, rows: Vec<Vec<f64>>) -> Array2<f64> {
    Array2::from_shape_fn((count, count), |(i, j)| rows[i][j])
}

/// M in each replicate.
pub struct HandTill {
    /// The pair weights.
    pub pair_weights: Arc<PairWeights<'static>>,
}

impl Statistic for HandTill {
    fn wanted(&self) -> Wanted {
        Wanted::Columns
    }
    fn room(&self) -> usize {
        LaneMeans::ROOM
    }
    fn take(&self, outcome: &Outcome<'_>, masses: &Masses<'_>, room: &mut [f64]) {
        self.pair_weights.take(outcome, masses, room);
    }
    fn needs_point(&self) -> bool {
        matches!(*self.pair_weights, PairWeights::Prevalence)
    }
    fn gradients(&self, point: &Point<'_>) -> Vec<Gradient> {
        vec![self.pair_weights.gradient(point, true)]
    }
    fn value(&self, point: &Point<'_>) -> Option<f64> {
        let auc = |i, j| 0.5 * ((point.auc)(i, j) + (point.auc)(j, i));
        self.pair_weights.average(point.masses, auc).ok()
    }
    fn finish(&self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        PairWeights::finish(masses, room, out);
    }
}
