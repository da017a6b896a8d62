//! A measure of the sample itself: its description in one lane, in which every row counts its own weight.
//!
//! Pairs are counted without sorting, which is many times faster than a walk; the walk gives the same counts.

use crate::count::columns::auc_and_ties;
use crate::count::pairs::{Asked, Column, Pairs, by_column, pooled};
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::error::Result;
use crate::machine::watch::Watch;
use crate::measures::measure::{Masses, Measure, Outcome, Point};
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
    let mut take = |favoured: usize, others: &[usize], steps: &[f64]| {
        let auc = |&j: &usize| match aucs {
            Some(aucs) if !measure.reads_rest_alone() => aucs.auc(favoured, j),
            _ => f64::NAN,
        };
        let won: Vec<f64> = others.iter().map(auc).collect();
        let all = vec![1.0; others.len()];
        let rest = aucs.and_then(|aucs| aucs.rest(favoured));
        let outcome = Outcome { lanes: 1, favoured, others, won: &won, all: &all, rest, steps };
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
    let mut out = vec![0.0; measure.width()];
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
            Orderings::Pooled => pooled(sample).map(Self::One),
            Orderings::Columns => {
                by_column(sample, Asked { pairs, ties: false }).map(Self::Columns)
            }
            Orderings::Pairs { partition, unit_roundoff } => {
                let partition = Partition::new(partition.as_ref().map(|costs| costs.view()));
                separation(sample, &partition, *unit_roundoff).map(Self::Pairs)
            }
        }
    }

    /// The AUC of favoured class i against class j.
    pub fn auc(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::One(auc) => *auc,
            Self::Columns(columns) => columns[i].auc[j],
            Self::Pairs(pairs) => pairs.auc[[i, j]],
        }
    }

    /// The AUC of class i against all others, where columns are read.
    fn rest(&self, i: usize) -> Option<f64> {
        match self {
            Self::Columns(columns) => Some(columns[i].rest),
            Self::One(_) | Self::Pairs(_) => None,
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
