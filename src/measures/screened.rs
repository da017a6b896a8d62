//! The proportion correct where a share of all rows, those of the highest scores, is said to be positive.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::error::Result;
use crate::measures::measure::Shared;
use crate::measures::on_curve::OnCurve;
use crate::measures::options::Options;
use crate::measures::screened_share::Share;
use crate::walk::steps::{Steps, Tied, Totals};

/// E c(P) over a distribution of shares P: c(P) is the proportion correct where the P of all rows that score highest
/// are said to be of class 1, and the rest of class 0 (HA13 s.3). Of rows that tie at the threshold those of
/// either class are taken by their share, so that c is straight between the points of the curve.
///
/// c starts at the share of class 0. Among own and other rows of one score it changes by (own - others) for every
/// (own + others), so with F the distribution function of P and G its integral
///
/// ```text
/// E c(P) = c(1) - integral of F dc = pi_1 - sum over tie groups of (own - others) / (own + others) (G(u') - G(u))
/// ```
///
/// u and u' being the shares of all rows above and within a tie group. O(n log n).
pub struct Screened {
    share: Arc<Share>,
}

/// `share`, or `a` and `b`, the shapes of its Beta distribution.
pub(super) fn make(options: &mut Options) -> Result<Shared> {
    let share = match options.number_or_nothing("share")? {
        Some(share) => Share::fixed(share),
        None => Share::beta(options.number("a")?, options.number("b")?),
    };
    Ok(Arc::new(Screened { share: Arc::new(share) }))
}

impl OnCurve for Screened {
    fn start(&self, totals: &Totals<'_>) -> Box<dyn Steps> {
        let lane = |(own, others)| Lane { all: own + others, ..Lane::default() };
        let (share, single) = (Arc::clone(&self.share), totals.lanes == 1);
        Box::new(Shares { lanes: totals.both().map(lane).collect(), share, single })
    }
}

#[derive(Clone, Copy, Default)]
struct Lane {
    /// What all rows weigh.
    all: f64,
    /// What lies above the threshold: of class 1, and in all.
    own: f64,
    above: f64,
    /// G there, and the sum so far.
    integral: f64,
    sum: f64,
}

struct Shares {
    lanes: Vec<Lane>,
    share: Arc<Share>,
    /// Whether there is one lane: then G is computed, else looked up.
    single: bool,
}

impl Steps for Shares {
    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        for ((lane, own), others) in self.lanes.iter_mut().zip(tied.own).zip(tied.others) {
            let both = own + others;
            // Rows that were not drawn move nothing.
            if both > 0.0 {
                lane.own += own;
                lane.above += both;
                let integral = self.share.integral((lane.above / lane.all).min(1.0), self.single);
                lane.sum += (own - others) / both * (integral - lane.integral);
                lane.integral = integral;
            }
        }
        ControlFlow::Continue(())
    }

    /// NaN where nothing was drawn.
    fn finish(self: Box<Self>, out: &mut [f64]) {
        for (out, lane) in out.iter_mut().zip(&self.lanes) {
            *out = lane.own / lane.above - lane.sum;
        }
    }
}
