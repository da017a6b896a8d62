//! A monotone map from scores to buckets.
//!
//! Sorting by distribution wants scores spread evenly over as many buckets as there are scores: then a
//! bucket holds one or two of them and both sorting and searching take O(1) a score. A straight line
//! from the least to the greatest score does that for most data; where a sample shows that it does
//! not (confident probabilities crowd at 0 and 1), the line is bent at the sample's quantiles.
//!
//! Only speed depends on the choice: any non-decreasing map gives the same counts.

use std::array;

use crate::data::scores::Score;
use crate::data::spread::{picked, spread};

/// Sample size that decides between the two maps.
const SAMPLE: usize = 256;
/// Pieces of a bent map.
const PIECES: usize = 64;
/// Mean number of sampled scores in a sampled score's bucket, of SAMPLE buckets, that a map for single
/// scores puts up with before it bends.
pub const EVEN: usize = 6;

/// A non-decreasing map from scores to `0..buckets`.
pub enum BucketMap {
    /// One straight line.
    Line(Line),
    /// A line for each of several ranges of scores.
    Bent {
        /// Where the pieces start, ascending; infinite where there are fewer pieces.
        knots: Box<[f64; PIECES]>,
        /// The pieces; the k-th serves scores in `knots[k]..knots[k + 1]`.
        pieces: Box<[Line; PIECES]>,
    },
}

/// `first + (x - low) * scale`, rounded to a whole number within `first..first + buckets`.
#[derive(Clone, Copy)]
pub struct Line {
    low: f64,
    scale: f64,
    /// The last bucket, counted from `first`.
    last: f64,
    first: u32,
}

impl Line {
    fn new(low: f64, high: f64, first: usize, buckets: usize) -> Self {
        // high - low may overflow to infinity (scale 0: one bucket) or be subnormal (scale infinite:
        // two buckets); both maps are monotone, so both are right.
        let last = (buckets - 1) as f64;
        Self { low, scale: last / (high - low), last, first: first as u32 }
    }

    /// The bucket of a score.
    #[inline(always)]
    fn bucket(&self, x: f64) -> u32 {
        // Subtraction, multiplication by a positive number, clamping and rounding are all monotone.
        // 0 * inf = NaN, from x = low, fails the first comparison and becomes 0.
        let step = (x - self.low) * self.scale;
        let step = if step > 0.0 { step } else { 0.0 };
        let step = if step < self.last { step } else { self.last };
        // Adding 2^52 leaves the nearest whole number in the low bits: cheaper than a cast, which
        // has to look out for numbers that do not fit.
        self.first + (step + 4_503_599_627_370_496.0).to_bits() as u32
    }
}

impl BucketMap {
    /// A map for n scores with the given number of buckets (at least one), bent where the scores are
    /// more crowded than `crowded` (see [`EVEN`]).
    #[inline(always)]
    pub fn new<T: Score>(
        scores: impl Iterator<Item = T> + Clone,
        n: usize,
        buckets: usize,
        crowded: usize,
    ) -> Self {
        let (mut low, mut high) = range(scores.clone());
        if !(low.is_finite() && high.is_finite()) {
            // Infinities go to the outer buckets of a map over the finite scores.
            (low, high) = range(scores.clone().filter(|x| x.to_f64().is_finite()));
            if low > high {
                (low, high) = (0.0, 0.0);
            }
        }
        let line = Line::new(low, high, 0, buckets);
        if n < 8 * SAMPLE {
            return Self::Line(line);
        }
        let mut sample: Vec<f64> = picked(scores, spread(n, SAMPLE))
            .map(Score::to_f64)
            .filter(|x| x.is_finite())
            .collect();
        sample.sort_unstable_by(f64::order);
        sample.dedup();
        if Self::crowd(&Line::new(low, high, 0, SAMPLE), &sample) <= crowded {
            return Self::Line(line);
        }
        Self::bent(low, high, &sample, buckets)
    }

    /// A map with pieces between the quantiles of a sorted sample without repeats.
    fn bent(low: f64, high: f64, sample: &[f64], buckets: usize) -> Self {
        let count = PIECES.min(buckets).min(sample.len()).max(1);
        let start = |k: usize| match k {
            0 => low,
            _ => sample.get(k * sample.len() / count).copied().unwrap_or(high),
        };
        let bound = |k: usize| k * buckets / count;
        let line = |k| Line::new(start(k), start(k + 1), bound(k), bound(k + 1) - bound(k));
        Self::Bent {
            knots: Box::new(array::from_fn(|k| if k < count { start(k) } else { f64::INFINITY })),
            pieces: Box::new(array::from_fn(|k| line(k.min(count - 1)))),
        }
    }

    /// Mean number of scores that share a score's bucket, in a sorted sample without repeats.
    fn crowd(line: &Line, sample: &[f64]) -> usize {
        let runs = sample.chunk_by(|&a, &b| line.bucket(a) == line.bucket(b));
        runs.map(|run| run.len() * run.len()).sum::<usize>() / sample.len().max(1)
    }

    /// The bucket of a score.
    #[inline(always)]
    pub fn bucket(&self, x: f64) -> usize {
        match self {
            Self::Line(line) => line.bucket(x) as usize,
            Self::Bent { knots, pieces } => {
                // Binary search by a fixed number of steps without branches.
                let mut piece = 0;
                let mut half = PIECES / 2;
                while half > 0 {
                    piece += half * usize::from(knots[piece + half] <= x);
                    half /= 2;
                }
                pieces[piece].bucket(x) as usize
            }
        }
    }

    /// The buckets of some scores.
    #[inline(always)]
    pub fn find<T: Score>(&self, scores: impl Iterator<Item = T>, buckets: &mut [u32]) {
        match self {
            // On its own this loop is turned into vector instructions.
            Self::Line(line) => {
                for (bucket, x) in buckets.iter_mut().zip(scores) {
                    *bucket = line.bucket(x.to_f64());
                }
            }
            Self::Bent { .. } => {
                for (bucket, x) in buckets.iter_mut().zip(scores) {
                    *bucket = self.bucket(x.to_f64()) as u32;
                }
            }
        }
    }
}

/// The least and the greatest score; the least is above the greatest if there is none.
#[inline(always)]
fn range<T: Score>(scores: impl Iterator<Item = T>) -> (f64, f64) {
    scores.map(Score::to_f64).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
        (if x < low { x } else { low }, if x > high { x } else { high })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_monotone(mut scores: Vec<f64>, buckets: usize) {
        let map = BucketMap::new(scores.iter().copied(), scores.len(), buckets, EVEN);
        scores.sort_unstable_by(f64::order);
        let mut seen = 0;
        for &x in &scores {
            let bucket = map.bucket(x);
            assert!(bucket >= seen && bucket < buckets, "{x} in bucket {bucket} after {seen}");
            seen = bucket;
        }
    }

    #[test]
    fn maps_are_monotone_on_awkward_scores() {
        let huge = vec![f64::MIN, -1.0, -0.0, 0.0, 5e-324, f64::MAX];
        assert_monotone(huge.clone(), 8);
        assert_monotone([huge, vec![f64::INFINITY, f64::NEG_INFINITY]].concat(), 8);
        assert_monotone(vec![f64::INFINITY; 3], 4);
        assert_monotone(vec![0.0, 5e-324, 1e-323], 4);
        assert_monotone(vec![7.0; 9], 16);
    }

    #[test]
    fn crowded_scores_bend_the_line() {
        let crowded: Vec<f64> =
            (0..8192).map(|k| 1.0 - 10f64.powf(-f64::from(k) / 600.0)).collect();
        let map = BucketMap::new(crowded.iter().copied(), crowded.len(), 8192, EVEN);
        assert!(matches!(map, BucketMap::Bent { .. }));
        assert_monotone(crowded, 8192);
        let even: Vec<f64> = (0..8192).map(f64::from).collect();
        let map = BucketMap::new(even.iter().copied(), even.len(), 8192, EVEN);
        assert!(matches!(map, BucketMap::Line(_)));
    }
}
