//! Weights of the Bayesian bootstrap.
//!
//! Independent exponential weights, divided by their sum, are uniform on the simplex (Rubin 1981): the
//! Dirichlet(1, ..., 1) law. Here they are divided by their mean over the stratum, so that a stratum of n
//! units weighs n, as in Efron's bootstrap. Before that, the weight of unit u in replicate b is -ln f with
//! f = (fine(b, t, u, 2) / 2^12 + 1/2) / 2^52 ([`super::stream`], [`super::logarithm`]).

use crate::lanes::instructions::WIDTH;
use crate::resample::Units;
use crate::resample::logarithm::ln;
use crate::resample::stream::{Draw, Stream};

/// The weights of one unit in 32 replicates, not yet divided.
pub fn weights(stream: &Stream, draws: &[Draw; WIDTH], unit: u32) -> [f64; WIDTH] {
    draws.map(|draw| {
        let f = ((stream.fine(draw, unit, 2) >> 12) as f64 + 0.5) / 4_503_599_627_370_496.0;
        -ln(f)
    })
}

/// What the weights of each stratum are multiplied by: n over their sum, added in the order of places.
pub fn factors(stream: &Stream, draws: &[Draw; WIDTH], units: &Units<'_>) -> Vec<[f64; WIDTH]> {
    let factor = |(_, places): (usize, std::ops::Range<usize>)| {
        let mut sums = [0.0; WIDTH];
        for &unit in &units.numbers[places.clone()] {
            let drawn = weights(stream, draws, unit);
            sums.iter_mut().zip(drawn).for_each(|(sum, weight)| *sum += weight);
        }
        sums.map(|sum| places.len() as f64 / sum)
    };
    units.strata().map(factor).collect()
}
