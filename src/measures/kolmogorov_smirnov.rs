//! The Kolmogorov-Smirnov distance of two classes.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::error::Result;
use crate::measures::measure::Shared;
use crate::measures::on_curve::OnCurve;
use crate::measures::options::Options;
use crate::walk::steps::{Steps, Tied, Totals};

/// KS = max over thresholds of TPR - FPR (HA13), the greatest height of the ROC curve above the diagonal.
///
/// Never below 0, which is its value at either end of the curve; a score that ranks the wrong way round is not
/// turned. O(n log n).
pub struct KolmogorovSmirnov;

pub(super) fn make(_: &mut Options) -> Result<Shared> {
    Ok(Arc::new(KolmogorovSmirnov))
}

impl OnCurve for KolmogorovSmirnov {
    fn start(&self, totals: &Totals<'_>) -> Box<dyn Steps> {
        let lane = |(p, n)| Lane { p, n, ..Lane::default() };
        Box::new(Gap { lanes: totals.both().map(lane).collect() })
    }
}

/// With tp and fp the masses above a threshold and P and N those of the classes, TPR - FPR is
/// (tp N - fp P) / (P N). The threshold of the greatest numerator is kept, and its distance is computed in the
/// end with the sums that tp and fp have become: so it is 1 for classes that do not overlap, and 0 at the ends of
/// the curve, to the last bit and whatever the weights.
#[derive(Clone, Copy, Default)]
struct Lane {
    p: f64,
    n: f64,
    tp: f64,
    fp: f64,
    greatest: f64,
    /// The masses above the best threshold.
    best: (f64, f64),
}

struct Gap {
    lanes: Vec<Lane>,
}

impl Steps for Gap {
    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        for ((lane, own), others) in self.lanes.iter_mut().zip(tied.own).zip(tied.others) {
            lane.tp += own;
            lane.fp += others;
            let height = lane.tp * lane.n - lane.fp * lane.p;
            if height > lane.greatest {
                (lane.greatest, lane.best) = (height, (lane.tp, lane.fp));
            }
        }
        ControlFlow::Continue(())
    }

    /// NaN where a class was lost.
    fn finish(self: Box<Self>, out: &mut [f64]) {
        for (out, &Lane { tp: p, fp: n, best: (tp, fp), .. }) in out.iter_mut().zip(&self.lanes) {
            *out = (tp * n - fp * p) / (p * n);
        }
    }
}
