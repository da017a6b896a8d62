//! A measure of two classes over many labels.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::measures::average::Average;
use crate::measures::measure::{Derivative, Gradient, Masses, Measure, Outcome, Point, Shared};
use crate::measures::options::Options;
use crate::order::wanted::{Orderings, Wanted};
use crate::walk::steps::Start;

/// The mean over labels of a measure of two classes, macro or by the mass of positive entries; or one value
/// for each label.
///
/// Label l has the classes 2l and 2l + 1, of which the latter is positive, and the only column of scores. What
/// a row says of a label is an *entry*; the entries of a row are one unit, so that rows are resampled whole.
/// O(n log n) for each label, or what the measure itself takes.
pub struct Multilabel {
    /// The measure of each label.
    inner: Shared,
    /// How many labels, and how many of them have both classes.
    labels: usize,
    present: usize,
    average: Average,
}

/// `measure`, `n_labels`, `n_present` and `average`.
pub(super) fn make(options: &mut Options) -> Result<Shared> {
    let inner = options.measure("measure")?;
    if inner.wanted().orderings != Orderings::SingleColumn || inner.width() != 1 {
        let what = "one value of two classes by one column of scores";
        return Err(Error::Domain(format!("labels are put together by a measure that is {what}")));
    }
    let (labels, present) = (options.count("n_labels")?, options.count("n_present")?);
    Ok(Arc::new(Multilabel { inner, labels, present, average: options.average()? }))
}

/// The two classes of a label, as the measure knows them.
const BOTH: [usize; 2] = [0, 1];

impl Multilabel {
    /// The measure of one label.
    fn of_label(&self, outcome: &Outcome<'_>, masses: &Masses<'_>) -> Vec<f64> {
        let mut room = vec![0.0; self.inner.room() * outcome.lanes];
        self.inner.take(outcome, masses, &mut room);
        let mut out = vec![0.0; outcome.lanes];
        self.inner.finish(masses, &mut room, &mut out);
        out
    }

    /// Where the number of labels taken in is kept, after what the average keeps.
    fn counter(&self) -> usize {
        self.average.room(self.labels)
    }
}

impl Measure for Multilabel {
    fn wanted(&self) -> Wanted {
        Wanted { orderings: Orderings::Labels, all_ties: self.inner.wanted().all_ties }
    }
    fn counts_pairs(&self) -> bool {
        self.inner.counts_pairs()
    }
    fn steps(&self) -> Option<Start<'_>> {
        self.inner.steps()
    }
    fn width(&self) -> usize {
        self.average.width(self.labels)
    }
    fn room(&self) -> usize {
        self.counter() + 1
    }
    fn take(&self, outcome: &Outcome<'_>, masses: &Masses<'_>, room: &mut [f64]) {
        let (label, lanes) = (outcome.favoured / 2, outcome.lanes);
        let values = &masses.values[2 * label * lanes..][..2 * lanes];
        let own = Masses { lanes, values, present: &BOTH };
        let outcome = Outcome { favoured: 1, others: &[0], ..*outcome };
        let found = self.of_label(&outcome, &own);
        let positive = |lane: usize| own.of(1, lane);
        self.average.add(label, |lane| found[lane], positive, lanes, room);
        room[self.counter() * lanes..].iter_mut().for_each(|taken| *taken += 1.0);
    }
    fn finish(&self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        let lanes = masses.lanes;
        // A mean over fewer labels than there are would be another measure.
        let lost = room[self.counter() * lanes] < self.present as f64;
        if lost && self.average != Average::None {
            return out.fill(f64::NAN);
        }
        let taken = Orderings::Labels.contests(masses.present).into_iter();
        self.average.put_together(taken.map(|(favoured, _)| favoured / 2), lanes, room, out);
    }
    fn needs_point(&self, masses_vary: bool) -> bool {
        let weighted = self.average == Average::Prevalence && masses_vary;
        weighted || self.inner.needs_point(masses_vary)
    }
    /// With V_l the value of label l and w_l its weight, m_l over their sum m if by mass:
    /// df / dA_l = w_l dV_l / dA_l, and by mass df / dm_l = (V_l - f) / m beside what V_l itself depends on.
    fn derivative(&self, at: &Point<'_>) -> Derivative {
        let labels: Vec<usize> =
            Orderings::Labels.contests(at.present).iter().map(|(i, _)| i / 2).collect();
        let positive: f64 = labels.iter().map(|l| at.masses[2 * l + 1]).sum();
        let share = |label: usize| match self.average {
            Average::None => 1.0,
            Average::Macro => 1.0 / labels.len() as f64,
            Average::Prevalence => at.masses[2 * label + 1] / positive,
        };
        let mut slopes = vec![0.0; self.labels];
        let mut values = vec![f64::NAN; self.labels];
        let mut masses = vec![0.0; 2 * self.labels];
        for &label in &labels {
            let auc = (at.auc)(2 * label + 1, 2 * label);
            let own = &at.masses[2 * label..2 * label + 2];
            let point = Point { auc: &|_, _| auc, masses: own, present: &BOTH };
            let Derivative::OfAucs(gradients) = self.inner.derivative(&point) else {
                return Derivative::Unknown;
            };
            let [gradient] = &gradients[..] else {
                return Derivative::Unknown;
            };
            slopes[label] = share(label) * (gradient.contrast)(1, 0);
            for (mass, slope) in masses[2 * label..].iter_mut().zip(&gradient.mass) {
                *mass += share(label) * slope;
            }
            if self.average == Average::Prevalence {
                let (won, all) = ([auc], [1.0]);
                let outcome = Outcome {
                    lanes: 1,
                    favoured: 1,
                    others: &[0],
                    won: &won,
                    all: &all,
                    rest: None,
                    steps: &[],
                    row_sums: &[],
                    row_masses: &[],
                };
                let own = Masses { lanes: 1, values: own, present: &BOTH };
                values[label] = self.of_label(&outcome, &own)[0];
            }
        }
        if self.average == Average::Prevalence {
            let mean: f64 = labels.iter().map(|&label| share(label) * values[label]).sum();
            labels.iter().for_each(|l| masses[2 * l + 1] += (values[*l] - mean) / positive);
        }
        let counts = masses.iter().any(|&mass| mass != 0.0);
        let of = |only: Option<usize>| {
            let slopes = slopes.clone();
            let mine = |class: usize| only.is_none_or(|only| only / 2 == class / 2);
            let mass = masses.iter().enumerate();
            let mass = mass.map(|(class, &mass)| if mine(class) { mass } else { 0.0 });
            Gradient {
                only,
                contrast: Box::new(move |i, _| slopes[i / 2]),
                mass: if counts { mass.collect() } else { Vec::new() },
            }
        };
        Derivative::OfAucs(match self.average {
            Average::None => (0..self.labels).map(|label| of(Some(2 * label + 1))).collect(),
            Average::Macro | Average::Prevalence => vec![of(None)],
        })
    }
}
