//! How much each row moves PDI: what rows of a class win, and what they take from those of the others.

use std::ops::Range;

use ndarray::ArrayView1;

use super::{Pdi, Rules};
use crate::data::table::Table;
use crate::error::{Error, Result};
use crate::machine::watch::Watch;
use crate::measures::average::Average;
use crate::measures::measure::{ByRow, Masses, Measure, Moved};
use crate::measures::stepped::along;
use crate::order::ordering::{Ordering, RowPlaces};
use crate::walk::pieces::Pieces;

/// PDI_i is a U-statistic: a row of class i moves it by w (V - PDI_i) / W_i, V being the integral above, and a row of
/// class j by w (P - PDI_i) / W_j, P being the share that the rows of class i win against it and one row of each
/// further class. O(K n log n) for all classes.
impl ByRow for Pdi {
    fn moved(&self, rows: &dyn Table, weights: &[f64], watch: &Watch) -> Result<Moved> {
        let classes = rows.classes();
        let present = classes.present_classes();
        let each = rows.workers().map(present.len(), |k| match watch.is_stopped() {
            true => Err(Error::Interrupted),
            false => self.moved_by(rows, weights, (present[k], &present), watch),
        });
        let each = each.into_iter().collect::<Result<Vec<_>>>()?;
        let (masses, mut room) = (classes.masses(), vec![0.0; self.room()]);
        let masses = Masses { lanes: 1, values: &masses, present: &present };
        let mut values = vec![0.0; self.width()];
        for (&class, (value, _)) in present.iter().zip(&each) {
            self.average.take(class, |_| *value, &masses, &mut room);
        }
        self.finish(&masses, &mut room, &mut values);
        let moved = if self.average == Average::None {
            let mut out = vec![Vec::new(); self.classes];
            for (&class, (_, moved)) in present.iter().zip(each) {
                out[class] = moved;
            }
            out.iter_mut().for_each(|moved| moved.resize(weights.len(), 0.0));
            out
        } else {
            let share = 1.0 / present.len() as f64;
            let mut out = vec![0.0; weights.len()];
            for (_, moved) in &each {
                out.iter_mut().zip(moved).for_each(|(out, moved)| *out += share * moved);
            }
            vec![out]
        };
        Ok(Moved { by_row: moved, values: Some(values) })
    }
}

impl Pdi {
    /// PDI_i of one class, and how much each row moves it.
    fn moved_by(
        &self,
        rows: &dyn Table,
        weights: &[f64],
        (class, present): (usize, &[usize]),
        watch: &Watch,
    ) -> Result<(f64, Vec<f64>)> {
        let (classes, column) = (rows.classes(), rows.column(class));
        let numbers: Vec<u32> = (0..weights.len() as u32).collect();
        let places = RowPlaces { place: &numbers, mass: weights, all_ties: false, watch };
        let column = ArrayView1::from(&column);
        let ordering = Ordering::of_column(column, classes, Some(class), &places, rows.workers())
            .map_err(|error| error.in_column(rows.columns(), class))?;
        let value = self.steps().map_or(f64::NAN, |start| along(&ordering, &start)[0]);
        let others: Vec<usize> = present.iter().copied().filter(|&j| j != class).collect();
        let mut gains = Gains::new(&ordering, class, others);
        let mut right = vec![0.0; weights.len()];
        let (mut pieces, mut all) = (Pieces::new(&ordering.ties, true), 0..ordering.side.len());
        while let Some(piece) = pieces.next(&mut all) {
            match piece.tied {
                true => gains.take_tied(piece.rows, &mut right),
                false => piece.rows.for_each(|k| gains.take_alone(k, &mut right)),
            }
        }
        let own = gains.sum;
        let codes = classes.codes.iter().map(|&code| code as usize);
        for ((right, &weight), j) in right.iter_mut().zip(weights).zip(codes) {
            if weight > 0.0 {
                *right = weight * (*right + gains.gained[j] - own) / gains.totals[j];
            }
        }
        Ok((value, right))
    }
}

/// What rows of the favoured class win, and what it takes from the other classes' rows, on the way up an ordering.
struct Gains<'a> {
    ordering: &'a Ordering,
    class: usize,
    others: Vec<usize>,
    /// The mass of each class, the share of it that lies below, and that at the score at hand.
    totals: Vec<f64>,
    below: Vec<f64>,
    tied: Vec<f64>,
    rules: Rules,
    /// PDI_i so far, and for each class j the same with its own factor left out: a row of it that lies below all
    /// rows so far is beaten by so much.
    sum: f64,
    gained: Vec<f64>,
    left_out: Vec<(f64, f64)>,
    /// Products of the first factors, as [`leave_out`] makes them.
    before: Vec<f64>,
}

impl<'a> Gains<'a> {
    fn new(ordering: &'a Ordering, class: usize, others: Vec<usize>) -> Self {
        let mut totals = vec![0.0; ordering.sides];
        for (side, mass) in ordering.side.iter().zip(&ordering.mass) {
            totals[usize::from(*side)] += mass;
        }
        let zeros = vec![0.0; ordering.sides];
        let (left_out, before) = (vec![(0.0, 0.0); others.len()], Vec::with_capacity(others.len()));
        let (below, tied, gained) = (zeros.clone(), zeros.clone(), zeros);
        let (rules, sum) = (Rules::default(), 0.0);
        Self { ordering, class, others, totals, below, tied, rules, sum, gained, left_out, before }
    }

    /// The share of its class that the k-th row is.
    fn share(&self, k: usize) -> (usize, f64) {
        let side = usize::from(self.ordering.side[k]);
        (side, self.ordering.mass[k] / self.totals[side])
    }

    /// A row that ties with no row that matters. What is kept of one of another class is what has been gained so far,
    /// to be taken off what is gained in all.
    fn take_alone(&mut self, k: usize, right: &mut [f64]) {
        let (side, share) = self.share(k);
        let row = self.ordering.place[k] as usize;
        if side != self.class {
            self.below[side] += share;
            right[row] = -self.gained[side];
            return;
        }
        right[row] = self.win(share, 0);
        for (&j, left_out) in self.others.iter().zip(&self.left_out) {
            self.gained[j] += share * left_out.0;
        }
    }

    /// Rows of one score, of which some are favoured.
    fn take_tied(&mut self, tie: Range<usize>, right: &mut [f64]) {
        for k in tie.clone() {
            let (side, share) = self.share(k);
            self.tied[side] += share;
        }
        let degree = self.others.iter().filter(|&&j| self.tied[j] > 0.0).count();
        let share = self.tied[self.class];
        let won = self.win(share, degree);
        for (&j, left_out) in self.others.iter().zip(&self.left_out) {
            self.gained[j] += share * left_out.0;
        }
        for k in tie.clone() {
            let side = usize::from(self.ordering.side[k]);
            right[self.ordering.place[k] as usize] = match self.others.binary_search(&side) {
                Err(_) => won,
                Ok(j) => share * self.left_out[j].1 - self.gained[side],
            };
        }
        // Only classes that were met: all of them would be K for every score.
        for k in tie {
            let side = usize::from(self.ordering.side[k]);
            self.below[side] += self.tied[side];
            self.tied[side] = 0.0;
        }
    }

    /// What favoured rows win that are so much of their class, and what that is without the factor of each other
    /// class, of which so many tie with them.
    fn win(&mut self, share: f64, degree: usize) -> f64 {
        let Self { others, below, tied, rules, left_out, before, .. } = self;
        let rule = rules.of(degree);
        let wins = |&(t, w): &(f64, f64)| {
            w * others.iter().map(|&j| below[j] + t * tied[j]).product::<f64>()
        };
        let won: f64 = rule.iter().map(wins).sum();
        leave_out(others, (below, tied), rule, before, left_out);
        self.sum += share * won;
        won
    }
}

/// For every class j of some, the integral of the other factors, and that of t times them.
fn leave_out(
    others: &[usize],
    (below, tied): (&[f64], &[f64]),
    rule: &[(f64, f64)],
    before: &mut Vec<f64>,
    out: &mut [(f64, f64)],
) {
    out.fill((0.0, 0.0));
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
