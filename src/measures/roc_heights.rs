//! The true positive rates of a curve at given false positive rates.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::measures::measure::Shared;
use crate::measures::on_curve::OnCurve;
use crate::measures::options::Options;
use crate::walk::steps::{Steps, Tied, Totals};

/// TPR at each of some FPRs, which rise: straight between points, the greatest one where the curve is upright.
/// What bands of curves are made of. O(n log n).
pub struct RocHeights {
    fpr: Arc<[f64]>,
}

/// One row of rates, `fpr`.
pub(super) fn make(options: &mut Options) -> Result<Shared> {
    let fpr: Arc<[f64]> = options.matrix("fpr")?.iter().flatten().copied().collect();
    let rise = fpr.windows(2).all(|pair| pair[0] <= pair[1]);
    if fpr.is_empty() || !rise || !fpr.iter().all(|x| (0.0..=1.0).contains(x)) {
        return Err(Error::Domain("fpr must hold rates in [0, 1] that rise".into()));
    }
    Ok(Arc::new(RocHeights { fpr }))
}

impl OnCurve for RocHeights {
    fn start(&self, totals: &Totals<'_>) -> Box<dyn Steps> {
        Box::new(Heights::new(Arc::clone(&self.fpr), totals))
    }
    fn width(&self) -> usize {
        self.fpr.len()
    }
}

#[derive(Clone, Copy)]
struct Lane {
    positives: f64,
    negatives: f64,
    tp: f64,
    fp: f64,
    /// The first rate that is not reached, and how many false positives it is.
    next: usize,
    limit: f64,
}

struct Heights {
    fpr: Arc<[f64]>,
    lanes: Vec<Lane>,
    /// True positives at each rate, lane by lane.
    tp: Vec<f64>,
}

impl Heights {
    fn new(fpr: Arc<[f64]>, totals: &Totals<'_>) -> Self {
        let lane = |(positives, negatives)| {
            let limit = fpr[0] * negatives;
            Lane { positives, negatives, tp: 0.0, fp: 0.0, next: 0, limit }
        };
        let lanes: Vec<Lane> = totals.both().map(lane).collect();
        let tp = vec![0.0; fpr.len() * lanes.len()];
        Self { fpr, lanes, tp }
    }
}

impl Steps for Heights {
    fn width(&self) -> usize {
        self.fpr.len()
    }

    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        let count = self.lanes.len();
        let masses = tied.own.iter().zip(tied.others);
        for (number, (lane, (own, others))) in self.lanes.iter_mut().zip(masses).enumerate() {
            // A rate is passed, not only reached: the curve may go on rising there.
            while lane.limit < lane.fp + others {
                let share = (lane.limit - lane.fp).max(0.0) / others;
                self.tp[lane.next * count + number] = lane.tp + share * own;
                lane.next += 1;
                let next = self.fpr.get(lane.next).copied().unwrap_or(f64::INFINITY);
                lane.limit = next * lane.negatives;
            }
            lane.fp += others;
            lane.tp += own;
        }
        ControlFlow::Continue(())
    }

    /// NaN where a class was lost.
    fn finish(self: Box<Self>, out: &mut [f64]) {
        let count = self.lanes.len();
        for (number, lane) in self.lanes.iter().enumerate() {
            for rate in 0..self.fpr.len() {
                let tp = if rate < lane.next { self.tp[rate * count + number] } else { lane.tp };
                let lost = lane.negatives <= 0.0;
                out[rate * count + number] = if lost { f64::NAN } else { tp / lane.positives };
            }
        }
    }
}
