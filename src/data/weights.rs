//! What a row counts.
//!
//! The kernels are generic over a [`Weighting`]: rows that count one ([`Unit`]) and whole-number
//! weights ([`Whole`]) are counted in integers, so their U-statistics are exact; real weights
//! ([`Real`]) are summed in an order fixed by the data, so they do not depend on threads.

use std::borrow::Cow;

use bytemuck::Zeroable;

use crate::error::{Error, Result};

/// The greatest whole-number weight sum for which 2 W_i W_j is counted in integers.
const WHOLE_LIMIT: f64 = 9_007_199_254_740_992.0; // 2^53: doubles below it are exact

/// Sample weights, checked and sorted into the kind that serves them best.
#[derive(Clone, Debug)]
pub enum Weights<'a> {
    /// Every row counts one.
    Unit,
    /// Whole numbers, as the doubles that they were given as.
    Whole(Cow<'a, [f64]>),
    /// Any non-negative numbers.
    Real(Cow<'a, [f64]>),
}

impl<'a> Weights<'a> {
    /// Checks weights and finds their kind; `None` is all ones.
    pub fn new(weights: Option<&'a [f64]>) -> Result<Self> {
        let Some(weights) = weights else {
            return Ok(Self::Unit);
        };
        if let Some(row) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
            return Err(Error::BadWeight { row, weight: weights[row] });
        }
        if weights.iter().all(|&w| w == 1.0) {
            return Ok(Self::Unit);
        }
        let whole = weights.iter().all(|w| w.fract() == 0.0);
        if whole && weights.iter().sum::<f64>() < WHOLE_LIMIT {
            return Ok(Self::Whole(Cow::Borrowed(weights)));
        }
        Self::scaled(weights)
    }

    /// Real weights, scaled by a power of two where products of their sums would leave the range of
    /// doubles: only ratios of weights matter, and such scaling changes no digit of them.
    fn scaled(weights: &'a [f64]) -> Result<Self> {
        const LEAST: i32 = -480;
        const GREATEST: i32 = 400;
        let positive = || weights.iter().copied().filter(|&w| w > 0.0);
        let (least, greatest) =
            (positive().fold(f64::MAX, f64::min), positive().fold(0.0, f64::max));
        if least >= 2f64.powi(LEAST) && greatest <= 2f64.powi(GREATEST) || greatest == 0.0 {
            return Ok(Self::Real(Cow::Borrowed(weights)));
        }
        // In two steps: a subnormal weight may have further to go than a double can say.
        let half = 2f64.powi((GREATEST - greatest.log2().ceil() as i32) / 2);
        let scale = |w: f64| w * half * half;
        if scale(least) < 2f64.powi(LEAST) {
            return Err(Error::Domain(format!(
                "sample_weight holds {least:?} beside {greatest:?}; weights this far apart cannot be \
                 summed, leave out the rows that hardly count"
            )));
        }
        Ok(Self::Real(Cow::Owned(weights.iter().map(|&w| scale(w)).collect())))
    }

    /// Bytes held beside the weights that were given.
    pub fn held(&self) -> usize {
        match self {
            Self::Unit => 0,
            Self::Whole(weights) | Self::Real(weights) => match weights {
                Cow::Borrowed(_) => 0,
                Cow::Owned(weights) => 8 * weights.len(),
            },
        }
    }

    /// Whether the row takes part: rows of weight zero are left out before anything is ordered.
    #[inline]
    pub fn is_positive(&self, row: usize) -> bool {
        match self {
            Self::Unit => true,
            Self::Whole(weights) | Self::Real(weights) => weights[row] > 0.0,
        }
    }

    /// The weights of all rows as doubles; none if every row counts one.
    pub fn reals(&self) -> &[f64] {
        match self {
            Self::Unit => &[],
            Self::Whole(weights) | Self::Real(weights) => weights,
        }
    }

    /// The weight of a row as a double.
    #[inline]
    pub fn weight(&self, row: usize) -> f64 {
        match self {
            Self::Unit => 1.0,
            Self::Whole(weights) | Self::Real(weights) => weights[row],
        }
    }
}

/// Fails unless there is one code, and one weight if there are weights, for each row of scores.
pub fn check_lengths(rows: usize, codes: &[u32], weights: &Weights<'_>) -> Result<()> {
    let weighted = match weights {
        Weights::Unit => rows,
        Weights::Whole(weights) | Weights::Real(weights) => weights.len(),
    };
    if codes.len() != rows || weighted != rows {
        return Err(Error::Shape(format!(
            "{rows} rows of scores, {} class codes and {weighted} weights; lengths must agree",
            codes.len()
        )));
    }
    Ok(())
}

/// The arithmetic of one kind of weights.
///
/// Rows of mass w with one score are compared with a class of mass W, of which `below` lies under that
/// score and `upto` under it or tied with it. The class wins w (W - upto) pairs outright and half of the
/// w (upto - below) tied ones: doubled, w ((W - below) + (W - upto)).
pub trait Weighting: Copy + Send + Sync {
    /// What one row carries through a sort: nothing, or its weight.
    type Row: Copy + Default + Zeroable + Send + Sync;
    /// The mass of a set of rows.
    type Mass: Copy + Default + PartialEq + Send + Sync;
    /// A sum of doubled wins.
    type Sum: Copy + Default + Send + Sync;
    /// Whether k rows have mass k, so that no table of masses is needed.
    const COUNTS_ROWS: bool = false;

    /// What the row carries.
    fn row(&self, row: usize) -> Self::Row;
    /// The mass of a row by what it carries.
    fn mass(row: Self::Row) -> Self::Mass;
    /// The mass of k rows, where [`Self::COUNTS_ROWS`].
    fn count(_rows: usize) -> Self::Mass {
        Self::Mass::default()
    }
    /// The mass of two sets of rows.
    fn join(a: Self::Mass, b: Self::Mass) -> Self::Mass;
    /// Doubled wins of a class over other rows of one score.
    fn wins(
        others: Self::Mass,
        below: Self::Mass,
        upto: Self::Mass,
        class: Self::Mass,
    ) -> Self::Sum;
    /// Doubled tied pairs of a class with other rows of one score.
    fn ties(
        others: Self::Mass,
        below: Self::Mass,
        upto: Self::Mass,
        class: Self::Mass,
    ) -> Self::Sum;
    /// Adds sums.
    fn add(a: Self::Sum, b: Self::Sum) -> Self::Sum;
    /// The sum where a class wins all pairs with other rows, or none.
    fn all(won: bool, class: Self::Mass, other: Self::Mass) -> Self::Sum;
    /// The sum seen from the other side: what the others win.
    fn complement(sum: Self::Sum, class: Self::Mass, other: Self::Mass) -> Self::Sum;
    /// The share of pairs: sum / (2 class other). NaN where there is no pair.
    fn share(sum: Self::Sum, class: Self::Mass, other: Self::Mass) -> f64;
}

/// Every row counts one. With fewer than 2^32 rows, 2 n_i n_j < 2^63 fits 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct Unit;

impl Weighting for Unit {
    type Row = ();
    type Mass = u32;
    type Sum = u64;
    const COUNTS_ROWS: bool = true;

    #[inline(always)]
    fn row(&self, _: usize) {}
    #[inline(always)]
    fn mass((): ()) -> u32 {
        1
    }
    #[inline(always)]
    fn count(rows: usize) -> u32 {
        rows as u32
    }
    #[inline(always)]
    fn join(a: u32, b: u32) -> u32 {
        a + b
    }
    #[inline(always)]
    fn wins(others: u32, below: u32, upto: u32, class: u32) -> u64 {
        u64::from(others) * (u64::from(class - below) + u64::from(class - upto))
    }
    #[inline(always)]
    fn ties(others: u32, below: u32, upto: u32, _: u32) -> u64 {
        u64::from(others) * (2 * u64::from(upto - below))
    }
    #[inline(always)]
    fn add(a: u64, b: u64) -> u64 {
        a + b
    }
    fn all(won: bool, class: u32, other: u32) -> u64 {
        2 * u64::from(won) * u64::from(class) * u64::from(other)
    }
    fn complement(sum: u64, class: u32, other: u32) -> u64 {
        Self::all(true, class, other) - sum
    }
    fn share(sum: u64, class: u32, other: u32) -> f64 {
        sum as f64 / Self::all(true, class, other) as f64
    }
}

/// Whole-number weights of total below 2^53: 2 W_i W_j < 2^107 fits 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct Whole<'a>(pub &'a [f64]);

impl Weighting for Whole<'_> {
    type Row = u64;
    type Mass = u64;
    type Sum = u128;

    #[inline(always)]
    fn row(&self, row: usize) -> u64 {
        self.0[row] as u64
    }
    #[inline(always)]
    fn mass(row: u64) -> u64 {
        row
    }
    #[inline(always)]
    fn join(a: u64, b: u64) -> u64 {
        a + b
    }
    #[inline(always)]
    fn wins(others: u64, below: u64, upto: u64, class: u64) -> u128 {
        u128::from(others) * u128::from((class - below) + (class - upto))
    }
    #[inline(always)]
    fn ties(others: u64, below: u64, upto: u64, _: u64) -> u128 {
        u128::from(others) * u128::from(2 * (upto - below))
    }
    #[inline(always)]
    fn add(a: u128, b: u128) -> u128 {
        a + b
    }
    fn all(won: bool, class: u64, other: u64) -> u128 {
        2 * u128::from(won) * u128::from(class) * u128::from(other)
    }
    fn complement(sum: u128, class: u64, other: u64) -> u128 {
        Self::all(true, class, other) - sum
    }
    fn share(sum: u128, class: u64, other: u64) -> f64 {
        sum as f64 / Self::all(true, class, other) as f64
    }
}

/// Real weights. A sum holds the pairs won and, added in the same order, all pairs of the same rows:
/// their ratio is then never above 1, and exactly 1 where all pairs are won, because addition is
/// monotone under rounding.
#[derive(Clone, Copy, Debug)]
pub struct Real<'a>(pub &'a [f64]);

/// Doubled mass of the pairs won, and of all pairs.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealSum {
    won: f64,
    all: f64,
}

impl Weighting for Real<'_> {
    type Row = f64;
    type Mass = f64;
    type Sum = RealSum;

    #[inline(always)]
    fn row(&self, row: usize) -> f64 {
        self.0[row]
    }
    #[inline(always)]
    fn mass(row: f64) -> f64 {
        row
    }
    #[inline(always)]
    fn join(a: f64, b: f64) -> f64 {
        a + b
    }
    #[inline(always)]
    fn wins(others: f64, below: f64, upto: f64, class: f64) -> RealSum {
        let won = others * ((class - below) + (class - upto));
        RealSum { won, all: others * (class + class) }
    }
    #[inline(always)]
    fn ties(others: f64, below: f64, upto: f64, class: f64) -> RealSum {
        RealSum { won: others * (2.0 * (upto - below)), all: others * (class + class) }
    }
    #[inline(always)]
    fn add(a: RealSum, b: RealSum) -> RealSum {
        RealSum { won: a.won + b.won, all: a.all + b.all }
    }
    fn all(won: bool, class: f64, other: f64) -> RealSum {
        let all = 2.0 * class * other;
        RealSum { won: if won { all } else { 0.0 }, all }
    }
    fn complement(sum: RealSum, _: f64, _: f64) -> RealSum {
        RealSum { won: sum.all - sum.won, ..sum }
    }
    fn share(sum: RealSum, _: f64, _: f64) -> f64 {
        sum.won / sum.all
    }
}

/// Runs a body for the kind of weights there is.
macro_rules! with_weighting {
    ($weights:expr, $w:ident => $body:expr) => {
        match $weights {
            $crate::data::weights::Weights::Unit => {
                let $w = $crate::data::weights::Unit;
                $body
            }
            $crate::data::weights::Weights::Whole(weights) => {
                let $w = $crate::data::weights::Whole(weights);
                $body
            }
            $crate::data::weights::Weights::Real(weights) => {
                let $w = $crate::data::weights::Real(weights);
                $body
            }
        }
    };
}
pub(crate) use with_weighting;
