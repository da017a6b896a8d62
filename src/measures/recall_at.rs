//! The recall at a precision.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::error::Result;
use crate::measures::measure::Shared;
use crate::measures::on_curve::OnCurve;
use crate::measures::options::Options;
use crate::measures::ties::NEAR;
use crate::walk::steps::{Steps, Tied, Totals};

/// The greatest recall (TPR) of the thresholds whose precision, the share of positives among the rows at or above,
/// is a bound or more; 0 if there is none. Equal to the bound but for rounding is enough. O(n log n).
struct RecallAt {
    precision: f64,
}

pub(super) fn make(options: &mut Options) -> Result<Shared> {
    Ok(Arc::new(RecallAt { precision: options.number("precision")? }))
}

impl OnCurve for RecallAt {
    fn start(&self, totals: &Totals<'_>) -> Box<dyn Steps> {
        let least = self.precision - NEAR;
        Box::new(Best { least, lanes: vec![Lane::default(); totals.lanes] })
    }
}

#[derive(Clone, Copy, Default)]
struct Lane {
    /// What lies at or above the threshold: positives, and all.
    tp: f64,
    all: f64,
    /// The most positives so far above a threshold that is good enough.
    best: f64,
}

struct Best {
    least: f64,
    lanes: Vec<Lane>,
}

impl Steps for Best {
    /// A tie group of positives alone may come row by row: where a part of it is good enough, all of it is.
    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        for ((lane, own), others) in self.lanes.iter_mut().zip(tied.own).zip(tied.others) {
            lane.tp += own;
            lane.all += own + others;
            if lane.tp >= self.least * lane.all {
                lane.best = lane.tp;
            }
        }
        ControlFlow::Continue(())
    }

    /// NaN where a class was lost. All of the positives' mass has been met by now, in the order of the sum, so that
    /// a recall of 1 is so to the last bit.
    fn finish(self: Box<Self>, out: &mut [f64]) {
        for (out, lane) in out.iter_mut().zip(&self.lanes) {
            *out = lane.best / lane.tp;
        }
    }
}
