//! Sums of weight times value over rows, in many lanes side by side.

use crate::machine::lanes::LaneKernel;
use crate::machine::lanes::instructions::{Instructions, WIDTH};
use crate::machine::lanes::weights::Lanes;

/// Adds weight times value of some rows whose weights are counts: those of row k at `weights[slots[k]]`.
pub struct AddValues<'a, const H: usize> {
    /// Weights by slot.
    pub weights: &'a [Lanes<H>],
    /// The slot of each row.
    pub slots: &'a [u32],
    /// The value of each row.
    pub values: &'a [f64],
    /// What they are added to.
    pub sums: &'a mut [[f64; WIDTH]; H],
}

impl<const H: usize> LaneKernel for AddValues<'_, H> {
    type Output = ();

    #[inline(always)]
    fn run<I: Instructions>(self) {
        let Self { weights, slots, values, sums } = self;
        for (&slot, &value) in slots.iter().zip(values) {
            for (weights, sums) in weights[slot as usize].iter().zip(&mut *sums) {
                let eights = weights.as_chunks::<8>().0.iter().zip(sums.as_chunks_mut::<8>().0);
                for (eight, sums) in eights {
                    let counts = I::numbers(I::widen(*eight));
                    for (sum, count) in sums.iter_mut().zip(counts) {
                        // By way of signed words, which all processors can turn into doubles.
                        *sum += value * f64::from(count as i32);
                    }
                }
            }
        }
    }
}
