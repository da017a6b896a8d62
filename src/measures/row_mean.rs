//! The mean of what rows are worth: the proportion correct, at the greatest score or over thresholds.

use std::sync::Arc;

use crate::error::Result;
use crate::measures::measure::{Derivative, Gradient, Masses, Measure, Outcome, Point, Shared};
use crate::measures::options::Options;
use crate::order::wanted::{Orderings, Wanted};
use crate::project::row_values::RowValue;

/// sum of w_a v_a / sum of w_a over all rows a, w_a their weights.
///
/// With v_a whether the row's own class has its greatest score (ties shared) it is HT01's C1; with the share of a
/// distribution of thresholds at which the row is put into its own class, the proportion correct to be expected
/// (HA13 s.2). O(n K), or O(n).
pub struct RowMean {
    /// What a row is worth: one value for all rows, not one against each class.
    value: RowValue,
}

pub(super) fn make_greatest(_: &mut Options) -> Result<Shared> {
    Ok(Arc::new(RowMean { value: RowValue::Greatest }))
}

/// `a` and `b`, the shapes of the Beta distribution of thresholds.
pub(super) fn make_at_thresholds(options: &mut Options) -> Result<Shared> {
    let (a, b) = (options.number("a")?, options.number("b")?);
    Ok(Arc::new(RowMean { value: RowValue::Thresholds { a, b } }))
}

impl Measure for RowMean {
    fn wanted(&self) -> Wanted {
        Orderings::Rows(self.value).into()
    }
    fn counts_pairs(&self) -> bool {
        false
    }
    fn room(&self) -> usize {
        1
    }
    fn take(&self, outcome: &Outcome<'_>, _: &Masses<'_>, room: &mut [f64]) {
        for (lane, room) in room.iter_mut().enumerate() {
            let sum = |values: &[f64]| {
                let values = outcome.others.iter().map(|&j| values[j * outcome.lanes + lane]);
                values.fold(0.0, |sum, x| sum + x)
            };
            *room = sum(outcome.row_sums) / sum(outcome.row_masses);
        }
    }
    fn finish(&self, _: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        out.copy_from_slice(room);
    }
    fn needs_point(&self, masses_vary: bool) -> bool {
        masses_vary
    }
    /// f = S / m over all classes: df / dS = 1 / m and df / dm = -f / m.
    fn derivative(&self, at: &Point<'_>) -> Derivative {
        let present = at.present.iter();
        let total: f64 = present.clone().map(|&i| at.masses[i]).sum();
        let sum: f64 = present.map(|&i| at.masses[i] * (at.auc)(at.present[0], i)).sum();
        let contrast = Box::new(move |_, _| 1.0 / total);
        let mass = vec![-sum / (total * total); at.masses.len()];
        Derivative::OfAucs(vec![Gradient { only: None, contrast, mass }])
    }
}
