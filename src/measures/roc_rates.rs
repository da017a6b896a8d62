//! The rates of a curve at given thresholds of the sample.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::measures::measure::Shared;
use crate::measures::on_curve::OnCurve;
use crate::measures::options::Options;
use crate::walk::steps::{Steps, Tied, Totals};

/// FPR at each of some thresholds, then TPR at each. A threshold is told by what the rows at or above it weigh in the
/// sample, so that replicates are all looked at where the sample is; within a tie group all are straight. How curves
/// move along both axes, which bands of curves are made of. O(n log n).
pub struct RocRates {
    weights: Arc<[f64]>,
}

/// One row of weights, `weights`.
pub(super) fn make(options: &mut Options) -> Result<Shared> {
    let weights: Arc<[f64]> = options.matrix("weights")?.iter().flatten().copied().collect();
    let rise = weights.windows(2).all(|pair| pair[0] <= pair[1]);
    if weights.is_empty() || !rise || !weights.iter().all(|x| (0.0..f64::INFINITY).contains(x)) {
        return Err(Error::Domain("weights must hold finite numbers >= 0 that rise".into()));
    }
    Ok(Arc::new(RocRates { weights }))
}

impl OnCurve for RocRates {
    fn start(&self, totals: &Totals<'_>) -> Box<dyn Steps> {
        let (lanes, count) = (totals.lanes, self.weights.len());
        Box::new(Rates {
            weights: Arc::clone(&self.weights),
            next: 0,
            reached: 0.0,
            at: [vec![0.0; lanes], vec![0.0; lanes]],
            found: [vec![0.0; lanes * count], vec![0.0; lanes * count]],
        })
    }
    fn width(&self) -> usize {
        2 * self.weights.len()
    }
}

struct Rates {
    weights: Arc<[f64]>,
    /// The first threshold that is not reached, and what lies above the tie groups so far in the sample.
    next: usize,
    reached: f64,
    /// False and true positives so far, lane by lane.
    at: [Vec<f64>; 2],
    /// The same at each threshold.
    found: [Vec<f64>; 2],
}

impl Steps for Rates {
    fn width(&self) -> usize {
        2 * self.weights.len()
    }

    fn looks_at_sample(&self) -> bool {
        true
    }

    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        let (lanes, weight) = (self.at[0].len(), tied.sample[0] + tied.sample[1]);
        while let Some(&threshold) = self.weights.get(self.next)
            && threshold <= self.reached + weight
        {
            let part = threshold - self.reached;
            let share = if weight > 0.0 { (part / weight).clamp(0.0, 1.0) } else { 1.0 };
            for ((found, at), more) in
                self.found.iter_mut().zip(&self.at).zip([tied.others, tied.own])
            {
                let found = &mut found[self.next * lanes..][..lanes];
                for ((found, at), more) in found.iter_mut().zip(at).zip(more) {
                    *found = at + share * more;
                }
            }
            self.next += 1;
        }
        for (at, more) in self.at.iter_mut().zip([tied.others, tied.own]) {
            at.iter_mut().zip(more).for_each(|(at, more)| *at += more);
        }
        self.reached += weight;
        ControlFlow::Continue(())
    }

    /// NaN where a class was lost. A threshold that was not reached is the last one, but for rounding.
    fn finish(self: Box<Self>, out: &mut [f64]) {
        let lanes = self.at[0].len();
        let lost: Vec<bool> = (0..lanes).map(|k| self.at.iter().any(|at| at[k] <= 0.0)).collect();
        let axes = out.chunks_mut(lanes * self.weights.len());
        for ((out, found), at) in axes.zip(&self.found).zip(&self.at) {
            for (number, (out, found)) in out.chunks_mut(lanes).zip(found.chunks(lanes)).enumerate()
            {
                for lane in 0..lanes {
                    let rate = if number < self.next { found[lane] / at[lane] } else { 1.0 };
                    out[lane] = if lost[lane] { f64::NAN } else { rate };
                }
            }
        }
    }
}
