//! Bindings of tail areas, and of the limits made of them.

use pyo3::prelude::*;

use crate::tails::estimated::{self, Range, Spread};
use crate::tails::limits::Tail;
use crate::tails::mover::{self, Together};
use crate::tails::student;

/// P(T > t) of Student's t; the degrees of freedom are any number above 0, or infinite.
#[pyfunction]
#[pyo3(signature = (t, freedom))]
pub fn t_tail(t: f64, freedom: f64) -> f64 {
    student::tail(t, freedom)
}

/// The t >= 0 with P(T > t) = `area`, which lies in (0, 1/2].
#[pyfunction]
#[pyo3(signature = (area, freedom))]
pub fn t_quantile(area: f64, freedom: f64) -> f64 {
    student::quantile(area, freedom)
}

/// An estimate whose limits are known at any tail.
#[pyclass(frozen, eq, module = "polyroc._core")]
#[derive(PartialEq)]
pub struct Estimated(estimated::Estimated);

#[pymethods]
impl Estimated {
    /// `spread` is the variance, the doubts in it (for the limit towards 1/2 apart) and what one unit decides; the
    /// measure lies between `bounds` and is a power of an AUC, of this `degree`.
    #[new]
    #[pyo3(signature = (value, spread, bounds, degree))]
    fn new(value: f64, spread: (f64, f64, f64, f64), bounds: (f64, f64), degree: f64) -> Self {
        let (variance, doubt, inner_doubt, pull) = spread;
        let spread = Spread { variance, doubt, inner_doubt, pull };
        let range = Range { bottom: bounds.0, top: bounds.1, degree };
        Self(estimated::Estimated::new(value, &spread, range))
    }

    /// The variance on the scale of the AUC.
    #[getter]
    fn variance(&self) -> f64 {
        self.0.share.variance
    }

    /// The AUC and its variance with half a row more that knows nothing.
    #[getter]
    fn with_half_row(&self) -> (f64, f64) {
        self.0.share.with_half_row()
    }

    /// The limits at a tail area.
    #[pyo3(signature = (tail))]
    fn limits(&self, tail: f64) -> (f64, f64) {
        let tail = Tail::of(tail);
        (self.0.low(tail), self.0.high(tail))
    }

    /// The tails at which the lower and the upper limit are `value`.
    #[pyo3(signature = (value))]
    fn tails_at(&self, value: f64) -> (f64, f64) {
        let auc = self.0.range.auc_of(value);
        (self.0.ends.low.tail_at(auc), self.0.ends.high.tail_at(auc))
    }

    /// How far `value` lies beyond the centre of the lower and of the upper limit, in units of t.
    #[pyo3(signature = (value))]
    fn distances(&self, value: f64) -> (f64, f64) {
        let auc = self.0.range.auc_of(value);
        (self.0.ends.low.distance(auc), self.0.ends.high.distance(auc))
    }
}

/// The difference of two estimates of one measure, `first` minus `second`.
#[pyclass(frozen, eq, module = "polyroc._core")]
#[derive(PartialEq)]
pub struct Mover(mover::Mover);

#[pymethods]
impl Mover {
    /// `together` is what estimates on the same rows share: their covariance on the scale of the AUC, the variance
    /// of the difference over that of independent estimates, and what one unit may decide.
    #[new]
    #[pyo3(signature = (first, second, together))]
    fn new(
        first: PyRef<'_, Estimated>,
        second: PyRef<'_, Estimated>,
        together: Option<(f64, f64, f64)>,
    ) -> Self {
        let (first, second) = (first.0, second.0);
        Self(match together {
            Some((covariance, left, pull)) => {
                let together = Together { covariance, left, pull };
                mover::Mover::correlated(first, second, &together)
            }
            None => mover::Mover::independent(first, second),
        })
    }

    /// The limits at a tail area.
    #[pyo3(signature = (tail))]
    fn limits(&self, tail: f64) -> (f64, f64) {
        let tail = Tail::of(tail);
        (self.0.low(tail), -self.0.turned().low(tail))
    }

    /// The tail at which the lower limit of a difference above `bound` meets it.
    #[pyo3(signature = (bound))]
    fn p_above(&self, bound: f64) -> f64 {
        self.0.p_above(bound)
    }

    /// The same the other way round.
    fn turned(&self) -> Self {
        Self(self.0.turned())
    }
}
