//! The proportion correct of every two classes, averaged over pairs.

use std::sync::Arc;

use crate::error::Result;
use crate::measures::measure::{Derivative, Gradient, Masses, Measure, Outcome, Point, Shared};
use crate::measures::options::Options;
use crate::order::wanted::{Orderings, Wanted};
use crate::project::row_values::RowValue;

/// C2 = 2 / (c (c - 1)) sum over i < j of (S_i(j) + S_j(i)) / (m_i + m_j) (HT01 s.4).
///
/// S_i(j) is the weight of those rows of class i whose own score is above that for class j, ties one half; m_i is
/// the weight of class i, and c the number of classes with rows. O(n K).
pub struct PairsCorrect;

pub(super) fn make(_: &mut Options) -> Result<Shared> {
    Ok(Arc::new(PairsCorrect))
}

/// 2 / (c (c - 1)).
fn share_of_a_pair(classes: usize) -> f64 {
    2.0 / (classes as f64 * (classes as f64 - 1.0))
}

impl Measure for PairsCorrect {
    fn wanted(&self) -> Wanted {
        Orderings::Rows(RowValue::Against).into()
    }
    fn counts_pairs(&self) -> bool {
        false
    }
    fn room(&self) -> usize {
        1
    }
    /// Adds (m_i - S_i(j)) / (m_i + m_j) for all i, j the favoured class: what is wrong, so that all rows on the right
    /// side make 1 to the last bit.
    fn take(&self, outcome: &Outcome<'_>, _: &Masses<'_>, room: &mut [f64]) {
        let lanes = outcome.lanes;
        for &i in outcome.others {
            for (lane, room) in room.iter_mut().enumerate() {
                let mass = |class: usize| outcome.row_masses[class * lanes + lane];
                let wrong = mass(i) - outcome.row_sums[i * lanes + lane];
                *room += wrong / (mass(i) + mass(outcome.favoured));
            }
        }
    }
    fn finish(&self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        let share = share_of_a_pair(masses.present.len());
        out.iter_mut().zip(room).for_each(|(out, wrong)| *out = 1.0 - share * *wrong);
    }
    fn needs_point(&self, masses_vary: bool) -> bool {
        masses_vary
    }
    /// With f_ij the proportion of a pair, df / dS_i(j) = 2 / (c (c - 1)) / (m_i + m_j), and a unit of m_i takes
    /// f_ij times as much off, for each j.
    fn derivative(&self, at: &Point<'_>) -> Derivative {
        let share = share_of_a_pair(at.present.len());
        let masses = at.masses.to_vec();
        let mut mass = vec![0.0; masses.len()];
        for &i in at.present {
            for &j in at.present.iter().filter(|&&j| j != i) {
                let right = masses[i] * (at.auc)(j, i) + masses[j] * (at.auc)(i, j);
                let both = masses[i] + masses[j];
                mass[i] -= share * right / (both * both);
            }
        }
        let contrast = Box::new(move |j: usize, i: usize| share / (masses[i] + masses[j]));
        Derivative::OfAucs(vec![Gradient { only: None, contrast, mass }])
    }
}
