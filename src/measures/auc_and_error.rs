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
        Some(Box::new(|totals| Box::new(Spread { lanes: vec![Sums::default(); totals.lanes] })))
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

/// Sums over the rows met so far, for one replicate.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Weight of the favoured and of the other rows met.
    own: f64,
    others: f64,
    /// Pairs won, ties one half.
    won: f64,
    /// Sums of squares of what lies below favoured and below other rows.
    own_squares: f64,
    other_squares: f64,
}

struct Spread {
    lanes: Vec<Sums>,
}

impl Steps for Spread {
    /// What lies below is known on the way up.
    fn goes_up(&self) -> bool {
        true
    }

    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        for ((sums, own), others) in self.lanes.iter_mut().zip(tied.own).zip(tied.others) {
            let below_own = sums.others + 0.5 * others;
            let below_others = sums.own + 0.5 * own;
            sums.won += own * below_own;
            sums.own_squares += own * below_own * below_own;
            sums.other_squares += others * below_others * below_others;
            sums.own += own;
            sums.others += others;
        }
        ControlFlow::Continue(())
    }

    /// The standard errors; NaN where a class has a single draw.
    fn finish(self: Box<Self>, out: &mut [f64]) {
        for (out, sums) in out.iter_mut().zip(&self.lanes) {
            let (n, m) = (sums.own, sums.others);
            if n <= 1.0 || m <= 1.0 {
                *out = f64::NAN;
                continue;
            }
            let auc = sums.won / (n * m);
            let own = (sums.own_squares / (m * m) - n * auc * auc) / (n - 1.0);
            let lost = 1.0 - auc;
            let others = (sums.other_squares / (n * n) - m * lost * lost) / (m - 1.0);
            // Rounding must not make a variance negative; NaN stays NaN.
            let clean = |variance: f64| if variance < 0.0 { 0.0 } else { variance };
            *out = (clean(own) / n + clean(others) / m).sqrt();
        }
    }
}
