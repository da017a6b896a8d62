//! How well projections part the classes: S(i,j) of AUC-mu, by counting.

use ndarray::{Array2, Axis};

use crate::count::columns::auc_and_ties;
use crate::count::pairs::Pairs;
use crate::count::tally::Tally;
use crate::count::two_classes::Duel;
use crate::data::by_class::ByClass;
use crate::data::classes::Classes;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::weights::{Weighting, with_weighting};
use crate::error::Result;
use crate::machine::memory::Spare;
use crate::project::projection::{Partition, Projection, rows_have_one_sum};
use crate::project::ties::{self, Projected};

/// Tasks for each worker: many, so that none waits long for another at the end.
const TASKS_PER_WORKER: usize = 32;

/// S(i,j): the share of pairs of rows of classes i and j that their projection puts in the right
/// order (KP19 Eq. 2-4), ties one half, for all pairs of classes.
///
/// `unit_roundoff` is that of the scores as they were given, 0 for integers; 0 makes only equal
/// projections tie (see [`crate::project::ties`]). O(K n) on average with the argmax partition.
pub fn separation<T: Score>(
    sample: &Sample<'_, T>,
    partition: &Partition<'_>,
    unit_roundoff: f64,
) -> Result<Pairs> {
    let count = sample.classes.count();
    partition.check(count)?;
    let pairs: Vec<(usize, usize)> =
        (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j))).collect();
    let values = if count == 2 && rows_have_one_sum(sample, unit_roundoff) {
        vec![single_column(sample)?]
    } else {
        with_weighting!(sample.weights, w => {
            pair_values(sample, w, partition, unit_roundoff, &pairs)
        })?
    };
    let mut auc = Array2::from_elem((count, count), f64::NAN);
    let mut tied = auc.clone();
    for (&(i, j), (value, ties)) in pairs.iter().zip(values) {
        (auc[[i, j]], auc[[j, i]]) = (value, value);
        (tied[[i, j]], tied[[j, i]]) = (ties, ties);
    }
    Ok(Pairs { auc, tied })
}

/// The AUC of class 1 by its own column, and the share of ties.
fn single_column<T: Score>(sample: &Sample<'_, T>) -> Result<(f64, f64)> {
    let column = sample.scores.index_axis(Axis(1), 1);
    auc_and_ties(&Sample::single_column(column, sample.classes, sample.workers)?)
}

/// The AUC and the share of ties of each pair; NaN where a class is absent.
fn pair_values<T: Score, W: Weighting>(
    sample: &Sample<'_, T>,
    weighting: W,
    partition: &Partition<'_>,
    unit_roundoff: f64,
    pairs: &[(usize, usize)],
) -> Result<Vec<(f64, f64)>> {
    let scores = ByClass::new(sample)?;
    let task = pairs.len().div_ceil(TASKS_PER_WORKER * sample.workers.count());
    let spare = Spare::<Memory<W>>::default();
    let values = sample.workers.map(pairs.len().div_ceil(task), |k| {
        let memory = spare.take();
        let mut comparer =
            Comparer::new(&scores, sample.classes, weighting, partition, unit_roundoff, memory);
        let pairs = &pairs[k * task..((k + 1) * task).min(pairs.len())];
        let values = pairs.iter().map(|&(i, j)| comparer.compare(i, j)).collect::<Result<Vec<_>>>();
        spare.give(comparer.memory);
        values
    });
    Ok(values.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// Compares pairs of classes one after the other in the same memory.
struct Comparer<'a, 'p, T, W: Weighting> {
    scores: &'a ByClass<'a, T>,
    classes: &'a Classes<'a>,
    weighting: W,
    unit_roundoff: f64,
    projection: Projection<'a, 'p>,
    memory: Memory<W>,
}

/// What pairs of classes are compared in.
struct Memory<W: Weighting> {
    sides: [Vec<(f64, W::Row)>; 2],
    duel: Duel<f64, W>,
}

impl<W: Weighting> Default for Memory<W> {
    fn default() -> Self {
        Self { sides: [Vec::new(), Vec::new()], duel: Duel::default() }
    }
}

impl<'a, 'p, T: Score, W: Weighting> Comparer<'a, 'p, T, W> {
    fn new(
        scores: &'a ByClass<'a, T>,
        classes: &'a Classes<'a>,
        weighting: W,
        partition: &'a Partition<'p>,
        unit_roundoff: f64,
        memory: Memory<W>,
    ) -> Self {
        Self {
            scores,
            classes,
            weighting,
            unit_roundoff,
            projection: Projection::new(partition),
            memory,
        }
    }

    fn compare(&mut self, i: usize, j: usize) -> Result<(f64, f64)> {
        let classes = self.classes;
        if classes.size(i) == 0 || classes.size(j) == 0 {
            return Ok((f64::NAN, f64::NAN));
        }
        self.projection.aim(classes.count(), i, j);
        let mut magnitude: f64 = 0.0;
        for (class, side) in [i, j].into_iter().zip(&mut self.memory.sides) {
            // Rows that carry nothing need not be looked for.
            let rows = if W::COUNTS_ROWS { &[] } else { classes.rows(class) };
            let carried = |a| {
                rows.get(a)
                    .map_or_else(W::Row::default, |&row: &u32| self.weighting.row(row as usize))
            };
            let m = self.projection.project(self.scores, class, carried, side)?;
            magnitude = m.max(magnitude);
        }
        // Where no row lies so near a row of the other class, without being equal to it, that rounding
        // may have parted them, every link between the classes is an equality: a chain of links from
        // one class to the other has a step across.
        let reach = ties::reach(self.unit_roundoff, magnitude);
        let Memory { sides: [own, others], duel } = &mut self.memory;
        let (tally, near) = duel.compare(own, others, reach);
        let tally = if near { self.compare_rounded(i, j) } else { tally };
        Ok((tally.auc(), tally.tied()))
    }

    fn compare_rounded(&self, i: usize, j: usize) -> Tally<W> {
        let mut rows = Vec::with_capacity(self.memory.sides[0].len() + self.memory.sides[1].len());
        for (class, side) in [i, j].into_iter().zip(&self.memory.sides) {
            let magnitudes = self.projection.magnitudes(self.scores, class);
            rows.extend(side.iter().zip(magnitudes).map(|(&(score, row), magnitude)| Projected {
                score,
                magnitude,
                row,
                favoured: class == i,
            }));
        }
        ties::tally(&mut rows, self.projection.rule(self.unit_roundoff))
    }
}
