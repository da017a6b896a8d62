//! Where a block's weights come from while orderings are walked.
//!
//! Few units: the weights of all are kept, and rows find theirs by place. Many units: rows come in an
//! order that has nothing to do with places, so that each weight would be waited for; it is faster,
//! and takes no memory, to draw it again. Both give the same weights.

use std::ops::Range;

use crate::lanes::instructions::WIDTH;
use crate::resample::corrections::Corrections;
use crate::resample::multinomial::Counts;
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
    Again(&'a Counts<'a>, &'a Block<H>, Corrections),
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
        let mut scratch = Scratch::new();
        for rows in stretches {
            match self {
                Self::Kept(weights) => take(weights, &places[rows.clone()], rows),
                Self::Again(counts, block, corrections) => {
                    scratch.draw(counts, block, corrections, &places[rows.clone()]);
                    take(&scratch.weights, &scratch.slots, rows);
                }
            }
        }
    }
}

fn stretches(len: usize, step: usize) -> impl DoubleEndedIterator<Item = Range<usize>> {
    (0..len.div_ceil(step)).map(move |k| k * step).map(move |first| first..(first + step).min(len))
}

/// Weights drawn again, those of a stratum together, since each stratum has its own law.
struct Scratch<const H: usize> {
    weights: Vec<Lanes<H>>,
    slots: Vec<u32>,
    /// The places to draw, and where in the stretch their rows stand.
    places: Vec<(usize, u32, u32)>,
    of_stratum: Vec<u32>,
}

impl<const H: usize> Scratch<H> {
    fn new() -> Self {
        Self { weights: Vec::new(), slots: Vec::new(), places: Vec::new(), of_stratum: Vec::new() }
    }

    fn draw(
        &mut self,
        counts: &Counts<'_>,
        block: &Block<H>,
        corrections: &Corrections,
        places: &[u32],
    ) {
        let bounds = &counts.units.bounds;
        self.places.clear();
        let stratum = |place: u32| match bounds.len() {
            2 => 0,
            3 => usize::from(place as usize >= bounds[1]),
            _ => bounds.partition_point(|&start| start <= place as usize) - 1,
        };
        let rows = places.iter().enumerate();
        self.places.extend(rows.map(|(row, &place)| (stratum(place), place, row as u32)));
        if bounds.len() > 2 {
            self.places.sort_unstable_by_key(|&(stratum, _, row)| (stratum, row));
        }
        self.weights.resize(places.len(), [[0; WIDTH]; H]);
        self.slots.resize(places.len(), 0);
        let mut slot = 0;
        for run in self.places.chunk_by(|a, b| a.0 == b.0) {
            self.of_stratum.clear();
            self.of_stratum.extend(run.iter().map(|&(_, place, _)| place));
            let out = &mut self.weights[slot..slot + run.len()];
            counts.again(block, &self.of_stratum, out);
            for (&(_, place, row), weights) in run.iter().zip(out) {
                corrections.apply(place, weights);
                self.slots[row as usize] = slot as u32;
                slot += 1;
            }
        }
    }
}

/// Real weights of a block.
pub enum RealSource<'a> {
    /// Counts times the rows' sample weights.
    Counted(CountSource<'a, 1>),
    /// Exponential weights by place, times the rows' sample weights if there are any.
    Kept(&'a [Reals]),
    /// The same, drawn again.
    Again(&'a Stream, &'a Units, &'a Block<1>),
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
                Self::Again(stream, units, block) => weights.extend(places.iter().map(|&place| {
                    let unit = units.numbers[place as usize];
                    exponential::weights(stream, &block.draws[0], unit)
                })),
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
