//! Where a block's weights come from while orderings are walked.
//!
//! Few units: the weights of all are kept, and rows find theirs by place. Many units: rows come in an
//! order that has nothing to do with places, so that each weight would be waited for; it is faster,
//! and takes no memory, to draw it again. Both give the same weights.

use std::ops::Range;

use crate::bootstrap::watch::Watch;
use crate::memory::Lines;
use crate::resample::corrections::Corrections;
use crate::resample::multinomial::{Counts, Totals};
use crate::resample::poisson::Lanes;
use crate::resample::stream::Stream;
use crate::resample::{Block, Units, exponential};
use crate::walk_real::Reals;

/// Rows handed on at a time where weights are kept: little enough to notice an interrupt in between.
const LONG: usize = 1 << 15;
/// The same where they are drawn again: as many as stay in the cache.
const SHORT: usize = 256;

/// Counts of a block.
pub enum CountSource<'a, const H: usize> {
    /// Weights by place.
    Kept(&'a [Lanes<H>]),
    /// Weights drawn again.
    Again(&'a Counts<'a>, &'a Block<H>, Corrections, &'a Watch),
}

impl<const H: usize> CountSource<'_, H> {
    /// Calls `take(weights, slots, rows)` for stretches of the rows at `places`: `weights[slots[k]]`
    /// belongs to row `rows.start + k`.
    pub fn visit(&self, places: &[u32], take: impl FnMut(&[Lanes<H>], &[u32], Range<usize>)) {
        self.visit_each(places, stretches(places.len(), self.step()), take);
    }

    /// The same, the last stretch first.
    pub fn visit_back(&self, places: &[u32], take: impl FnMut(&[Lanes<H>], &[u32], Range<usize>)) {
        self.visit_each(places, stretches(places.len(), self.step()).rev(), take);
    }

    fn step(&self) -> usize {
        if matches!(self, Self::Kept(_)) { LONG } else { SHORT }
    }

    fn visit_each(
        &self,
        places: &[u32],
        stretches: impl Iterator<Item = Range<usize>>,
        mut take: impl FnMut(&[Lanes<H>], &[u32], Range<usize>),
    ) {
        let mut scratch = Scratch::default();
        for rows in stretches {
            match self {
                Self::Kept(weights) => take(weights, &places[rows.clone()], rows),
                Self::Again(_, _, _, watch) if watch.is_stopped() => return,
                Self::Again(counts, block, corrections, _) => {
                    let drawn = scratch.draw(counts, block, corrections, &places[rows.clone()]);
                    take(drawn, &IN_ORDER[..rows.len()], rows);
                }
            }
        }
    }
}

fn stretches(len: usize, step: usize) -> impl DoubleEndedIterator<Item = Range<usize>> {
    (0..len.div_ceil(step)).map(move |k| k * step).map(move |first| first..(first + step).min(len))
}

/// Weights drawn again.
#[derive(Default)]
struct Scratch {
    weights: Lines,
    numbers: Vec<u32>,
    laws: Vec<u16>,
}

impl Scratch {
    fn draw<const H: usize>(
        &mut self,
        counts: &Counts<'_>,
        block: &Block<H>,
        corrections: &Corrections,
        places: &[u32],
    ) -> &[Lanes<H>] {
        self.numbers.clear();
        self.numbers.extend(places.iter().map(|&place| counts.units.numbers[place as usize]));
        self.laws.clear();
        self.laws.extend(places.iter().map(|&place| counts.law(place)));
        let out = self.weights.get(places.len());
        counts.again(block, &self.numbers, &self.laws, out, &mut Totals::default());
        for (&place, weights) in places.iter().zip(&mut *out) {
            corrections.apply(place, weights);
        }
        out
    }
}

/// Slots of weights that are in the order of their rows.
const IN_ORDER: [u32; SHORT] = {
    let mut slots = [0; SHORT];
    let mut k = 0;
    while k < SHORT {
        slots[k] = k as u32;
        k += 1;
    }
    slots
};

/// Real weights of a block.
pub enum RealSource<'a> {
    /// Counts times the rows' sample weights.
    Counted(CountSource<'a, 1>),
    /// Exponential weights by place, times the rows' sample weights if there are any.
    Kept(&'a [Reals]),
    /// The same, drawn again.
    Again(&'a Stream, &'a Units<'a>, &'a Block<1>, Vec<Reals>),
}

impl RealSource<'_> {
    /// Calls `take(weights, rows)` for stretches of the rows at `places`, whose sample weights are
    /// `masses` (or none).
    pub fn visit(&self, places: &[u32], masses: &[f64], take: impl FnMut(&[Reals], Range<usize>)) {
        self.visit_each(places, masses, stretches(places.len(), SHORT), take);
    }

    /// The same, the last stretch first.
    pub fn visit_back(
        &self,
        places: &[u32],
        masses: &[f64],
        take: impl FnMut(&[Reals], Range<usize>),
    ) {
        self.visit_each(places, masses, stretches(places.len(), SHORT).rev(), take);
    }

    fn visit_each(
        &self,
        places: &[u32],
        masses: &[f64],
        stretches: impl Iterator<Item = Range<usize>>,
        mut take: impl FnMut(&[Reals], Range<usize>),
    ) {
        let mut weights: Vec<Reals> = Vec::with_capacity(SHORT);
        for rows in stretches {
            weights.clear();
            let places = &places[rows.clone()];
            match self {
                Self::Counted(counts) => counts.visit(places, |counts, slots, _| {
                    let of = |&slot: &u32| counts[slot as usize][0].map(f64::from);
                    weights.extend(slots.iter().map(of));
                }),
                Self::Kept(drawn) => {
                    weights.extend(places.iter().map(|&place| drawn[place as usize]));
                }
                Self::Again(stream, units, block, factors) => {
                    weights.extend(places.iter().map(|&place| {
                        let drawn = exponential::weights(
                            stream,
                            &block.draws[0],
                            units.numbers[place as usize],
                        );
                        let factors = &factors[units.stratum(place)];
                        std::array::from_fn(|lane| drawn[lane] * factors[lane])
                    }));
                }
            }
            if !masses.is_empty() {
                for (weights, mass) in weights.iter_mut().zip(&masses[rows.clone()]) {
                    *weights = weights.map(|weight| weight * mass);
                }
            }
            take(&weights, rows);
        }
    }
}
