//! What rows are worth in the sample itself, summed up by class.

use std::sync::Arc;

use ndarray::Array2;

use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::error::{Error, Result};
use crate::machine::watch::Watch;
use crate::order::jobs::Jobs;
use crate::order::ordering::{Ordering, RowPlaces};
use crate::order::wanted::Wanted;

/// The sums of one ordering of row values, by class.
pub struct RowSums {
    /// The class that values are against, where there is one against each.
    pub favoured: usize,
    /// The classes whose rows have values.
    pub classes: Arc<[usize]>,
    /// Weight times value.
    pub sums: Vec<f64>,
    /// Weights, summed up in the same order.
    pub masses: Vec<f64>,
}

/// The sums of each ordering of row values.
pub fn row_sums<T: Score>(
    sample: &Sample<'_, T>,
    wanted: &Wanted,
    watch: &Watch,
) -> Result<Vec<RowSums>> {
    let kinds = [wanted.clone()];
    let jobs = Jobs::new(sample, &kinds)?;
    let rows = RowPlaces { place: &[], mass: sample.weights.reals(), all_ties: false, watch };
    let found = sample.workers.map(jobs.list.len(), |k| {
        if watch.is_stopped() {
            return Err(Error::Interrupted);
        }
        let job = &jobs.list[k];
        let ordering = jobs.orderings(std::slice::from_ref(job), &rows)?.swap_remove(0);
        let (sums, masses) = by_class(&ordering);
        Ok(RowSums { favoured: job.favoured, classes: job.others.clone(), sums, masses })
    });
    found.into_iter().collect()
}

/// The mean value of the rows of each class (columns) in each ordering (rows, by favoured class).
pub fn row_means<T: Score>(sample: &Sample<'_, T>, wanted: &Wanted) -> Result<Array2<f64>> {
    let count = sample.classes.count();
    let mut means = Array2::from_elem((count, count), f64::NAN);
    for found in row_sums(sample, wanted, &Watch::default())? {
        for &class in found.classes.iter() {
            means[[found.favoured, class]] = found.sums[class] / found.masses[class];
        }
    }
    Ok(means)
}

/// Weight times value, and weight, of each class: as replicates sum them up.
fn by_class(ordering: &Ordering) -> (Vec<f64>, Vec<f64>) {
    let (mut sums, mut masses) = (vec![0.0; ordering.sides], vec![0.0; ordering.sides]);
    for (row, (&side, value)) in ordering.side.iter().zip(&ordering.values).enumerate() {
        let weight = ordering.mass.get(row).copied().unwrap_or(1.0);
        sums[usize::from(side)] += value * weight;
        masses[usize::from(side)] += weight;
    }
    (sums, masses)
}
