//! What rows are worth in a measure: tables of placements made of the counts of all rows.
//!
//! With F_j(x) the share of class j below x, ties counting half, a row of class c with scores x_1, ..., x_K has
//!
//! ```text
//! M              [sum over j != c of F_j(x_c)  +  sum over i != c of 1 - F_i(x_i)] / (K (K - 1))
//! one-vs-rest    [F_rest(x_c) - A_c  +  sum over i != c of (n_c / n_rest) (1 - F_i(x_i) - A_i)] / K
//! AUC-mu         [sum over j != c of the share of class j whose x_c - x_j is below the row's] 2 / (K (K - 1))
//! ```
//!
//! Its influence value is this over n_c, less the mean of its class where class counts are fixed (DeLong, DeLong and
//! Clarke-Pearson 1988 for two classes). So K look-ups tell it, in tables of two values for each bin of a column: for
//! rows of the column's own class, and for all others.

use super::lookup::Lookup;
use crate::state::State;
use crate::state::cells::Cells;
use crate::state::layout::{SHARE_BITS, lane};

/// A measure, as far as rows are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The AUC of the second class's column.
    Auc,
    /// M.
    HandTill,
    /// Every class against the rest.
    OneVsRest,
    /// AUC-mu.
    AucMu,
}

impl Kind {
    /// In the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Auc, Self::HandTill, Self::OneVsRest, Self::AucMu];
}

/// What the rows of one model are worth.
#[derive(Clone, Debug)]
pub struct Worth {
    /// The measures that go by columns, with their numbers among all.
    pub by_column: Vec<(usize, Kind)>,
    /// The number of AUC-mu.
    pub by_pair: Option<usize>,
    /// Own and other value of each measure by column.
    pub columns: Vec<Lookup>,
    /// For each pair of classes the values of the first and of the second.
    pub pairs: Vec<Lookup>,
    /// By measure and class: what the values of others are multiplied with.
    pub factors: Vec<Vec<f64>>,
    /// By measure and class: about the mean over the rows of the class.
    pub centres: Vec<Vec<f64>>,
}

impl Worth {
    /// Of the rows of a state, all classes of which have mass.
    pub fn new(state: &State, kinds: &[Kind]) -> Self {
        let state = &*state.collected();
        let classes = state.layout.classes;
        let kinds: Vec<Kind> =
            kinds.iter().map(|&kind| if state.width == 1 { Kind::Auc } else { kind }).collect();
        let numbered = || kinds.iter().copied().enumerate();
        let by_column: Vec<_> = numbered().filter(|(_, kind)| *kind != Kind::AucMu).collect();
        let by_pair = numbered().find(|(_, kind)| *kind == Kind::AucMu).map(|(number, _)| number);
        let total = state.masses.iter().sum::<u64>() as f64;
        let factor = |kind: Kind| match kind {
            Kind::OneVsRest => state.masses.iter().map(|&mass| mass as f64 / total).collect(),
            _ => vec![1.0; classes],
        };
        let mut worth = Self {
            by_column,
            by_pair,
            columns: Vec::new(),
            pairs: Vec::new(),
            factors: kinds.iter().map(|&kind| factor(kind)).collect(),
            centres: vec![vec![0.0; classes]; kinds.len()],
        };
        if !worth.by_column.is_empty() {
            for column in 0..state.columns.len() {
                worth.add_column(state, column);
            }
        }
        if let Some(number) = worth.by_pair {
            let pairs = (0..classes).flat_map(|i| (i + 1..classes).map(move |j| (i, j)));
            for (pair, cells) in pairs.zip(&state.pairs) {
                worth.add_pair(state, number, pair, cells);
            }
        }
        worth
    }

    /// The class that a column is the score of.
    pub fn own(&self, column: usize) -> u32 {
        // A single column is that of the second class.
        if self.columns.len() == 1 { 1 } else { column as u32 }
    }

    fn add_column(&mut self, state: &State, column: usize) {
        let (cells, classes) = (&state.columns[column], state.layout.classes);
        let own = if state.width == 1 { 1 } else { column };
        let (placements, area) = placements(state, cells, own);
        let rest = (state.masses.iter().sum::<u64>() - state.masses[own]) as f64;
        let total = rest + state.masses[own] as f64;
        let count = classes as f64;
        let lanes = 2 * self.by_column.len();
        let mut values = Vec::with_capacity(placements.len() * lanes);
        for at in &placements {
            for &(_, kind) in &self.by_column {
                let two = match kind {
                    Kind::HandTill => {
                        let share = 1.0 / (count * (count - 1.0));
                        [share * at.classes, share * at.above_own]
                    }
                    Kind::OneVsRest => {
                        let scale = total / (count * rest);
                        [(at.rest - area) / count, scale * (at.above_own - area)]
                    }
                    _ if own == 1 => [at.rest, at.above_own],
                    _ => [0.0; 2],
                };
                values.extend(two);
            }
        }
        for (k, &(number, _)) in self.by_column.iter().enumerate() {
            let factors = &self.factors[number];
            let sums = sums(state, cells, own, values.chunks_exact(lanes).map(|v| &v[2 * k..]));
            for (class, centre) in self.centres[number].iter_mut().enumerate() {
                *centre += if class == own { sums[class] } else { sums[class] * factors[class] };
            }
        }
        self.columns.push(Lookup::new(cells, lanes, &values));
    }

    fn add_pair(&mut self, state: &State, number: usize, (i, j): (usize, usize), cells: &Cells) {
        let classes = state.layout.classes as f64;
        let share = 2.0 / (classes * (classes - 1.0));
        let (first, second) = (state.masses[i], state.masses[j]);
        let (mut below, mut sums) = ((0_u64, 0_u64), (0.0, 0.0));
        let mut values = Vec::with_capacity(2 * cells.len());
        for place in cells.ascending() {
            let counts = cells.at(place).1;
            let own = share * middle(below.1, counts[1], second);
            let other = share * (1.0 - middle(below.0, counts[0], first));
            values.extend([own, other]);
            sums.0 += counts[0] as f64 * own;
            sums.1 += counts[1] as f64 * other;
            below = (below.0 + counts[0], below.1 + counts[1]);
        }
        self.centres[number][i] += sums.0 / first as f64;
        self.centres[number][j] += sums.1 / second as f64;
        self.pairs.push(Lookup::new(cells, 2, &values));
    }
}

/// The share of a class below the middle of a bin.
fn middle(below: u64, here: u64, mass: u64) -> f64 {
    (2 * u128::from(below) + u128::from(here)) as f64 / (2.0 * mass as f64)
}

/// The means over each class of the first of two values on its own column, of the second elsewhere. Where classes of
/// the rest are not told apart, all have the mean of the rest.
fn sums<'a>(
    state: &State,
    cells: &Cells,
    own: usize,
    values: impl Iterator<Item = &'a [f64]>,
) -> Vec<f64> {
    let masses = &state.masses;
    let rest = masses.iter().sum::<u64>() - masses[own];
    let known = state.layout.class_counts.is_some();
    let mut sums = vec![0.0; if known { 2 } else { masses.len() }];
    for (place, two) in cells.ascending().into_iter().zip(values) {
        let counts = cells.at(place).1;
        for (lane, sum) in sums.iter_mut().enumerate() {
            let is_own = if known { lane == lane::OWN } else { lane == own };
            *sum += counts[lane] as f64 * two[usize::from(!is_own)];
        }
    }
    let mean = |(class, &mass): (usize, &u64)| match (known, class == own) {
        (false, _) => sums[class] / mass as f64,
        (true, true) => sums[lane::OWN] / mass as f64,
        (true, false) => sums[lane::REST] / rest as f64,
    };
    masses.iter().enumerate().map(mean).collect()
}

/// Where a bin of a column stands among the classes.
struct Placement {
    /// The share of the rest below it.
    rest: f64,
    /// The sum of the shares of all classes of the rest below it.
    classes: f64,
    /// The share of the own class above it.
    above_own: f64,
}

/// The placements of a column's bins in ascending order, and its area against the rest.
fn placements(state: &State, cells: &Cells, own: usize) -> (Vec<Placement>, f64) {
    let masses = &state.masses;
    let rest = masses.iter().sum::<u64>() - masses[own];
    let known = state.layout.class_counts.is_some();
    let mut below = vec![0_u64; if known { 0 } else { masses.len() }];
    let (mut below_own, mut below_rest, mut below_share) = (0, 0, 0_u128);
    let mut found = Vec::with_capacity(cells.len());
    let mut area = 0.0;
    for place in cells.ascending() {
        let counts = cells.at(place).1;
        let (favoured, others, classes);
        if known {
            (favoured, others) = (counts[lane::OWN], counts[lane::REST]);
            let share = (u128::from(counts[lane::SHARE]) << lane::LOW_BITS)
                + u128::from(counts[lane::SHARE_LOW]);
            classes = (2 * below_share + share) as f64 * 0.5_f64.powi(SHARE_BITS as i32 + 1);
            below_share += share;
        } else {
            favoured = counts[own];
            others = counts.iter().sum::<u64>() - favoured;
            let mut sum = 0.0;
            for (class, (below, &count)) in below.iter_mut().zip(counts).enumerate() {
                if class != own {
                    sum += middle(*below, count, masses[class]);
                }
                *below += count;
            }
            classes = sum;
        }
        let at = Placement {
            rest: middle(below_rest, others, rest),
            classes,
            above_own: 1.0 - middle(below_own, favoured, masses[own]),
        };
        area += favoured as f64 * at.rest;
        (below_own, below_rest) = (below_own + favoured, below_rest + others);
        found.push(at);
    }
    (found, area / masses[own] as f64)
}
