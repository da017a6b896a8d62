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
pub mod gathered;
mod pairs;
pub mod placements;
mod placer;
pub mod sorted;
mod sums;

use std::collections::HashMap;

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
use crate::measures::measure::{Point, Shared};
use crate::measures::value::{Aucs, value, value_by};
use crate::order::jobs::Jobs;

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
    for measure in measures {
        let wanted = [measure.wanted()];
        let jobs = Jobs::new(sample, &wanted)?;
        let aucs = match measure.needs_point() {
            true => Some(Aucs::count(sample, &wanted[0].orderings, true)?),
            false => None,
        };
        let auc = |i: usize, j: usize| aucs.as_ref().map_or(f64::NAN, |aucs| aucs.auc(i, j));
        let point = Point { auc: &auc, masses: &masses, present: &setup.present };
        let gradients = measure.derivative(&point).gradients();
        let mut numbers = Vec::new();
        let placer = Placer { sample, setup: &setup, jobs: &jobs, masses: &masses, watch };
        let mut found = HashMap::new();
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
        let auc = |i: usize, j: usize| found.get(&(i, j)).copied().unwrap_or(f64::NAN);
        let point = Point { auc: &auc, masses: &masses, present: &setup.present };
        let complete = found.len() == jobs.list.iter().map(|job| job.others.len()).sum::<usize>();
        // Fails where an AUC is missing; then it is counted, which says what is wrong if anything is.
        let along = match exact && complete {
            true if measure.is_auc() => Some(auc(1, 0)),
            true => measure.value(&point).ok().flatten(),
            false => None,
        };
        estimates.push(match (along, aucs) {
            (Some(value), _) => vec![value],
            (None, Some(aucs)) => value_by(sample, measure.as_ref(), Some(aucs), watch)?,
            (None, None) => value(sample, measure.as_ref(), watch)?,
        });
        let shape = (gradients.len(), setup.units.len());
        let numbers = Array2::from_shape_vec(shape, numbers);
        values.push(numbers.unwrap_or_else(|_| unreachable!("a row of all units each")));
    }
    Ok(Influence { values, bounds: setup.units.bounds.clone(), estimates })
}
