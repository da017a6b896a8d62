//! The AUC with its standard error within each replicate, for studentised intervals.
//!
//! DeLong's variance of the resampled rows: with N favoured and M other draws, V = (others below + half of
//! those tied) / M for a favoured row and W = (favoured above + half tied) / N for another,
//!
//! ```text
//! se^2 = var(V) / N + var(W) / M,        var with N - 1 and M - 1
//! ```
//!
//! All rows of a tie group have the same V, or W, so one step per tie group is enough.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::error::Result;
use crate::machine::lanes::{Kernel, launch};
use crate::measures::measure::{Derivative, Masses, Measure, Outcome, Point, Shared, of_one_auc};
use crate::measures::options::Options;
use crate::order::wanted::{Orderings, Wanted};
use crate::walk::steps::{Start, Steps, Tied};

/// The AUC and, as a second value, its standard error; rows of weight one.
pub struct AucAndError;

pub(super) fn make(_: &mut Options) -> Result<Shared> {
    Ok(Arc::new(AucAndError))
}

impl Measure for AucAndError {
    fn wanted(&self) -> Wanted {
        Orderings::SingleColumn.into()
    }
    fn width(&self) -> usize {
        2
    }
    fn room(&self) -> usize {
        2
    }
    fn steps(&self) -> Option<Start<'_>> {
        Some(Box::new(|totals| Box::new(Spread::new(totals.lanes))))
    }
    fn take(&self, outcome: &Outcome<'_>, _: &Masses<'_>, room: &mut [f64]) {
        (0..outcome.lanes).for_each(|lane| room[lane] = outcome.auc(0, lane));
        room[outcome.lanes..].copy_from_slice(outcome.steps);
    }
    fn derivative(&self, _: &Point<'_>) -> Derivative {
        // Of the AUC; the error has none.
        of_one_auc()
    }
    fn finish(&self, _: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        out.copy_from_slice(room);
    }
}

/// Sums over the rows met so far, lane by lane.
struct Spread {
    /// Weight of the favoured and of the other rows met.
    own: Vec<f64>,
    others: Vec<f64>,
    /// Pairs won, ties one half.
    won: Vec<f64>,
    /// Sums of squares of what lies below favoured and below other rows.
    own_squares: Vec<f64>,
    other_squares: Vec<f64>,
}

impl Spread {
    fn new(lanes: usize) -> Self {
        let zeros = || vec![0.0; lanes];
        Self {
            own: zeros(),
            others: zeros(),
            won: zeros(),
            own_squares: zeros(),
            other_squares: zeros(),
        }
    }
}

impl Steps for Spread {
    /// What lies below is known on the way up.
    fn goes_up(&self) -> bool {
        true
    }

    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        launch(Step { spread: self, tied });
        ControlFlow::Continue(())
    }

    /// The standard errors; NaN where a class has a single draw.
    fn finish(self: Box<Self>, out: &mut [f64]) {
        for (lane, out) in out.iter_mut().enumerate() {
            let (n, m) = (self.own[lane], self.others[lane]);
            if n <= 1.0 || m <= 1.0 {
                *out = f64::NAN;
                continue;
            }
            let auc = self.won[lane] / (n * m);
            let own = (self.own_squares[lane] / (m * m) - n * auc * auc) / (n - 1.0);
            let lost = 1.0 - auc;
            let others = (self.other_squares[lane] / (n * n) - m * lost * lost) / (m - 1.0);
            // Rounding must not make a variance negative; NaN stays NaN.
            let clean = |variance: f64| if variance < 0.0 { 0.0 } else { variance };
            *out = (clean(own) / n + clean(others) / m).sqrt();
        }
    }
}

struct Step<'a> {
    spread: &'a mut Spread,
    tied: &'a Tied<'a>,
}

impl Kernel for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let lanes = self.tied.own.len();
        let (tied_own, tied_others) = (self.tied.own, &self.tied.others[..lanes]);
        let Spread { own, others, won, own_squares, other_squares } = self.spread;
        // One length for all, so that the loop checks no bounds.
        let (own, others, won) = (&mut own[..lanes], &mut others[..lanes], &mut won[..lanes]);
        let (own_squares, other_squares) = (&mut own_squares[..lanes], &mut other_squares[..lanes]);
        for k in 0..lanes {
            let below_own = others[k] + 0.5 * tied_others[k];
            let below_others = own[k] + 0.5 * tied_own[k];
            won[k] += tied_own[k] * below_own;
            own_squares[k] += tied_own[k] * below_own * below_own;
            other_squares[k] += tied_others[k] * below_others * below_others;
            own[k] += tied_own[k];
            others[k] += tied_others[k];
        }
    }
}
