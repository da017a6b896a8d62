//! A measure of the sample itself: its description in one lane, in which every row counts its own weight.
//!
//! Pairs are counted without sorting, which is many times faster than a walk; the walk gives the same counts.

use ndarray::Array2;

use crate::count::columns::auc_and_ties;
use crate::count::labels::by_label;
use crate::count::pairs::{Asked, Column, Pairs, by_column, pooled};
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::error::{Error, Result};
use crate::machine::watch::Watch;
use crate::measures::measure::{Masses, Measure, Outcome, Point};
use crate::measures::row_sums::{RowSums, row_means, row_sums};
use crate::measures::stepped::stepped;
use crate::order::wanted::Orderings;
use crate::project::projection::Partition;
use crate::project::separation::separation;

/// The values of a measure.
pub fn value<T: Score>(
    sample: &Sample<'_, T>,
    measure: &dyn Measure,
    watch: &Watch,
) -> Result<Vec<f64>> {
    let aucs = match measure.counts_pairs() {
        true => {
            let with_pairs = !measure.reads_rest_alone();
            Some(Aucs::count(sample, &measure.wanted().orderings, with_pairs)?)
        }
        false => None,
    };
    value_by(sample, measure, aucs.as_ref(), watch)
}

/// The values of a measure whose pairs have been counted.
pub fn value_by<T: Score>(
    sample: &Sample<'_, T>,
    measure: &dyn Measure,
    aucs: Option<&Aucs>,
    watch: &Watch,
) -> Result<Vec<f64>> {
    if let (true, Some(Aucs::One(auc))) = (measure.is_auc(), aucs) {
        return Ok(vec![*auc]);
    }
    if let Some(ready) = measure.on_rows(sample) {
        let weights: Vec<f64> =
            (0..sample.classes.codes.len()).map(|row| sample.weights.weight(row)).collect();
        return ready?.values(&weights, 1, (sample.workers, watch));
    }
    let wanted = measure.wanted();
    let (masses, present) = (sample.classes.masses(), sample.classes.present_classes());
    if let Some(aucs) = aucs {
        let point = Point { auc: &|i, j| aucs.auc(i, j), masses: &masses, present: &present };
        if let Some(value) = measure.value(&point)? {
            return Ok(vec![value]);
        }
    }
    let masses = Masses { lanes: 1, values: &masses, present: &present };
    let mut room = vec![0.0; measure.room()];
    let mut out = vec![0.0; measure.width()];
    if let Orderings::Rows(value) = wanted.orderings {
        let own;
        let found = match aucs {
            Some(Aucs::Rows { sums, .. }) => sums,
            _ => {
                own = row_sums(sample, value, watch)?;
                &own
            }
        };
        for found in found {
            let nothing = Outcome::nothing(1, found.favoured, &found.classes);
            let (row_sums, row_masses) = (&found.sums[..], &found.masses[..]);
            measure.take(&Outcome { row_sums, row_masses, ..nothing }, &masses, &mut room);
        }
        measure.finish(&masses, &mut room, &mut out);
        return Ok(out);
    }
    let mut take = |favoured: usize, others: &[usize], steps: &[f64]| {
        let auc = |&j: &usize| match aucs {
            Some(aucs) if !measure.reads_rest_alone() => aucs.auc(favoured, j),
            _ => f64::NAN,
        };
        let won: Vec<f64> = others.iter().map(auc).collect();
        let all = vec![1.0; others.len()];
        let rest = aucs.and_then(|aucs| aucs.rest(favoured));
        let nothing = Outcome::nothing(1, favoured, others);
        let outcome = Outcome { won: &won, all: &all, rest, steps, ..nothing };
        measure.take(&outcome, &masses, &mut room);
    };
    match stepped(sample, measure, &wanted, watch)? {
        Some(walked) => {
            for (favoured, others, steps) in walked {
                take(favoured, &others, &steps);
            }
        }
        None => {
            for (favoured, others) in wanted.orderings.contests(&present) {
                take(favoured, &others, &[]);
            }
        }
    }
    measure.finish(&masses, &mut room, &mut out);
    Ok(out)
}

/// The AUCs of a sample, by counting.
pub enum Aucs {
    /// Of the only ordering.
    One(f64),
    /// Of every class by its own column.
    Columns(Vec<Column>),
    /// Of every pair of classes by its projection.
    Pairs(Pairs),
    /// Not AUCs but row values.
    Rows {
        /// Their means: those of each class's rows (columns) in each ordering (rows).
        means: Array2<f64>,
        /// What they are means of.
        sums: Vec<RowSums>,
    },
    /// Of every label by its entries.
    Labels(Vec<f64>),
}

impl Aucs {
    /// Counts the pairs of some orderings; without `pairs`, columns tell how classes fare against the rest alone.
    pub fn count<T: Score>(
        sample: &Sample<'_, T>,
        orderings: &Orderings,
        pairs: bool,
    ) -> Result<Self> {
        match orderings {
            Orderings::SingleColumn => auc_and_ties(&sample.last_column()?)
                .map(|(auc, _)| Self::One(auc))
                .map_err(|error| sample.in_last_column(error)),
            Orderings::Ordered | Orderings::Nothing => {
                Err(Error::Domain("pairs of rows are counted between two sides".into()))
            }
            Orderings::Pooled => pooled(sample).map(Self::One),
            Orderings::Columns => {
                by_column(sample, Asked { pairs, ties: false }).map(Self::Columns)
            }
            Orderings::Labels => by_label(sample).map(Self::Labels),
            Orderings::Pairs { partition, unit_roundoff } => {
                let partition = Partition::new(partition.as_ref().map(|costs| costs.view()));
                separation(sample, &partition, *unit_roundoff).map(Self::Pairs)
            }
            Orderings::Rows(value) => {
                let sums = row_sums(sample, *value, &Watch::default())?;
                Ok(Self::of_rows(sums, sample.classes.count()))
            }
        }
    }

    /// What rows of so many classes are worth.
    pub fn of_rows(sums: Vec<RowSums>, classes: usize) -> Self {
        Self::Rows { means: row_means(&sums, classes), sums }
    }

    /// The AUC of favoured class i against class j.
    pub fn auc(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::One(auc) => *auc,
            Self::Columns(columns) => columns[i].auc[j],
            Self::Pairs(pairs) => pairs.auc[[i, j]],
            Self::Rows { means, .. } => means[[i, j]],
            Self::Labels(labels) => labels[i / 2],
        }
    }

    /// The AUC of class i against all others, where columns are read.
    fn rest(&self, i: usize) -> Option<f64> {
        match self {
            Self::Columns(columns) => Some(columns[i].rest),
            Self::One(_) | Self::Pairs(_) | Self::Rows { .. } | Self::Labels(_) => None,
        }
    }
}

/// The AUCs of a call's orderings, counted once for all its measures.
#[derive(Default)]
pub struct Counted(Vec<(Orderings, Aucs)>);

impl Counted {
    /// The AUCs of some orderings, each pair of classes among them.
    pub fn of<T: Score>(&mut self, sample: &Sample<'_, T>, orderings: &Orderings) -> Result<&Aucs> {
        let known = self.0.iter().position(|(known, _)| known == orderings);
        let at = known.unwrap_or(self.0.len());
        if known.is_none() {
            self.0.push((orderings.clone(), Aucs::count(sample, orderings, true)?));
        }
        Ok(&self.0[at].1)
    }
}
