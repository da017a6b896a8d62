//! Weights of two models whose rows are exchanged: the permutation test.
//!
//! Units come in two halves, one per model: unit u and unit u + half are the same row scored by the two. In
//! a replicate each row goes to one model or the other with probability one half: its bit is the highest
//! of the 16 bits that the replicate has at unit u ([`super::stream`]), the weight of u is that bit and the
//! weight of u + half the other one. The *complement* of a replicate has all bits turned.

use crate::machine::lanes::LaneKernel;
use crate::machine::lanes::instructions::{Instructions, WIDTH};
use crate::machine::lanes::weights::Lanes;
use crate::resample::poisson::{QuadKeys, bytes};
use crate::resample::stream::Stream;

/// Draws the weights of some units.
pub struct Exchange<'a, const H: usize> {
    /// The stream.
    pub stream: &'a Stream,
    /// The keys of the replicates.
    pub keys: &'a [QuadKeys; H],
    /// The number of the second model's first unit.
    pub half: u32,
    /// Whether the complement is wanted.
    pub complement: bool,
    /// The units by number.
    pub units: &'a [u32],
    /// Where the weights go.
    pub out: &'a mut [Lanes<H>],
}

impl<const H: usize> LaneKernel for Exchange<'_, H> {
    type Output = ();

    #[inline(always)]
    fn run<I: Instructions>(self) {
        let Self { stream, keys, half, complement, units, out } = self;
        for (&unit, out) in units.iter().zip(out) {
            let second = unit >= half;
            let z = stream.unit(u64::from(if second { unit - half } else { unit }));
            let turned = u8::from(second ^ complement);
            for h in 0..H {
                let (_, highs) = bytes(z, &keys[h]);
                for lane in 0..WIDTH {
                    out[h][lane] = (highs[lane] >> 7) ^ turned;
                }
            }
        }
    }
}
