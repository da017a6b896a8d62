//! The AUC up to a false positive rate.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::measures::measure::{Derivative, Masses, Measure, Outcome, Point, Shared};
use crate::measures::options::Options;
use crate::order::wanted::{Orderings, Wanted};
use crate::walk::steps::{Start, Steps, Tied};

/// McClish's standardised partial AUC over FPR in [0, f].
///
/// With pAUC the area under the ROC curve (ties joined by straight lines) up to f, the result is
/// 1/2 [1 + (pAUC - f^2/2) / (f - f^2/2)]: 1/2 for chance, 1 for a perfect score, whatever f.
/// O(n log n).
pub struct PartialAuc {
    max_fpr: f64,
}

impl PartialAuc {
    /// Up to a false positive rate in (0, 1].
    pub fn new(max_fpr: f64) -> Result<Self> {
        if !(max_fpr > 0.0 && max_fpr <= 1.0) {
            return Err(Error::Domain(format!("max_fpr is {max_fpr:?}; it must be in (0, 1]")));
        }
        Ok(Self { max_fpr })
    }
}

impl Measure for PartialAuc {
    fn wanted(&self) -> Wanted {
        Orderings::SingleColumn.into()
    }
    fn counts_pairs(&self) -> bool {
        false
    }
    fn room(&self) -> usize {
        1
    }
    fn steps(&self) -> Option<Start<'_>> {
        Some(Box::new(|totals| {
            Box::new(Area {
                max_fpr: self.max_fpr,
                negatives: totals.others(),
                positives: totals.own().to_vec(),
                above: vec![CurvePoint::default(); totals.lanes],
                area: vec![0.0; totals.lanes],
                open: totals.lanes,
            })
        }))
    }
    fn take(&self, outcome: &Outcome<'_>, _: &Masses<'_>, room: &mut [f64]) {
        room.copy_from_slice(outcome.steps);
    }
    fn derivative(&self, _: &Point<'_>) -> Derivative {
        Derivative::Unknown
    }
    fn finish(&self, _: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        out.copy_from_slice(room);
    }
}

/// The area under the curves of many replicates. Masses, not rates, are added up, so that whole weights stay
/// exact.
struct Area {
    max_fpr: f64,
    negatives: Vec<f64>,
    positives: Vec<f64>,
    /// The point of each curve that is reached.
    above: Vec<CurvePoint>,
    area: Vec<f64>,
    /// Replicates whose limit is not reached.
    open: usize,
}

/// A point of a curve in masses; `done` beyond the limit.
#[derive(Clone, Copy, Default)]
struct CurvePoint {
    fp: f64,
    tp: f64,
    done: bool,
}

impl Steps for Area {
    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        for (lane, (&fp, &tp)) in tied.others.iter().zip(tied.own).enumerate() {
            let at = &mut self.above[lane];
            if at.done {
                continue;
            }
            let limit = self.max_fpr * self.negatives[lane];
            if at.fp + fp >= limit {
                let share = if fp > 0.0 { (limit - at.fp) / fp } else { 0.0 };
                self.area[lane] += (limit - at.fp) * (at.tp + 0.5 * share * tp);
                at.done = true;
                self.open -= 1;
                continue;
            }
            self.area[lane] += fp * (at.tp + 0.5 * tp);
            at.fp += fp;
            at.tp += tp;
        }
        if self.open == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// McClish's standardised areas; NaN where a class was lost.
    fn finish(self: Box<Self>, out: &mut [f64]) {
        let masses = self.negatives.iter().zip(&self.positives);
        for ((out, area), (n, p)) in out.iter_mut().zip(&self.area).zip(masses) {
            let (partial, least) = (area / (p * n), 0.5 * self.max_fpr * self.max_fpr);
            *out = 0.5 * (1.0 + (partial - least) / (self.max_fpr - least));
        }
    }
}

pub(super) fn make(options: &mut Options) -> Result<Shared> {
    Ok(Arc::new(PartialAuc::new(options.number("max_fpr")?)?))
}
