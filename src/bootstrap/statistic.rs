//! What a measure is to the bootstrap: which orderings it wants walked, and what it makes of them.
//!
//! A measure joins with one implementation of [`Statistic`], next to its point estimate. All replicates
//! of a block are handled together: a *lane* is one of them, and numbers of all lanes stand side by side.

use ndarray::Array2;

use crate::influence::{Gradient, Point};
use crate::measures::pairs::CompensatedSum;

/// Orderings that a statistic wants walked.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// The only column, or the second of two: class 1 against class 0.
    SingleColumn,
    /// Each class's own column, against every other class.
    Columns,
    /// All scores together: those of the row's own class against the others.
    Pooled,
    /// A projection for each pair of classes; `None` is the argmax partition.
    Pairs {
        /// The cost matrix.
        partition: Option<Array2<f64>>,
        /// The unit roundoff of the scores as given.
        unit_roundoff: f64,
    },
}

/// What a statistic of a single column may want beside the AUC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extra {
    /// Nothing.
    Nothing,
    /// McClish's area up to a false positive rate.
    AreaBelow(f64),
    /// The standard error.
    Error,
}

/// One ordering after its walk.
pub struct Outcome<'a> {
    /// Replicates side by side.
    pub lanes: usize,
    /// The favoured class (for [`Wanted::Pairs`], i of the pair (i, j)).
    pub favoured: usize,
    /// The classes or groups it was compared with.
    pub others: &'a [usize],
    /// For each of the others, doubled pairs won by the favoured one, lane by lane.
    pub won: &'a [f64],
    /// Likewise, doubled pairs in all.
    pub all: &'a [f64],
    /// The weight of each class, lane by lane.
    pub masses: &'a [f64],
    /// The partial area of [`crate::curves::partial`], or the standard error, lane by lane, where it was
    /// asked for.
    pub extra: &'a [f64],
}

impl Outcome<'_> {
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
        sum(self.won) / sum(self.all)
    }
}

/// The weight of each class in each replicate of a block.
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

/// A measure as the bootstrap sees it.
pub trait Statistic: Send + Sync {
    /// What it wants walked.
    fn wanted(&self) -> Wanted;

    /// What it wants to know of its ordering beside the AUCs.
    fn extra(&self) -> Extra {
        Extra::Nothing
    }

    /// How many values it has.
    fn width(&self) -> usize {
        1
    }

    /// How many numbers it keeps for each replicate until all orderings are walked.
    fn room(&self) -> usize;

    /// Takes in one ordering. `room` starts as zeros and holds number k of a lane at `k lanes + lane`.
    fn take(&self, outcome: &Outcome<'_>, masses: &Masses<'_>, room: &mut [f64]);

    /// Whether its gradients depend on the AUCs of the sample.
    fn needs_point(&self) -> bool {
        false
    }

    /// For a statistic whose values are those of single pairs of classes: whether A(i|j) and A(j|i)
    /// are averaged.
    fn symmetric_pairs(&self) -> Option<bool> {
        None
    }

    /// How each of its values changes with the AUCs and masses it is made of. Empty where that is
    /// not a function of AUCs.
    fn gradients(&self, point: &Point<'_>) -> Vec<Gradient>;

    /// The measure itself, bit for bit, where it is a function of the AUCs and masses of the sample alone.
    fn value(&self, _: &Point<'_>) -> Option<f64> {
        None
    }

    /// The values, value v of a lane at `v lanes + lane`. `room` is its own to change.
    fn finish(&self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]);
}

/// A weighted mean that grows ordering by ordering: four numbers of room for each lane.
pub struct LaneMeans<'a> {
    lanes: usize,
    room: &'a mut [f64],
}

impl<'a> LaneMeans<'a> {
    /// Numbers of room.
    pub const ROOM: usize = 4;

    /// Means kept in `room`.
    pub fn new(lanes: usize, room: &'a mut [f64]) -> Self {
        Self { lanes, room }
    }

    /// Adds a value with its weight.
    pub fn add(&mut self, lane: usize, weight: f64, value: f64) {
        for (k, x) in [(0, weight * value), (2, weight)] {
            let (sum, error) = (k * self.lanes + lane, (k + 1) * self.lanes + lane);
            let mut kept = CompensatedSum::resumed(self.room[sum], self.room[error]);
            kept.add(x);
            (self.room[sum], self.room[error]) = kept.parts();
        }
    }

    /// The mean.
    pub fn value(&self, lane: usize) -> f64 {
        let part = |k: usize| self.room[k * self.lanes + lane];
        (part(0) + part(1)) / (part(2) + part(3))
    }
}
