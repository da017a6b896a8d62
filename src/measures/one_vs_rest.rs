//! One class against all others.

use crate::columns::{class_column, map_columns, map_columns_shared};
use crate::error::Result;
use crate::rank_index::RankIndex;
use crate::sample::Sample;
use crate::scores::{Score, reject_nan};
use crate::weights::{Weighting, with_weighting};
use crate::workers::Workers;

/// The AUC of each class i against all other rows by column i; NaN for a class without rows.
///
/// Their mean is the macro average; weighted by prevalence it is Provost & Domingos' (KP19 s.2).
pub fn one_vs_rest<T: Score>(sample: &Sample<'_, T>, n_threads: usize) -> Result<Vec<f64>> {
    let workers = Workers::new(n_threads, 4 * sample.scores.len());
    with_weighting!(sample.weights, w => {
        map_columns(sample, w, false, &workers, |column| column.auc_rest())
    })
}

/// The micro average: the AUC of all n K scores together, a score being positive where its column is
/// the class of its row.
pub fn micro<T: Score>(sample: &Sample<'_, T>, n_threads: usize) -> Result<f64> {
    let workers = Workers::new(n_threads, 8 * sample.scores.len());
    with_weighting!(sample.weights, w => micro_with(sample, w, &workers))
}

fn micro_with<T: Score, W: Weighting>(
    sample: &Sample<'_, T>,
    weighting: W,
    workers: &Workers,
) -> Result<f64> {
    reject_nan(&sample.scores, false)?;
    let mut own = Vec::with_capacity(sample.classes.len());
    for class in 0..sample.classes.count() {
        own.extend(class_column(sample, weighting, class, class));
    }
    let index = RankIndex::new(&own);
    drop(own);
    let sums = map_columns_shared(sample, weighting, &index, workers, |column| column.rest())?;
    let (wins, rest) = sums.into_iter().fold(Default::default(), |(wins, mass), (w, m)| {
        (W::add(wins, w), W::join(mass, m))
    });
    Ok(W::share(wins, index.total(), rest))
}
