//! Orderings of two models' rows by rank, for exchanging the models (permutations).
//!
//! The scores of either model are ranked among themselves, ties by mid-ranks, before both are sorted
//! together: so models with different scales can be exchanged row by row.

use ndarray::{ArrayView1, ArrayView2, Axis};

use super::jobs::{Job, Jobs, Key};
use crate::data::sample::Sample;
use crate::data::scores::{Score, locate_nan, reject_nan};
use crate::error::Result;
use crate::order::ordering::{Ordering, RowPlaces};
use crate::project::projection::Projection;
use crate::project::ties::{self, Rule};

impl<T: Score> Jobs<'_, '_, T> {
    /// Sorts the rows of two models by their ranks among the rows of the same model.
    pub(super) fn ranked(&self, job: &Job, rows: &RowPlaces<'_>) -> Result<Ordering> {
        let Sample { scores, classes, workers, .. } = self.sample;
        let half = scores.nrows() / 2;
        let is_second = |row: usize| row >= half;
        match job.key {
            Key::Single(k) | Key::Column(k) | Key::Ordered(k) => {
                let column = scores.index_axis(Axis(1), k);
                if column.iter().any(|x| x.is_nan()) {
                    return Err(locate_nan(scores, scores.ncols() == 1));
                }
                let counts = |row: usize| classes.weights.is_positive(row);
                let ranks = model_ranks(scores.nrows(), |row| column[row], is_second, counts);
                let favoured = (!matches!(job.key, Key::Ordered(_))).then_some(job.favoured);
                Ordering::of_column(ArrayView1::from(&ranks), classes, favoured, rows, workers)
            }
            Key::Pooled => {
                reject_nan(scores, false, workers)?;
                let columns = scores.ncols();
                let score = |k: usize| scores[[k / columns, k % columns]];
                let counts = |k: usize| classes.weights.is_positive(k / columns);
                let ranks = model_ranks(scores.len(), score, |k| is_second(k / columns), counts);
                let ranks = ArrayView2::from_shape(scores.dim(), &ranks);
                let ranks = ranks.unwrap_or_else(|_| unreachable!("one rank per score"));
                Ordering::pooled(&ranks, classes, rows, workers)
            }
            Key::Label(label) => {
                let column = scores.index_axis(Axis(1), 0);
                let mut models = [Vec::new(), Vec::new()];
                for (class, own) in [(2 * label + 1, true), (2 * label, false)] {
                    for &row in classes.rows(class) {
                        let score = column[row as usize];
                        models[usize::from(is_second(row as usize))].push((score, (row, own)));
                    }
                }
                let mut ranks = Vec::with_capacity(models.iter().map(Vec::len).sum());
                for model in &mut models {
                    model.sort_unstable_by(|a, b| a.0.order(&b.0));
                    let mut below = 0;
                    for tied in model.chunk_by(|a, b| a.0 == b.0) {
                        let rank = below as f64 + 0.5 * (tied.len() + 1) as f64;
                        ranks.extend(tied.iter().map(|&(_, row)| (rank, row)));
                        below += tied.len();
                    }
                }
                Ok(Ordering::projected(&ranks, Vec::new, Rule::EXACT, -1.0, rows))
            }
            Key::Pair(i, j, number) => {
                let (partition, unit_roundoff) = &self.partitions[number];
                let carried = |row: u32, favoured: bool| (row, favoured);
                let projected = self.project(i, j, number, carried, Default::default())?;
                let projected = projected.sides.concat();
                let mut projection = Projection::new(partition);
                projection.aim(classes.count(), i, j);
                let scores = self.by_class_scores();
                let magnitudes =
                    [i, j].into_iter().flat_map(|class| projection.magnitudes(scores, class));
                let mut models = [Vec::new(), Vec::new()];
                for (&(score, (row, favoured)), magnitude) in projected.iter().zip(magnitudes) {
                    let row = ties::Projected { score, magnitude, row, favoured };
                    models[usize::from(is_second(row.row as usize))].push(row);
                }
                let mut ranks = Vec::with_capacity(projected.len());
                for model in &mut models {
                    let mut below = 0;
                    ties::tie_groups(model, projection.rule(*unit_roundoff), |tied| {
                        let rank = below as f64 + 0.5 * (tied.len() + 1) as f64;
                        ranks.extend(tied.iter().map(|row| (rank, (row.row, row.favoured))));
                        below += tied.len();
                    });
                }
                Ok(Ordering::projected(&ranks, Vec::new, Rule::EXACT, -1.0, rows))
            }
            // What a row is worth is its own: there is no scale to bring it to.
            Key::Rows(value) => self.by_value(value, job, rows),
        }
    }
}

/// Mid-ranks of scores among those of the same model; 0 for those that do not count.
fn model_ranks<T: Score>(
    len: usize,
    score: impl Fn(usize) -> T,
    is_second: impl Fn(usize) -> bool,
    counts: impl Fn(usize) -> bool,
) -> Vec<f64> {
    let mut models = [Vec::new(), Vec::new()];
    for k in (0..len).filter(|&k| counts(k)) {
        models[usize::from(is_second(k))].push((score(k), k));
    }
    let mut ranks = vec![0.0; len];
    for model in &mut models {
        model.sort_unstable_by(|a, b| a.0.order(&b.0));
        let mut below = 0;
        for tied in model.chunk_by(|a, b| a.0 == b.0) {
            let rank = below as f64 + 0.5 * (tied.len() + 1) as f64;
            tied.iter().for_each(|&(_, k)| ranks[k] = rank);
            below += tied.len();
        }
    }
    ranks
}
