//! Replicates by influence values: a multiplier bootstrap with Poisson weights that hang on the row.
//!
//! A row has one weight in each replicate, from the stream of (seed, replicate, row id): the same on whatever shard it
//! is read. Shards return, for each class, the sums over its rows of the weights, and of weights times values. Values
//! are rounded to multiples of 2^-36, so that doubles hold the sums of some hundred rows exactly, and whole numbers the
//! rest.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::machine::lanes::instructions::WIDTH;
use crate::machine::lanes::weights::Lanes;
use crate::machine::lanes::{self, Kernel, launch_lanes};
use crate::resample::Block;
use crate::resample::poisson::{DrawPoisson, Poisson, SameLaw};
use crate::resample::stream::{Draw, Stream, UnitBits};
use crate::state::wire::{Reader, Writer};

/// Bits after the point of values.
pub const VALUE_BITS: i32 = 36;
/// Values are below this.
const LARGEST: f64 = 2048.0;
/// Rows whose weights are drawn at once; fewer where values are so large that a double would not hold their sums.
const CHUNK: usize = 256;
/// Weights are below this.
const HEAVIEST: f64 = 32.0;

/// Sums over rows by class, number and replicate.
#[derive(Clone, Debug, PartialEq)]
pub struct Replicates {
    count: usize,
    /// Sums for each class: that of the weights, and one for each number.
    lanes: usize,
    /// In units of 2^-36: by class, by sum, by replicate.
    pub sums: Vec<i128>,
}

/// Rows of one class with their values.
pub struct Chosen<'a> {
    /// Which class.
    pub class: usize,
    /// What weights hang on.
    pub ids: &'a [u64],
    /// What each row weighs beside its class's mean, then its values: one list each.
    pub values: &'a [Vec<f64>],
}

impl Replicates {
    /// None yet.
    pub fn new(count: usize, classes: usize, numbers: usize) -> Self {
        let lanes = numbers + 1;
        Self { count, lanes, sums: vec![0; classes * lanes * count] }
    }

    /// Rounds a value; fails where it is too large.
    pub fn rounded(value: f64) -> Result<f64> {
        if value.abs() >= LARGEST {
            return Err(Error::Domain(
                "sample_weight is more than a thousand times its mean in a class; the multiplier \
                 bootstrap does not resolve such rows: ask for interval=\"delong\""
                    .into(),
            ));
        }
        Ok((value * 2_f64.powi(VALUE_BITS)).round_ties_even())
    }

    /// Adds rows, whose values were rounded.
    pub fn add(&mut self, seed: u64, rows: &Chosen<'_>) {
        let largest = rows.values.iter().flatten().fold(1.0_f64, |most, x| most.max(x.abs()));
        let chunk = CHUNK.min((2_f64.powi(53) / (HEAVIEST * largest)) as usize);
        let (count, at) = (self.count, rows.class * self.lanes);
        draw(seed, count, chunk, rows, |lane, replicates, found| {
            let start = (at + lane) * count;
            let sums = &mut self.sums[start + replicates.start..start + replicates.end];
            sums.iter_mut().zip(found).for_each(|(sum, more)| *sum += *more as i128);
        });
    }

    /// Adds those of other rows.
    pub fn merge(&mut self, other: &Self) {
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
    }

    /// Writes the sums.
    pub fn write(&self, out: &mut Writer) {
        self.sums.iter().for_each(|&sum| out.signed(sum));
    }

    /// Reads sums of the same shape.
    pub fn read(&mut self, input: &mut Reader<'_>) -> Option<()> {
        for sum in &mut self.sums {
            *sum = input.signed()?;
        }
        Some(())
    }
}

/// The sums of groups of one class: as [`Replicates::add`], of values that were not rounded, in the order of groups.
pub fn of_groups(seed: u64, count: usize, groups: &Chosen<'_>) -> Vec<f64> {
    let mut sums = vec![0.0; groups.values.len() * count];
    draw(seed, count, CHUNK, groups, |lane, replicates, found| {
        let sums = &mut sums[lane * count + replicates.start..lane * count + replicates.end];
        sums.iter_mut().zip(found).for_each(|(sum, more)| *sum += more);
    });
    sums
}

/// Draws the weights of rows, some rows and 32 replicates at a time, and hands over what values they add up to.
fn draw(
    seed: u64,
    count: usize,
    chunk: usize,
    rows: &Chosen<'_>,
    mut take: impl FnMut(usize, Range<usize>, &[f64; WIDTH]),
) {
    let (stream, law) = (Stream::new(seed), Poisson::new(1.0));
    let bits: Vec<UnitBits> = rows.ids.iter().map(|&id| stream.unit(id)).collect();
    for first in (0..count).step_by(WIDTH) {
        let quads: Vec<Draw> = (0..WIDTH as u64 / 4)
            .map(|q| Draw { replicate: first as u64 + 4 * q, attempt: 0 })
            .collect();
        let block = Block::<1>::new(&stream, &quads);
        for start in (0..bits.len()).step_by(chunk) {
            let span = start..bits.len().min(start + chunk);
            let mut weights = [[[0; WIDTH]; 1]; CHUNK];
            launch_lanes(DrawPoisson {
                laws: SameLaw(&law),
                stream: &stream,
                draws: &block.draws,
                keys: &block.keys,
                units: &rows.ids[span.clone()],
                bits: &bits[span.clone()],
                out: &mut weights[..span.len()],
                totals: &mut [[0; WIDTH]; 1],
                large: &mut [0; 1],
            });
            for (lane, values) in rows.values.iter().enumerate() {
                let found = lanes::launch(Sum { weights: &weights, values: &values[span.clone()] });
                take(lane, first..count.min(first + WIDTH), &found);
            }
        }
    }
}

/// Sums of weights times values.
struct Sum<'a> {
    weights: &'a [Lanes<1>],
    values: &'a [f64],
}

impl Kernel for Sum<'_> {
    type Output = [f64; WIDTH];

    #[inline(always)]
    fn run(self) -> [f64; WIDTH] {
        let mut sums = [0.0; WIDTH];
        for (weights, value) in self.weights.iter().zip(self.values) {
            for (sum, &weight) in sums.iter_mut().zip(&weights[0]) {
                *sum += f64::from(weight) * value;
            }
        }
        sums
    }
}
