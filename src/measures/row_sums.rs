//! What rows are worth in the sample itself, summed up by class.

use std::sync::Arc;

use ndarray::Array2;

use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::error::{Error, Result};
use crate::machine::watch::Watch;
use crate::order::wanted::Orderings;
use crate::project::row_values::RowValue;

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

/// The sums of each ordering of row values. They need not be sorted: parts of the rows are summed up, and the parts
/// in their order.
pub fn row_sums<T: Score>(
    sample: &Sample<'_, T>,
    value: RowValue,
    watch: &Watch,
) -> Result<Vec<RowSums>> {
    let contests = Orderings::Rows(value).contests(&sample.classes.present_classes());
    let of_one = |(favoured, others): (usize, Arc<[usize]>)| {
        if watch.is_stopped() {
            return Err(Error::Interrupted);
        }
        Ok(sums_of(sample, value, (favoured, &others), |_| ())?.0)
    };
    contests.into_iter().map(of_one).collect()
}

/// The sums of one ordering of row values, and what is kept of the values of some rows at a time, in the order of rows.
pub fn sums_of<T: Score, R: Send>(
    sample: &Sample<'_, T>,
    value: RowValue,
    (favoured, others): (usize, &Arc<[usize]>),
    keep: impl Fn(&[f64]) -> R + Sync,
) -> Result<(RowSums, Vec<R>)> {
    let classes = sample.classes;
    let (codes, weights) = (classes.codes, sample.weights.reals());
    let nothing = || vec![0.0; classes.count()];
    let parts = value.in_chunks(sample, favoured, |rows, values| {
        let (mut sums, mut masses) = (nothing(), nothing());
        for (row, value) in rows.zip(values) {
            let (class, weight) = (codes[row] as usize, weights.get(row).unwrap_or(&1.0));
            sums[class] += weight * value;
            masses[class] += weight;
        }
        (sums, masses, keep(values))
    })?;
    let classes = Arc::clone(others);
    let mut found = RowSums { favoured, classes, sums: nothing(), masses: nothing() };
    let mut kept = Vec::with_capacity(parts.len());
    for (sums, masses, part) in parts {
        found.sums.iter_mut().zip(sums).for_each(|(sum, part)| *sum += part);
        found.masses.iter_mut().zip(masses).for_each(|(sum, part)| *sum += part);
        kept.push(part);
    }
    Ok((found, kept))
}

/// The mean value of the rows of each class (columns) in each ordering (rows, by favoured class).
pub fn row_means(sums: &[RowSums], count: usize) -> Array2<f64> {
    let mut means = Array2::from_elem((count, count), f64::NAN);
    for found in sums {
        for &class in found.classes.iter() {
            means[[found.favoured, class]] = found.sums[class] / found.masses[class];
        }
    }
    means
}
