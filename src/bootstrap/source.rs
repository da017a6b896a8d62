//! Where a block's weights come from while orderings are walked.
//!
//! Few units: the weights of all are kept, and rows find theirs by place. Many units: rows come in an
//! order that has nothing to do with places, so that each weight would be waited for; it is faster,
//! and takes no memory, to draw it again. Both give the same weights.

use std::ops::Range;

use crate::bootstrap::in_order::InOrderSource;
use crate::bootstrap::watch::Watch;
use crate::memory::Lines;
use crate::resample::corrections::Corrections;
use crate::resample::multinomial::{Counts, STRETCH, Totals};
use crate::resample::poisson::Lanes;
use crate::resample::stream::Stream;
use crate::resample::{Block, Units, exponential};
use crate::walk_real::Reals;

/// Rows handed on at a time where weights are kept: little enough to notice an interrupt in between.
const LONG: usize = 1 << 15;
/// The same where they are drawn again: as many as stay in the cache.
const SHORT: usize = STRETCH;

/// Counts of a block.
pub enum CountSource<'a, const H: usize> {
    /// Weights by place.
    Kept(&'a [Lanes<H>]),
    /// Weights drawn again.
    Again(&'a Counts<'a>, &'a Block<H>, Corrections, &'a Watch),
    /// Weights drawn in the order of the only ordering.
    InOrder(InOrderSource<'a, H>),
}

impl<const H: usize> CountSource<'_, H> {
    /// Calls `take(weights, slots, rows)` for stretches of the rows at `places`: `weights[slots[k]]`
    /// belongs to row `rows.start + k`.
    pub fn visit(&self, places: &[u32], take: impl FnMut(&[Lanes<H>], &[u32], Range<usize>)) {
        match self {
            Self::InOrder(source) => source.visit(places, false, take),
            _ => self.visit_each(places, stretches(places.len(), self.step()), take),
        }
    }

    /// The same, the last stretch first.
    pub fn visit_back(&self, places: &[u32], take: impl FnMut(&[Lanes<H>], &[u32], Range<usize>)) {
        match self {
            Self::InOrder(source) => source.visit(places, true, take),
            _ => self.visit_each(places, stretches(places.len(), self.step()).rev(), take),
        }
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
                Self::InOrder(_) => unreachable!("goes its own way"),
                Self::Again(_, _, _, watch) if watch.is_stopped() => return,
                Self::Again(counts, block, corrections, _) => {
                    let places = &places[rows.clone()];
                    let (drawn, slots) = scratch.draw(counts, block, corrections, places);
                    take(drawn, slots, rows);
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
    slots: Vec<u32>,
    numbers: Vec<u32>,
    laws: Vec<u16>,
}

impl Scratch {
    /// The weights at some places, and where each has its own.
    fn draw<const H: usize>(
        &mut self,
        counts: &Counts<'_>,
        block: &Block<H>,
        corrections: &Corrections,
        places: &[u32],
    ) -> (&[Lanes<H>], &[u32]) {
        let out: &mut [Lanes<H>] = self.weights.get(places.len());
        if let Some(runs) = runs(counts.units, places, &mut self.slots) {
            let mut rest = &mut *out;
            for (stratum, run) in runs.into_iter().enumerate().filter(|(_, run)| !run.is_empty()) {
                let (part, others) = rest.split_at_mut(run.len());
                counts.draw(block, stratum, run.clone(), part, &mut Totals::default());
                corrections.apply(run, part);
                rest = others;
            }
        } else {
            self.numbers.clear();
            self.numbers.extend(places.iter().map(|&place| counts.units.numbers[place as usize]));
            self.laws.clear();
            self.laws.extend(places.iter().map(|&place| counts.law(place)));
            counts.draw_any(block, &self.numbers, &self.laws, out);
            for (&place, weights) in places.iter().zip(&mut *out) {
                let place = place as usize;
                corrections.apply(place..place + 1, std::slice::from_mut(weights));
            }
            self.slots.clear();
            self.slots.extend(0..places.len() as u32);
        }
        (out, &self.slots)
    }
}

/// Where units follow their ordering, the places of its rows run on within each stratum: the two runs, and
/// the slots of rows in the one followed by the other. `None` for other places, or more strata.
fn runs(units: &Units<'_>, places: &[u32], slots: &mut Vec<u32>) -> Option<[Range<usize>; 2]> {
    if units.bounds.len() > 3 {
        return None;
    }
    let second = units.bounds[1] as u32;
    let in_first = places.iter().filter(|&&place| place < second).count();
    let start = |is_second: bool| places.iter().find(|&&place| (place >= second) == is_second);
    let starts = [start(false), start(true)].map(|place| place.copied().unwrap_or(0));
    let mut next = [0, in_first as u32];
    let mut in_a_row = true;
    slots.clear();
    slots.extend(places.iter().map(|&place| {
        let run = usize::from(place >= second);
        let slot = next[run];
        next[run] += 1;
        in_a_row &= place.wrapping_sub(starts[run]) == slot - [0, in_first as u32][run];
        slot
    }));
    let lens = [in_first, places.len() - in_first];
    let range = |run: usize| starts[run] as usize..starts[run] as usize + lens[run];
    in_a_row.then(|| [range(0), range(1)])
}

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
