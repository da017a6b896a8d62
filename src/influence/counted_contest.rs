//! Influence values of an AUC whose entries, positive or negative, all count one: of a label, or of a class against
//! the rest.
//!
//! With P positive and N negative entries, h(b) twice the positives below a negative b and half of those tied with
//! it, and g(a) twice the negatives below a positive a likewise, the AUC is A = 1 - sum h / (2 P N), and
//!
//! ```text
//! b moves it by ((P - h(b) / 2) / P - A) / N,        a by (g(a) / (2 N) - A) / P.
//! ```
//!
//! All entries are looked up once in an index of the positives. What is kept of an entry is its *standing*: twice the
//! distinct positives below it, and one more if it ties with one. Negatives are counted by standing; the running sums
//! of these counts are g. So h and g are whole numbers, and an AUC costs one look-up and one addition for each entry:
//! all are counted as if they were negative, and the positives then taken off again.

use crate::count::rank_index::RankIndex;
use crate::data::scores::Score;
use crate::data::weights::Unit;
use crate::machine::lanes::{self, Kernel};

/// Up to so many positive entries one index serves, which stays in the cache.
const MOST: usize = 1 << 15;
/// Up to so many standings are counted in turns by so many counters: one would have to wait for itself where they
/// repeat.
const REPEATING: usize = 1 << 10;
const COUNTERS: usize = 4;

/// Whether so many positive entries are few enough.
pub fn fit_one_index(positive: usize) -> bool {
    positive <= MOST
}

/// Memory for contests one after the other.
pub struct CountedContest<T> {
    index: RankIndex<T, Unit>,
    class: Vec<(T, ())>,
    /// The standing of each entry.
    standings: Vec<u32>,
    /// How many negative entries have each standing, counter by counter.
    counts: Vec<u32>,
    /// What a positive entry of each rank moves.
    moved: Vec<f64>,
}

impl<T: Score> Default for CountedContest<T> {
    fn default() -> Self {
        let (index, class) = (RankIndex::default(), Vec::new());
        let (standings, counts, moved) = (Vec::new(), Vec::new(), Vec::new());
        Self { index, class, standings, counts, moved }
    }
}

/// The entries of both sides.
pub struct Entries<'a, T> {
    /// Their scores.
    pub scores: &'a [T],
    /// Which of them are positive.
    pub positives: &'a [u32],
    /// Where what they move is added.
    pub places: &'a [u32],
    /// How many are negative, and how many positive.
    pub sizes: [usize; 2],
    /// How often what a negative and a positive one moves is counted.
    pub times: [f64; 2],
}

impl<T: Score> CountedContest<T> {
    /// Adds what each entry moves; returns the AUC.
    pub fn add(&mut self, entries: &Entries<'_, T>, out: &mut [f64]) -> f64 {
        lanes::launch(Add { memory: self, entries, out })
    }
}

struct Add<'f, 'c, 'a, T> {
    memory: &'f mut CountedContest<T>,
    entries: &'c Entries<'a, T>,
    out: &'f mut [f64],
}

impl<T: Score> Kernel for Add<'_, '_, '_, T> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let CountedContest { index, class, standings, counts, moved } = self.memory;
        let Entries { scores, positives, places, sizes: [negative, positive], times } =
            *self.entries;
        let len = scores.len();
        let places = &places[..len];
        class.clear();
        class.extend(positives.iter().map(|&k| (scores[k as usize], ())));
        index.rebuild(class);
        let states = 2 * index.distinct() + 1;
        let counters = if states <= REPEATING { COUNTERS } else { 1 };
        counts.clear();
        counts.resize(states * counters, 0);
        standings.resize(len, 0);
        let standings = &mut standings[..len];
        index.look_up(scores, |k, _, rank| {
            let standing = rank.lower + rank.upper;
            standings[k] = standing as u32;
            counts[standing + states * (k % counters)] += 1;
        });
        for &k in positives {
            counts[standings[k as usize] as usize + states * (k as usize % counters)] -= 1;
        }
        let (p, n) = (positive as f64, negative as f64);
        let pairs = p * n;
        let with = |standing: usize| {
            (0..counters).map(|c| u64::from(counts[standing + states * c])).sum::<u64>()
        };
        let half = |standing: usize| index.below(standing / 2) + index.below(standing.div_ceil(2));
        let lost: u64 =
            (0..states).map(|standing| with(standing) * u64::from(half(standing))).sum();
        let auc = (2.0 * pairs - lost as f64) / (2.0 * pairs);
        let mut below = 0u64;
        moved.clear();
        moved.extend((0..index.distinct()).map(|rank| {
            let (under, tied) = (with(2 * rank), with(2 * rank + 1));
            let twice = below + 2 * under + tied;
            below += 2 * (under + tied);
            times[1] / p * (twice as f64 / (2.0 * n) - auc)
        }));
        let (level, slope) = (times[0] / n * (1.0 - auc), times[0] / (2.0 * pairs));
        let of_half = |half: u32| level - slope * f64::from(half as i32);
        let of_standing = |standing: u32| of_half(half(standing as usize));
        match index.repeats() {
            false => add_each(standings, places, of_half, self.out),
            true => add_each(standings, places, of_standing, self.out),
        }
        for &k in positives {
            let (place, standing) = (places[k as usize], standings[k as usize]);
            self.out[place as usize] += moved[standing as usize / 2] - of_standing(standing);
        }
        auc
    }
}

/// Adds what each entry moves if it is negative, by its standing.
#[inline(always)]
fn add_each(standings: &[u32], places: &[u32], of: impl Fn(u32) -> f64, out: &mut [f64]) {
    let first = places.first().map_or(0, |&place| place as usize);
    let in_a_row =
        places.windows(2).fold(true, |all, two| all & (two[0].wrapping_add(1) == two[1]));
    if in_a_row {
        // Vector instructions do this, as long as nothing is looked up.
        let out = &mut out[first..first + places.len()];
        out.iter_mut().zip(standings).for_each(|(sum, &standing)| *sum += of(standing));
    } else {
        let each = places.iter().zip(standings);
        each.for_each(|(&place, &standing)| out[place as usize] += of(standing));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_move_the_auc_by_their_placements() {
        for levels in [2, 7, 1000] {
            let number = |k: u64| k.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
            let scores: Vec<f64> = (0..60).map(|k| (number(k) % levels) as f64).collect();
            let codes: Vec<u32> = (0..60).map(|k| 4 + (number(k + 99) % 3 == 0) as u32).collect();
            let places: Vec<u32> = (0..60).rev().collect();
            let side = |odd: u32| {
                let of = |k: &usize| codes[*k] % 2 == odd;
                (0..60).filter(of).map(|k| scores[k]).collect::<Vec<f64>>()
            };
            let (others, own) = (side(0), side(1));
            let wins =
                |a: f64, b: f64| f64::from(u8::from(a > b)) + 0.5 * f64::from(u8::from(a == b));
            let above =
                |a: f64| others.iter().map(|&b| wins(a, b)).sum::<f64>() / others.len() as f64;
            let beaten = |b: f64| own.iter().map(|&a| wins(a, b)).sum::<f64>() / own.len() as f64;
            let auc = own.iter().map(|&a| above(a)).sum::<f64>() / own.len() as f64;
            let (sizes, times) = ([others.len(), own.len()], [0.7, 1.3]);
            let positives: Vec<u32> = (0..60).filter(|&k| codes[k as usize] % 2 == 1).collect();
            let (positives, places) = (&positives[..], &places[..]);
            let entries = Entries { scores: &scores, positives, places, sizes, times };
            let mut out = vec![0.5; 60];
            let found = CountedContest::default().add(&entries, &mut out);
            assert!((found - auc).abs() < 1e-12);
            for k in 0..60 {
                let expected = match codes[k] % 2 {
                    1 => 1.3 * (above(scores[k]) - auc) / own.len() as f64,
                    _ => 0.7 * (beaten(scores[k]) - auc) / others.len() as f64,
                };
                assert!((out[59 - k] - 0.5 - expected).abs() < 1e-12);
            }
        }
    }
}
