//! One number of a measure, and how it changes with an ordering.

use crate::influence::row_values::add_ordering;
use crate::influence::ties::add_ties;
use crate::measures::measure::{Derivative, Gradient};
use crate::measures::ties::TieGradient;
use crate::order::jobs::Job;
use crate::order::ordering::Ordering;

/// How one number changes with what it is made of.
pub enum Number {
    /// AUCs.
    OfAucs(Gradient),
    /// What tie groups weigh.
    OfTies(TieGradient),
}

impl Number {
    /// The numbers of a measure; none where their derivatives are not known, or are those of pairs.
    pub fn all(derivative: Derivative) -> Vec<Self> {
        match derivative {
            Derivative::OfAucs(gradients) => gradients.into_iter().map(Self::OfAucs).collect(),
            Derivative::OfTies(gradients) => gradients.into_iter().map(Self::OfTies).collect(),
            Derivative::OfPairs { .. } | Derivative::OfRows(_) | Derivative::Unknown => Vec::new(),
        }
    }

    /// The only favoured class whose ordering matters; `None` if all do.
    pub fn only(&self) -> Option<usize> {
        match self {
            Self::OfAucs(gradient) => gradient.only,
            Self::OfTies(gradient) => gradient.only,
        }
    }

    /// How it changes with the mass of each class beside what orderings tell; empty if it does not.
    pub fn mass(&self) -> &[f64] {
        match self {
            Self::OfAucs(gradient) => &gradient.mass,
            Self::OfTies(gradient) => &gradient.mass,
        }
    }

    /// Whether ties of favoured rows alone must be marked in an ordering.
    pub fn all_ties(&self) -> bool {
        matches!(self, Self::OfTies(gradient) if gradient.joins_favoured)
    }

    /// Adds to `out`, by place, how each row of an ordering moves it; `rows(place)` rows are alike. Returns the AUC
    /// of each side, where they come along.
    pub fn add(
        &self,
        (job, ordering): (&Job, &Ordering),
        rows: impl Fn(usize) -> f64,
        out: &mut [f64],
    ) -> Vec<f64> {
        match self {
            Self::OfAucs(gradient) => {
                let slopes = slopes(job, ordering.sides, gradient);
                add_ordering(ordering, &slopes, rows, out)
            }
            Self::OfTies(gradient) => {
                add_ties((job, ordering), gradient, rows, out);
                Vec::new()
            }
        }
    }
}

/// What the AUC against each side counts in a number.
pub fn slopes(job: &Job, sides: usize, gradient: &Gradient) -> Vec<f64> {
    let mut slopes = vec![0.0; sides];
    for &j in job.others.iter() {
        slopes[job.side_of(j)] = (gradient.contrast)(job.favoured, j);
    }
    slopes
}
