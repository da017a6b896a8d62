//! A monotone map from scores to cells.
//!
//! Sorting by distribution wants scores spread evenly over as many cells as there are scores: then a
//! cell holds one or two of them and both sorting and searching take O(1) a score. A straight line
//! from the least to the greatest score does that for most data; where a sample shows that it does
//! not (confident probabilities crowd at 0 and 1), the line is bent at the sample's quantiles.
//!
//! Only speed depends on the choice: any non-decreasing map gives the same counts.

use std::array;

use crate::data::scores::Score;

/// Sample size that decides between the two maps.
const SAMPLE: usize = 256;
/// Pieces of a bent map.
const PIECES: usize = 64;
/// Mean number of sampled scores in a sampled score's cell, of SAMPLE cells, that a map for single
/// scores puts up with before it bends.
pub const EVEN: usize = 6;

/// A non-decreasing map from scores to `0..cells`.
pub enum CellMap {
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
    fn cell(&self, x: f64) -> u32 {
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

impl CellMap {
    /// A map for n scores with the given number of cells (at least one), bent where the scores are
    /// more crowded than `crowded` (see [`EVEN`]).
    #[inline(always)]
    pub fn new<T: Score>(
        scores: impl Iterator<Item = T> + Clone,
        n: usize,
        cells: usize,
        crowded: usize,
    ) -> Self {
        let (mut low, mut high) = range(scores.clone());
        if !(low.is_finite() && high.is_finite()) {
            // Infinities go to the outer cells of a map over the finite scores.
            (low, high) = range(scores.clone().filter(|x| x.to_f64().is_finite()));
            if low > high {
                (low, high) = (0.0, 0.0);
            }
        }
        let line = Line::new(low, high, 0, cells);
        if n < 8 * SAMPLE {
            return Self::Line(line);
        }
        let mut sample: Vec<f64> =
            scores.step_by(n / SAMPLE).map(Score::to_f64).filter(|x| x.is_finite()).collect();
        sample.sort_unstable_by(f64::order);
        sample.dedup();
        if Self::crowd(&Line::new(low, high, 0, SAMPLE), &sample) <= crowded {
            return Self::Line(line);
        }
        Self::bent(low, high, &sample, cells)
    }

    /// A map with pieces between the quantiles of a sorted sample without repeats.
    fn bent(low: f64, high: f64, sample: &[f64], cells: usize) -> Self {
        let count = PIECES.min(cells).min(sample.len()).max(1);
        let start = |k: usize| match k {
            0 => low,
            _ => sample.get(k * sample.len() / count).copied().unwrap_or(high),
        };
        let bound = |k: usize| k * cells / count;
        let line = |k| Line::new(start(k), start(k + 1), bound(k), bound(k + 1) - bound(k));
        Self::Bent {
            knots: Box::new(array::from_fn(|k| if k < count { start(k) } else { f64::INFINITY })),
            pieces: Box::new(array::from_fn(|k| line(k.min(count - 1)))),
        }
    }

    /// Mean number of scores that share a score's cell, in a sorted sample without repeats.
    fn crowd(line: &Line, sample: &[f64]) -> usize {
        let runs = sample.chunk_by(|&a, &b| line.cell(a) == line.cell(b));
        runs.map(|run| run.len() * run.len()).sum::<usize>() / sample.len().max(1)
    }

    /// The cell of a score.
    #[inline(always)]
    pub fn cell(&self, x: f64) -> usize {
        match self {
            Self::Line(line) => line.cell(x) as usize,
            Self::Bent { knots, pieces } => {
                // Binary search by a fixed number of steps without branches.
                let mut piece = 0;
                let mut half = PIECES / 2;
                while half > 0 {
                    piece += half * usize::from(knots[piece + half] <= x);
                    half /= 2;
                }
                pieces[piece].cell(x) as usize
            }
        }
    }

    /// The cells of some scores.
    #[inline(always)]
    pub fn find<T: Score>(&self, scores: impl Iterator<Item = T>, cells: &mut [u32]) {
        match self {
            // On its own this loop is turned into vector instructions.
            Self::Line(line) => {
                for (cell, x) in cells.iter_mut().zip(scores) {
                    *cell = line.cell(x.to_f64());
                }
            }
            Self::Bent { .. } => {
                for (cell, x) in cells.iter_mut().zip(scores) {
                    *cell = self.cell(x.to_f64()) as u32;
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

    fn assert_monotone(mut scores: Vec<f64>, cells: usize) {
        let map = CellMap::new(scores.iter().copied(), scores.len(), cells, EVEN);
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
        let crowded: Vec<f64> =
            (0..8192).map(|k| 1.0 - 10f64.powf(-f64::from(k) / 600.0)).collect();
        let map = CellMap::new(crowded.iter().copied(), crowded.len(), 8192, EVEN);
        assert!(matches!(map, CellMap::Bent { .. }));
        assert_monotone(crowded, 8192);
        let even: Vec<f64> = (0..8192).map(f64::from).collect();
        let map = CellMap::new(even.iter().copied(), even.len(), 8192, EVEN);
        assert!(matches!(map, CellMap::Line(_)));
    }
}
