//! The volume under the surface of ordered classes on one marker.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::data::scores::Score;
use crate::data::table::Table;
use crate::error::{Error, Result};
use crate::machine::watch::Watch;
use crate::measures::measure::{ByRow, Derivative, Masses, Measure, Moved, Outcome, Point, Shared};
use crate::measures::options::Options;
use crate::order::wanted::{Orderings, Wanted};
use crate::walk::steps::{Start, Steps, Tied};

/// VUS = P(x_1 < x_2 < ... < x_K), x_k the marker of a random row of class k; each run of m neighbours that are
/// equal counts 1 / m!, runs multiply.
///
/// Going up the marker, S_j is the share of chains x_1 < ... < x_j met so far, S_0 = 1. A tie group with the shares
/// t_1 .. t_K of the classes adds to S_j, for every run i..j that lies in it, S_(i-1) t_i ... t_j / (j - i + 1)!,
/// the S on the right being those below the group. O(n log n) time, O(n) memory.
pub struct Vus;

pub(super) fn make(_: &mut Options) -> Result<Shared> {
    Ok(Arc::new(Vus))
}

impl Measure for Vus {
    fn wanted(&self) -> Wanted {
        Orderings::Ordered.into()
    }
    fn counts_pairs(&self) -> bool {
        false
    }
    fn steps(&self) -> Option<Start<'_>> {
        Some(Box::new(|totals| {
            let lanes = totals.lanes;
            let there = |totals: &&[f64]| totals.iter().any(|&total| total > 0.0);
            let sides = totals.values.chunks_exact(lanes).enumerate();
            let present: Vec<usize> =
                sides.filter(|(_, totals)| there(totals)).map(|(side, _)| side).collect();
            let mut met = vec![0.0; lanes * (present.len() + 1)];
            met[..lanes].fill(1.0);
            let mut number = vec![None; totals.values.len() / lanes];
            present.iter().enumerate().for_each(|(j, &side)| number[side] = Some(j));
            let of = |&side: &usize| &totals.values[side * lanes..][..lanes];
            let totals = present.iter().map(of).collect::<Vec<_>>().concat();
            Box::new(Chains { totals, present, number, met, lanes })
        }))
    }
    fn room(&self) -> usize {
        1
    }
    fn take(&self, outcome: &Outcome<'_>, _: &Masses<'_>, room: &mut [f64]) {
        room.copy_from_slice(outcome.steps);
    }
    fn finish(&self, _: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        out.copy_from_slice(room);
    }
    fn derivative(&self, _: &Point<'_>) -> Derivative {
        Derivative::OfRows(Box::new(Vus))
    }
}

/// Chains of ordered rows, in many lanes.
///
/// What is kept is not S_j but its sum before the last division, N_j = W_j S_j with W_j the weight of class j:
/// so whole numbers that are all met divide to 1 to the last bit.
struct Chains {
    /// Classes that have rows, in their order.
    present: Vec<usize>,
    /// The number of each side among them.
    number: Vec<Option<usize>>,
    /// W_j, lane by lane.
    totals: Vec<f64>,
    /// N_0 .. N_K, lane by lane.
    met: Vec<f64>,
    lanes: usize,
}

impl Chains {
    /// S_(j - 1) t of rows of the j-th class alone, which is what N_j grows by.
    fn add_alone(&mut self, j: usize, mass: &[f64]) {
        let lanes = self.lanes;
        if lanes == 1 {
            let below = if j == 0 { 1.0 } else { self.met[j] / self.totals[j - 1] };
            self.met[j + 1] += mass[0] * below;
            return;
        }
        let (below, here) = self.met.split_at_mut((j + 1) * lanes);
        let below = &below[j * lanes..];
        match j {
            0 => here.iter_mut().zip(mass).for_each(|(met, mass)| *met += mass),
            _ => {
                let totals = &self.totals[(j - 1) * lanes..][..lanes];
                for (((met, mass), below), total) in
                    here.iter_mut().zip(mass).zip(below).zip(totals)
                {
                    // A class that a lane has lost has no share of it; its value is NaN in the end.
                    *met += mass * (below / total);
                }
            }
        }
    }
}

impl Steps for Chains {
    fn by_side(&self) -> bool {
        true
    }

    fn goes_up(&self) -> bool {
        true
    }

    fn alone(&mut self, side: usize, mass: &[f64]) -> Option<ControlFlow<()>> {
        if let Some(j) = self.number[side] {
            self.add_alone(j, mass);
        }
        Some(ControlFlow::Continue(()))
    }

    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        let lanes = self.lanes;
        for lane in 0..lanes {
            let mass = |j: usize| tied.sides[self.present[j] * lanes + lane];
            let total = |j: usize| self.totals[j * lanes + lane];
            // From the last class down, so that the chains below the group are still those.
            for j in (0..self.present.len()).rev() {
                let mut product = mass(j);
                let mut more = 0.0;
                for (run, i) in (0..=j).rev().enumerate() {
                    if product == 0.0 {
                        break;
                    }
                    let chains = self.met[i * lanes + lane];
                    more += product * if i == 0 { chains } else { chains / total(i - 1) };
                    if i > 0 {
                        product *= mass(i - 1) / (total(i - 1) * (run + 2) as f64);
                    }
                }
                self.met[(j + 1) * lanes + lane] += more;
            }
        }
        ControlFlow::Continue(())
    }

    /// NaN where a class was lost.
    fn finish(self: Box<Self>, out: &mut [f64]) {
        let (classes, lanes) = (self.present.len(), self.lanes);
        for (lane, out) in out.iter_mut().enumerate() {
            let lost = (0..classes).any(|j| self.totals[j * lanes + lane] <= 0.0);
            let last = self.met[classes * lanes + lane] / self.totals[(classes - 1) * lanes + lane];
            *out = if lost { f64::NAN } else { last.min(1.0) };
        }
    }
}

/// VUS is a U-statistic: a row of class i moves it by w (P - VUS) / W_i, P being the share of the tuples with this
/// row that are right, which is the chains below it times those above, and where it ties those of every run it
/// may be in.
impl ByRow for Vus {
    fn moved(&self, rows: &dyn Table, weights: &[f64], watch: &Watch) -> Result<Moved> {
        let (marker, codes) = (rows.column(rows.columns() - 1), rows.classes().codes);
        // Keys and rows side by side: to look a row's marker up at each comparison takes far longer.
        let weighed = (0..codes.len() as u32).filter(|&row| weights[row as usize] > 0.0);
        let mut keyed: Vec<(u64, u32)> =
            weighed.map(|row| (marker[row as usize].key(), row)).collect();
        keyed.sort_unstable();
        if watch.is_stopped() {
            return Err(Error::Interrupted);
        }
        let present = rows.classes().present_classes();
        let mut at = vec![0; rows.classes().count()];
        present.iter().enumerate().for_each(|(j, &class)| at[class] = j);
        let sorted: Vec<Row> = (keyed.iter())
            .map(|&(key, row)| {
                let class = at[codes[row as usize] as usize];
                Row { key, row, class: class as u32, weight: weights[row as usize] }
            })
            .collect();
        let mut totals = vec![0.0; present.len()];
        sorted.iter().for_each(|row| totals[row.class as usize] += row.weight);
        let mut shares = vec![0.0; present.len()];
        let share_of = |group: &[Row], shares: &mut [f64]| {
            for row in group {
                shares[row.class as usize] += row.weight / totals[row.class as usize];
            }
        };
        // Up: chains below each group, all of them where it has several classes, else those that its class needs.
        let mut kept = Vec::with_capacity(sorted.len());
        let mut below = vec![0.0; present.len() + 1];
        below[0] = 1.0;
        for group in sorted.chunk_by(Row::ties) {
            share_of(group, &mut shares);
            match alone(group) {
                Some(j) => {
                    kept.push(below[j]);
                    below[j + 1] += shares[j] * below[j];
                    shares[j] = 0.0;
                }
                None => {
                    kept.extend_from_slice(&below);
                    grow(&mut below, &shares);
                    shares.fill(0.0);
                }
            }
        }
        let vus = below[present.len()];
        // Down: chains above, by the same rule with classes turned round.
        let mut moved = vec![0.0; codes.len()];
        let mut above = vec![0.0; present.len() + 1];
        above[0] = 1.0;
        let turned = |j: usize| present.len() - 1 - j;
        let mut right = vec![0.0; present.len()];
        let mut left = kept.len();
        for group in sorted.chunk_by(Row::ties).rev() {
            share_of(group, &mut shares);
            match alone(group) {
                Some(j) => {
                    left -= 1;
                    right[j] = kept[left] * above[turned(j)];
                    above[turned(j) + 1] += shares[j] * above[turned(j)];
                    shares[j] = 0.0;
                }
                None => {
                    left -= below.len();
                    let chains = &kept[left..][..below.len()];
                    (0..right.len()).for_each(|j| right[j] = in_runs(chains, &above, &shares, j));
                    shares.reverse();
                    grow(&mut above, &shares);
                    shares.fill(0.0);
                }
            }
            for row in group {
                let j = row.class as usize;
                moved[row.row as usize] = row.weight * (right[j] - vus) / totals[j];
            }
        }
        Ok(Moved { by_row: vec![moved], values: None })
    }
}

/// A row on its way along the marker.
struct Row {
    key: u64,
    row: u32,
    /// The number of its class among those that have rows.
    class: u32,
    weight: f64,
}

impl Row {
    fn ties(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

/// The only class of a group.
fn alone(group: &[Row]) -> Option<usize> {
    let first = group[0].class;
    group.iter().all(|row| row.class == first).then_some(first as usize)
}

/// Chains S_0 .. S_K with one more group above them.
fn grow(chains: &mut [f64], shares: &[f64]) {
    for j in (0..shares.len()).rev() {
        let (mut product, mut more) = (shares[j], 0.0);
        for (run, i) in (0..=j).rev().enumerate() {
            if product == 0.0 {
                break;
            }
            more += product * chains[i];
            if i > 0 {
                product *= shares[i - 1] / (run + 2) as f64;
            }
        }
        chains[j + 1] += more;
    }
}

/// The share of tuples that are right, of those with a given row of class j in a group: for all runs p..q of
/// classes in the group with j among them, the chains below class p times those above q.
fn in_runs(below: &[f64], above: &[f64], shares: &[f64], j: usize) -> f64 {
    let classes = shares.len();
    let mut sum = 0.0;
    let mut first = 1.0;
    for p in (0..=j).rev() {
        if p < j {
            first *= shares[p] / (j - p + 1) as f64; // and so on to 1 / (j - p + 1)!
        }
        let mut product = first;
        for q in j..classes {
            if q > j {
                product *= shares[q] / (q - p + 1) as f64;
            }
            if product == 0.0 {
                break;
            }
            sum += below[p] * product * above[classes - 1 - q];
        }
        if first == 0.0 {
            break;
        }
    }
    sum
}
