//! Multinomial weights: n draws with replacement among the n units of each stratum.
//!
//! Independent Poisson weights whose total is N are multinomial with N draws. So Poisson weights of a
//! rate a little below 1 are drawn for all units, and the n - N missing draws are made one by one;
//! in the few replicates with N > n, N - n draws are taken back, each a random one of those made.
//! Both leave exactly n independent draws: this is Efron's bootstrap, not an approximation to it.
//!
//! With s = floor(sqrt(n)) the rate is 1 - 2 / s, two standard deviations of N below 1. The single draws
//! come from numbers(b, t, stratum) ([`super::numbers`]): a missing draw is unit below(n) of the stratum;
//! a draw to take back is unit j = below(n), kept for good if below(16) (below(256) where the
//! replicate has a Poisson weight above 15 in the stratum) is less than the weight of j, else another
//! is tried. Strata of fewer than 64 units are drawn one by one. A weight stays at 31 where a draw would
//! raise it further.

use std::collections::HashMap;
use std::ops::Range;

use crate::machine::lanes::instructions::WIDTH;
use crate::machine::lanes::launch_lanes;
use crate::machine::lanes::weights::{Lanes, MOST};
use crate::resample::corrections::{Change, Corrections};
use crate::resample::exchange::Exchange;
use crate::resample::leave_out::leave_out;
use crate::resample::numbers::Steps;
use crate::resample::poisson::{DrawPoisson, EachLaw, Laws, Poisson, SameLaw};
use crate::resample::stream::{Stream, UnitBits};
use crate::resample::{Block, Scheme, Units};

/// Strata below this size are drawn one by one.
const SMALL: usize = 64;
/// Units drawn at a stretch where the weights are not kept.
pub const STRETCH: usize = 256;

/// Draws counts: multinomial or Poisson weights, or those of an exchange or of a jackknife.
pub struct Counts<'a> {
    /// The stream.
    pub stream: Stream,
    /// What is resampled.
    pub units: &'a Units<'a>,
    scheme: Scheme,
    /// The law of each stratum, as a number in `laws`; 0, weights of zero, for strata drawn one by one.
    law_of: Vec<u16>,
    laws: Vec<Poisson>,
    /// What the stream has for each unit, by place; empty where that is worked out again and again.
    bits: Vec<UnitBits>,
    steps: Steps,
}

impl<'a> Counts<'a> {
    /// Counts of a scheme, which is not [`Scheme::Bayesian`]. `keep`: 8 bytes per unit may be kept.
    pub fn new(stream: Stream, units: &'a Units<'a>, scheme: Scheme, keep: bool) -> Self {
        let (mut laws, mut known) = (vec![Poisson::zero()], HashMap::new());
        let law_of = units
            .strata()
            .map(|(_, places)| {
                let (n, multinomial) = (places.len(), scheme == Scheme::Multinomial);
                if n < SMALL && multinomial {
                    return 0;
                }
                let root = if multinomial { n.isqrt() } else { usize::MAX };
                *known.entry(root).or_insert_with(|| {
                    laws.push(Poisson::new(if multinomial {
                        1.0 - 2.0 / root as f64
                    } else {
                        1.0
                    }));
                    (laws.len() - 1) as u16
                })
            })
            .collect();
        let numbers = if keep { &units.numbers[..] } else { &[] };
        let bits = numbers.iter().map(|&unit| stream.unit(unit.into())).collect();
        let largest = units.strata().map(|(_, places)| places.len()).max().unwrap_or(0);
        let steps = Steps::new(stream, (4 * largest.isqrt()).max(SMALL.min(largest)));
        Self { stream, units, scheme, law_of, laws, bits, steps }
    }

    /// The weights of all units, by place.
    pub fn fill<const H: usize>(&self, block: &Block<H>, out: &mut [Lanes<H>]) {
        for (stratum, places) in self.units.strata() {
            let out = &mut out[places.clone()];
            let mut totals = Totals::default();
            self.draw(block, stratum, places, out, &mut totals);
            self.correct(block, stratum, &totals, &mut Kept(out));
        }
    }

    /// Which weights differ from those of [`draw`](Self::draw), for weights that are drawn again when
    /// needed.
    pub fn corrections<const H: usize>(&self, block: &Block<H>) -> Corrections {
        let mut changes = Vec::new();
        let mut scratch = [[[0; WIDTH]; H]; STRETCH];
        for (stratum, places) in self.units.strata() {
            let mut totals = Totals::default();
            for start in places.clone().step_by(STRETCH) {
                let places = start..places.end.min(start + STRETCH);
                self.draw(block, stratum, places.clone(), &mut scratch, &mut totals);
            }
            let first = places.start;
            let left = HashMap::new();
            let changes = &mut changes;
            let mut passing = Passing { counts: self, block, first, changes, left };
            self.correct(block, stratum, &totals, &mut passing);
        }
        Corrections::new(&changes, self.units.len())
    }

    /// The law of the unit at a place.
    #[inline]
    pub fn law(&self, place: u32) -> u16 {
        self.law_of[self.units.stratum(place)]
    }

    /// The Poisson weights of a stratum's units at some places; adds to the totals. Where models are
    /// exchanged, the weights themselves.
    pub fn draw<const H: usize>(
        &self,
        block: &Block<H>,
        stratum: usize,
        places: Range<usize>,
        out: &mut [Lanes<H>],
        totals: &mut Totals<H>,
    ) {
        let law = &self.laws[usize::from(self.law_of[stratum])];
        let units = &self.units.numbers[places.clone()];
        if let Some(bits) = self.bits.get(places) {
            self.launch(block, SameLaw(law), units, bits, out, totals);
            return;
        }
        for (units, out) in units.chunks(STRETCH).zip(out.chunks_mut(STRETCH)) {
            let bits = self.bits_of(units);
            self.launch(block, SameLaw(law), units, &bits, out, totals);
        }
    }

    /// The same for units of any stratum, at most 256, by number and law.
    pub fn draw_any<const H: usize>(
        &self,
        block: &Block<H>,
        units: &[u32],
        law_of: &[u16],
        out: &mut [Lanes<H>],
    ) {
        let laws = EachLaw { laws: &self.laws, of: law_of };
        self.launch(block, laws, units, &self.bits_of(units), out, &mut Totals::default());
    }

    fn bits_of(&self, units: &[u32]) -> [UnitBits; STRETCH] {
        let mut bits = [(0, 0); STRETCH];
        for (bits, &unit) in bits.iter_mut().zip(units) {
            *bits = self.stream.unit(unit.into());
        }
        bits
    }

    fn launch<L: Laws, const H: usize>(
        &self,
        block: &Block<H>,
        laws: L,
        units: &[u32],
        bits: &[UnitBits],
        out: &mut [Lanes<H>],
        totals: &mut Totals<H>,
    ) {
        let (stream, keys) = (&self.stream, &block.keys);
        if self.scheme == Scheme::LeaveOut {
            leave_out(block, units, out);
            return;
        }
        if self.scheme.exchanges() {
            let half = self.units.half;
            let complement = self.scheme == Scheme::Complement;
            launch_lanes(Exchange { stream, keys, half, complement, units, out });
            return;
        }
        launch_lanes(DrawPoisson {
            laws,
            stream,
            draws: &block.draws,
            keys,
            units,
            bits,
            out,
            totals: &mut totals.drawn,
            large: &mut totals.large,
        });
    }

    /// Makes the missing draws of a stratum and takes back those too many.
    fn correct<const H: usize>(
        &self,
        block: &Block<H>,
        stratum: usize,
        totals: &Totals<H>,
        weights: &mut impl Correctable,
    ) {
        if self.scheme != Scheme::Multinomial {
            return;
        }
        let first = self.units.bounds[stratum];
        let n = (self.units.bounds[stratum + 1] - first) as u32;
        let moved = self.units.moved.get(first..first + n as usize).unwrap_or(&[]);
        let units = Among { n, first: first as u32, moved };
        let wanted = [[n; WIDTH]; H];
        bring_to_total(&self.steps, block, stratum as u64, units, &wanted, totals, weights);
    }
}

/// The units that single draws are made among.
#[derive(Clone, Copy)]
pub(super) struct Among<'a> {
    /// How many.
    pub n: u32,
    /// The place of the first one.
    pub first: u32,
    /// The place of each, where units have been moved; else they follow the first one.
    pub moved: &'a [u32],
}

/// Makes the missing draws among some units and takes back those too many, so that each replicate has
/// as many as wanted; from the s-th numbers.
#[inline]
pub(super) fn bring_to_total<const H: usize>(
    steps: &Steps,
    block: &Block<H>,
    s: u64,
    units: Among<'_>,
    wanted: &[[u32; WIDTH]; H],
    totals: &Totals<H>,
    weights: &mut impl Correctable,
) {
    let Among { n, first, moved } = units;
    for h in 0..H {
        for lane in 0..WIDTH {
            let mut numbers = steps.numbers(block.draws[h][lane], s);
            let (drawn, wanted) = (totals.drawn[h][lane], wanted[h][lane]);
            let missing = wanted.saturating_sub(drawn);
            numbers.many_below(n, missing, |units| {
                if !moved.is_empty() {
                    units.iter_mut().for_each(|k| *k = moved[*k as usize] - first);
                }
                weights.add(units, h, lane);
            });
            let bound = if totals.large[h] >> lane & 1 == 1 { 256 } else { 16 };
            for _ in wanted..drawn {
                // A draw is found by its unit j and its number v among those of the unit.
                loop {
                    let k = numbers.below(n);
                    let j = moved.get(k as usize).map_or(k, |place| place - first) as usize;
                    if weights.take(j, h, lane, numbers.below(bound)) {
                        break;
                    }
                }
            }
        }
    }
}

/// The sum of each replicate's Poisson weights, and a bit for those with a weight above 15.
pub struct Totals<const H: usize> {
    pub(super) drawn: [[u32; WIDTH]; H],
    pub(super) large: [u32; H],
}

impl<const H: usize> Default for Totals<H> {
    fn default() -> Self {
        Self { drawn: [[0; WIDTH]; H], large: [0; H] }
    }
}

/// Weights of a stratum that single draws are added to and taken from.
pub(super) trait Correctable {
    /// Adds a draw of each of the units at some places.
    fn add(&mut self, places: &[u32], h: usize, lane: usize);
    /// Takes a draw away if the weight is above v; tells whether it was.
    fn take(&mut self, place: usize, h: usize, lane: usize, v: u32) -> bool;
}

/// Weights kept in memory.
pub(super) struct Kept<'a, const H: usize>(pub &'a mut [Lanes<H>]);

impl<const H: usize> Correctable for Kept<'_, H> {
    // On its own, so that nothing is read in the loop but weights, which have to be waited for.
    #[inline(never)]
    fn add(&mut self, places: &[u32], h: usize, lane: usize) {
        let weights = self.0.as_flattened_mut().as_flattened_mut();
        for &place in places {
            let weight = &mut weights[place as usize * (H * WIDTH) + (h * WIDTH + lane)];
            *weight += u8::from(*weight < MOST);
        }
    }
    fn take(&mut self, place: usize, h: usize, lane: usize, v: u32) -> bool {
        let weight = &mut self.0[place][h][lane];
        let taken = v < u32::from(*weight);
        *weight -= u8::from(taken);
        taken
    }
}

/// Weights that are not kept: the changes are noted.
struct Passing<'a, 'u, const H: usize> {
    counts: &'a Counts<'u>,
    block: &'a Block<H>,
    /// The first place of the stratum.
    first: usize,
    changes: &'a mut Vec<Change>,
    /// What is left of the weights that draws were taken from, or might have been.
    left: HashMap<(usize, usize), u8>,
}

impl<const H: usize> Passing<'_, '_, H> {
    fn note(&mut self, place: usize, h: usize, lane: usize, by: i8) {
        let place = (self.first + place) as u32;
        self.changes.push(Change { place, lane: (h * WIDTH + lane) as u8, by });
    }
}

impl<const H: usize> Correctable for Passing<'_, '_, H> {
    fn add(&mut self, places: &[u32], h: usize, lane: usize) {
        places.iter().for_each(|&place| self.note(place as usize, h, lane, 1));
    }
    fn take(&mut self, place: usize, h: usize, lane: usize, v: u32) -> bool {
        let weight = self.left.entry((place, h * WIDTH + lane)).or_insert_with(|| {
            let mut lanes = [[[0; WIDTH]; H]];
            let (at, counts) = (self.first + place, self.counts);
            let (unit, law) = (counts.units.numbers[at], counts.law(at as u32));
            counts.draw_any(self.block, &[unit], &[law], &mut lanes);
            lanes[0][h][lane]
        });
        let taken = v < u32::from(*weight);
        *weight -= u8::from(taken);
        if taken {
            self.note(place, h, lane, -1);
        }
        taken
    }
}
