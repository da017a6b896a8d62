//! The AUC of two classes.

use std::sync::Arc;

use crate::error::Result;
use crate::measures::measure::{Derivative, Masses, Measure, Outcome, Point, Shared, of_one_auc};
use crate::measures::options::Options;
use crate::order::wanted::{Orderings, Wanted};

/// AUC = P(score of a class 1 row > score of a class 0 row) + P(tie) / 2.
///
/// HT01 Eq. 3; equal to Mann-Whitney's U over n_0 n_1 and to the area under the empirical ROC curve
/// by trapezoids (B97 Eq. 7). O(n) on average.
pub struct Auc;

pub(super) fn make(_: &mut Options) -> Result<Shared> {
    Ok(Arc::new(Auc))
}

impl Measure for Auc {
    fn wanted(&self) -> Wanted {
        Orderings::SingleColumn.into()
    }
    fn room(&self) -> usize {
        1
    }
    fn take(&self, outcome: &Outcome<'_>, _: &Masses<'_>, room: &mut [f64]) {
        (0..outcome.lanes).for_each(|lane| room[lane] = outcome.auc(0, lane));
    }
    fn is_auc(&self) -> bool {
        true
    }
    fn derivative(&self, _: &Point<'_>) -> Derivative {
        of_one_auc()
    }
    fn finish(&self, _: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        out.copy_from_slice(room);
    }
}
