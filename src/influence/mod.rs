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
//! May use `measures` and the rooms before it; three ways lead to the same values: by look-up ([`placements`]), by
//! counts that look-up leaves with each row where slopes are not known before pairs are counted (`row_counts`), and by
//! rows that are sorted already ([`sorted`]).

mod by_rows;
mod carry;
pub mod class_order;
mod column;
mod column_counts;
mod counted_contest;
mod few;
pub mod gathered;
pub mod known;
mod labels;
mod number;
mod pairs;
pub mod placements;
mod placer;
mod pooled;
mod row_counts;
mod row_values;
pub mod sorted;
mod sums;
mod ties;
mod two_classes;

use ndarray::Array2;

use self::carry::{Counted, Weighed};
use self::number::Number;
pub use self::pairs::pair_variances;
use self::placer::Placer;
use self::row_counts::RowCounts;
use crate::count::pairs::{Column, Pairs};
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::setup::Setup;
use crate::data::units::{Groups, Scheme};
use crate::error::{Error, Result};
use crate::machine::watch::Watch;
use crate::measures::measure::{Derivative, Point, Shared};
use crate::measures::value::{Aucs, Counted as CountedPairs, value, value_by};
use crate::order::jobs::{Jobs, Key};
use crate::order::wanted::Orderings;

/// Influence values, by place.
pub struct Influence {
    /// For each measure a row for each of its numbers, a column for each unit; no rows where it has
    /// no derivative in closed form.
    pub values: Vec<Array2<f64>>,
    /// Where strata begin, and the end of the last one.
    pub bounds: Vec<usize>,
    /// The values of each measure.
    pub estimates: Vec<Vec<f64>>,
}

/// Influence values of some measures. With `widened`, for measures of labels whose groups have one entry of a
/// label at most: those of the entries of a class of n count sqrt(n / (n - 1)) times before they are added up in
/// groups, and what lies between classes likewise by the number of groups, so that variances are sums of squares.
pub fn influence<T: Score>(
    sample: &Sample<'_, T>,
    groups: Option<&Groups<'_>>,
    (stratified, widened): (bool, bool),
    measures: &[Shared],
    watch: &Watch,
) -> Result<Influence> {
    let setup = Setup::of_units(sample.classes, groups, Scheme::Multinomial, stratified)?;
    let masses = sample.classes.masses();
    let (mut values, mut estimates) = (Vec::new(), Vec::new());
    let mut counted = CountedPairs::default();
    for measure in measures {
        let wanted = [measure.wanted()];
        let jobs = Jobs::new(sample, &wanted)?;
        if widened && wanted[0].orderings != Orderings::Labels {
            return Err(Error::Domain("influence values of labels alone can be widened".into()));
        }
        let present = setup.present.clone();
        let derivative_at = |aucs: Option<&Aucs>| {
            let auc = |i: usize, j: usize| aucs.map_or(f64::NAN, |aucs| aucs.auc(i, j));
            measure.derivative(&Point { auc: &auc, masses: &masses, present: &present })
        };
        // AUCs that enter by the masses of classes alone may be found along with what orderings move.
        let for_slopes = measure.needs_point(false);
        let for_masses = !for_slopes && measure.needs_point(!setup.fixed);
        let row_counts = match for_slopes {
            true => RowCounts::of(sample, &jobs, watch)?,
            false => None,
        };
        let known = row_counts.as_ref();
        let known = known.and_then(|by| found_along(&jobs, masses.len(), (&by.auc, &by.rest)));
        let derivative = match (for_slopes, &known) {
            (true, None) => derivative_at(Some(counted.of(sample, &wanted[0].orderings)?)),
            (_, known) => derivative_at(known.as_ref()),
        };
        if let Derivative::OfRows(by_row) = derivative {
            let (moved, along) = by_rows::centred(sample, &setup, by_row.as_ref(), watch)?;
            values.push(moved);
            estimates.push(match along {
                Some(values) => values,
                None => value(sample, measure.as_ref(), watch)?,
            });
            continue;
        }
        let mut derived = Number::all(derivative);
        let places = &setup.place_of_row[..];
        // Where the masses of classes vary, so does what the rest is made of: its rows count alike.
        let against_rest = !setup.fixed
            && measure.reads_rest_alone()
            && derived.iter().all(|number| number.only().is_some());
        let for_masses = for_masses && !against_rest;
        let placer = Placer {
            sample,
            setup: &setup,
            places,
            jobs: &jobs,
            masses: &masses,
            widened,
            against_rest,
            watch,
        };
        let of_counts = row_counts.and_then(|counts| placer.values_of_counts(&derived, &counts));
        let (mut numbers, each) = match (of_counts, setup.mass.is_empty()) {
            (Some(found), _) => found,
            (None, true) => placer.values_of_each::<Counted>(&derived)?,
            (None, false) => placer.values_of_each::<Weighed>(&derived)?,
        };
        let (mut centres, mut found) = (Vec::with_capacity(each.len()), Vec::new());
        let (mut rest, mut rows) = (Vec::new(), Vec::new());
        for sums in each {
            centres.push(sums.centres);
            found.extend(sums.auc);
            rest.extend(sums.rest);
            rows.extend(sums.rows);
        }
        // Real weights would be summed in another order here than for the measure itself, but for row values.
        let along = match (!rows.is_empty() && rows.len() == jobs.list.len(), setup.mass.is_empty())
        {
            (true, _) => Some(Aucs::of_rows(rows, masses.len())),
            (false, true) => found_along(&jobs, masses.len(), (&found, &rest)),
            (false, false) => None,
        };
        let aucs = match (&along, measure.counts_pairs() || for_masses) {
            (Some(aucs), _) => Some(aucs),
            (None, true) => Some(counted.of(sample, &wanted[0].orderings)?),
            (None, false) => None,
        };
        if for_masses {
            derived = Number::all(derivative_at(aucs));
        }
        let units = setup.units.len();
        let pieces = numbers.chunks_exact_mut(units.max(1)).collect();
        sample.workers.map_pieces(pieces, |k, values: &mut [f64]| {
            placer.settle(&derived[k], &centres[k], values);
        });
        let is_read = |aucs: &&Aucs| {
            along.is_some() || measure.counts_pairs() || matches!(aucs, Aucs::Rows { .. })
        };
        let aucs = aucs.filter(is_read);
        estimates.push(value_by(sample, measure.as_ref(), aucs, watch)?);
        let shape = (derived.len(), units);
        let numbers = Array2::from_shape_vec(shape, numbers);
        values.push(numbers.unwrap_or_else(|_| unreachable!("a row of all units each")));
    }
    Ok(Influence { values, bounds: setup.units.bounds.clone(), estimates })
}

/// The AUCs that were found along with influence values, ordering by ordering; `None` if any is missing.
fn found_along<T: Score>(
    jobs: &Jobs<'_, '_, T>,
    classes: usize,
    (found, rest): (&[f64], &[f64]),
) -> Option<Aucs> {
    // Against the rest alone, no class tells how it fares against each of the others.
    let with_pairs = !found.is_empty();
    let pairs: usize = jobs.list.iter().map(|job| job.others.len()).sum();
    let is_whole = if with_pairs { found.len() == pairs } else { rest.len() == jobs.list.len() };
    if !is_whole || found.iter().chain(rest).any(|auc| auc.is_nan()) {
        return None;
    }
    let mut found = found.iter().copied();
    match jobs.list.first()?.key {
        Key::Single(_) | Key::Pooled => found.next().map(Aucs::One),
        Key::Label(_) => {
            let mut labels = vec![f64::NAN; classes / 2];
            jobs.list.iter().zip(found).for_each(|(job, auc)| labels[job.favoured / 2] = auc);
            Some(Aucs::Labels(labels))
        }
        Key::Ordered(_) => None,
        Key::Column(_) => {
            let nothing = || vec![f64::NAN; if with_pairs { classes } else { 0 }];
            let absent = || Column { auc: nothing(), tied: Vec::new(), rest: f64::NAN };
            let mut columns: Vec<Column> = (0..classes).map(|_| absent()).collect();
            for (job, &rest) in jobs.list.iter().zip(rest) {
                let column = &mut columns[job.favoured];
                job.others.iter().zip(&mut found).for_each(|(&j, auc)| column.auc[j] = auc);
                column.rest = rest;
            }
            Some(Aucs::Columns(columns))
        }
        Key::Rows(_) => None,
        Key::Pair(..) => {
            let mut auc = Array2::from_elem((classes, classes), f64::NAN);
            for (job, value) in jobs.list.iter().zip(found) {
                let (i, j) = (job.favoured, job.others[0]);
                (auc[[i, j]], auc[[j, i]]) = (value, value);
            }
            Some(Aucs::Pairs(Pairs { auc, tied: Array2::default((0, 0)) }))
        }
    }
}
