//! Replicates of segments: weights hang on rows, whatever segment they are in.
//!
//! A row has one Poisson weight in each replicate, from the stream of (seed, replicate, row). So a segment and all
//! rows see the same resamples, and the replicates of a difference are the differences of replicates. Those of a
//! segment are let go once they are summed up: a million segments take no more memory than one. Where all classes
//! are large, replicates go by influence values ([`super::multiplier`]); a segment says which way it went.

use std::ops::Range;

use crate::bootstrap::{Run, bootstrap_numbered};
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::error::Result;
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::measures::value::value;
use crate::segments::closed::{How, own};
use crate::segments::multiplier::{MANY, multiplied};
use crate::segments::{Dealt, Wanted};

/// Bytes that the replicates of a segment may use beside its rows.
const BUDGET: usize = 128 << 20;

/// Which replicates.
#[derive(Clone)]
pub struct Draws {
    /// Of the stream.
    pub seed: u64,
    /// Whether many rows may go by influence values, where the measure has any.
    pub multiplies: bool,
    /// By number.
    pub replicates: Range<u64>,
}

/// What the replicates of a segment say; nan where they say nothing.
#[derive(Clone, Copy, Debug)]
pub struct Resampled {
    /// The measure itself.
    pub estimate: f64,
    /// The standard deviation of the replicates.
    pub error: f64,
    /// The percentile at the lower tail.
    pub low: f64,
    /// The percentile at the upper tail.
    pub high: f64,
    /// The standard deviation of the differences from all rows.
    pub difference_error: f64,
    /// How many replicates lost a class.
    pub lost: u64,
    /// Whether they went by influence values.
    pub multiplied: bool,
}

impl Resampled {
    const UNKNOWN: Self = Self {
        estimate: f64::NAN,
        error: f64::NAN,
        low: f64::NAN,
        high: f64::NAN,
        difference_error: f64::NAN,
        lost: 0,
        multiplied: false,
    };
}

/// Replicates of a measure, nan where one lost a class, and the measure itself.
pub struct Drawn {
    /// One for each replicate.
    pub values: Vec<f64>,
    /// Of the rows themselves.
    pub estimate: f64,
    /// Whether replicates went by influence values.
    pub multiplied: bool,
}

/// The replicates of a measure on rows that have these `numbers` among all.
pub fn drawn<T: Score>(
    sample: &Sample<'_, T>,
    numbers: &[u32],
    (how, draws): (&How, &Draws),
    watch: &Watch,
) -> Result<Drawn> {
    let classes = sample.classes;
    let least = (0..classes.count()).map(|class| classes.size(class)).min().unwrap_or(0);
    if draws.multiplies && least >= MANY {
        let own = own(sample, how, watch)?;
        let values = multiplied(&own, numbers, draws, sample.workers, watch)?;
        return Ok(Drawn { values, estimate: own.estimate, multiplied: true });
    }
    let estimate = value(sample, how.measure.as_ref(), watch)?[0];
    let run = Run {
        seed: draws.seed,
        replicates: draws.replicates.clone(),
        stratified: false,
        redraw: false,
        estimates: false,
        influence: false,
        cells: false,
        budget: BUDGET,
        grows: true,
        held: 0,
        watch,
    };
    let Sample { scores, classes, weights, workers } = *sample;
    let same = Sample { scores: scores.view(), classes, weights, workers };
    let found = bootstrap_numbered(same, numbers, std::slice::from_ref(&how.measure), &run)?;
    let values = found.values[0].column(0);
    let known = |(&value, &lost): (&f64, &bool)| if lost { f64::NAN } else { value };
    let values = values.iter().zip(&found.lost).map(known).collect();
    Ok(Drawn { values, estimate, multiplied: false })
}

/// What replicates say of each segment. `whole` are those of all rows.
pub fn resampled<T: Score>(
    dealt: &Dealt<T>,
    wanted: &[Wanted],
    (how, draws): (&How, &Draws),
    (whole, tail): (&[f64], f64),
    workers: &Workers,
    watch: &Watch,
) -> Result<Vec<Resampled>> {
    dealt.map(workers, |segment| {
        if watch.is_stopped() || wanted[segment] == Wanted::Nothing {
            return Ok(Resampled::UNKNOWN);
        }
        dealt.with_sample(segment, workers, |sample| {
            if wanted[segment] == Wanted::Estimate {
                let estimate = value(sample, how.measure.as_ref(), watch)?[0];
                return Ok(Resampled { estimate, ..Resampled::UNKNOWN });
            }
            let rows = &dealt.rows[dealt.span(segment)];
            let Drawn { values, estimate, multiplied } = drawn(sample, rows, (how, draws), watch)?;
            let differences = values.iter().zip(whole).map(|(own, all)| own - all);
            let difference_error = deviation(&known(differences));
            let mut values = known(values.into_iter());
            let lost = (whole.len() - values.len()) as u64;
            if values.len() < 2 {
                return Ok(Resampled { estimate, lost, ..Resampled::UNKNOWN });
            }
            let error = deviation(&values);
            values.sort_unstable_by(f64::total_cmp);
            let (low, high) = (quantile(&values, tail), quantile(&values, 1.0 - tail));
            Ok(Resampled { estimate, error, low, high, difference_error, lost, multiplied })
        })
    })
}

fn known(values: impl Iterator<Item = f64>) -> Vec<f64> {
    values.filter(|value| !value.is_nan()).collect()
}

/// The standard deviation; nan of fewer than two numbers.
fn deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    if n < 2.0 {
        return f64::NAN;
    }
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0)).sqrt()
}

/// Between sorted values, in a straight line from one to the next.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let below = at.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (at - at.floor()) * (sorted[above] - sorted[below])
}
