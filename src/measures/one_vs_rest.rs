//! One class against all others.

use std::sync::Arc;

use crate::error::Result;
use crate::measures::average::Average;
use crate::measures::measure::{
    Derivative, Gradient, Masses, Measure, Outcome, Point, Shared, of_one_auc,
};
use crate::measures::options::Options;
use crate::order::wanted::{Orderings, Wanted};

/// The AUC of each class i against all other rows by column i.
///
/// Their mean is the macro average; weighted by prevalence it is Provost & Domingos' (KP19 s.2).
pub struct OneVsRest {
    /// How many classes.
    pub classes: usize,
    /// How they are put together.
    pub average: Average,
}

impl Measure for OneVsRest {
    fn wanted(&self) -> Wanted {
        Orderings::Columns.into()
    }
    fn reads_rest_alone(&self) -> bool {
        true
    }
    fn width(&self) -> usize {
        self.average.width(self.classes)
    }
    fn room(&self) -> usize {
        self.average.room(self.classes)
    }
    fn take(&self, outcome: &Outcome<'_>, masses: &Masses<'_>, room: &mut [f64]) {
        self.average.take(outcome.favoured, |lane| outcome.auc_rest(lane), masses, room);
    }
    fn finish(&self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        self.average.finish(masses, room, out);
    }
    fn needs_point(&self, masses_vary: bool) -> bool {
        masses_vary
    }
    fn derivative(&self, at: &Point<'_>) -> Derivative {
        Derivative::OfAucs(gradients(self.average, at, self.classes))
    }
}

/// R_i = sum over j of (m_j / r_i) A(i|j), r_i the mass of the rest: dR_i / dA(i|j) = m_j / r_i and
/// dR_i / dm_j = (A(i|j) - R_i) / r_i. The average adds the derivatives of its own weights.
fn gradients(average: Average, point: &Point<'_>, classes: usize) -> Vec<Gradient> {
    let (present, masses) = (point.present, point.masses);
    let shared: Arc<[f64]> = masses.into();
    let total: f64 = present.iter().map(|&class| masses[class]).sum();
    let rest = |i: usize| total - masses[i];
    let others = |i: usize| present.iter().copied().filter(move |&j| j != i);
    let value = |i: usize| others(i).map(|j| masses[j] * (point.auc)(i, j)).sum::<f64>() / rest(i);
    let share = |i: usize| match average {
        Average::None => 1.0,
        Average::Macro => 1.0 / present.len() as f64,
        Average::Prevalence => masses[i] / total,
    };
    let gradient = |only: Option<usize>| {
        let mut mass = vec![0.0; classes];
        for &i in present.iter().filter(|&&i| only.is_none_or(|only| only == i)) {
            let (share, value, rest) = (share(i), value(i), rest(i));
            for j in others(i) {
                mass[j] += share * ((point.auc)(i, j) - value) / rest;
            }
        }
        if average == Average::Prevalence {
            let mean: f64 = present.iter().map(|&i| share(i) * value(i)).sum();
            present.iter().for_each(|&i| mass[i] += (value(i) - mean) / total);
        }
        // Of many classes with a number each, no number needs the slopes of all the others.
        let slope = |i: usize| match masses[i] > 0.0 && only.is_none_or(|only| only == i) {
            true => share(i) / rest(i),
            false => 0.0,
        };
        let slopes: Vec<f64> = (0..classes).map(slope).collect();
        let masses = Arc::clone(&shared);
        let contrast = Box::new(move |i: usize, j: usize| slopes[i] * masses[j]);
        Gradient { only, contrast, mass }
    };
    match average {
        Average::None => (0..classes).map(|i| gradient(Some(i))).collect(),
        Average::Macro | Average::Prevalence => vec![gradient(None)],
    }
}

/// The micro average: the AUC of all n K scores together, a score being positive where its column is the class
/// of its row.
pub struct Micro;

impl Measure for Micro {
    fn wanted(&self) -> Wanted {
        Orderings::Pooled.into()
    }
    fn room(&self) -> usize {
        1
    }
    fn take(&self, outcome: &Outcome<'_>, _: &Masses<'_>, room: &mut [f64]) {
        (0..outcome.lanes).for_each(|lane| room[lane] = outcome.auc(0, lane));
    }
    fn finish(&self, _: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        out.copy_from_slice(room);
    }
    fn derivative(&self, _: &Point<'_>) -> Derivative {
        of_one_auc()
    }
}

pub(super) fn make(options: &mut Options) -> Result<Shared> {
    Ok(Arc::new(OneVsRest { classes: options.count("n_classes")?, average: options.average()? }))
}

pub(super) fn make_micro(_: &mut Options) -> Result<Shared> {
    Ok(Arc::new(Micro))
}
