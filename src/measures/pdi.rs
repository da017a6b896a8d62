//! The polytomous discrimination index.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::data::scores::Score;
use crate::data::table::Table;
use crate::error::{Error, Result};
use crate::machine::watch::Watch;
use crate::measures::average::Average;
use crate::measures::measure::{ByRow, Derivative, Masses, Measure, Outcome, Point, Shared};
use crate::measures::options::Options;
use crate::measures::quadrature::nodes;
use crate::order::argsort::argsort;
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

/// PDI_i is a U-statistic: a row of class i moves it by w (V - PDI_i) / W_i, V being the integral above, and a row of
/// class j by w (P - PDI_i) / W_j, P being the share that the rows of class i win against it and one row of each
/// further class. O(K n log n) for all classes.
impl ByRow for Pdi {
    fn moved(&self, rows: &dyn Table, weights: &[f64], watch: &Watch) -> Result<Vec<Vec<f64>>> {
        let (codes, present) = (rows.classes().codes, rows.classes().present_classes());
        let each = rows.workers().map(present.len(), |k| match watch.is_stopped() {
            true => Err(Error::Interrupted),
            false => Ok(moved_by(rows, weights, present[k], &present)),
        });
        let each = each.into_iter().collect::<Result<Vec<_>>>()?;
        if self.average == Average::None {
            let mut out = vec![vec![0.0; codes.len()]; self.classes];
            for (&class, (_, moved)) in present.iter().zip(each) {
                out[class] = moved;
            }
            return Ok(out);
        }
        let mut out = vec![0.0; codes.len()];
        for (_, moved) in &each {
            let share = 1.0 / present.len() as f64;
            out.iter_mut().zip(moved).for_each(|(out, moved)| *out += share * moved);
        }
        Ok(vec![out])
    }
}

/// PDI_i of one class, and how much each row moves it.
fn moved_by(rows: &dyn Table, weights: &[f64], class: usize, present: &[usize]) -> (f64, Vec<f64>) {
    let (codes, column) = (rows.classes().codes, rows.column(class));
    let weight = |row: u32| weights[row as usize];
    let code = |row: u32| codes[row as usize] as usize;
    let kept: Vec<u32> = (0..codes.len() as u32).filter(|&row| weight(row) > 0.0).collect();
    let keys: Vec<u64> = kept.iter().map(|&row| column[row as usize].key()).collect();
    let order: Vec<u32> = argsort(&keys).0.into_iter().map(|at| kept[at as usize]).collect();
    let count = rows.classes().count();
    let mut totals = vec![0.0; count];
    order.iter().for_each(|&row| totals[code(row)] += weight(row));
    let others: Vec<usize> = present.iter().copied().filter(|&j| j != class).collect();
    let groups: Vec<&[u32]> =
        order.chunk_by(|&a, &b| column[a as usize] == column[b as usize]).collect();
    let (mut below, mut tied) = (vec![0.0; count], vec![0.0; count]);
    let mut rules = Rules::default();
    let mut value = 0.0;
    // Of each group with rows of the class: V, and for every other class what its rows below and in it gain.
    let mut gains: Vec<f64> = Vec::new();
    let mut left_out = vec![(0.0, 0.0); others.len()];
    for group in &groups {
        group.iter().for_each(|&row| tied[code(row)] += weight(row) / totals[code(row)]);
        if tied[class] > 0.0 {
            let degree = others.iter().filter(|&&j| tied[j] > 0.0).count();
            let wins = |&(t, w): &(f64, f64)| {
                w * others.iter().map(|&j| below[j] + t * tied[j]).product::<f64>()
            };
            let won: f64 = rules.of(degree).iter().map(wins).sum();
            leave_out(&others, &below, &tied, rules.of(degree), &mut left_out);
            value += tied[class] * won;
            gains.push(won);
            for gain in &left_out {
                gains.extend([tied[class] * gain.0, tied[class] * gain.1]);
            }
        }
        // Only classes that were met: all of them would be K for every score.
        for &row in *group {
            let j = code(row);
            below[j] += tied[j];
            tied[j] = 0.0;
        }
    }
    let mut moved = vec![0.0; codes.len()];
    let mut above = vec![0.0; count];
    for group in groups.iter().rev() {
        let owns = group.iter().any(|&row| code(row) == class);
        let here =
            if owns { gains.split_off(gains.len() - 1 - 2 * others.len()) } else { Vec::new() };
        for &row in *group {
            let j = code(row);
            let right = match others.binary_search(&j) {
                Err(_) => here[0],
                Ok(k) => above[j] + if owns { here[2 + 2 * k] } else { 0.0 },
            };
            moved[row as usize] = weight(row) * (right - value) / totals[j];
        }
        if owns {
            others.iter().enumerate().for_each(|(k, &j)| above[j] += here[1 + 2 * k]);
        }
    }
    (value, moved)
}

/// For every class j of some, the integral of the other factors, and that of t times them.
fn leave_out(
    others: &[usize],
    below: &[f64],
    tied: &[f64],
    rule: &[(f64, f64)],
    out: &mut [(f64, f64)],
) {
    out.fill((0.0, 0.0));
    let mut before = Vec::with_capacity(others.len());
    for &(t, w) in rule {
        let factor = |j: usize| below[j] + t * tied[j];
        before.clear();
        let mut product = w;
        for &j in others {
            before.push(product);
            product *= factor(j);
        }
        let mut after = 1.0;
        for (k, &j) in others.iter().enumerate().rev() {
            out[k].0 += before[k] * after;
            out[k].1 += t * before[k] * after;
            after *= factor(j);
        }
    }
}
