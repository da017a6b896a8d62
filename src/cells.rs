//! A monotone map from scores to cells.
//!
//! Sorting by distribution wants scores spread evenly over as many cells as there are scores: then a
//! cell holds one or two of them and both sorting and searching take O(1) a score. A straight line
//! from the least to the greatest score does that for most data; where a sample shows that it does
//! not (confident probabilities crowd at 0 and 1), the line is bent at the sample's quantiles.
//!
//! Only speed depends on the choice: any non-decreasing map gives the same counts.

use crate::scores::Score;

/// Sample size that decides between the two maps.
const SAMPLE: usize = 1024;
/// Pieces of a bent map.
const PIECES: usize = 256;
/// Mean number of sampled scores that share a sampled score's cell, above which the line is bent.
const CROWDED: usize = 6;

/// A non-decreasing map from scores to `0..cells`.
pub enum CellMap {
    /// One straight line.
    Line(Line),
    /// A line for each of several ranges of scores.
    Bent {
        /// Where the pieces start, ascending.
        knots: Vec<f64>,
        /// The pieces; the k-th serves scores in `knots[k]..knots[k + 1]`.
        pieces: Vec<Line>,
    },
}

/// `first + (x - low) * scale`, rounded to a whole number within `first..first + cells`.
#[derive(Clone, Copy)]
pub struct Line {
    low: f64,
    scale: f64,
    /// The last cell, counted from `first`.
    last: f64,
    first: u32,
}

impl Line {
    fn new(low: f64, high: f64, first: usize, cells: usize) -> Self {
        // high - low may overflow to infinity (scale 0: one cell) or be subnormal (scale infinite:
        // two cells); both maps are monotone, so both are right.
        let last = (cells - 1) as f64;
        Self { low, scale: last / (high - low), last, first: first as u32 }
    }

    /// The cell of a score.
    #[inline(always)]
    pub fn cell(&self, x: f64) -> usize {
        // Subtraction, multiplication by a positive number, clamping and rounding are all monotone.
        // 0 * inf = NaN, from x = low, fails the first comparison and becomes 0.
        let step = (x - self.low) * self.scale;
        let step = if step > 0.0 { step } else { 0.0 };
        let step = if step < self.last { step } else { self.last };
        // Adding 2^52 leaves the nearest whole number in the low bits: cheaper than a cast, which
        // has to look out for numbers that do not fit.
        let step = (step + 4_503_599_627_370_496.0).to_bits() as u32;
        (self.first + step) as usize
    }
}

impl CellMap {
    /// A map for these scores with the given number of cells (at least one).
    pub fn new<T: Score>(scores: impl Iterator<Item = T> + Clone, n: usize, cells: usize) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for x in scores.clone() {
            let x = x.to_f64();
            // Infinities go to the outer cells of a map over the finite scores.
            if x.is_finite() {
                low = low.min(x);
                high = high.max(x);
            }
        }
        if low > high {
            (low, high) = (0.0, 0.0);
        }
        let line = Line::new(low, high, 0, cells);
        if n < 4 * SAMPLE {
            return Self::Line(line);
        }
        let mut sample: Vec<f64> = scores
            .step_by(n / SAMPLE)
            .map(Score::to_f64)
            .filter(|x| x.is_finite())
            .collect();
        sample.sort_unstable_by(f64::order);
        sample.dedup();
        if Self::is_even(&Line::new(low, high, 0, SAMPLE), &sample) {
            return Self::Line(line);
        }
        Self::bent(low, high, &sample, cells)
    }

    /// A map over the sample's quantiles, for callers that have a sorted sample without repeats.
    fn bent(low: f64, high: f64, sample: &[f64], cells: usize) -> Self {
        let pieces = PIECES.min(cells).min(sample.len()).max(1);
        let mut knots: Vec<f64> = (0..pieces)
            .map(|k| sample[k * sample.len() / pieces])
            .collect();
        knots[0] = low;
        let bound = |k: usize| k * cells / pieces;
        let pieces = (0..pieces)
            .map(|k| {
                let end = knots.get(k + 1).copied().unwrap_or(high);
                Line::new(knots[k], end, bound(k), bound(k + 1) - bound(k))
            })
            .collect();
        Self::Bent { knots, pieces }
    }

    /// Whether a line spreads a sorted sample without repeats about evenly over SAMPLE cells.
    fn is_even(line: &Line, sample: &[f64]) -> bool {
        let mut shared = 0;
        for run in sample.chunk_by(|&a, &b| line.cell(a) == line.cell(b)) {
            shared += run.len() * run.len();
        }
        shared <= CROWDED * sample.len()
    }

    /// The cell of a score.
    #[inline(always)]
    pub fn cell<T: Score>(&self, x: T) -> usize {
        let x = x.to_f64();
        match self {
            Self::Line(line) => line.cell(x),
            Self::Bent { knots, pieces } => {
                let piece = knots.partition_point(|&knot| knot <= x);
                pieces[piece.saturating_sub(1)].cell(x)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_monotone(mut scores: Vec<f64>, cells: usize) {
        let map = CellMap::new(scores.iter().copied(), scores.len(), cells);
        scores.sort_unstable_by(f64::order);
        let mut seen = 0;
        for &x in &scores {
            let cell = map.cell(x);
            assert!(cell >= seen && cell < cells, "{x} in cell {cell} after {seen}");
            seen = cell;
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
        let crowded: Vec<f64> = (0..8192).map(|k| 1.0 - 10f64.powf(-f64::from(k) / 600.0)).collect();
        let map = CellMap::new(crowded.iter().copied(), crowded.len(), 8192);
        assert!(matches!(map, CellMap::Bent { .. }));
        assert_monotone(crowded, 8192);
        let even: Vec<f64> = (0..8192).map(f64::from).collect();
        let map = CellMap::new(even.iter().copied(), even.len(), 8192);
        assert!(matches!(map, CellMap::Line(_)));
    }
}
