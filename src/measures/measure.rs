//! What a measure is to the bootstrap: which orderings it wants walked, and what it makes of them.
//!
//! A measure joins with one implementation of [`Statistic`], next to its point estimate. All replicates
//! of a block are handled together: a *lane* is one of them, and numbers of all lanes stand side by side.

use crate::order::wanted::Wanted;

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

/// How a measure changes with what it is made of.
pub struct Gradient {
    /// The only favoured class whose ordering matters; `None` if all do.
    pub only: Option<usize>,
    /// df / dA(i|j).
    pub contrast: Box<dyn Fn(usize, usize) -> f64 + Send + Sync>,
    /// df / dm of each class; empty if masses do not matter.
    pub mass: Vec<f64>,
}

/// The measure's ingredients on the sample itself.
pub struct Point<'a> {
    /// The AUC of favoured class i against class j: A(i|j), or S(i,j).
    pub auc: &'a dyn Fn(usize, usize) -> f64,
    /// The mass of each class.
    pub masses: &'a [f64],
    /// Classes that have rows.
    pub present: &'a [usize],
}
