//! The tie groups of two classes in the order of their scores, without an ordering of the rows.
//!
//! A walk of the sample itself, every row of weight one, needs to know of each score how many rows of either
//! class have it, and often of the highest ones alone. So scores are dealt into parts by ranges, of which some
//! are sorted at a time, until no more is wanted.

use std::ops::{ControlFlow, Range};

use ndarray::{ArrayView1, Axis};

use crate::count::deal::deal;
use crate::count::parts::Parts;
use crate::data::classes::Classes;
use crate::data::scores::{Score, locate_nan};
use crate::error::{Error, Result};
use crate::machine::lanes::{Kernel, launch};
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;

/// Rows that one task deals.
const CHUNK: usize = 1 << 16;
/// Bytes that the scores in hand may take, unless that is less than so many for each row.
const BYTES: usize = 32 << 20;
const BYTES_A_ROW: usize = 4;
/// Parts whose groups are found before the next ones are: a group takes more than the score it is made of.
const TOGETHER: usize = 64;

/// Calls `visit` with some scores after the others, from the lowest on (`up`) or the highest, until it breaks: of each
/// the rows of class 1 and of class 0. Every row has weight one.
pub fn visit_tie_groups<T: Score>(
    scores: ArrayView1<'_, T>,
    classes: &Classes<'_>,
    (workers, watch): (&Workers, &Watch),
    up: bool,
    mut visit: impl FnMut(&[(u32, u32)]) -> ControlFlow<()>,
) -> Result<()> {
    let n = scores.len();
    if scores.iter().any(|x| x.is_nan()) {
        return Err(locate_nan(&scores.insert_axis(Axis(1)), true));
    }
    let parts = Parts::new(n, n, |_, row| scores[row]);
    // Keys are dealt, and copied when they are sorted.
    let rounds = (2 * n * size_of::<T::Bits>()).div_ceil(BYTES.max(BYTES_A_ROW * n));
    let rounds = rounds.clamp(1, parts.count);
    for round in 0..rounds {
        let round = if up { round } else { rounds - 1 - round };
        let some = round * parts.count / rounds..(round + 1) * parts.count / rounds;
        let chunks = workers.map(n.div_ceil(CHUNK), |chunk| {
            let rows = chunk * CHUNK..((chunk + 1) * CHUNK).min(n);
            let (scores, codes) = (scores.slice(ndarray::s![rows.clone()]), &classes.codes[rows]);
            match watch.is_stopped() {
                true => Dealt { keys: Vec::new(), bounds: vec![0; 2 * some.len() + 1] },
                false => {
                    launch(Deal { scores, codes, classes: 2, parts: &parts, some: some.clone() })
                }
            }
        });
        for step in 0..some.len().div_ceil(TOGETHER) {
            let first = step * TOGETHER;
            let count = TOGETHER.min(some.len() - first);
            let part_of = |k: usize| if up { first + k } else { some.len() - 1 - first - k };
            let groups = workers.map(count, |k| match watch.is_stopped() {
                true => Vec::new(),
                false => {
                    let sorted = |class| sorted(&chunks, 2 * part_of(k) + class, T::TOP_BITS);
                    let mut groups = merged([0, 1].map(sorted), T::TOP_BITS);
                    if !up {
                        groups.reverse();
                    }
                    groups
                }
            });
            if watch.is_stopped() {
                return Err(Error::Interrupted);
            }
            if groups.iter().try_for_each(|part| visit(part)).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Rows of class 1 and of class 0 of every score, lowest first, from the sorted keys of class 0 and of class 1, each
/// with `top` at its end, which is above all keys. No branches: which class comes next cannot be guessed.
fn merged<B: Copy + Ord>([others, own]: [Vec<B>; 2], top: B) -> Vec<(u32, u32)> {
    let rows = own.len() + others.len() - 2;
    let mut groups = vec![(0, 0); rows];
    let (mut met_own, mut met_others, mut count, mut last) = (0, 0, 0, top);
    let mut group = (0, 0);
    while met_own + met_others < rows {
        let (next_own, next_other) = (own[met_own], others[met_others]);
        let least = next_own.min(next_other);
        let (is_own, is_other) = (next_own == least, next_other == least);
        let is_new = least != last;
        group = if is_new { (0, 0) } else { group };
        group = (group.0 + u32::from(is_own), group.1 + u32::from(is_other));
        count += usize::from(is_new);
        groups[count - 1] = group;
        (met_own, met_others) = (met_own + usize::from(is_own), met_others + usize::from(is_other));
        last = least;
    }
    groups.truncate(count);
    groups
}

/// The keys of a chunk's scores by part and class, those of some parts alone.
pub(super) struct Dealt<B> {
    pub keys: Vec<B>,
    pub bounds: Vec<u32>,
}

impl<B> Dealt<B> {
    /// The keys of one part and class.
    pub fn hand(&self, hand: usize) -> &[B] {
        &self.keys[self.bounds[hand] as usize..self.bounds[hand + 1] as usize]
    }
}

/// The keys of a part and class in order, and `top` after them.
fn sorted<B: Copy + Ord>(chunks: &[Dealt<B>], hand: usize, top: B) -> Vec<B> {
    let hands = chunks.iter().map(|chunk| chunk.hand(hand));
    let mut keys = Vec::with_capacity(1 + hands.clone().map(<[B]>::len).sum::<usize>());
    hands.for_each(|hand| keys.extend_from_slice(hand));
    keys.sort_unstable();
    keys.push(top);
    keys
}

/// Deals the rows of a chunk that are in some parts.
pub(super) struct Deal<'a, T> {
    pub scores: ArrayView1<'a, T>,
    pub codes: &'a [u32],
    pub classes: u32,
    pub parts: &'a Parts,
    pub some: Range<usize>,
}

impl<T: Score> Kernel for Deal<'_, T> {
    type Output = Dealt<T::Bits>;

    #[inline(always)]
    fn run(self) -> Dealt<T::Bits> {
        let Self { scores, codes, classes, parts, some } = self;
        let mut part_of = vec![0; codes.len()];
        match scores.as_slice() {
            Some(scores) => parts.find(scores.iter().copied(), &mut part_of),
            None => parts.find(scores.iter().copied(), &mut part_of),
        }
        if some.len() == parts.count {
            part_of.iter_mut().zip(codes).for_each(|(part, code)| *part = classes * *part + code);
            let items = scores.iter().map(|score| score.short_key());
            let (mut keys, mut bounds) = (vec![T::TOP_BITS; codes.len()], Vec::new());
            deal(&part_of, items, classes as usize * parts.count, &mut keys, &mut bounds);
            return Dealt { keys, bounds };
        }
        let (first, end) = (some.start as u32, some.end as u32);
        let within = |part: &u32| (first..end).contains(part);
        let hand = |(&part, &code): (&u32, &u32)| classes * (part - first) + code;
        let hands = part_of.iter().zip(codes).filter(|(part, _)| within(part)).map(hand);
        let hands: Vec<u32> = hands.collect();
        let items = scores.iter().zip(&part_of).filter(|(_, part)| within(part));
        let items = items.map(|(score, _)| score.short_key());
        let (mut keys, mut bounds) = (vec![T::TOP_BITS; hands.len()], Vec::new());
        deal(&hands, items, classes as usize * some.len(), &mut keys, &mut bounds);
        Dealt { keys, bounds }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ndarray::Array1;

    use super::*;
    use crate::data::weights::Weights;

    #[test]
    fn every_score_comes_once_and_in_order() {
        let n = 5 * CHUNK + 17; // more parts than are in hand at a time
        for levels in [3, 1000, 1 << 30] {
            let numbers = (0..n as u64).map(|k| k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20);
            let numbers: Vec<u64> = numbers.collect();
            let scores: Array1<f32> = numbers.iter().map(|x| (x % levels) as f32).collect();
            let codes: Vec<u32> = numbers.iter().map(|x| u32::from(x / 7 % 3 == 0)).collect();
            let mut expected: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
            for (score, &code) in scores.iter().zip(&codes) {
                let tied = expected.entry(score.to_bits()).or_default();
                *if code == 1 { &mut tied.0 } else { &mut tied.1 } += 1;
            }
            let workers = Workers::inline();
            let classes = Classes::new(&codes, 2, &Weights::Unit, &workers).unwrap();
            let watch = Watch::default();
            for up in [true, false] {
                let mut found = Vec::new();
                let visit = |groups: &[(u32, u32)]| {
                    found.extend(
                        groups.iter().map(|&(own, others)| (own as usize, others as usize)),
                    );
                    ControlFlow::Continue(())
                };
                visit_tie_groups(scores.view(), &classes, (&workers, &watch), up, visit).unwrap();
                if !up {
                    found.reverse();
                }
                assert_eq!(found, expected.values().copied().collect::<Vec<_>>());
            }
        }
    }
}
