//! Scores projected on pairs of classes, for AUC-mu.
//!
//! KP19 Eq. 2-3: with a partition matrix A (A[i,k]: cost of saying i when the truth is k) the
//! boundary between classes i and j has the normal v_ij = A[i,:] - A[j,:], and a row's place across
//! it is v_ij . p. Here the sign is turned, s = (A[j,:] - A[i,:]) . p, so that class i wants large s;
//! with the argmax partition (ones off the diagonal) s = p_i - p_j.

use ndarray::ArrayView2;

use crate::classes::Classes;
use crate::error::{Error, Result};
use crate::memory;
use crate::sample::Sample;
use crate::scores::{Score, any_nan, copy_rows, locate_nan, reject_nan};

/// Scores regrouped so that the scores of one class in one column are contiguous.
pub struct ByClass<'a, T> {
    classes: &'a Classes<'a>,
    scores: Vec<T>,
}

impl<'a, T: Score> ByClass<'a, T> {
    /// Copies the scores, class by class and column by column within a class.
    pub fn new(sample: &'a Sample<'_, T>) -> Result<Self> {
        let (scores, classes) = (&sample.scores, sample.classes);
        if classes.len() < scores.nrows() {
            // Rows of weight zero are not copied, but NaN is an error wherever it stands.
            reject_nan(scores, false)?;
        }
        let columns = classes.count();
        let mut grouped = memory::zeroed(classes.len() * columns);
        let mut pieces = Vec::new();
        let mut rest = grouped.as_mut_slice();
        for class in 0..columns {
            let (piece, after) = rest.split_at_mut(classes.size(class) * columns);
            pieces.push(piece);
            rest = after;
        }
        let clean = sample.workers.map_pieces(pieces, |class, piece| {
            copy_rows(scores, classes.rows(class), piece);
            !any_nan(piece)
        });
        if clean.contains(&false) {
            return Err(locate_nan(scores, false));
        }
        Ok(Self { classes, scores: grouped })
    }

    /// The scores of a class's rows in one column.
    pub fn column(&self, class: usize, column: usize) -> &[T] {
        let span = self.classes.span(class);
        let first = span.start * self.classes.count() + column * span.len();
        &self.scores[first..first + span.len()]
    }
}

/// A partition matrix, or the argmax partition.
pub enum Partition<'a> {
    /// Ones off the diagonal: the class of the largest score wins.
    Argmax,
    /// Any costs with a zero diagonal and positive entries off it.
    Costs(ArrayView2<'a, f64>),
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

    /// The projected scores of the rows of a class, into `out`. Returns the greatest finite scale m of
    /// their rounding errors (see [`magnitudes`](Self::magnitudes)).
    pub fn project<T: Score>(
        &self,
        scores: &ByClass<'_, T>,
        class: usize,
        out: &mut Vec<f64>,
    ) -> Result<f64> {
        let greatest = if self.is_difference {
            let (i, j) = self.pair;
            difference(scores.column(class, i), scores.column(class, j), out)
        } else {
            self.project_costs(scores, class, out);
            self.magnitudes(scores, class).fold(0.0, f64::max)
        };
        if greatest.is_finite() && out.iter().fold(true, |finite, s| finite & s.is_finite()) {
            return Ok(greatest);
        }
        self.resolve_infinite(scores, class, out)?;
        Ok(self.magnitudes(scores, class).filter(|m| m.is_finite()).fold(0.0, f64::max))
    }

    /// A dot product as accurate as if computed in twice the precision (Ogita, Rump & Oishi 2005).
    fn project_costs<T: Score>(&self, scores: &ByClass<'_, T>, class: usize, out: &mut Vec<f64>) {
        out.clear();
        out.resize(scores.classes.size(class), 0.0);
        let mut errors = vec![0.0; out.len()];
        for term in &self.terms {
            let column = scores.column(class, term.column);
            for ((sum, error), p) in out.iter_mut().zip(&mut errors).zip(column) {
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
        for (sum, error) in out.iter_mut().zip(errors) {
            *sum += error;
        }
    }

    /// Puts right, or rejects, rows with infinite scores.
    fn resolve_infinite<T: Score>(
        &self,
        scores: &ByClass<'_, T>,
        class: usize,
        out: &mut [f64],
    ) -> Result<()> {
        for (a, s) in out.iter_mut().enumerate().filter(|(_, s)| !s.is_finite()) {
            let products = || {
                let terms = self.terms.iter();
                terms.map(|term| (term.factor, scores.column(class, term.column)[a].to_f64()))
            };
            let row = scores.classes.rows(class)[a] as usize;
            if products().all(|(_, p)| p.is_finite()) {
                return Err(Error::ProjectionOverflow { row, pair: self.pair });
            }
            // Only infinite scores decide where the row goes.
            *s = products().filter(|(_, p)| p.is_infinite()).map(|(factor, p)| factor * p).sum();
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
            let terms = self.terms.iter();
            terms.map(|term| term.error * scores.column(class, term.column)[a].to_f64().abs()).sum()
        })
    }
}

/// p_i - p_j, and the greatest |p_i| + |p_j|.
fn difference<T: Score>(p_i: &[T], p_j: &[T], out: &mut Vec<f64>) -> f64 {
    let mut greatest = 0.0;
    out.clear();
    out.extend(p_i.iter().zip(p_j).map(|(p_i, p_j)| {
        let (p_i, p_j) = (p_i.to_f64(), p_j.to_f64());
        let size = p_i.abs() + p_j.abs();
        greatest = if size > greatest { size } else { greatest };
        p_i - p_j
    }));
    greatest
}
