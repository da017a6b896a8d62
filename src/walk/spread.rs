//! The standard error of an AUC within each replicate, for studentised intervals.
//!
//! DeLong's variance of the resampled rows: with N favoured and M other draws, V = (others below + half of
//! those tied) / M for a favoured row and W = (favoured above + half tied) / N for another,
//!
//! ```text
//! se^2 = var(V) / N + var(W) / M,        var with N - 1 and M - 1
//! ```
//!
//! All rows of a tie group have the same V, or W, so one step a group is enough.

use std::ops::Range;

use crate::order::ordering::Ordering;

/// Sums over the rows met so far, for one replicate.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Weight of the favoured and of the other rows met.
    own: f64,
    others: f64,
    /// The same in the tie group at hand.
    tied_own: f64,
    tied_others: f64,
    /// Sums of squares of what lies below favoured and below other rows.
    own_squares: f64,
    other_squares: f64,
}

/// Standard errors of many replicates.
pub struct Spread {
    lanes: Vec<Sums>,
    /// Tie groups met.
    ties: usize,
}

impl Spread {
    /// So many replicates.
    pub fn new(lanes: usize) -> Self {
        Self { lanes: vec![Sums::default(); lanes], ties: 0 }
    }

    /// Goes up a stretch of rows; `weight(k, lane)` is that of the k-th row of the stretch.
    pub fn ascend(
        &mut self,
        ordering: &Ordering,
        rows: Range<usize>,
        weight: impl Fn(usize, usize) -> f64,
    ) {
        for row in rows.clone() {
            let favoured = usize::from(ordering.group[row]) == ordering.favoured;
            for (lane, sums) in self.lanes.iter_mut().enumerate() {
                let tied = if favoured { &mut sums.tied_own } else { &mut sums.tied_others };
                *tied += weight(row - rows.start, lane);
            }
            let tie = ordering.ties.get(self.ties).map(|tie| tie.0 as usize..tie.1 as usize);
            match tie {
                Some(tie) if tie.contains(&row) => {
                    if row + 1 == tie.end {
                        self.ties += 1;
                        self.step();
                    }
                }
                _ => self.step(),
            }
        }
    }

    /// Ends a tie group.
    fn step(&mut self) {
        for sums in &mut self.lanes {
            let below_own = sums.others + 0.5 * sums.tied_others;
            let below_others = sums.own + 0.5 * sums.tied_own;
            sums.own_squares += sums.tied_own * below_own * below_own;
            sums.other_squares += sums.tied_others * below_others * below_others;
            sums.own += sums.tied_own;
            sums.others += sums.tied_others;
            (sums.tied_own, sums.tied_others) = (0.0, 0.0);
        }
    }

    /// The standard errors, given the AUCs; NaN where a class has a single draw.
    pub fn errors(&self, auc: impl Fn(usize) -> f64) -> Vec<f64> {
        let error = |(lane, sums): (usize, &Sums)| {
            let (n, m, auc) = (sums.own, sums.others, auc(lane));
            if n <= 1.0 || m <= 1.0 {
                return f64::NAN;
            }
            let own = (sums.own_squares / (m * m) - n * auc * auc) / (n - 1.0);
            let lost = 1.0 - auc;
            let others = (sums.other_squares / (n * n) - m * lost * lost) / (m - 1.0);
            // Rounding must not make a variance negative; NaN stays NaN.
            let clean = |variance: f64| if variance < 0.0 { 0.0 } else { variance };
            (clean(own) / n + clean(others) / m).sqrt()
        };
        self.lanes.iter().enumerate().map(error).collect()
    }
}
