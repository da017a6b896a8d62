//! The rows of all classes in the order of their scores, without an ordering of the rows.
//!
//! As [`super::tie_groups`] for two classes: scores are dealt into parts by ranges, and a part is sorted as whole
//! numbers that hold a score's key and, in their last bits, its class. What comes next is then one look at the next
//! number, whatever the number of classes.

use std::ops::ControlFlow;

use ndarray::{ArrayView1, Axis};

use super::tie_groups::{Deal, Dealt};
use crate::count::parts::Parts;
use crate::data::classes::Classes;
use crate::data::scores::{Score, locate_nan};
use crate::error::{Error, Result};
use crate::machine::lanes::launch;
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;

/// Rows that one task deals.
const CHUNK: usize = 1 << 16;

/// Calls `visit(class, is last of its score)` for every row, from the lowest score up, rows of one score by class,
/// until it breaks. Every row has weight one.
pub fn visit_classes<T: Score>(
    scores: ArrayView1<'_, T>,
    classes: &Classes<'_>,
    (workers, watch): (&Workers, &Watch),
    mut visit: impl FnMut(usize, bool) -> ControlFlow<()>,
) -> Result<()> {
    let (n, count) = (scores.len(), classes.count());
    if scores.iter().any(|x| x.is_nan()) {
        return Err(locate_nan(&scores.insert_axis(Axis(1)), true));
    }
    let parts = Parts::new(n, n, |_, row| scores[row]);
    let chunks = workers.map(n.div_ceil(CHUNK), |chunk| {
        let rows = chunk * CHUNK..((chunk + 1) * CHUNK).min(n);
        let (scores, codes) = (scores.slice(ndarray::s![rows.clone()]), &classes.codes[rows]);
        let deal =
            Deal { scores, codes, classes: count as u32, parts: &parts, some: 0..parts.count };
        (!watch.is_stopped()).then(|| launch(deal))
    });
    let Some(chunks) = chunks.into_iter().collect::<Option<Vec<Dealt<T::Bits>>>>() else {
        return Err(Error::Interrupted);
    };
    let sorted = workers.map(parts.count, |part| match watch.is_stopped() {
        true => Sorted::Pairs(Vec::new()),
        false => Sorted::new::<T>(&chunks, part, count),
    });
    drop(chunks);
    if watch.is_stopped() {
        return Err(Error::Interrupted);
    }
    // Scores of one key are in one part.
    for part in &sorted {
        let flow = match part {
            Sorted::Numbers(numbers, bits) => {
                let mask = (1u64 << bits) - 1;
                let next = numbers.iter().skip(1).map(|next| Some(next >> bits)).chain([None]);
                numbers.iter().zip(next).try_for_each(|(number, next)| {
                    visit((number & mask) as usize, next != Some(number >> bits))
                })
            }
            Sorted::Pairs(pairs) => {
                let next = pairs.iter().skip(1).map(|next| Some(next.0)).chain([None]);
                pairs
                    .iter()
                    .zip(next)
                    .try_for_each(|(&(key, class), next)| visit(class as usize, next != Some(key)))
            }
        };
        if flow.is_break() {
            break;
        }
    }
    Ok(())
}

/// A part's rows in the order of their scores, and of classes where scores are equal.
enum Sorted {
    /// Keys, less the least of them, and so many bits for the class.
    Numbers(Vec<u64>, u32),
    /// Keys and classes, where scores are too far apart for that.
    Pairs(Vec<(u64, u32)>),
}

impl Sorted {
    fn new<T: Score>(chunks: &[Dealt<T::Bits>], part: usize, classes: usize) -> Self {
        let hands = || {
            (0..classes).flat_map(|class| {
                let hand = part * classes + class;
                chunks.iter().flat_map(move |chunk| {
                    chunk.hand(hand).iter().map(move |&key| (T::wide(key), class))
                })
            })
        };
        let (least, greatest) =
            hands().fold((u64::MAX, 0), |(least, most), (key, _)| (key.min(least), key.max(most)));
        let bits = usize::BITS - (classes - 1).leading_zeros();
        if greatest.saturating_sub(least).leading_zeros() < bits {
            let mut pairs: Vec<(u64, u32)> = hands().map(|(key, k)| (key, k as u32)).collect();
            pairs.sort_unstable();
            return Self::Pairs(pairs);
        }
        let number = |(key, class): (u64, usize)| (key - least) << bits | class as u64;
        let mut numbers: Vec<u64> = hands().map(number).collect();
        numbers.sort_unstable();
        Self::Numbers(numbers, bits)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array1;

    use super::*;
    use crate::data::weights::Weights;

    #[test]
    fn every_row_comes_once_and_in_order() {
        let n = 2 * CHUNK + 17;
        // Scores that tie, that do not, and that are further apart than numbers can say.
        for (levels, power) in [(3, 1), (1000, 1), (1 << 30, 1), (1000, 60)] {
            let numbers = (0..n as u64).map(|k| k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20);
            let numbers: Vec<u64> = numbers.collect();
            let score = |x: &u64| ((x % levels) as f64 - levels as f64 / 2.0).powi(power);
            let scores: Array1<f64> = numbers.iter().map(score).collect();
            let codes: Vec<u32> = numbers.iter().map(|x| (x / 7 % 5) as u32).collect();
            let mut expected: Vec<(u64, u32)> =
                scores.iter().zip(&codes).map(|(score, &code)| (score.key(), code)).collect();
            expected.sort_unstable();
            let last = |k: usize| expected.get(k + 1).is_none_or(|next| next.0 != expected[k].0);
            let expected: Vec<(usize, bool)> =
                (0..n).map(|k| (expected[k].1 as usize, last(k))).collect();
            let workers = Workers::inline();
            let classes = Classes::new(&codes, 5, &Weights::Unit, &workers).unwrap();
            let (mut found, watch) = (Vec::new(), Watch::default());
            visit_classes(scores.view(), &classes, (&workers, &watch), |class, ends| {
                found.push((class, ends));
                ControlFlow::Continue(())
            })
            .unwrap();
            assert_eq!(found, expected);
        }
    }
}
