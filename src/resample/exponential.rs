//! Weights of the Bayesian bootstrap.
//!
//! Independent exponential weights, divided by their sum, are uniform on the simplex (Rubin 1981): the
//! Dirichlet(1, ..., 1) law. Measures are ratios, so the division is left to those that compare classes.
//! The weight of unit u in replicate b is -ln f with f = (fine(b, t, u, 2) / 2^12 + 1/2) / 2^52
//! ([`super::stream`], [`super::logarithm`]).

use crate::lanes::instructions::WIDTH;
use crate::resample::logarithm::ln;
use crate::resample::stream::{Draw, Stream};

/// The weights of one unit in 32 replicates.
pub fn weights(stream: &Stream, draws: &[Draw; WIDTH], unit: u32) -> [f64; WIDTH] {
    draws.map(|draw| {
        let f = ((stream.fine(draw, unit, 2) >> 12) as f64 + 0.5) / 4_503_599_627_370_496.0;
        -ln(f)
    })
}
