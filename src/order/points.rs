//! What lies at or above every score: the points of a curve, highest score first.
//!
//! Scores are dealt into parts by ranges, as for [`merged`](crate::order::merge) orderings; then each part's two
//! sides are sorted and merged, all parts side by side, and each writes its points where they belong.

use bytemuck::Zeroable;
use ndarray::{ArrayView1, Axis};

use super::dealt_rows::{Counted, Deal, Dealt, Item, Weighed, sorted};
use crate::count::parts::Parts;
use crate::data::scores::{Score, locate_nan};
use crate::error::{Error, Result};
use crate::machine::lanes::launch;
use crate::machine::memory;
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;

/// Rows that one task deals.
const CHUNK: usize = 1 << 16;

/// The points of a curve in masses. The first one lies above all scores: its threshold is infinite, and nothing
/// is at or above it. Then one for each score, the highest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// The scores.
    pub thresholds: Vec<f64>,
    /// The mass of the favoured rows at or above each.
    pub tp: Vec<f64>,
    /// The mass of the others.
    pub fp: Vec<f64>,
}

impl Points {
    /// The points of scores whose rows weigh `mass` each, or one where it is empty; `side` is 1 for favoured rows
    /// and 0 for others. Rows of weight zero are left out.
    pub fn new<T: Score>(
        scores: ArrayView1<'_, T>,
        side: &[u32],
        mass: &[f64],
        (workers, watch): (&Workers, &Watch),
    ) -> Result<Self> {
        let dealing = Dealing { scores, side, mass, workers, watch };
        match mass.is_empty() {
            true => dealing.points::<Counted<T::Bits>>(),
            false => dealing.points::<Weighed<T::Bits>>(),
        }
    }

    /// Points that are still to be found, at most so many after the first.
    fn begun(most: usize) -> Self {
        let [mut thresholds, tp, fp] = [0; 3].map(|_| memory::zeroed(1 + most));
        thresholds[0] = f64::INFINITY;
        Self { thresholds, tp, fp }
    }

    /// Moves the points of parts, each with as many places as it has rows, next to each other.
    fn close(&mut self, parts: &[(usize, usize)]) {
        for values in [&mut self.thresholds, &mut self.tp, &mut self.fp] {
            let (mut end, mut first) = (1, 1);
            for &(rows, points) in parts {
                if first > end {
                    values.copy_within(first..first + points, end);
                }
                (end, first) = (end + points, first + rows);
            }
            values.truncate(end);
            values.shrink_to_fit();
        }
    }
}

struct Dealing<'a, T> {
    scores: ArrayView1<'a, T>,
    side: &'a [u32],
    mass: &'a [f64],
    workers: &'a Workers,
    watch: &'a Watch,
}

impl<T: Score> Dealing<'_, T> {
    fn points<I: Item<Key = T::Bits>>(&self) -> Result<Points> {
        let Self { scores, side, mass, workers, watch } = self;
        let n = scores.len();
        let parts = Parts::new(n, n, |_, row| scores[row]);
        let chunks = workers.map(n.div_ceil(CHUNK), |chunk| {
            let rows = chunk * CHUNK..((chunk + 1) * CHUNK).min(n);
            let scores = scores.slice(ndarray::s![rows.clone()]);
            let mass = mass.get(rows.clone()).unwrap_or(&[]);
            let stopped = watch.is_stopped();
            let deal = Deal::<_, I>::new(scores, &side[rows], mass, &parts);
            (!stopped).then(|| launch(deal)).flatten()
        });
        let Some(chunks) = chunks.into_iter().collect::<Option<Vec<Dealt<I>>>>() else {
            return match scores.iter().any(|x| x.is_nan()) {
                true => Err(locate_nan(&scores.insert_axis(Axis(1)), true)),
                false => Err(Error::Interrupted),
            };
        };
        let sizes = |part: usize| {
            [0, 1].map(|side| chunks.iter().map(|chunk| chunk.hand(part, side).len()).sum())
        };
        let sizes: Vec<[usize; 2]> = (0..parts.count).rev().map(sizes).collect();
        let mut points = Points::begun(sizes.iter().flatten().sum());
        let (mut left, mut above) = (points.places(), [0.0; 2]);
        let mut pieces = Vec::with_capacity(sizes.len());
        for (part, sizes) in (0..parts.count).rev().zip(&sizes) {
            let (places, after) = left.split(sizes[0] + sizes[1]);
            pieces.push((part, above, places));
            left = after;
            // Masses are not known before they are summed in the order of scores.
            if I::COUNTED {
                above = [above[0] + sizes[0] as f64, above[1] + sizes[1] as f64];
            }
        }
        let found =
            workers.map_pieces(pieces, |_, (part, above, places)| match watch.is_stopped() {
                true => Found::default(),
                false => places.fill::<T, I>([0, 1].map(|side| sorted(&chunks, part, side)), above),
            });
        drop(chunks);
        if watch.is_stopped() {
            return Err(Error::Interrupted);
        }
        if !I::COUNTED {
            points.raise(&sizes, &found, workers);
        }
        let filled: Vec<_> = sizes
            .iter()
            .zip(&found)
            .map(|(sizes, found)| (sizes[0] + sizes[1], found.points))
            .collect();
        points.close(&filled);
        Ok(points)
    }
}

/// How many points a part has, and the mass of its others and its favoured rows.
#[derive(Clone, Copy, Default)]
struct Found {
    points: usize,
    masses: [f64; 2],
}

/// Where the points of some rows go.
struct Places<'a> {
    thresholds: &'a mut [f64],
    tp: &'a mut [f64],
    fp: &'a mut [f64],
}

impl Points {
    /// All places but the first.
    fn places(&mut self) -> Places<'_> {
        let Self { thresholds, tp, fp } = self;
        Places { thresholds: &mut thresholds[1..], tp: &mut tp[1..], fp: &mut fp[1..] }
    }

    /// Adds what lies above each part to its points.
    fn raise(&mut self, sizes: &[[usize; 2]], found: &[Found], workers: &Workers) {
        let (mut left, mut above) = (self.places(), [0.0; 2]);
        let mut pieces = Vec::with_capacity(sizes.len());
        for (sizes, found) in sizes.iter().zip(found) {
            let (places, after) = left.split(sizes[0] + sizes[1]);
            pieces.push((found.points, above, places));
            left = after;
            above = [above[0] + found.masses[0], above[1] + found.masses[1]];
        }
        workers.map_pieces(pieces, |_, (points, above, places)| {
            places.fp[..points].iter_mut().for_each(|fp| *fp += above[0]);
            places.tp[..points].iter_mut().for_each(|tp| *tp += above[1]);
        });
    }
}

impl<'a> Places<'a> {
    fn split(self, at: usize) -> (Self, Self) {
        let (thresholds, thresholds_after) = self.thresholds.split_at_mut(at);
        let (tp, tp_after) = self.tp.split_at_mut(at);
        let (fp, fp_after) = self.fp.split_at_mut(at);
        let after = Places { thresholds: thresholds_after, tp: tp_after, fp: fp_after };
        (Places { thresholds, tp, fp }, after)
    }

    /// Merges the sorted rows of both sides, each after an item without a row; `above` is what lies above them.
    fn fill<T: Score, I: Item<Key = T::Bits>>(
        self,
        [others, own]: [Vec<I>; 2],
        above: [f64; 2],
    ) -> Found {
        let Self { thresholds, tp, fp } = self;
        let (mut left_own, mut left_others) = (own.len() - 1, others.len() - 1);
        let [mut fp_mass, mut tp_mass] = above;
        let (mut last, mut points) = (I::Key::zeroed(), 0usize);
        while left_own + left_others > 0 {
            // One row of either side, or of both, without branches: which comes next cannot be guessed. Rows
            // of one score write to one place after the other.
            let (next_own, next_other) = (own[left_own], others[left_others]);
            let key = next_own.key().max(next_other.key());
            let (is_own, is_other) = (next_own.key() == key, next_other.key() == key);
            tp_mass += if is_own { next_own.mass() } else { 0.0 };
            fp_mass += if is_other { next_other.mass() } else { 0.0 };
            left_own -= usize::from(is_own);
            left_others -= usize::from(is_other);
            points += usize::from(key != last);
            last = key;
            let at = points - 1;
            (thresholds[at], tp[at], fp[at]) = (T::of_short_key(key), tp_mass, fp_mass);
        }
        Found { points, masses: [fp_mass - above[0], tp_mass - above[1]] }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ndarray::Array1;

    use super::*;

    /// Whole weights, of which some are zero, or none.
    fn check(n: usize, levels: u64, weighted: bool) {
        let numbers = (0..n as u64).map(|k| k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20);
        let numbers: Vec<u64> = numbers.collect();
        let scores: Array1<f64> =
            numbers.iter().map(|x| (x % levels) as f64 - 0.5 * levels as f64).collect();
        let side: Vec<u32> = numbers.iter().map(|x| u32::from(x / 7 % 3 == 0)).collect();
        let mass = numbers.iter().map(|x| (x / 11 % 4) as f64);
        let mass: Vec<f64> = if weighted { mass.collect() } else { Vec::new() };
        let mut expected: BTreeMap<u64, [f64; 2]> = BTreeMap::new();
        for (row, score) in scores.iter().enumerate() {
            let mass = mass.get(row).copied().unwrap_or(1.0);
            if mass > 0.0 {
                expected.entry(score.key()).or_default()[side[row] as usize] += mass;
            }
        }
        let (workers, watch) = (Workers::inline(), Watch::default());
        let found = Points::new(scores.view(), &side, &mass, (&workers, &watch)).unwrap();
        let (mut tp, mut fp) = (0.0, 0.0);
        assert_eq!((found.thresholds[0], found.tp[0], found.fp[0]), (f64::INFINITY, 0.0, 0.0));
        assert_eq!(found.thresholds.len(), 1 + expected.len());
        for (at, (key, [others, own])) in expected.into_iter().rev().enumerate() {
            (tp, fp) = (tp + own, fp + others);
            assert_eq!(found.thresholds[at + 1].key(), key);
            assert_eq!((found.tp[at + 1], found.fp[at + 1]), (tp, fp));
        }
    }

    #[test]
    fn every_score_is_a_point() {
        for weighted in [false, true] {
            for levels in [1, 3, 1000, 1 << 40] {
                for n in [1, 2, 500, 2 * CHUNK + 17] {
                    check(n, levels, weighted);
                }
            }
        }
    }

    #[test]
    fn infinities_and_zeros() {
        let scores = ndarray::arr1(&[f64::NEG_INFINITY, 0.0, -0.0, f64::INFINITY]);
        let (workers, watch) = (Workers::inline(), Watch::default());
        let found = Points::new(scores.view(), &[0, 1, 0, 1], &[], (&workers, &watch)).unwrap();
        let top = f64::INFINITY;
        assert_eq!(found.thresholds, [top, top, 0.0, f64::NEG_INFINITY]);
        assert_eq!((found.tp, found.fp), (vec![0.0, 1.0, 2.0, 2.0], vec![0.0, 0.0, 1.0, 2.0]));
    }
}
