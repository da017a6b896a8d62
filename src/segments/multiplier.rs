//! Replicates of many rows by their influence values: the multiplier bootstrap.
//!
//! With m the influence values of the rows and w their Poisson weights in a replicate, the measure of the resample
//! is about the measure itself and the sum of w m. What is left out is of the order of 1 / n of the smallest class
//! n, the spread of replicates of the order of 1 / sqrt(n); so it serves large classes, where sorted rows would be
//! walked over for each block of replicates and each column. Here a weight costs a product and a sum.

use crate::data::units::{Scheme, Units};
use crate::error::Result;
use crate::machine::lanes::instructions::WIDTH;
use crate::machine::lanes::weights::Lanes;
use crate::machine::lanes::{self, Kernel};
use crate::machine::memory;
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::resample::Block;
use crate::resample::multinomial::{Counts, STRETCH, Totals};
use crate::resample::stream::{Draw, Stream};
use crate::segments::closed::Own;
use crate::segments::replicates::Draws;

/// Rows of the smallest class from which on replicates go by influence values.
pub const MANY: usize = 1000;

/// Replicates of the measure of rows that have these `numbers` among all.
pub fn multiplied(
    own: &Own,
    numbers: &[u32],
    draws: &Draws,
    workers: &Workers,
    watch: &Watch,
) -> Result<Vec<f64>> {
    let units = Units::new(vec![numbers.to_vec()])?;
    let stream = Stream::new(draws.seed);
    let counts = Counts::new(stream, &units, Scheme::Poisson, true);
    let (first, end) = (draws.replicates.start, draws.replicates.end);
    let blocks = (end - first / 4 * 4).div_ceil(WIDTH as u64) as usize;
    memory::require((2 * size_of::<f64>() * WIDTH).saturating_mul(blocks))?;
    let sums = workers.map(blocks, |block| {
        let start = first / 4 * 4 + (block * WIDTH) as u64;
        let quads: Vec<Draw> =
            (0..WIDTH as u64 / 4).map(|q| Draw { replicate: start + 4 * q, attempt: 0 }).collect();
        let block = Block::<1>::new(&stream, &quads);
        let (mut sums, mut weights) = ([0.0; WIDTH], [[[0; WIDTH]; 1]; STRETCH]);
        for (k, moved) in own.moved.chunks(STRETCH).enumerate() {
            if watch.is_stopped() {
                break;
            }
            let places = k * STRETCH..k * STRETCH + moved.len();
            counts.draw(&block, 0, places, &mut weights, &mut Totals::default());
            lanes::launch(Sum { weights: &weights, moved, sums: &mut sums });
        }
        sums
    });
    let values = sums.concat().into_iter().map(|sum| own.estimate + sum);
    Ok(values.skip((first % 4) as usize).take((end - first) as usize).collect())
}

/// Adds what rows move each replicate by.
struct Sum<'a> {
    weights: &'a [Lanes<1>],
    moved: &'a [f64],
    sums: &'a mut [f64; WIDTH],
}

impl Kernel for Sum<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut sums = *self.sums;
        for (weights, moved) in self.weights.iter().zip(self.moved) {
            for (sum, &weight) in sums.iter_mut().zip(&weights[0]) {
                *sum += f64::from(weight) * moved;
            }
        }
        *self.sums = sums;
    }
}
