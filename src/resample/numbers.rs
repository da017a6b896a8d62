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

use crate::lanes::{Kernel, launch};
use crate::resample::stream::{Draw, Stream, UnitBits, word};

/// Numbers worked out at a time.
const BATCH: usize = 32;

/// The steps of a stream: the first ones in a table.
#[derive(Clone, Debug)]
pub struct Steps {
    stream: Stream,
    table: Vec<UnitBits>,
}

impl Steps {
    /// Steps of which the first `likely` are used often.
    pub fn new(stream: Stream, likely: usize) -> Self {
        let table = (0..likely.next_multiple_of(BATCH) as u64).map(|k| stream.step(k)).collect();
        Self { stream, table }
    }

    /// The s-th numbers of a draw.
    pub fn numbers(&self, draw: Draw, s: u64) -> Numbers<'_> {
        Numbers { steps: self, key: self.stream.numbers(draw, s), next: 0 }
    }

    #[inline]
    fn step(&self, k: usize) -> UnitBits {
        self.table.get(k).copied().unwrap_or_else(|| self.stream.step(k as u64))
    }

    fn batch(&self, first: usize) -> [UnitBits; BATCH] {
        match self.table.get(first..first + BATCH).and_then(<[UnitBits]>::first_chunk) {
            Some(batch) => *batch,
            None => std::array::from_fn(|k| self.step(first + k)),
        }
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

    /// The next `count` numbers [`below`](Self::below) n.
    #[inline]
    pub fn each_below(&mut self, n: u32, count: u32, mut take: impl FnMut(u32)) {
        if count == 0 {
            return; // as for a stratum of no units, which n would divide by
        }
        let rejected = n.wrapping_neg() % n;
        let mut left = count as usize;
        while left > 0 {
            let steps = self.steps.batch(self.next);
            let (numbers, lowest) = launch(Products { steps: &steps, key: self.key, n });
            if lowest < rejected {
                for _ in 0..left.min(BATCH) {
                    take(self.below(n));
                }
            } else {
                self.next += left.min(BATCH);
                numbers[..left.min(BATCH)].iter().for_each(|&number| take(number));
            }
            left -= left.min(BATCH);
        }
    }
}

/// The upper halves of products, and the least of the lower halves.
struct Products<'a> {
    steps: &'a [UnitBits; BATCH],
    key: UnitBits,
    n: u32,
}

impl Kernel for Products<'_> {
    type Output = ([u32; BATCH], u32);

    #[inline(always)]
    fn run(self) -> ([u32; BATCH], u32) {
        let mut lowest = u32::MAX;
        let mut numbers = [0; BATCH];
        for (number, &step) in numbers.iter_mut().zip(self.steps) {
            let product = u64::from(word(step, self.key)) * u64::from(self.n);
            lowest = lowest.min(product as u32);
            *number = (product >> 32) as u32;
        }
        (numbers, lowest)
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
            for count in [0, 1, 31, 32, 33, 200] {
                let draw = Draw { replicate: 3, attempt: 1 };
                let (mut one, mut many) = (steps.numbers(draw, 2), steps.numbers(draw, 2));
                let mut batch = Vec::new();
                many.each_below(n, count, |number| batch.push(number));
                let single: Vec<u32> = (0..count).map(|_| one.below(n)).collect();
                assert_eq!(batch, single);
                assert_eq!(one.next, many.next);
            }
        }
    }
}
