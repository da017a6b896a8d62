//! What a measure is: which orderings it reads, what it makes of them, and how it changes with them.
//!
//! A measure is one implementation of [`Measure`]. The same code serves the sample itself and its replicates:
//! a *lane* is one replicate, the lanes of a block stand side by side, and one lane in which every row counts
//! its own weight is the sample ([`crate::measures::value`]). What a measure may read of an ordering is told in
//! [`Outcome`]: the pairs of rows that the favoured class wins, counted on a fast walk, or whatever its own
//! [`crate::walk::steps`] along the curve make of the tie groups.

use std::sync::Arc;

use crate::data::table::Table;
use crate::error::Result;
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::measures::ties::TieGradient;
use crate::order::wanted::{Orderings, Wanted};
use crate::walk::steps::Start;

/// A measure that can be handed around.
pub type Shared = Arc<dyn Measure>;

/// A measure.
pub trait Measure: Send + Sync {
    /// Which orderings it reads.
    fn wanted(&self) -> Wanted;

    /// Whether it reads the pairs that are won; if not, they need not be counted.
    fn counts_pairs(&self) -> bool {
        true
    }

    /// Whether all that it is is the AUC of its only ordering.
    fn is_auc(&self) -> bool {
        false
    }

    /// Whether all that it reads of the pairs is how each class fares against the rest. A number that one class alone
    /// decides ([`Gradient::only`]) then is a function of that AUC, whatever the masses of classes.
    fn reads_rest_alone(&self) -> bool {
        false
    }

    /// What it makes of an ordering's tie groups, if it looks at these.
    fn steps(&self) -> Option<Start<'_>> {
        None
    }

    /// The measure made ready for some rows, if it looks at these themselves and at no ordering.
    fn on_rows(&self, _: &dyn Table) -> Option<Result<Box<dyn OfRows>>> {
        None
    }

    /// Whether it looks at rows themselves.
    fn is_of_rows(&self) -> bool {
        self.wanted().orderings == Orderings::Nothing
    }

    /// How many values it has.
    fn width(&self) -> usize {
        1
    }

    /// How many numbers it keeps for each lane until all orderings are walked.
    fn room(&self) -> usize;

    /// Takes in one ordering. `room` starts as zeros and holds number k of a lane at `k lanes + lane`.
    fn take(&self, outcome: &Outcome<'_>, masses: &Masses<'_>, room: &mut [f64]);

    /// The values, value v of a lane at `v lanes + lane`. `room` is its own to change.
    fn finish(&self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]);

    /// The measure itself, given the AUCs of the sample. For those whose papers round otherwise than `take` and
    /// `finish` do in one lane.
    fn value(&self, _: &Point<'_>) -> Result<Option<f64>> {
        Ok(None)
    }

    /// Whether its derivative depends on the AUCs of the sample; by the masses of classes only where these vary.
    fn needs_point(&self, _masses_vary: bool) -> bool {
        false
    }

    /// How its values change with what they are made of.
    fn derivative(&self, at: &Point<'_>) -> Derivative;
}

/// A measure of the rows themselves, ready for some.
pub trait OfRows: Send + Sync {
    /// The values, value v of a lane at `v lanes + lane`; row r weighs `weights[r lanes + lane]`. NaN where a class has
    /// no weight.
    fn values(&self, weights: &[f64], lanes: usize, how: (&Workers, &Watch)) -> Result<Vec<f64>>;
}

/// A measure whose change with each row's weight has a formula of its own.
pub trait ByRow: Send + Sync {
    /// How much rows of such weights move each value.
    fn moved(&self, rows: &dyn Table, weights: &[f64], watch: &Watch) -> Result<Moved>;
}

/// How much rows move the values of a measure.
pub struct Moved {
    /// For each value, how much each row moves it: its weight times the derivative by it. Rows of weight zero move
    /// nothing.
    pub by_row: Vec<Vec<f64>>,
    /// The values, to the last bit, where they came along.
    pub values: Option<Vec<f64>>,
}

/// One ordering after its walk.
pub struct Outcome<'a> {
    /// Replicates side by side.
    pub lanes: usize,
    /// The favoured class (of a projection on the classes i and j, i).
    pub favoured: usize,
    /// The classes or sides it was compared with.
    pub others: &'a [usize],
    /// For each of the others, doubled pairs won by the favoured one, lane by lane. Empty if no measure that
    /// reads the ordering counts pairs.
    pub won: &'a [f64],
    /// Likewise, doubled pairs in all.
    pub all: &'a [f64],
    /// The AUC against all others together, where it is known by itself; else it comes from the pairs.
    pub rest: Option<f64>,
    /// What the measure's own steps found, lane by lane.
    pub steps: &'a [f64],
    /// Of an ordering of row values: weight times value of each class's rows, class by class and lane by lane.
    pub row_sums: &'a [f64],
    /// Likewise the weights, summed up in the same order.
    pub row_masses: &'a [f64],
}

impl<'a> Outcome<'a> {
    /// An ordering of which nothing is known yet.
    pub fn nothing(lanes: usize, favoured: usize, others: &'a [usize]) -> Self {
        let none = &[][..];
        let (won, all, steps, row_sums, row_masses) = (none, none, none, none, none);
        Self { lanes, favoured, others, won, all, rest: None, steps, row_sums, row_masses }
    }

    /// The AUC against the k-th of the others; NaN where a class was lost.
    pub fn auc(&self, k: usize, lane: usize) -> f64 {
        self.won[k * self.lanes + lane] / self.all[k * self.lanes + lane]
    }

    /// The AUC against all others together.
    pub fn auc_rest(&self, lane: usize) -> f64 {
        let sum = |values: &[f64]| {
            let others = 0..self.others.len();
            others.map(|k| values[k * self.lanes + lane]).fold(0.0, |sum, x| sum + x)
        };
        self.rest.unwrap_or_else(|| sum(self.won) / sum(self.all))
    }
}

/// The weight of each class, lane by lane.
pub struct Masses<'a> {
    /// Replicates side by side.
    pub lanes: usize,
    /// Class by class, lane by lane.
    pub values: &'a [f64],
    /// Classes that have rows.
    pub present: &'a [usize],
}

impl Masses<'_> {
    /// The weight of a class.
    pub fn of(&self, class: usize, lane: usize) -> f64 {
        self.values[class * self.lanes + lane]
    }

    /// The weight of all classes.
    pub fn total(&self, lane: usize) -> f64 {
        self.present.iter().fold(0.0, |sum, &class| sum + self.of(class, lane))
    }
}

/// The measure's ingredients on the sample itself.
pub struct Point<'a> {
    /// The AUC of favoured class i against class j: A(i|j), or S(i,j). Of row values, the mean of class j's in the
    /// ordering of favoured class i.
    pub auc: &'a dyn Fn(usize, usize) -> f64,
    /// The mass of each class.
    pub masses: &'a [f64],
    /// Classes that have rows.
    pub present: &'a [usize],
}

/// How a measure changes with what it is made of.
pub enum Derivative {
    /// Each of its values is a function of AUCs, or of sums of row values, and of masses of classes.
    OfAucs(Vec<Gradient>),
    /// Each of its values is a function of what tie groups weigh along its orderings.
    OfTies(Vec<TieGradient>),
    /// Each of its values is the AUC of one pair of classes, A(i|j) and A(j|i) averaged or not.
    OfPairs {
        /// Whether they are averaged.
        symmetric: bool,
    },
    /// Each row moves its values by a formula of its own.
    OfRows(Box<dyn ByRow>),
    /// There is none in closed form.
    Unknown,
}

/// How one value changes with AUCs and masses.
pub struct Gradient {
    /// The only favoured class whose ordering matters; `None` if all do.
    pub only: Option<usize>,
    /// df / dA(i|j). Of row values, df / dS: S the sum over class j's rows in the ordering of favoured class i.
    pub contrast: Box<dyn Fn(usize, usize) -> f64 + Send + Sync>,
    /// df / dm of each class; empty if masses do not matter.
    pub mass: Vec<f64>,
}

/// The derivative of a single AUC.
pub fn of_one_auc() -> Derivative {
    let contrast = Box::new(|_, _| 1.0);
    Derivative::OfAucs(vec![Gradient { only: None, contrast, mass: Vec::new() }])
}
