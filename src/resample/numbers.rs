//! Whole numbers below a bound, one after the other: the single draws of [`super::multinomial`].
//!
//! ```text
//! step(k)              mix(key(5) + G k)
//! numbers(b, t, s)     h = mix(key(6) + G b); h = mix(h + G t); h = mix(h + G s);
//!                      numbers word(step(0), h), word(step(1), h), ...
//! below(n)             the next number times n, a 64-bit product: its upper half, unless the lower
//!                      half is below 2^32 mod n; then the next number is tried
//! ```
//!
//! `mix`, `word`, `key` and `G` are those of [`super::stream`]; `below` is Lemire's (2019). Steps are the same
//! for all replicates, so a table of them is made once, and numbers are worked out many at a time.

use std::borrow::Cow;
use std::ops::Range;

use crate::machine::lanes::{Kernel, launch};
use crate::resample::stream::{Draw, Stream, UnitBits, word};

/// Numbers worked out at a time, at most, and what their count is rounded up to.
const BATCH: usize = 256;
const STEP: usize = 8;

/// The steps of a stream: the first ones in a table.
#[derive(Clone, Debug)]
pub struct Steps {
    stream: Stream,
    /// Lower and upper halves.
    table: [Vec<u32>; 2],
}

impl Steps {
    /// Steps of which the first `likely` are used often.
    pub fn new(stream: Stream, likely: usize) -> Self {
        let (low, high) = (0..(likely + STEP) as u64).map(|k| stream.step(k)).unzip();
        Self { stream, table: [low, high] }
    }

    /// The s-th numbers of a draw.
    pub fn numbers(&self, draw: Draw, s: u64) -> Numbers<'_> {
        Numbers { steps: self, key: self.stream.numbers(draw, s), next: 0 }
    }

    #[inline]
    fn step(&self, k: usize) -> UnitBits {
        match (self.table[0].get(k), self.table[1].get(k)) {
            (Some(&low), Some(&high)) => (low, high),
            _ => self.stream.step(k as u64),
        }
    }

    fn some(&self, steps: Range<usize>) -> [Cow<'_, [u32]>; 2] {
        let halves = [0, 1].map(|half| self.table[half].get(steps.clone()));
        if let [Some(low), Some(high)] = halves {
            return [low.into(), high.into()];
        }
        let (low, high): (Vec<u32>, Vec<u32>) = steps.map(|k| self.step(k)).unzip();
        [low.into(), high.into()]
    }
}

/// Numbers one after the other.
#[derive(Clone, Debug)]
pub struct Numbers<'a> {
    steps: &'a Steps,
    key: UnitBits,
    next: usize,
}

impl Numbers<'_> {
    /// A whole number below n, each with the same probability.
    pub fn below(&mut self, n: u32) -> u32 {
        loop {
            let product = u64::from(word(self.steps.step(self.next), self.key)) * u64::from(n);
            self.next += 1;
            if product as u32 >= n.wrapping_neg() % n {
                return (product >> 32) as u32;
            }
        }
    }

    /// The next `count` numbers [`below`](Self::below) n, some at a time.
    #[inline]
    pub fn many_below(&mut self, n: u32, count: u32, mut take: impl FnMut(&mut [u32])) {
        if count == 0 {
            return; // as for a stratum of no units, which n would divide by
        }
        let rejected = n.wrapping_neg() % n;
        let mut left = count as usize;
        let mut numbers = [0; BATCH];
        while left > 0 {
            let batch = left.min(BATCH);
            let rounded = batch.next_multiple_of(STEP);
            let [low, high] = self.steps.some(self.next..self.next + rounded);
            let (steps, out) = ([&low[..], &high[..]], &mut numbers[..rounded]);
            let lowest = launch(Products { steps, key: self.key, n, out });
            if lowest < rejected {
                numbers[..batch].fill_with(|| self.below(n));
            } else {
                self.next += batch;
            }
            take(&mut numbers[..batch]);
            left -= batch;
        }
    }
}

/// Puts the upper halves of products out, and finds the least of the lower halves.
struct Products<'a> {
    steps: [&'a [u32]; 2],
    key: UnitBits,
    n: u32,
    out: &'a mut [u32],
}

impl Kernel for Products<'_> {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let mut lowest = u32::MAX;
        let [low, high] = self.steps;
        for ((number, &low), &high) in self.out.iter_mut().zip(low).zip(high) {
            let product = u64::from(word((low, high), self.key)) * u64::from(self.n);
            lowest = lowest.min(product as u32);
            *number = (product >> 32) as u32;
        }
        lowest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_numbers_one_by_one() {
        let steps = Steps::new(Stream::new(5), 64);
        // The last bound turns half of all numbers down.
        for n in [1, 7, 1000, (1 << 31) + 1] {
            for count in [0, 1, 7, 8, 33, 200, 700] {
                let draw = Draw { replicate: 3, attempt: 1 };
                let (mut one, mut many) = (steps.numbers(draw, 2), steps.numbers(draw, 2));
                let mut batch = Vec::new();
                many.many_below(n, count, |numbers| batch.extend_from_slice(numbers));
                let single: Vec<u32> = (0..count).map(|_| one.below(n)).collect();
                assert_eq!(batch, single);
                assert_eq!(one.next, many.next);
            }
        }
    }
}
