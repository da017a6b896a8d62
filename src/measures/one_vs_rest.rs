//! One class against all others.

use crate::count::columns::{Path, map_columns};
use crate::count::contrast::Contrast;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::weights::{Real, Weighting, Weights, Whole, with_weighting};
use crate::error::Result;
use crate::measures::mean::LaneMeans;
use crate::measures::measure::{Gradient, Point};
use crate::measures::measure::{Masses, Outcome, Statistic};
use crate::order::wanted::Wanted;

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
    fn needs_point(&self) -> bool {
        true
    }
    fn gradients(&self, point: &Point<'_>) -> Vec<Gradient> {
        gradients(self.average, point, self.classes)
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

/// R_i = sum over j of (m_j / r_i) A(i|j), r_i the mass of the rest: dR_i / dA(i|j) = m_j / r_i and
/// dR_i / dm_j = (A(i|j) - R_i) / r_i. The average adds the derivatives of its own weights.
fn gradients(average: Average, point: &Point<'_>, classes: usize) -> Vec<Gradient> {
    let (present, masses) = (point.present, point.masses);
    let total: f64 = present.iter().map(|&class| masses[class]).sum();
    let rest = |i: usize| total - masses[i];
    let others = |i: usize| present.iter().copied().filter(move |&j| j != i);
    let value = |i: usize| others(i).map(|j| masses[j] * (point.auc)(i, j)).sum::<f64>() / rest(i);
    let share = |i: usize| match average {
        Average::None => 1.0,
        Average::Macro => 1.0 / present.len() as f64,
        Average::Prevalence => masses[i] / total,
    };
    let gradient = |only: Option<usize>| {
        let mut mass = vec![0.0; classes];
        for &i in present.iter().filter(|&&i| only.is_none_or(|only| only == i)) {
            for j in others(i) {
                mass[j] += share(i) * ((point.auc)(i, j) - value(i)) / rest(i);
            }
        }
        if average == Average::Prevalence {
            let mean: f64 = present.iter().map(|&i| share(i) * value(i)).sum();
            present.iter().for_each(|&i| mass[i] += (value(i) - mean) / total);
        }
        let slopes: Vec<f64> =
            (0..classes).map(|i| if masses[i] > 0.0 { share(i) / rest(i) } else { 0.0 }).collect();
        let masses = masses.to_vec();
        let contrast = Box::new(move |i: usize, j: usize| slopes[i] * masses[j]);
        Gradient { only, contrast, mass }
    };
    match average {
        Average::None => (0..classes).map(|i| gradient(Some(i))).collect(),
        Average::Macro | Average::Prevalence => vec![gradient(None)],
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
    fn gradients(&self, _: &Point<'_>) -> Vec<Gradient> {
        let contrast = Box::new(|_, _| 1.0);
        vec![Gradient { only: None, contrast, mass: Vec::new() }]
    }
    fn finish(&self, _: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        out.copy_from_slice(room);
    }
}
