//! Limits of many estimates, and of their differences from one that shares rows with them.

use crate::machine::workers::Workers;
use crate::tails::estimated::{Estimated, Range, Spread};
use crate::tails::limits::Tail;
use crate::tails::mover::{Mover, Together};

/// Estimates that are looked at together.
const CHUNK: usize = 64;
/// Products of variances below this are none to divide by.
const LEAST: f64 = f64::from_bits((1023 - 1000) << 52); // 2^-1000

/// An estimate with its spread, and what it shares with that of all rows.
#[derive(Clone, Copy)]
pub struct Given {
    /// The estimate.
    pub estimate: f64,
    /// How widely it spreads.
    pub spread: Spread,
    /// With the estimate of all rows.
    pub covariance: f64,
    /// Of the difference from it.
    pub difference_variance: f64,
}

/// The limits of an estimate, those of its difference from all rows, and the p-value of no difference.
#[derive(Clone, Copy)]
pub struct Found {
    /// The lower limit.
    pub low: f64,
    /// The upper one.
    pub high: f64,
    /// The lower limit of the difference.
    pub difference_low: f64,
    /// The upper one.
    pub difference_high: f64,
    /// Of no difference.
    pub p_value: f64,
}

/// The limits of each estimate at a `tail`; of differences from `whole`, where there is one.
pub fn limits(
    given: &[Given],
    whole: Option<(f64, Spread)>,
    range: Range,
    tail: f64,
    workers: &Workers,
) -> Vec<Found> {
    let tail = Tail::of(tail);
    let all = whole.map(|(estimate, spread)| (Estimated::new(estimate, &spread, range), spread));
    let chunks: Vec<&[Given]> = given.chunks(CHUNK).collect();
    let found = workers.map(chunks.len(), |k| {
        chunks[k].iter().map(|one| limits_of(one, all, range, tail)).collect::<Vec<_>>()
    });
    found.concat()
}

fn limits_of(given: &Given, all: Option<(Estimated, Spread)>, range: Range, tail: Tail) -> Found {
    let own = Estimated::new(given.estimate, &given.spread, range);
    let nan = f64::NAN;
    let mut found = Found {
        low: own.low(tail),
        high: own.high(tail),
        difference_low: nan,
        difference_high: nan,
        p_value: nan,
    };
    let Some((all, spread)) = all else {
        return found;
    };
    let (one, other) = (given.spread.variance, spread.variance);
    let steep = (own.share.variance * all.share.variance / (one * other).max(LEAST)).sqrt();
    let together = Together {
        covariance: given.covariance * steep,
        left: given.difference_variance / (one + other),
        // The half row that knows nothing decides more of a segment than of all rows.
        pull: (given.spread.pull * spread.pull).sqrt(),
    };
    let mover = Mover::correlated(own, all, &together);
    let (turned, size) = (mover.turned(), range.top - range.bottom);
    let value = given.estimate - all.value;
    found.difference_low = mover.low(tail).max(-size);
    found.difference_high = (-turned.low(tail)).min(size);
    let above = if value > 0.0 { mover.p_above(0.0) } else { turned.p_above(0.0) };
    found.p_value = (2.0 * above).min(1.0);
    found
}
