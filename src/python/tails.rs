//! Bindings of tail areas.

use pyo3::prelude::*;

use crate::tails::student;

/// P(T > t) of Student's t with finite degrees of freedom above 0.
#[pyfunction]
#[pyo3(signature = (t, freedom))]
pub fn t_tail(t: f64, freedom: f64) -> f64 {
    student::tail(t, freedom)
}

/// The t > 0 with P(T > t) = `area`, given the normal's quantile z > 0 of the same area.
#[pyfunction]
#[pyo3(signature = (area, freedom, z))]
pub fn t_quantile(area: f64, freedom: f64, z: f64) -> f64 {
    student::quantile(area, freedom, z)
}
