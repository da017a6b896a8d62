//! The Kolmogorov-Smirnov distance of two classes.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::error::Result;
use crate::measures::measure::Shared;
use crate::measures::on_curve::OnCurve;
use crate::measures::options::Options;
use crate::walk::hull::Point;
use crate::walk::steps::{Steps, Tied, Totals};

/// KS = max over thresholds of TPR - FPR (HA13), the greatest height of the ROC curve above the diagonal.
///
/// Never below 0, which is its value at either end of the curve; a score that ranks the wrong way round is not
/// turned. O(n log n).
pub struct KolmogorovSmirnov {
    /// Whether its optimism is wanted instead ([`super::optimism`]): the distance in a replicate, less what the
    /// threshold of it makes of the sample.
    optimism: bool,
}

pub(super) fn make(options: &mut Options) -> Result<Shared> {
    Ok(Arc::new(KolmogorovSmirnov { optimism: options.flag("optimism")? }))
}

impl OnCurve for KolmogorovSmirnov {
    fn start(&self, totals: &Totals<'_>) -> Box<dyn Steps> {
        match self.optimism {
            true => Box::new(Optimism { lanes: at_start(totals), sample: (0.0, 0.0) }),
            false => Box::new(Gap { lanes: at_start(totals) }),
        }
    }
}

/// With tp and fp the masses above a threshold and P and N those of the classes, TPR - FPR is
/// (tp N - fp P) / (P N). The threshold of the greatest numerator is kept, and its distance is computed in the
/// end with the sums that tp and fp have become: so it is 1 for classes that do not overlap, and 0 at the ends of
/// the curve, to the last bit and whatever the weights.
#[derive(Clone, Copy, Default)]
struct Lane<M = ()> {
    p: f64,
    n: f64,
    at: Point,
    greatest: f64,
    /// The masses above the best threshold, and its mark: where another curve was then, say.
    best: (Point, M),
}

fn at_start<M: Clone + Default>(totals: &Totals<'_>) -> Vec<Lane<M>> {
    totals.both().map(|(p, n)| Lane { p, n, ..Lane::default() }).collect()
}

impl<M> Lane<M> {
    #[inline(always)]
    fn step(&mut self, own: f64, others: f64, mark: M) {
        self.at.0 += others;
        self.at.1 += own;
        let height = self.at.1 * self.n - self.at.0 * self.p;
        if height > self.greatest {
            (self.greatest, self.best) = (height, (self.at, mark));
        }
    }

    fn distance(&self) -> f64 {
        distance(self.best.0, self.at)
    }
}

/// TPR - FPR at a point of a curve that comes to `end`; NaN where a class was lost.
fn distance((fp, tp): Point, (n, p): Point) -> f64 {
    (tp * n - fp * p) / (p * n)
}

struct Gap {
    lanes: Vec<Lane>,
}

impl Steps for Gap {
    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        for ((lane, &own), &others) in self.lanes.iter_mut().zip(tied.own).zip(tied.others) {
            lane.step(own, others, ());
        }
        ControlFlow::Continue(())
    }

    fn finish(self: Box<Self>, out: &mut [f64]) {
        out.iter_mut().zip(&self.lanes).for_each(|(out, lane)| *out = lane.distance());
    }
}

struct Optimism {
    lanes: Vec<Lane<Point>>,
    /// The sample's curve.
    sample: Point,
}

impl Steps for Optimism {
    fn looks_at_sample(&self) -> bool {
        true
    }

    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        self.sample = (self.sample.0 + tied.sample[1], self.sample.1 + tied.sample[0]);
        for ((lane, &own), &others) in self.lanes.iter_mut().zip(tied.own).zip(tied.others) {
            lane.step(own, others, self.sample);
        }
        ControlFlow::Continue(())
    }

    fn finish(self: Box<Self>, out: &mut [f64]) {
        for (out, lane) in out.iter_mut().zip(&self.lanes) {
            *out = lane.distance() - distance(lane.best.1, self.sample);
        }
    }
}
