//! Bindings of rows with many labels.

use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use super::arguments::{with_kind, with_scores};
use crate::data::entries::Entries as Core;
use crate::machine::workers::Workers;

/// What rows say of labels, one label after the other.
#[pyclass(frozen, get_all, module = "polyroc._core")]
pub struct Entries {
    /// The score of each entry.
    scores: Py<PyAny>,
    /// Its class: 2l for a negative of label l, 2l + 1 for a positive.
    codes: Py<PyArray1<u32>>,
    /// Its row.
    rows: Py<PyArray1<u32>>,
    /// How many each class has.
    sizes: Vec<usize>,
}

/// The entries of labels (0, 1, or NaN where they are missing) and scores, a row and a column each.
#[pyfunction]
#[pyo3(signature = (*, labels, scores, n_threads))]
pub fn entries(
    py: Python<'_>,
    labels: &Bound<'_, PyAny>,
    scores: &Bound<'_, PyAny>,
    n_threads: usize,
) -> PyResult<Entries> {
    with_scores!(scores, scores => {
        let workers = Workers::new(n_threads, scores.len());
        with_kind!(labels, "2-D labels of float64, int64 or uint8", PyArray2, [f64, i64, u8], labels => {
            let found = py.detach(|| Core::new(&labels, &scores, &workers))?;
            Ok(Entries {
                scores: found.scores.into_pyarray(py).into_any().unbind(),
                codes: found.codes.into_pyarray(py).unbind(),
                rows: found.rows.into_pyarray(py).unbind(),
                sizes: found.sizes,
            })
        })
    })
}
