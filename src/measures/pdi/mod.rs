//! The polytomous discrimination index.

mod gains;

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::measures::average::Average;
use crate::measures::measure::{Derivative, Masses, Measure, Outcome, Point, Shared};
use crate::measures::options::Options;
use crate::measures::quadrature::nodes;
use crate::order::wanted::{Orderings, Wanted};
use crate::walk::steps::{Start, Steps, Tied};

/// PDI_i = P(of one row from each class, that of class i has the greatest score i), ties shared; PDI is their mean
/// (Van Calster et al. 2012; ties as in Dover et al. 2021).
///
/// Where r of the others tie with the row of class i it wins with probability 1 / (r + 1), the integral of t^r: so
/// with below_j and tied_j the shares of class j below and at the score of a row,
///
/// ```text
/// PDI_i = mean over rows of class i of  the integral over t in [0, 1] of  prod over j != i of (below_j + t tied_j)
/// ```
///
/// O(K n log n).
pub struct Pdi {
    classes: usize,
    average: Average,
}

/// `n_classes` and `average`, which is the mean or none.
pub(super) fn make(options: &mut Options) -> Result<Shared> {
    let (classes, average) = (options.count("n_classes")?, options.average()?);
    match average {
        Average::Prevalence => Err(Error::Domain("PDI is the plain mean over classes".into())),
        Average::None | Average::Macro => Ok(Arc::new(Pdi { classes, average })),
    }
}

impl Measure for Pdi {
    fn wanted(&self) -> Wanted {
        Orderings::Columns.into()
    }
    fn counts_pairs(&self) -> bool {
        false
    }
    fn steps(&self) -> Option<Start<'_>> {
        Some(Box::new(|totals| {
            let (lanes, favoured) = (totals.lanes, totals.favoured);
            let there = |side: &usize| {
                let masses = &totals.values[side * lanes..][..lanes];
                *side != favoured && masses.iter().any(|&mass| mass > 0.0)
            };
            let others: Vec<usize> = (0..totals.values.len() / lanes).filter(there).collect();
            Box::new(Wins {
                lanes,
                favoured,
                totals: totals.values.to_vec(),
                below: vec![0.0; totals.values.len()],
                rules: Rules::default(),
                others,
                won: vec![0.0; lanes],
                own: vec![0.0; lanes],
            })
        }))
    }
    fn width(&self) -> usize {
        self.average.width(self.classes)
    }
    fn room(&self) -> usize {
        self.average.room(self.classes)
    }
    fn take(&self, outcome: &Outcome<'_>, masses: &Masses<'_>, room: &mut [f64]) {
        self.average.take(outcome.favoured, |lane| outcome.steps[lane], masses, room);
    }
    fn finish(&self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        self.average.finish(masses, room, out);
    }
    fn derivative(&self, _: &Point<'_>) -> Derivative {
        Derivative::OfRows(Box::new(Pdi { ..*self }))
    }
}

/// Quadrature rules by the degree that they are for; made when first asked for.
#[derive(Default)]
struct Rules(Vec<Vec<(f64, f64)>>);

impl Rules {
    fn of(&mut self, degree: usize) -> &[(f64, f64)] {
        while self.0.len() <= degree {
            self.0.push(nodes(self.0.len()));
        }
        &self.0[degree]
    }
}

/// What rows of the favoured class win.
struct Wins {
    lanes: usize,
    favoured: usize,
    /// The classes that it has to beat.
    others: Vec<usize>,
    /// The mass of each side, and what of it lies below, lane by lane.
    totals: Vec<f64>,
    below: Vec<f64>,
    rules: Rules,
    /// Mass times share of tuples won, and the mass itself.
    won: Vec<f64>,
    own: Vec<f64>,
}

impl Wins {
    /// Rows of the favoured class that tie with no others.
    fn win(&mut self, mass: &[f64]) {
        let lanes = self.lanes;
        for (lane, &mass) in mass.iter().enumerate() {
            if mass > 0.0 {
                let share =
                    |&j: &usize| self.below[j * lanes + lane] / self.totals[j * lanes + lane];
                self.won[lane] += mass * self.others.iter().map(share).product::<f64>();
                self.own[lane] += mass;
            }
        }
    }
}

impl Steps for Wins {
    fn by_side(&self) -> bool {
        true
    }

    fn goes_up(&self) -> bool {
        true
    }

    fn alone(&mut self, side: usize, mass: &[f64]) -> Option<ControlFlow<()>> {
        if side == self.favoured {
            self.win(mass);
        } else {
            let below = &mut self.below[side * self.lanes..][..self.lanes];
            below.iter_mut().zip(mass).for_each(|(below, mass)| *below += mass);
        }
        Some(ControlFlow::Continue(()))
    }

    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        let Self { lanes, others, totals, below, rules, .. } = self;
        for (lane, &own) in tied.own.iter().enumerate().filter(|(_, own)| **own > 0.0) {
            let degree = others.iter().filter(|&&j| tied.sides[j * *lanes + lane] > 0.0).count();
            let wins = |&(t, weight): &(f64, f64)| {
                let share = |&j: &usize| {
                    let at = j * *lanes + lane;
                    (below[at] + t * tied.sides[at]) / totals[at]
                };
                weight * others.iter().map(share).product::<f64>()
            };
            self.won[lane] += own * rules.of(degree).iter().map(wins).sum::<f64>();
            self.own[lane] += own;
        }
        for &j in &*others {
            let at = j * *lanes..(j + 1) * *lanes;
            let sides = tied.sides[at.clone()].iter();
            below[at].iter_mut().zip(sides).for_each(|(below, mass)| *below += mass);
        }
        ControlFlow::Continue(())
    }

    /// NaN where a class was lost.
    fn finish(self: Box<Self>, out: &mut [f64]) {
        for (lane, out) in out.iter_mut().enumerate() {
            let lost = self.others.iter().any(|&j| self.totals[j * self.lanes + lane] <= 0.0);
            *out = if lost { f64::NAN } else { (self.won[lane] / self.own[lane]).min(1.0) };
        }
    }
}
