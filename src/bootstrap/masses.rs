//! What classes weigh in the replicates of a block.

use std::borrow::Cow;

use crate::bootstrap::block::Common;
use crate::bootstrap::source::{CountSource, RealSource};
use crate::data::classes::Classes;
use crate::machine::lanes::instructions::{Instructions, WIDTH};
use crate::machine::lanes::weights::{Lanes, MOST};
use crate::machine::lanes::{LaneKernel, launch_lanes};
use crate::measures::measure::Masses;
use crate::order::jobs::{Job, Key};
use crate::walk::counts::AHEAD;

/// The weight of each class in each replicate of a block, and the greatest over replicates.
pub struct BlockMasses {
    /// Class by class, lane by lane.
    pub values: Vec<f64>,
    greatest: Vec<u64>,
    lanes: usize,
}

impl BlockMasses {
    /// Classes that keep their weight.
    pub fn fixed(classes: &Classes<'_>, lanes: usize) -> Self {
        let masses = classes.masses();
        let values = masses.iter().flat_map(|&mass| std::iter::repeat_n(mass, lanes)).collect();
        Self { values, greatest: masses.iter().map(|&mass| mass as u64).collect(), lanes }
    }

    /// Sums of counts.
    pub fn counted<const H: usize>(common: &Common<'_>, source: &CountSource<'_, H>) -> Self {
        if common.setup.fixed {
            return Self::fixed(common.classes, H * WIDTH);
        }
        let (mut values, mut greatest) = (Vec::new(), Vec::new());
        for class in 0..common.classes.count() {
            let mut sums = [[0; WIDTH]; H];
            match source {
                CountSource::InOrder(source) => sums = source.mass(class),
                _ => source.visit(&common.setup.class_places[class], |weights, slots, _| {
                    launch_lanes(AddUp { weights, slots, sums: &mut sums });
                }),
            }
            values.extend(sums.as_flattened().iter().map(|&sum| sum as f64));
            greatest.push(sums.as_flattened().iter().copied().max().unwrap_or(0));
        }
        Self { values, greatest, lanes: H * WIDTH }
    }

    /// Sums of real weights, rows in row order.
    pub fn real(common: &Common<'_>, source: &RealSource<'_>) -> Self {
        let mut values = Vec::new();
        for (places, masses) in common.setup.class_places.iter().zip(&common.setup.class_mass) {
            let mut sums = [0.0; WIDTH];
            source.visit(places, masses, |weights, _| {
                for weights in weights {
                    for (sum, weight) in sums.iter_mut().zip(weights) {
                        *sum += weight;
                    }
                }
            });
            values.extend(sums);
        }
        Self { values, greatest: Vec::new(), lanes: WIDTH }
    }

    /// As measures see them.
    pub fn view<'a>(&'a self, present: &'a [usize]) -> Masses<'a> {
        Masses { lanes: self.lanes, values: &self.values, present }
    }

    /// The greatest weights of an ordering's sides.
    pub fn greatest(&self, job: &Job, columns: usize) -> Vec<u64> {
        match job.key {
            Key::Pair(i, j, _) => vec![self.greatest[j], self.greatest[i]],
            Key::Label(label) => self.greatest[2 * label..2 * label + 2].to_vec(),
            Key::Pooled => {
                let all = self.greatest.iter().sum::<u64>();
                vec![all.saturating_mul(columns as u64), all]
            }
            Key::Single(_) | Key::Ordered(_) | Key::Column(_) | Key::Rows(_) => {
                self.greatest.clone()
            }
        }
    }

    /// All pairs of a job's favoured class with the k-th of the others, doubled.
    pub fn pairs(&self, job: &Job, k: usize, lane: usize) -> f64 {
        let of = |class: usize| self.values[class * self.lanes + lane];
        if job.key == Key::Pooled {
            let classes = self.values.len() / self.lanes;
            let all: f64 = (0..classes).map(of).fold(0.0, |sum, mass| sum + mass);
            return 2.0 * (all * (all * (classes - 1) as f64));
        }
        2.0 * (of(job.favoured) * of(job.others[k]))
    }

    /// The weights of an ordering's sides, side by side and lane by lane.
    pub fn totals(&self, job: &Job) -> Cow<'_, [f64]> {
        let of = |class: usize| &self.values[class * self.lanes..][..self.lanes];
        match job.key {
            Key::Single(_) | Key::Ordered(_) | Key::Column(_) | Key::Rows(_) => {
                Cow::Borrowed(&self.values)
            }
            Key::Pair(i, j, _) => [of(j), of(i)].concat().into(),
            Key::Label(label) => {
                Cow::Borrowed(&self.values[2 * label * self.lanes..][..2 * self.lanes])
            }
            Key::Pooled => {
                let classes = self.values.len() / self.lanes;
                let sum = |lane: usize| (0..classes).fold(0.0, |sum, class| sum + of(class)[lane]);
                let all: Vec<f64> = (0..self.lanes).map(sum).collect();
                let others = all.iter().map(|all| all * (classes - 1) as f64).collect();
                [others, all].concat().into()
            }
        }
    }
}

/// Rows whose weights add up to less than 2^8, and those whose weights add up to less than 2^15.
const ROWS_PER_BYTE: usize = 256 / (MOST as usize + 1);
const ROWS_PER_WORD: usize = 32_768 / (MOST as usize + 1);

/// Adds up the weights of some rows: in bytes, those in words of 16 bits, and those in sums.
pub struct AddUp<'a, const H: usize> {
    /// Weights by slot.
    pub weights: &'a [Lanes<H>],
    /// The slot of each row.
    pub slots: &'a [u32],
    /// What they are added to.
    pub sums: &'a mut [[u64; WIDTH]; H],
}

impl<const H: usize> LaneKernel for AddUp<'_, H> {
    type Output = ();

    #[inline(always)]
    fn run<I: Instructions>(self) {
        let Self { weights, slots, sums } = self;
        let mut ahead = slots.iter().skip(AHEAD);
        for slots in slots.chunks(ROWS_PER_WORD) {
            let mut words = [I::no_products(); H];
            for slots in slots.chunks(ROWS_PER_BYTE) {
                let mut bytes = [I::bytes([0; WIDTH]); H];
                for &slot in slots {
                    if let Some(&slot) = ahead.next() {
                        I::fetch(&weights[slot as usize]);
                    }
                    for (bytes, weights) in bytes.iter_mut().zip(&weights[slot as usize]) {
                        *bytes = I::add_bytes(*bytes, I::bytes(*weights));
                    }
                }
                for (words, &bytes) in words.iter_mut().zip(&bytes) {
                    *words = I::add_to_products(*words, bytes);
                }
            }
            for (sums, &words) in sums.iter_mut().zip(&words) {
                for (sum, more) in sums.iter_mut().zip(I::product_numbers(words)) {
                    *sum += u64::from(more);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::lanes::{Level, launch_lanes_at};

    #[test]
    fn every_level_adds_up_without_overflow() {
        // All weights the greatest there is, and some at random.
        let random = |k: usize| (k.wrapping_mul(0x9E37_79B9) >> 7) as u8 % (MOST + 1);
        let all: Vec<Lanes<2>> = (0..5_000)
            .map(|k| {
                let of = |h: usize, lane: usize| if h == 0 { MOST } else { random(64 * k + lane) };
                std::array::from_fn(|h| std::array::from_fn(|lane| of(h, lane)))
            })
            .collect();
        for len in [0, 1, 7, 8, 1023, 1025, 4_999] {
            let slots: Vec<u32> = (0..len).map(|k| k * 7 % 5_000).collect();
            let sum = |h: usize, lane: usize| {
                slots.iter().map(|&slot| u64::from(all[slot as usize][h][lane])).sum()
            };
            let exact: [[u64; WIDTH]; 2] =
                std::array::from_fn(|h| std::array::from_fn(|lane| sum(h, lane)));
            for level in [Level::Plain, Level::Avx2, Level::Avx512] {
                let mut sums = [[0; WIDTH]; 2];
                let adding = AddUp { weights: &all, slots: &slots, sums: &mut sums };
                launch_lanes_at(level, adding);
                assert_eq!(sums, exact);
            }
        }
    }
}
