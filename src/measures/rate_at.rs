//! The ROC curve at a rate.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::error::Result;
use crate::measures::measure::Shared;
use crate::measures::on_curve::OnCurve;
use crate::measures::options::Options;
use crate::measures::ties::NEAR;
use crate::walk::steps::{Steps, Tied, Totals};

/// TPR at a FPR, or FPR at a TPR, straight between the points of the curve: the greatest TPR where it is vertical,
/// the least FPR where it is horizontal.
///
/// A point is at a rate if it is so but for the rounding of sums of weights: then 29 rows of 100 are at 0.29, whatever
/// they weigh each. O(n log n).
struct RateAt {
    rate: f64,
    of_tpr: bool,
}

/// TPR at a `fpr`.
pub(super) fn make_tpr(options: &mut Options) -> Result<Shared> {
    Ok(Arc::new(RateAt { rate: options.number("fpr")?, of_tpr: true }))
}

/// FPR at a `tpr`.
pub(super) fn make_fpr(options: &mut Options) -> Result<Shared> {
    Ok(Arc::new(RateAt { rate: options.number("tpr")?, of_tpr: false }))
}

impl OnCurve for RateAt {
    fn start(&self, totals: &Totals<'_>) -> Box<dyn Steps> {
        let lane = |(p, n)| Lane { p, n, ..Lane::default() };
        Box::new(Crossing {
            rate: self.rate,
            of_tpr: self.of_tpr,
            lanes: totals.both().map(lane).collect(),
            open: totals.lanes,
        })
    }
}

#[derive(Clone, Copy, Default)]
struct Lane {
    p: f64,
    n: f64,
    tp: f64,
    fp: f64,
    /// The mass at the rate, once the curve has come there.
    found: Option<f64>,
}

struct Crossing {
    rate: f64,
    of_tpr: bool,
    lanes: Vec<Lane>,
    open: usize,
}

impl Lane {
    /// TPR where the curve leaves a FPR to the right.
    fn leave(&self, fpr: f64, own: f64, others: f64) -> Option<f64> {
        let leaves = self.fp + others > (fpr + NEAR) * self.n;
        leaves.then(|| {
            let on_the_way = self.fp < (fpr - NEAR) * self.n;
            let share = if on_the_way { (fpr * self.n - self.fp) / others } else { 0.0 };
            self.tp + share * own
        })
    }

    /// FPR where the curve reaches a TPR from below.
    fn reach(&self, tpr: f64, own: f64, others: f64) -> Option<f64> {
        if tpr <= NEAR {
            return Some(0.0);
        }
        let reaches = self.tp + own >= (tpr - NEAR) * self.p;
        reaches.then(|| {
            let on_the_way = self.tp + own > (tpr + NEAR) * self.p;
            let share = if on_the_way { (tpr * self.p - self.tp) / own } else { 1.0 };
            self.fp + share * others
        })
    }
}

impl Steps for Crossing {
    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        for ((lane, &own), &others) in self.lanes.iter_mut().zip(tied.own).zip(tied.others) {
            if lane.found.is_some() {
                continue;
            }
            lane.found = match self.of_tpr {
                true => lane.leave(self.rate, own, others),
                false => lane.reach(self.rate, own, others),
            };
            self.open -= usize::from(lane.found.is_some());
            lane.tp += own;
            lane.fp += others;
        }
        if self.open == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// NaN where a class was lost; 1 at the end of the curve.
    fn finish(self: Box<Self>, out: &mut [f64]) {
        for (out, lane) in out.iter_mut().zip(&self.lanes) {
            let all = if self.of_tpr { lane.p } else { lane.n };
            let found = lane.found.map_or(1.0, |mass| (mass / all).min(1.0));
            *out = if lane.p > 0.0 && lane.n > 0.0 { found } else { f64::NAN };
        }
    }
}
