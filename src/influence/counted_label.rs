//! Influence values of one label whose entries all count one.
//!
//! With P positive and N negative entries, h(b) twice the positives below a negative b and half of those tied with
//! it, and g(a) twice the negatives below a positive a likewise, the AUC is A = 1 - sum h / (2 P N), and
//!
//! ```text
//! b moves it by ((P - h(b) / 2) / P - A) / N,        a by (g(a) / (2 N) - A) / P.
//! ```
//!
//! All entries are looked up once in an index of the positives, which gives h; each negative leaves a mark at
//! its rank, and the running sum of the marks is g. So both are whole numbers, and a label costs one look-up and
//! one addition for each entry.

use crate::count::rank_index::RankIndex;
use crate::data::scores::Score;
use crate::data::weights::Unit;
use crate::machine::lanes::{self, Kernel};

/// Up to so many positive entries one index serves, which stays in the cache.
const MOST: usize = 1 << 15;
/// Marks are counted in turns by so many counters: one would have to wait for itself where ranks repeat.
const COUNTERS: usize = 4;

/// Whether so many positive entries are few enough.
pub fn fit_one_index(positive: usize) -> bool {
    positive <= MOST
}

/// Memory for labels one after the other.
pub struct CountedLabel<T> {
    index: RankIndex<T, Unit>,
    class: Vec<(T, ())>,
    /// Twice what lies below each entry, and its rank.
    halves: Vec<u32>,
    ranks: Vec<u32>,
    marks: Vec<[u32; COUNTERS]>,
    /// What a positive entry of each rank moves.
    moved: Vec<f64>,
}

impl<T: Score> Default for CountedLabel<T> {
    fn default() -> Self {
        let (index, class) = (RankIndex::default(), Vec::new());
        let (halves, ranks, marks) = (Vec::new(), Vec::new(), Vec::new());
        Self { index, class, halves, ranks, marks, moved: Vec::new() }
    }
}

/// The entries of a label: positive where the code is odd.
pub struct Entries<'a, T> {
    /// Their scores.
    pub scores: &'a [T],
    /// Their classes.
    pub codes: &'a [u32],
    /// Where what they move is added.
    pub places: &'a [u32],
    /// How many are negative, and how many positive.
    pub sizes: [usize; 2],
    /// How often what a negative and a positive one moves is counted.
    pub times: [f64; 2],
}

impl<T: Score> CountedLabel<T> {
    /// Adds what each entry moves; returns the AUC.
    pub fn add(&mut self, entries: &Entries<'_, T>, out: &mut [f64]) -> f64 {
        lanes::launch(Add { memory: self, entries, out })
    }
}

struct Add<'f, 'c, 'a, T> {
    memory: &'f mut CountedLabel<T>,
    entries: &'c Entries<'a, T>,
    out: &'f mut [f64],
}

impl<T: Score> Kernel for Add<'_, '_, '_, T> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let CountedLabel { index, class, halves, ranks, marks, moved } = self.memory;
        let Entries { scores, codes, places, sizes: [negative, positive], times } = *self.entries;
        class.clear();
        let own = scores.iter().zip(codes).filter(|(_, code)| **code % 2 == 1);
        class.extend(own.map(|(&score, _)| (score, ())));
        index.rebuild(class);
        halves.resize(scores.len(), 0);
        ranks.resize(scores.len(), 0);
        marks.clear();
        marks.resize(index.distinct() + 1, [0; COUNTERS]);
        let mut lost = 0u64;
        let (halves, ranks) = (&mut halves[..scores.len()], &mut ranks[..scores.len()]);
        let codes = &codes[..scores.len()];
        index.look_up(scores, |k, _, rank| {
            let half = rank.below + rank.upto;
            let is_negative = 1 - codes[k] % 2;
            halves[k] = half;
            ranks[k] = rank.lower as u32;
            marks[rank.lower][k % COUNTERS] += is_negative;
            marks[rank.upper][k % COUNTERS] += is_negative;
            lost += u64::from(is_negative * half);
        });
        let (p, n) = (positive as f64, negative as f64);
        let pairs = p * n;
        let auc = (2.0 * pairs - lost as f64) / (2.0 * pairs);
        let mut below = 0u64;
        moved.clear();
        moved.extend(marks.iter().map(|marks| {
            below += marks.iter().copied().map(u64::from).sum::<u64>();
            times[1] / p * (below as f64 / (2.0 * n) - auc)
        }));
        let (level, slope) = (times[0] / n * (1.0 - auc), times[0] / (2.0 * pairs));
        for k in 0..scores.len() {
            let of_positive = moved[ranks[k] as usize];
            let of_negative = level - slope * f64::from(halves[k]);
            // No branch: which it is cannot be guessed.
            let value = if codes[k] % 2 == 1 { of_positive } else { of_negative };
            self.out[places[k] as usize] += value;
        }
        auc
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
            let entries = Entries { scores: &scores, codes: &codes, places: &places, sizes, times };
            let mut out = vec![0.5; 60];
            let found = CountedLabel::default().add(&entries, &mut out);
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
