//! Weights of the Bayesian bootstrap.
//!
//! Independent exponential weights, divided by their sum, are uniform on the simplex (Rubin 1981): the
//! Dirichlet(1, ..., 1) law. Here they are divided by their mean over the stratum, so that a stratum of n
//! units weighs n, as in Efron's bootstrap. Before that, the weight of unit u in replicate b is -ln f with
//! f = (fine(b, t, u, 2) / 2^12 + 1/2) / 2^52 ([`super::stream`], [`super::logarithm`]).

use crate::data::units::Units;
use crate::machine::lanes::instructions::WIDTH;
use crate::machine::lanes::weights::Reals;
use crate::machine::lanes::{Kernel, launch};
use crate::resample::logarithm::{ln, whole};
use crate::resample::stream::{Draw, FineKey, Stream};

/// Units drawn at a stretch where the weights are not kept.
const STRETCH: usize = 64;

/// Exponential weights of 32 replicates.
pub struct Exponentials {
    keys: [FineKey; WIDTH],
}

impl Exponentials {
    /// Those of some draws.
    pub fn new(stream: &Stream, draws: &[Draw; WIDTH]) -> Self {
        Self { keys: draws.map(|draw| stream.fine_key(draw)) }
    }

    /// The weights of some units, not yet divided.
    pub fn draw(&self, units: &[u32], out: &mut [Reals]) {
        launch(DrawExponential { keys: &self.keys, units, out });
    }

    /// What the weights of each stratum are multiplied by: n over their sum, added in the order of places.
    pub fn factors(&self, units: &Units<'_>) -> Vec<Reals> {
        let mut drawn = [[0.0; WIDTH]; STRETCH];
        let factor = |(_, places): (usize, std::ops::Range<usize>)| {
            let mut sums = [0.0; WIDTH];
            for units in units.numbers[places.clone()].chunks(STRETCH) {
                let drawn = &mut drawn[..units.len()];
                self.draw(units, drawn);
                add(&mut sums, drawn);
            }
            sums.map(|sum| places.len() as f64 / sum)
        };
        units.strata().map(factor).collect()
    }

    /// The weights of all units by place, divided.
    pub fn fill(&self, units: &Units<'_>, out: &mut [Reals]) {
        self.draw(&units.numbers, out);
        for (_, places) in units.strata() {
            let (n, out) = (places.len() as f64, &mut out[places]);
            let mut sums = [0.0; WIDTH];
            add(&mut sums, out);
            scale(out, &sums.map(|sum| n / sum));
        }
    }
}

/// Multiplies weights by their stratum's factors.
pub fn scale(weights: &mut [Reals], factors: &Reals) {
    for weights in weights {
        weights.iter_mut().zip(factors).for_each(|(weight, factor)| *weight *= factor);
    }
}

fn add(sums: &mut Reals, weights: &[Reals]) {
    for weights in weights {
        sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
    }
}

struct DrawExponential<'a> {
    keys: &'a [FineKey; WIDTH],
    units: &'a [u32],
    out: &'a mut [Reals],
}

impl Kernel for DrawExponential<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (out, &unit) in self.out.iter_mut().zip(self.units) {
            for (weight, key) in out.iter_mut().zip(self.keys) {
                let f = (whole(key.at(unit.into(), 2) >> 12) + 0.5) / 4_503_599_627_370_496.0;
                *weight = -ln(f);
            }
        }
    }
}
