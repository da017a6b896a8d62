//! Where a block's weights come from while orderings are walked.
//!
//! Few units: the weights of all are kept, and rows find theirs by place. Many units: rows come in an
//! order that has nothing to do with places, so that each weight would be waited for; it is faster,
//! and takes no memory, to draw it again. Both give the same weights.

use std::ops::{ControlFlow, Range};

use crate::bootstrap::in_order::InOrderSource;
use crate::data::units::Units;
use crate::machine::lanes::instructions::{Instructions, WIDTH};
use crate::machine::lanes::weights::{Lanes, Reals};
use crate::machine::lanes::{LaneKernel, launch_lanes};
use crate::machine::memory::Lines;
use crate::machine::watch::Watch;
use crate::resample::Block;
use crate::resample::corrections::Corrections;
use crate::resample::exponential::{Exponentials, scale};
use crate::resample::multinomial::{Counts, STRETCH, Totals};
use crate::walk::counts::AHEAD;

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
    pub fn visit(&self, places: &[u32], mut take: impl FnMut(&[Lanes<H>], &[u32], Range<usize>)) {
        self.visit_while(false, places, |weights, slots, rows| {
            take(weights, slots, rows);
            ControlFlow::Continue(())
        });
    }

    /// The same until `take` has enough, the last stretch first if `back`.
    pub fn visit_while(
        &self,
        back: bool,
        places: &[u32],
        take: impl FnMut(&[Lanes<H>], &[u32], Range<usize>) -> ControlFlow<()>,
    ) {
        match self {
            Self::InOrder(source) => source.visit(places, back, take),
            _ if back => {
                self.visit_each(places, stretches(places.len(), self.step()).rev(), take);
            }
            _ => self.visit_each(places, stretches(places.len(), self.step()), take),
        }
    }

    fn step(&self) -> usize {
        if matches!(self, Self::Kept(_)) { LONG } else { SHORT }
    }

    fn visit_each(
        &self,
        places: &[u32],
        stretches: impl Iterator<Item = Range<usize>>,
        mut take: impl FnMut(&[Lanes<H>], &[u32], Range<usize>) -> ControlFlow<()>,
    ) {
        let mut scratch = DrawnAgain::default();
        for rows in stretches {
            let taken = match self {
                Self::Kept(weights) => take(weights, &places[rows.clone()], rows),
                Self::InOrder(_) => unreachable!("goes its own way"),
                Self::Again(_, _, _, watch) if watch.is_stopped() => return,
                Self::Again(counts, block, corrections, _) => {
                    let places = &places[rows.clone()];
                    let (drawn, slots) = scratch.draw(counts, block, corrections, places);
                    take(drawn, slots, rows)
                }
            };
            if taken.is_break() {
                return;
            }
        }
    }
}

fn stretches(len: usize, step: usize) -> impl DoubleEndedIterator<Item = Range<usize>> {
    (0..len.div_ceil(step)).map(move |k| k * step).map(move |first| first..(first + step).min(len))
}

/// Weights drawn again.
#[derive(Default)]
struct DrawnAgain {
    weights: Lines,
    slots: Vec<u32>,
    numbers: Vec<u32>,
    laws: Vec<u16>,
}

impl DrawnAgain {
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
    Again(Box<Exponentials>, &'a Units<'a>, Vec<Reals>),
}

impl RealSource<'_> {
    /// Calls `take(weights, rows)` for stretches of the rows at `places`, whose sample weights are
    /// `masses` (or none).
    pub fn visit(
        &self,
        places: &[u32],
        masses: &[f64],
        mut take: impl FnMut(&[Reals], Range<usize>),
    ) {
        self.visit_while(false, places, masses, |weights, rows| {
            take(weights, rows);
            ControlFlow::Continue(())
        });
    }

    /// The same until `take` has enough, the last stretch first if `back`.
    pub fn visit_while(
        &self,
        back: bool,
        places: &[u32],
        masses: &[f64],
        take: impl FnMut(&[Reals], Range<usize>) -> ControlFlow<()>,
    ) {
        let stretches = stretches(places.len(), SHORT);
        match back {
            true => self.visit_each(places, masses, stretches.rev(), take),
            false => self.visit_each(places, masses, stretches, take),
        }
    }

    fn visit_each(
        &self,
        places: &[u32],
        masses: &[f64],
        stretches: impl Iterator<Item = Range<usize>>,
        mut take: impl FnMut(&[Reals], Range<usize>) -> ControlFlow<()>,
    ) {
        let mut weights: Vec<Reals> = vec![[0.0; WIDTH]; SHORT.min(places.len())];
        let mut numbers = Vec::new();
        for rows in stretches {
            let (places, masses) =
                (&places[rows.clone()], masses.get(rows.clone()).unwrap_or_default());
            let weights = &mut weights[..rows.len()];
            match self {
                Self::Counted(source) => source.visit(places, |counts, slots, part| {
                    let out = &mut weights[part.clone()];
                    let masses = masses.get(part).unwrap_or_default();
                    launch_lanes(LineUp { drawn: counts, slots, masses, out });
                }),
                Self::Kept(drawn) => {
                    launch_lanes(LineUp { drawn, slots: places, masses, out: weights })
                }
                Self::Again(exponentials, units, factors) => {
                    numbers.clear();
                    numbers.extend(places.iter().map(|&place| units.numbers[place as usize]));
                    exponentials.draw(&numbers, weights);
                    for (&place, weights) in places.iter().zip(&mut *weights) {
                        scale(std::slice::from_mut(weights), &factors[units.stratum(place)]);
                    }
                    for (weights, mass) in weights.iter_mut().zip(masses) {
                        *weights = weights.map(|weight| weight * mass);
                    }
                }
            }
            if take(weights, rows).is_break() {
                return;
            }
        }
    }
}

/// Weights of a unit that are kept, counts or real ones.
trait Drawn: bytemuck::Pod {
    /// Those of replicates 8 q to 8 q + 7.
    fn eight<I: Instructions>(&self, q: usize) -> [f64; 8];
}

impl Drawn for Lanes<1> {
    #[inline(always)]
    fn eight<I: Instructions>(&self, q: usize) -> [f64; 8] {
        // By way of signed words, which all processors can turn into doubles eight at a time.
        I::numbers(I::widen(self[0].as_chunks().0[q])).map(|count| f64::from(count as i32))
    }
}

impl Drawn for Reals {
    #[inline(always)]
    fn eight<I: Instructions>(&self, q: usize) -> [f64; 8] {
        self.as_chunks().0[q]
    }
}

/// Lines up the weights of rows, times their sample weights if there are any.
struct LineUp<'a, D> {
    drawn: &'a [D],
    slots: &'a [u32],
    masses: &'a [f64],
    out: &'a mut [Reals],
}

impl<D: Drawn> LaneKernel for LineUp<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<I: Instructions>(self) {
        let Self { drawn, slots, masses, out } = self;
        let fetch = |slot: u32| I::fetch_all(&drawn[slot as usize]);
        slots.iter().take(AHEAD).for_each(|&slot| fetch(slot));
        for (k, (out, &slot)) in out.iter_mut().zip(slots).enumerate() {
            slots.get(k + AHEAD).into_iter().for_each(|&slot| fetch(slot));
            let drawn = &drawn[slot as usize];
            let mass = if masses.is_empty() { 1.0 } else { masses[k] };
            for (q, out) in out.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                *out = drawn.eight::<I>(q).map(|weight| weight * mass);
            }
        }
    }
}
