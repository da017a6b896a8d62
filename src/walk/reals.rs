//! The walk of [`crate::walk::counts`] for real weights: sample weights, and the Bayesian bootstrap.
//!
//! Pairs won and, added in the same order, all pairs of the same rows: their ratio is then never above
//! 1, and exactly 1 where all pairs are won, because addition is monotone under rounding. Rows are
//! added in the order of the ordering, so a sum depends on nothing but the weights.

use crate::machine::lanes::instructions::WIDTH;
use crate::machine::lanes::weights::Reals;
use crate::machine::lanes::{Kernel, launch};
use crate::order::ordering::Ordering;

/// Pairs that the favoured side of an ordering wins.
#[derive(Default)]
pub struct RealWins {
    favoured: usize,
    /// Weight of the favoured side; of its rows met so far; of those below the tie group at hand.
    total: Reals,
    met: Reals,
    below: Reals,
    /// Doubled pairs won against each side, and all pairs.
    won: Vec<Reals>,
    all: Vec<Reals>,
}

impl RealWins {
    /// Starts an ordering.
    pub fn start(&mut self, ordering: &Ordering) {
        self.favoured = ordering.favoured;
        (self.total, self.met, self.below) = ([0.0; WIDTH], [0.0; WIDTH], [0.0; WIDTH]);
        for sums in [&mut self.won, &mut self.all] {
            sums.clear();
            sums.resize(ordering.sides, [0.0; WIDTH]);
        }
    }

    /// The first time through all rows: the weight of the favoured side.
    pub fn weigh(&mut self, weights: &[Reals], sides: &[u16]) {
        launch(Weigh { wins: self, weights, sides });
    }

    /// The second time: some rows, all in one tie group that begins or goes on (`tied`), or none of them
    /// tied with one of another kind.
    pub fn walk(&mut self, weights: &[Reals], sides: &[u16], tied: bool) {
        launch(Walk { wins: self, weights, sides, tied });
    }

    /// The tie group ends.
    pub fn end_tie(&mut self) {
        self.below = self.met;
    }

    /// Doubled pairs won against side j, and all pairs.
    pub fn pairs(&self, j: usize) -> (&Reals, &Reals) {
        (&self.won[j], &self.all[j])
    }
}

struct Weigh<'a> {
    wins: &'a mut RealWins,
    weights: &'a [Reals],
    sides: &'a [u16],
}

impl Kernel for Weigh<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (weights, &side) in self.weights.iter().zip(self.sides) {
            if usize::from(side) == self.wins.favoured {
                add(&mut self.wins.total, weights);
            }
        }
    }
}

struct Walk<'a> {
    wins: &'a mut RealWins,
    weights: &'a [Reals],
    sides: &'a [u16],
    tied: bool,
}

impl Kernel for Walk<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { wins, weights, sides, tied } = self;
        for (weights, &side) in weights.iter().zip(sides) {
            let side = usize::from(side);
            if side == wins.favoured {
                add(&mut wins.met, weights);
                if !tied {
                    wins.below = wins.met;
                }
                continue;
            }
            let (won, all) = (&mut wins.won[side], &mut wins.all[side]);
            for lane in 0..WIDTH {
                let total = wins.total[lane];
                won[lane] +=
                    weights[lane] * ((total - wins.below[lane]) + (total - wins.met[lane]));
                all[lane] += weights[lane] * (total + total);
            }
        }
    }
}

#[inline(always)]
fn add(sums: &mut Reals, weights: &Reals) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum += weight;
    }
}
