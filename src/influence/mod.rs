//! DeLong for every measure: the influence values of whole measures, and the variances of single pairs.
//!
//! A measure's influence values, one for each unit (a row, or a group of rows), are centred within strata;
//! variances and covariances of measures, also of several models scored on the same rows, are then
//!
//! ```text
//! Cov(f, g) = sum over strata of  n / (n - 1)  sum over units of  l_f l_g
//! ```
//!
//! With classes for strata and rows for units this is the multi-sample U-statistic's variance, and for one
//! AUC that of DeLong, DeLong & Clarke-Pearson (1988); with groups for units it is the cluster
//! variance G / (G - 1) sum l^2 (Obuchowski 1997).
//!
//! May use `measures` and the rooms before it; two ways lead to the same values, by look-up ([`placements`]) and by
//! rows that are sorted already ([`sorted`]).

mod carry;
mod few;
pub mod gathered;
mod pairs;
pub mod placements;
mod placer;
pub mod sorted;
mod sums;

use ndarray::Array2;

use self::carry::{Counted, Weighed};
pub use self::pairs::pair_variances;
use self::placer::Placer;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::setup::Setup;
use crate::data::units::{Groups, Scheme};
use crate::error::Result;
use crate::machine::watch::Watch;
use crate::measures::measure::{Measure, Point, Shared};
use crate::measures::value::{Counted as CountedPairs, value_by};
use crate::order::jobs::{Jobs, Key};

/// Influence values, by place.
pub struct Influence {
    /// For each measure a row for each of its numbers, a column for each unit; no rows where it is not
    /// a function of AUCs.
    pub values: Vec<Array2<f64>>,
    /// Where strata begin, and the end of the last one.
    pub bounds: Vec<usize>,
    /// The values of each measure.
    pub estimates: Vec<Vec<f64>>,
}

/// Influence values of some measures.
pub fn influence<T: Score>(
    sample: &Sample<'_, T>,
    groups: Option<&Groups<'_>>,
    stratified: bool,
    measures: &[Shared],
    watch: &Watch,
) -> Result<Influence> {
    let setup = Setup::new(sample.classes, groups, Scheme::Multinomial, stratified)?;
    let masses = sample.classes.masses();
    let (mut values, mut estimates) = (Vec::new(), Vec::new());
    let mut counted = CountedPairs::default();
    for measure in measures {
        let wanted = [measure.wanted()];
        let jobs = Jobs::new(sample, &wanted)?;
        let aucs = match measure.needs_point() {
            true => Some(counted.of(sample, &wanted[0].orderings)?),
            false => None,
        };
        let auc = |i: usize, j: usize| aucs.map_or(f64::NAN, |aucs| aucs.auc(i, j));
        let point = Point { auc: &auc, masses: &masses, present: &setup.present };
        let gradients = measure.derivative(&point).gradients();
        let mut numbers = Vec::new();
        let placer = Placer { sample, setup: &setup, jobs: &jobs, masses: &masses, watch };
        let mut found = Vec::new();
        for gradient in &gradients {
            let sums = match setup.mass.is_empty() {
                true => placer.sums_of::<Counted>(gradient)?,
                false => placer.sums_of::<Weighed>(gradient)?,
            };
            // The first ones need not be copied, and mostly there are no others.
            match numbers.is_empty() {
                true => numbers = sums.values,
                false => numbers.extend(sums.values),
            }
            found = sums.auc;
        }
        // Real weights would be summed in another order here than for the measure itself.
        let exact = setup.mass.is_empty() && gradients.len() == 1;
        let along = match exact {
            true => value_along(measure.as_ref(), &jobs, &found, &point),
            false => None,
        };
        estimates.push(match along {
            Some(value) => vec![value],
            None if measure.counts_pairs() => {
                let aucs = counted.of(sample, &wanted[0].orderings)?;
                value_by(sample, measure.as_ref(), Some(aucs), watch)?
            }
            None => value_by(sample, measure.as_ref(), None, watch)?,
        });
        let shape = (gradients.len(), setup.units.len());
        let numbers = Array2::from_shape_vec(shape, numbers);
        values.push(numbers.unwrap_or_else(|_| unreachable!("a row of all units each")));
    }
    Ok(Influence { values, bounds: setup.units.bounds.clone(), estimates })
}

/// A measure by the AUCs that were found along with influence values, ordering by ordering. `None` where one is
/// missing, or the measure cannot say: then pairs are counted, which tells what is wrong if anything is.
fn value_along<T: Score>(
    measure: &dyn Measure,
    jobs: &Jobs<'_, '_, T>,
    found: &[f64],
    point: &Point<'_>,
) -> Option<f64> {
    if measure.is_auc() {
        return found.first().copied().filter(|auc| !auc.is_nan());
    }
    let mut numbers = found.iter();
    let mut auc = Array2::from_elem((point.masses.len(), point.masses.len()), f64::NAN);
    for job in &jobs.list {
        for &j in job.others.iter() {
            let (i, &number) = (job.favoured, numbers.next().filter(|auc| !auc.is_nan())?);
            auc[[i, j]] = number;
            if !matches!(job.key, Key::Column(_)) {
                auc[[j, i]] = number;
            }
        }
    }
    measure.value(&Point { auc: &|i, j| auc[[i, j]], ..*point }).ok().flatten()
}
