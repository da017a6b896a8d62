//! The proportion correct to be expected where the threshold is the score of a row drawn at random.

use std::sync::Arc;

use crate::error::Result;
use crate::measures::measure::{Derivative, Gradient, Masses, Measure, Outcome, Point, Shared};
use crate::measures::options::Options;
use crate::order::wanted::{Orderings, Wanted};

/// r = (pi_0^2 + pi_1^2) / 2 + 2 pi_0 pi_1 AUC (HT01 Eq. 5), pi_i the share of class i.
///
/// O(n), by counting.
pub struct ExpectedCorrect;

pub(super) fn make(_: &mut Options) -> Result<Shared> {
    Ok(Arc::new(ExpectedCorrect))
}

impl Measure for ExpectedCorrect {
    fn wanted(&self) -> Wanted {
        Orderings::SingleColumn.into()
    }
    fn room(&self) -> usize {
        1
    }
    fn take(&self, outcome: &Outcome<'_>, _: &Masses<'_>, room: &mut [f64]) {
        (0..outcome.lanes).for_each(|lane| room[lane] = outcome.auc(0, lane));
    }
    fn finish(&self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        for (lane, (out, auc)) in out.iter_mut().zip(room).enumerate() {
            let total = masses.total(lane);
            let (pi_0, pi_1) = (masses.of(0, lane) / total, masses.of(1, lane) / total);
            *out = 0.5 * (pi_0 * pi_0 + pi_1 * pi_1) + 2.0 * pi_0 * pi_1 * *auc;
        }
    }
    fn needs_point(&self, masses_vary: bool) -> bool {
        masses_vary
    }
    /// dr / dAUC = 2 pi_0 pi_1, and with r_i = pi_i + 2 pi_(1-i) AUC the derivative by the share of class i alone,
    /// dr / dm_i = pi_(1-i) (r_i - r_(1-i)) / m.
    fn derivative(&self, at: &Point<'_>) -> Derivative {
        let total = at.masses[0] + at.masses[1];
        let pi = [at.masses[0] / total, at.masses[1] / total];
        let contrast = Box::new(move |_, _| 2.0 * pi[0] * pi[1]);
        let auc = (at.auc)(1, 0);
        let by_share = [0, 1].map(|i| pi[i] + 2.0 * pi[1 - i] * auc);
        let mass = [0, 1].map(|i| pi[1 - i] * (by_share[i] - by_share[1 - i]) / total).to_vec();
        Derivative::OfAucs(vec![Gradient { only: None, contrast, mass }])
    }
}
