//! Scores projected on pairs of classes, for AUC-mu.
//!
//! KP19 Eq. 2-3: with a partition matrix A (A[i,k]: cost of saying i when the truth is k) the
//! boundary between classes i and j has the normal v_ij = A[i,:] - A[j,:], and a row's place across
//! it is v_ij . p. Here the sign is turned, s = (A[j,:] - A[i,:]) . p, so that class i wants large s;
//! with the argmax partition (ones off the diagonal) s = p_i - p_j.

use ndarray::ArrayView2;

use crate::data::by_class::ByClass;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::error::{Error, Result};
use crate::machine::lanes::{self, Kernel};
use crate::project::ties::Rule;

/// A partition matrix, or the argmax partition.
pub enum Partition<'a> {
    /// Ones off the diagonal: the class of the largest score wins.
    Argmax,
    /// Any costs with a zero diagonal and positive entries off it.
    Costs(ArrayView2<'a, f64>),
}

impl<'a> Partition<'a> {
    /// The partition of a cost matrix; none is argmax.
    pub fn new(costs: Option<ArrayView2<'a, f64>>) -> Self {
        costs.map_or(Self::Argmax, Self::Costs)
    }
}

impl Partition<'_> {
    /// Checks a K x K cost matrix.
    pub fn check(&self, classes: usize) -> Result<()> {
        let Self::Costs(costs) = self else {
            return Ok(());
        };
        if costs.dim() != (classes, classes) {
            let (rows, columns) = costs.dim();
            return Err(Error::Shape(format!(
                "partition is {rows} x {columns}; {classes} classes need {classes} x {classes}"
            )));
        }
        for ((i, k), &cost) in costs.indexed_iter() {
            if i == k && cost != 0.0 {
                return Err(Error::Domain(format!("partition[{i}, {i}] is {cost:?}, not 0")));
            }
            if i != k && !(cost.is_finite() && cost > 0.0) {
                return Err(Error::Domain(format!(
                    "partition[{i}, {k}] is {cost:?}; costs off the diagonal must be positive and finite"
                )));
            }
        }
        Ok(())
    }
}

/// The projection on one pair of classes (i, j), large for class i.
pub struct Projection<'a, 'p> {
    pair: (usize, usize),
    /// Columns that matter, with their factor v_k and the weight e_k of their rounding errors.
    terms: Vec<Term>,
    /// v = (1, -1): one subtraction, rounded once.
    is_difference: bool,
    partition: &'a Partition<'p>,
}

struct Term {
    column: usize,
    factor: f64,
    error: f64,
}

impl<'a, 'p> Projection<'a, 'p> {
    /// A projection that still has to be aimed at a pair.
    pub fn new(partition: &'a Partition<'p>) -> Self {
        let is_difference = matches!(partition, Partition::Argmax);
        Self { pair: (0, 0), terms: Vec::new(), is_difference, partition }
    }

    /// Turns the projection to the pair (i, j).
    pub fn aim(&mut self, classes: usize, i: usize, j: usize) {
        self.pair = (i, j);
        self.terms.clear();
        match self.partition {
            Partition::Argmax => {
                self.terms.push(Term { column: i, factor: 1.0, error: 1.0 });
                self.terms.push(Term { column: j, factor: -1.0, error: 1.0 });
            }
            Partition::Costs(costs) => {
                for column in 0..classes {
                    let (own, other) = (costs[[i, column]], costs[[j, column]]);
                    if own != other {
                        let term =
                            Term { column, factor: other - own, error: own.abs() + other.abs() };
                        self.terms.push(term);
                    }
                }
            }
        }
    }

    /// Which projections tie, for scores of a unit roundoff.
    pub fn rule(&self, unit_roundoff: f64) -> Rule {
        let signs = match &self.terms[..] {
            [first, second] => first.factor == -second.factor,
            _ => false,
        };
        Rule { unit_roundoff, signs }
    }

    /// The projected scores of the rows of a class, into `out`, each with what `row` says its row
    /// carries. Returns the greatest finite scale m of their rounding errors (see
    /// [`magnitudes`](Self::magnitudes)).
    pub fn project<T: Score, R: Copy>(
        &self,
        scores: &ByClass<'_, T>,
        class: usize,
        row: impl Fn(usize) -> R,
        out: &mut Vec<(f64, R)>,
    ) -> Result<f64> {
        let greatest = if self.is_difference {
            let (i, j) = self.pair;
            let (p_i, p_j) = (scores.column(class, i), scores.column(class, j));
            lanes::launch(Difference { p_i, p_j, row, out })
        } else {
            lanes::launch(DotProduct { terms: &self.terms, scores, class, row, out });
            self.magnitudes(scores, class).fold(0.0, f64::max)
        };
        // |s| <= m: finite scales mean finite projections.
        if greatest.is_finite() {
            return Ok(greatest);
        }
        self.resolve_infinite(scores, class, out)?;
        Ok(self.magnitudes(scores, class).filter(|m| m.is_finite()).fold(0.0, f64::max))
    }

    /// Puts right, or rejects, rows with infinite scores.
    fn resolve_infinite<T: Score, R>(
        &self,
        scores: &ByClass<'_, T>,
        class: usize,
        out: &mut [(f64, R)],
    ) -> Result<()> {
        for (a, (s, _)) in out.iter_mut().enumerate().filter(|(_, (s, _))| !s.is_finite()) {
            let products = || {
                let terms = self.terms.iter();
                terms.map(|term| (term.factor, scores.column(class, term.column)[a].to_f64()))
            };
            let row = scores.classes.rows(class)[a] as usize;
            if products().all(|(_, p)| p.is_finite()) {
                return Err(Error::ProjectionOverflow { row, pair: self.pair });
            }
            // Only infinite scores decide where the row goes.
            let infinite = products().filter(|(_, p)| p.is_infinite());
            *s = infinite.map(|(factor, p)| factor * p).sum();
            if s.is_nan() {
                return Err(Error::IndefiniteProjection { row, pair: self.pair });
            }
        }
        Ok(())
    }

    /// For each row of a class, m = sum_k e_k |p_k|: the scale of its projection's rounding error.
    pub fn magnitudes<'b, T: Score>(
        &'b self,
        scores: &'b ByClass<'_, T>,
        class: usize,
    ) -> impl Iterator<Item = f64> + 'b {
        (0..scores.classes.size(class)).map(move |a| {
            let scores = |term: &Term| scores.column(class, term.column)[a].to_f64().abs();
            let sum: f64 = self.terms.iter().map(|term| term.error * scores(term)).sum();
            // A scale too large to say is the largest one: only infinite scores have an infinite one.
            let overflows =
                sum.is_infinite() && self.terms.iter().all(|term| scores(term).is_finite());
            if overflows { f64::MAX } else { sum }
        })
    }
}

/// p_i - p_j; gives the greatest |p_i| + |p_j|.
struct Difference<'a, T, F, R> {
    p_i: &'a [T],
    p_j: &'a [T],
    row: F,
    out: &'a mut Vec<(f64, R)>,
}

impl<T: Score, F: Fn(usize) -> R, R: Copy> Kernel for Difference<'_, T, F, R> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let Self { p_i, p_j, row, out } = self;
        out.clear();
        let columns = p_i.iter().zip(p_j).enumerate();
        out.extend(columns.map(|(a, (p_i, p_j))| (p_i.to_f64() - p_j.to_f64(), row(a))));
        // Eight maxima side by side, so that none has to wait for the one before.
        let mut greatest = [0.0; 8];
        for (p_i, p_j) in p_i.chunks(8).zip(p_j.chunks(8)) {
            for ((p_i, p_j), greatest) in p_i.iter().zip(p_j).zip(&mut greatest) {
                let size = p_i.to_f64().abs() + p_j.to_f64().abs();
                *greatest = if size > *greatest { size } else { *greatest };
            }
        }
        greatest.into_iter().fold(0.0, f64::max)
    }
}

/// A dot product as accurate as if computed in twice the precision (Ogita, Rump & Oishi 2005).
struct DotProduct<'a, T, F, R> {
    terms: &'a [Term],
    scores: &'a ByClass<'a, T>,
    class: usize,
    row: F,
    out: &'a mut Vec<(f64, R)>,
}

impl<T: Score, F: Fn(usize) -> R, R: Copy> Kernel for DotProduct<'_, T, F, R> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { terms, scores, class, row, out } = self;
        out.clear();
        out.extend((0..scores.classes.size(class)).map(|a| (0.0, row(a))));
        let mut errors = vec![0.0; out.len()];
        for term in terms {
            let column = scores.column(class, term.column);
            for (((sum, _), error), p) in out.iter_mut().zip(&mut errors).zip(column) {
                let p = p.to_f64();
                let product = term.factor * p;
                let product_error = term.factor.mul_add(p, -product);
                let next = *sum + product;
                let shift = next - *sum;
                let sum_error = (*sum - (next - shift)) + (product - shift);
                *sum = next;
                *error += sum_error + product_error;
            }
        }
        for ((sum, _), error) in out.iter_mut().zip(errors) {
            *sum += error;
        }
    }
}

/// Whether two columns add up to the same in every row but for rounding. Then either column orders
/// the rows as any projection does (KP19 Th. 5.1), and does so without rounding.
pub fn rows_have_one_sum<T: Score>(sample: &Sample<'_, T>, unit_roundoff: f64) -> bool {
    // Each row allows its sum some room; all rows must have a sum in common.
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for row in sample.scores.rows() {
        let (p, q) = (row[0].to_f64(), row[1].to_f64());
        let room = 4.0 * unit_roundoff * (p.abs() + q.abs());
        if !(p + q).is_finite() {
            return false;
        }
        low = low.max(p + q - room);
        high = high.min(p + q + room);
    }
    low <= high
}
