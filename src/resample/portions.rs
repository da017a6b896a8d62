//! Multinomial weights of many units, a portion at a time.
//!
//! Weights of a stratum are known only when all its Poisson weights have been summed up. A stratum of n units
//! that would not stay in the cache until then is cut into P = ceil(n / most) *portions* of neighbours, from
//! unit floor(p n / P) to floor((p + 1) n / P). How many of the n draws fall on each is multinomial: given those
//! that are left, and the units of the portions that are left, a binomial number ([`super::binomial`], from
//! sequence(b, t, stratum)); the last one gets the rest. A portion of m units and d draws then has
//! multinomial weights as in [`super::multinomial`]: Poisson weights of rate 1 - 2 / floor(sqrt(m / 2)),
//! two standard deviations of d - N below d, and single draws from numbers(b, t, stratum + 2^32 (p + 1)).
//!
//! Where class counts are random, *strata* are still the classes, but their portions share as many draws as
//! there are units in all: binomial numbers as above, the portions of all strata one after the other, all from
//! sequence(b, t, 0). For Poisson weights the draws of a portion of m units are a Poisson number of mean m
//! ([`super::poisson_number`]), again one portion after the other from sequence(b, t, 0): given their total,
//! independent Poisson weights are multinomial. Either way what a class weighs is known before any weight is.

use std::ops::Range;

use ndarray::Array2;

use crate::machine::lanes::instructions::WIDTH;
use crate::machine::lanes::launch_lanes;
use crate::machine::lanes::weights::Lanes;
use crate::resample::binomial::binomial;
use crate::resample::multinomial::{Among, Kept, Totals, bring_to_total};
use crate::resample::numbers::Steps;
use crate::resample::poisson::{DrawPoisson, Poisson, SameLaw};
use crate::resample::poisson_number::poisson_number;
use crate::resample::stream::{Draw, Stream, UnitBits};
use crate::resample::{Block, Scheme};

/// Units drawn at a stretch.
const STRETCH: usize = 256;

/// A portion of a stratum.
#[derive(Clone, Debug)]
pub struct Portion {
    /// The stratum.
    pub stratum: usize,
    /// Which portion of it.
    pub number: usize,
    /// Its units, which are numbered from stratum to stratum.
    pub units: Range<usize>,
    /// Its law in `laws`.
    law: usize,
}

/// How portions come by their draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shares {
    /// Each stratum has as many draws as units.
    OfStrata,
    /// All together have as many draws as units.
    OfAll,
    /// Each portion has a Poisson number of draws.
    Poisson,
}

impl Shares {
    /// Those of a scheme, if it can be drawn in portions.
    pub fn of(scheme: Scheme, stratified: bool) -> Option<Self> {
        match scheme {
            Scheme::Multinomial if stratified => Some(Self::OfStrata),
            Scheme::Multinomial => Some(Self::OfAll),
            Scheme::Poisson => Some(Self::Poisson),
            Scheme::Bayesian | Scheme::Exchange | Scheme::Complement | Scheme::LeaveOut => None,
        }
    }
}

/// How many draws each replicate has in a portion.
pub type Draws<const H: usize> = [[u32; WIDTH]; H];

/// Strata cut into portions.
pub struct Portions {
    /// The stream.
    pub stream: Stream,
    steps: Steps,
    /// All portions, stratum by stratum.
    pub all: Vec<Portion>,
    laws: Vec<Poisson>,
    shares: Shares,
}

impl Portions {
    /// Portions of at most so many units; `bounds` are the first unit of each stratum and the end.
    pub fn new(stream: Stream, bounds: &[usize], most: usize, shares: Shares) -> Self {
        let (mut all, mut laws, mut roots) = (Vec::new(), Vec::new(), Vec::new());
        for (stratum, ends) in bounds.windows(2).enumerate() {
            let n = ends[1] - ends[0];
            let count = n.div_ceil(most);
            let start = |p: usize| ends[0] + (p as u128 * n as u128 / count as u128) as usize;
            for number in 0..count {
                let units = start(number)..start(number + 1);
                let root = (units.len() / 2).isqrt();
                let law = roots.iter().position(|&known| known == root).unwrap_or_else(|| {
                    roots.push(root);
                    laws.push(match root {
                        0..=2 => Poisson::zero(),
                        _ => Poisson::new(1.0 - 2.0 / root as f64),
                    });
                    laws.len() - 1
                });
                all.push(Portion { stratum, number, units, law });
            }
        }
        let likely = 6 * roots.iter().max().copied().unwrap_or(0);
        Self { stream, steps: Steps::new(stream, likely), all, laws, shares }
    }

    /// The draws of each portion.
    pub fn draws<const H: usize>(&self, block: &Block<H>) -> Vec<Draws<H>> {
        let mut draws = vec![[[0; WIDTH]; H]; self.all.len()];
        let mut first = 0;
        let together = self.shares != Shares::OfStrata;
        for portions in self.all.chunk_by(|a, b| together || a.stratum == b.stratum) {
            let n = portions.iter().map(|portion| portion.units.len() as u64).sum::<u64>();
            for (h, lane) in (0..H).flat_map(|h| (0..WIDTH).map(move |lane| (h, lane))) {
                let stratum = if together { 0 } else { portions[0].stratum as u64 };
                let mut sequence = self.stream.sequence(block.draws[h][lane], stratum);
                let (mut left, mut units) = (n, n);
                for (k, portion) in portions.iter().enumerate() {
                    let size = portion.units.len() as u64;
                    let drawn = match self.shares {
                        Shares::Poisson => poisson_number(size as f64, &mut sequence),
                        _ => binomial(left, size, units, &mut sequence),
                    };
                    draws[first + k][h][lane] = drawn as u32;
                    left = left.saturating_sub(drawn);
                    units -= size;
                }
            }
            first += portions.len();
        }
        draws
    }

    /// The weights of a portion's units.
    pub fn fill<const H: usize>(
        &self,
        block: &Block<H>,
        portion: &Portion,
        draws: &Draws<H>,
        out: &mut [Lanes<H>],
    ) {
        let law = &self.laws[portion.law];
        let mut totals = Totals::default();
        let first = portion.units.clone().step_by(STRETCH);
        for (first, out) in first.zip(out.chunks_mut(STRETCH)) {
            let (mut units, mut bits) = ([0; STRETCH], [UnitBits::default(); STRETCH]);
            for (k, (unit, bits)) in units.iter_mut().zip(&mut bits).enumerate() {
                *unit = (first + k) as u32;
                *bits = self.stream.unit((*unit).into());
            }
            launch_lanes(DrawPoisson {
                laws: SameLaw(law),
                stream: &self.stream,
                draws: &block.draws,
                keys: &block.keys,
                units: &units[..out.len()],
                bits: &bits[..out.len()],
                out,
                totals: &mut totals.drawn,
                large: &mut totals.large,
            });
        }
        let s = portion.stratum as u64 + ((portion.number as u64 + 1) << 32);
        let units = Among { n: portion.units.len() as u32, first: 0, moved: &[] };
        bring_to_total(&self.steps, block, s, units, draws, &totals, &mut Kept(out));
    }
}

/// The weights of all units in some replicates, one row per replicate: for looking at them.
pub fn weights(
    stream: Stream,
    bounds: &[usize],
    most: usize,
    shares: Shares,
    replicates: Range<u64>,
    attempt: u32,
) -> Array2<f64> {
    let portions = Portions::new(stream, bounds, most, shares);
    let units = bounds[bounds.len() - 1];
    let mut out = Array2::zeros((replicates.clone().count(), units));
    let mut kept = vec![[[0; WIDTH]; 1]; units];
    for first in (replicates.start / 4 * 4..replicates.end).step_by(WIDTH) {
        let quads: Vec<Draw> = (0..8).map(|q| Draw { replicate: first + 4 * q, attempt }).collect();
        let block = Block::<1>::new(&stream, &quads);
        for (portion, draws) in portions.all.iter().zip(portions.draws(&block)) {
            portions.fill(&block, portion, &draws, &mut kept[portion.units.clone()]);
        }
        for (lane, draw) in block.draws[0].iter().enumerate() {
            if replicates.contains(&draw.replicate) {
                let row = (draw.replicate - replicates.start) as usize;
                for (unit, weights) in kept.iter().enumerate() {
                    out[[row, unit]] = f64::from(weights[0][lane]);
                }
            }
        }
    }
    out
}
