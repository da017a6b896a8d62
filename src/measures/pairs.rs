//! Averages over pairs of classes.

use std::sync::Arc;

use ndarray::Array2;

use crate::error::{Error, Result};
use crate::measures::mean::{CompensatedSum, LaneMeans};
use crate::measures::measure::{Derivative, Gradient, Masses, Measure, Outcome, Point, Shared};
use crate::measures::options::Options;
use crate::order::wanted::{Orderings, Wanted};

/// How much each pair of classes counts in an average.
pub enum PairWeights {
    /// All alike.
    Uniform,
    /// By the product of the classes' masses (KP19 Eq. 5).
    Prevalence,
    /// Pair {i, j} by W[i,j] + W[j,i]: symmetric and triangular matrices then mean the same.
    Given(Array2<f64>),
}

impl PairWeights {
    /// sum_{i<j} w_ij v_ij / sum_{i<j} w_ij over the pairs whose value is not NaN.
    pub fn average(&self, masses: &[f64], value: impl Fn(usize, usize) -> f64) -> Result<f64> {
        let classes = masses.len();
        if let Self::Given(weights) = self
            && weights.dim() != (classes, classes)
        {
            let (rows, columns) = weights.dim();
            return Err(Error::Shape(format!(
                "pair_weights is {rows} x {columns}; {classes} classes need {classes} x {classes}"
            )));
        }
        let total: f64 = masses.iter().sum();
        let (mut sum, mut norm) = (CompensatedSum::default(), CompensatedSum::default());
        for i in 0..classes {
            for j in i + 1..classes {
                let value = value(i, j);
                if value.is_nan() {
                    continue;
                }
                let weight = self.weight((i, j), (masses[i], masses[j]), total);
                sum.add(weight * value);
                norm.add(weight);
            }
        }
        let norm = norm.value();
        if !(norm > 0.0 && norm.is_finite()) {
            return Err(Error::Domain(
                "the pair weights of the classes that have rows do not sum to a positive number"
                    .into(),
            ));
        }
        Ok(sum.value() / norm)
    }

    /// The weight of a pair of classes of given masses; their sum over all pairs need not be 1.
    pub fn weight(&self, (i, j): (usize, usize), masses: (f64, f64), total: f64) -> f64 {
        match self {
            Self::Uniform => 1.0,
            Self::Prevalence => (masses.0 / total) * (masses.1 / total),
            Self::Given(weights) => weights[[i, j]] + weights[[j, i]],
        }
    }

    /// Takes the AUCs of an ordering's favoured class into means by these weights, ordering by
    /// ordering and class by class: since A(i,j) is the mean of A(i|j) and A(j|i), and S(i,j) is one
    /// value, the mean over what was taken in is the mean over pairs.
    pub fn take(&self, outcome: &Outcome<'_>, masses: &Masses<'_>, room: &mut [f64]) {
        let i = outcome.favoured;
        let mut means = LaneMeans::new(outcome.lanes, room);
        for (k, &j) in outcome.others.iter().enumerate() {
            for lane in 0..outcome.lanes {
                let pair = (masses.of(i, lane), masses.of(j, lane));
                let total = match self {
                    Self::Prevalence => masses.total(lane),
                    _ => 1.0,
                };
                means.add(lane, self.weight((i, j), pair, total), outcome.auc(k, lane));
            }
        }
    }

    /// How the mean of A(i|j) over ordered pairs, or of S(i,j) over pairs i < j, by these weights
    /// changes. With S = sum w A and W = sum w, prevalence weights make it
    /// df / dm_c = (dS / dm_c - f dW / dm_c) / W.
    pub fn gradient(self: &Arc<Self>, point: &Point<'_>, ordered: bool) -> Gradient {
        let (present, masses) = (point.present.to_vec(), point.masses.to_vec());
        let total: f64 = present.iter().map(|&class| masses[class]).sum();
        let weights = Arc::clone(self);
        let weight = {
            let masses = masses.clone();
            move |i: usize, j: usize| weights.weight((i, j), (masses[i], masses[j]), total)
        };
        let pairs = || {
            let all = present.iter().flat_map(|&i| present.iter().map(move |&j| (i, j)));
            all.filter(|&(i, j)| if ordered { i != j } else { i < j })
        };
        let norm: f64 = pairs().map(|(i, j)| weight(i, j)).sum();
        let mut mass = Vec::new();
        if matches!(**self, Self::Prevalence) {
            let value = pairs().map(|(i, j)| weight(i, j) * (point.auc)(i, j)).sum::<f64>() / norm;
            mass = vec![0.0; masses.len()];
            for (i, j) in pairs() {
                let excess = ((point.auc)(i, j) - value) / (norm * total * total);
                mass[i] += masses[j] * excess;
                mass[j] += masses[i] * excess;
            }
        }
        let contrast = Box::new(move |i, j| weight(i, j) / norm);
        Gradient { only: None, contrast, mass }
    }
}

/// A mean over pairs of classes: of A(i,j) where columns are read, of S(i,j) where projections are.
pub struct PairMean {
    /// What is read.
    pub orderings: Orderings,
    /// How much each pair counts.
    pub pair_weights: Arc<PairWeights>,
}

impl PairMean {
    fn by_column(&self) -> bool {
        self.orderings == Orderings::Columns
    }
}

impl Measure for PairMean {
    fn wanted(&self) -> Wanted {
        self.orderings.clone().into()
    }
    fn room(&self) -> usize {
        LaneMeans::ROOM
    }
    fn take(&self, outcome: &Outcome<'_>, masses: &Masses<'_>, room: &mut [f64]) {
        self.pair_weights.take(outcome, masses, room);
    }
    fn finish(&self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        LaneMeans::new(masses.lanes, room).finish(out);
    }
    /// Rounds A(i,j) before it is averaged, as the papers' tables of pairs do.
    fn value(&self, at: &Point<'_>) -> Result<Option<f64>> {
        let auc = |i, j| match self.by_column() {
            true => 0.5 * ((at.auc)(i, j) + (at.auc)(j, i)),
            false => (at.auc)(i, j),
        };
        self.pair_weights.average(at.masses, auc).map(Some)
    }
    fn needs_point(&self, masses_vary: bool) -> bool {
        masses_vary && matches!(*self.pair_weights, PairWeights::Prevalence)
    }
    fn derivative(&self, at: &Point<'_>) -> Derivative {
        Derivative::OfAucs(vec![self.pair_weights.gradient(at, self.by_column())])
    }
}

/// The AUCs of all pairs of classes, K x K values: A(i|j) as columns give them, A(i,j) or S(i,j) with both
/// halves alike. NaN on the diagonal and for absent classes.
pub struct AllPairs {
    /// How many classes.
    pub classes: usize,
    /// Whether [i, j] and [j, i] are averaged, as A(i,j) is.
    pub symmetric: bool,
    /// What is read.
    pub orderings: Orderings,
}

impl Measure for AllPairs {
    fn wanted(&self) -> Wanted {
        self.orderings.clone().into()
    }
    fn width(&self) -> usize {
        self.classes * self.classes
    }
    fn room(&self) -> usize {
        self.width()
    }
    fn take(&self, outcome: &Outcome<'_>, _: &Masses<'_>, room: &mut [f64]) {
        let i = outcome.favoured;
        for (k, &j) in outcome.others.iter().enumerate() {
            for lane in 0..outcome.lanes {
                let value = outcome.auc(k, lane);
                room[(i * self.classes + j) * outcome.lanes + lane] = value;
                if self.orderings != Orderings::Columns {
                    room[(j * self.classes + i) * outcome.lanes + lane] = value;
                }
            }
        }
    }
    fn derivative(&self, _: &Point<'_>) -> Derivative {
        Derivative::OfPairs { symmetric: self.symmetric }
    }
    fn finish(&self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        let (count, lanes) = (self.classes, masses.lanes);
        out.fill(f64::NAN);
        for &i in masses.present {
            for &j in masses.present.iter().filter(|&&j| j != i) {
                for lane in 0..lanes {
                    let own = room[(i * count + j) * lanes + lane];
                    let turned = room[(j * count + i) * lanes + lane];
                    out[(i * count + j) * lanes + lane] =
                        if self.symmetric { (own + turned) / 2.0 } else { own };
                }
            }
        }
    }
}

/// All pairs by the column of the first class, or projected by a `partition` and `unit_roundoff`.
pub(super) fn make(options: &mut Options) -> Result<Shared> {
    let (classes, symmetric) = (options.count("n_classes")?, options.flag("symmetric")?);
    let orderings = match options.flag("projected")? {
        true => Orderings::Pairs {
            partition: options.matrix("partition")?,
            unit_roundoff: options.number("unit_roundoff")?,
        },
        false => Orderings::Columns,
    };
    Ok(Arc::new(AllPairs { classes, symmetric, orderings }))
}
