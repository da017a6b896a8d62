//! One class against all others.

use crate::bootstrap::statistic::{LaneMeans, Masses, Outcome, Statistic, Wanted};
use crate::columns::{Path, map_columns};
use crate::contrast::Contrast;
use crate::error::Result;
use crate::sample::Sample;
use crate::scores::Score;
use crate::weights::{Real, Weighting, Weights, Whole, with_weighting};

/// The AUC of each class i against all other rows by column i; NaN for a class without rows.
///
/// Their mean is the macro average; weighted by prevalence it is Provost & Domingos' (KP19 s.2).
pub fn one_vs_rest<T: Score>(sample: &Sample<'_, T>) -> Result<Vec<f64>> {
    with_weighting!(sample.weights, w => {
        map_columns(sample, w, Contrast::OwnColumns, false, Path::Auto, |outcome| {
            outcome.auc_rest()
        })
    })
}

/// The micro average: the AUC of all n K scores together, a score being positive where its column is
/// the class of its row.
pub fn micro<T: Score>(sample: &Sample<'_, T>) -> Result<f64> {
    // The mass of all n K scores may be more than what serves n rows.
    let columns = sample.scores.ncols();
    match sample.weights {
        Weights::Unit if sample.scores.len() > u32::MAX as usize => {
            let ones = vec![1; sample.scores.nrows()];
            micro_with(sample, Whole(&ones))
        }
        Weights::Whole(weights) if weights.iter().sum::<u64>() > u64::MAX / columns as u64 => {
            let weights: Vec<f64> = weights.iter().map(|&weight| weight as f64).collect();
            micro_with(sample, Real(&weights))
        }
        weights => with_weighting!(weights, w => micro_with(sample, w)),
    }
}

fn micro_with<T: Score, W: Weighting>(sample: &Sample<'_, T>, weighting: W) -> Result<f64> {
    let pooled = Contrast::Pooled;
    let values =
        map_columns(sample, weighting, pooled, false, Path::Auto, |outcome| outcome.auc(0))?;
    Ok(values[0])
}

/// How classes are put together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Average {
    /// One value a class; NaN for a class without rows.
    None,
    /// The mean over classes.
    Macro,
    /// The mean weighted by the classes' masses.
    Prevalence,
}

/// Each class against the rest, in each replicate.
pub struct OneVsRest {
    /// How many classes.
    pub classes: usize,
    /// How they are put together.
    pub average: Average,
}

impl Statistic for OneVsRest {
    fn wanted(&self) -> Wanted {
        Wanted::Columns
    }
    fn width(&self) -> usize {
        if self.average == Average::None { self.classes } else { 1 }
    }
    fn room(&self) -> usize {
        if self.average == Average::None { self.classes } else { LaneMeans::ROOM }
    }
    fn take(&self, outcome: &Outcome<'_>, masses: &Masses<'_>, room: &mut [f64]) {
        for lane in 0..outcome.lanes {
            let value = outcome.auc_rest(lane);
            let weight = match self.average {
                Average::None => {
                    room[outcome.favoured * outcome.lanes + lane] = value;
                    continue;
                }
                Average::Macro => 1.0,
                Average::Prevalence => masses.of(outcome.favoured, lane),
            };
            LaneMeans::new(outcome.lanes, room).add(lane, weight, value);
        }
    }
    fn finish(&self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        if self.average != Average::None {
            let means = LaneMeans::new(masses.lanes, room);
            (0..masses.lanes).for_each(|lane| out[lane] = means.value(lane));
            return;
        }
        out.fill(f64::NAN);
        for &class in masses.present {
            let lanes = class * masses.lanes..(class + 1) * masses.lanes;
            out[lanes.clone()].copy_from_slice(&room[lanes]);
        }
    }
}

/// The micro average in each replicate.
pub struct Micro;

impl Statistic for Micro {
    fn wanted(&self) -> Wanted {
        Wanted::Pooled
    }
    fn room(&self) -> usize {
        1
    }
    fn take(&self, outcome: &Outcome<'_>, _: &Masses<'_>, room: &mut [f64]) {
        (0..outcome.lanes).for_each(|lane| room[lane] = outcome.auc(0, lane));
    }
    fn finish(&self, _: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        out.copy_from_slice(room);
    }
}
