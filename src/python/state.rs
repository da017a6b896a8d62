//! Bindings of states.

use numpy::{Element, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use super::arguments::{Held, Models, hold_models, with_any_scores};
use super::supervised::{SHORT, supervised};
use crate::machine::watch::Watch;
use crate::state as core;
use crate::state::keys::Key;
use crate::state::scores::Scores;

/// Counts by score that can be added up anywhere.
#[pyclass(module = "polyroc._core")]
pub struct State(pub(super) core::State);

/// A number for each column, and how far off it may be.
type Bounded = Vec<(f64, f64)>;

#[pymethods]
impl State {
    /// `note` is kept as it is, and has to be equal where states are merged.
    #[new]
    #[pyo3(signature = (*, n_classes, folded, max_bins, by_column, by_pair, class_counts, note))]
    fn new(
        n_classes: usize,
        folded: bool,
        max_bins: usize,
        by_column: bool,
        by_pair: bool,
        class_counts: Option<Vec<u64>>,
        note: Vec<u8>,
    ) -> PyResult<Self> {
        let key = if folded { Key::Fold } else { Key::Float };
        let layout = core::Layout {
            classes: n_classes,
            key,
            max_bins,
            by_column,
            by_pair,
            class_counts,
            note,
        };
        Ok(Self(core::State::new(layout)?))
    }

    /// Takes all of these rows, or none.
    #[pyo3(signature = (*, scores, codes, weights, n_threads))]
    fn update(
        &mut self,
        py: Python<'_>,
        scores: &Bound<'_, PyAny>,
        codes: PyReadonlyArray1<'_, u32>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        n_threads: usize,
    ) -> PyResult<()> {
        let codes = codes.as_slice()?;
        let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
        let state = &mut self.0;
        with_any_scores!(scores, view => {
            let scores = Scores::Matrix(view);
            supervised(py, view.len() <= SHORT, None, |watch| {
                state.update(&scores, codes, weights, n_threads, watch)
            })
        })
    }

    /// Takes rows, as a matrix or as a list of columns in one piece each. If it fails, some may have been taken.
    #[pyo3(signature = (*, scores, codes, weights))]
    fn add(
        &mut self,
        py: Python<'_>,
        scores: &Bound<'_, PyAny>,
        codes: PyReadonlyArray1<'_, u32>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<()> {
        let codes = codes.as_slice()?;
        let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
        let state = &mut self.0;
        let Ok(columns) = scores.cast::<PyList>() else {
            return with_any_scores!(scores, view => {
                let scores = Scores::Matrix(view);
                py.detach(|| state.add(&scores, codes, weights, 1, &Watch::default())).map_err(PyErr::from)
            });
        };
        let columns: Vec<Py<PyAny>> = columns.iter().map(Bound::unbind).collect();
        match hold_models(py, columns.iter().map(|column| column.clone_ref(py)))? {
            Models::Double(held) => {
                let scores = apart(&held)?;
                Ok(py.detach(|| state.add(&scores, codes, weights, 1, &Watch::default()))?)
            }
            Models::Single(held) => {
                let scores = apart(&held)?;
                Ok(py.detach(|| state.add(&scores, codes, weights, 1, &Watch::default()))?)
            }
        }
    }

    /// Takes counts that were made elsewhere.
    #[pyo3(signature = (*, columns, codes, scores, counts, width))]
    fn take_cells(
        &mut self,
        py: Python<'_>,
        columns: PyReadonlyArray1<'_, u32>,
        codes: PyReadonlyArray1<'_, u32>,
        scores: PyReadonlyArray1<'_, f64>,
        counts: PyReadonlyArray1<'_, u64>,
        width: usize,
    ) -> PyResult<()> {
        let given = core::Given {
            columns: columns.as_slice()?,
            codes: codes.as_slice()?,
            scores: scores.as_slice()?,
            counts: counts.as_slice()?,
        };
        Ok(py.detach(|| self.0.take_cells(given, width))?)
    }

    /// Adds what another state knows.
    #[pyo3(signature = (other))]
    fn merge(&mut self, py: Python<'_>, other: &State) -> PyResult<()> {
        Ok(py.detach(|| self.0.merge(&other.0))?)
    }

    /// A state with the same rows.
    fn copy(&self) -> Self {
        Self(self.0.clone())
    }

    /// The state as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| self.0.to_bytes());
        PyBytes::new(py, &bytes)
    }

    /// What tells it from states of other rows, or of another kind.
    fn identity<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.identity())
    }

    /// The state of such bytes.
    #[staticmethod]
    #[pyo3(signature = (data))]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        Ok(Self(py.detach(|| core::State::from_bytes(data))?))
    }

    /// What the caller wanted to be kept.
    #[getter]
    fn note<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.layout().note)
    }

    #[getter]
    fn class_counts(&self) -> Option<Vec<u64>> {
        self.0.layout().class_counts.clone()
    }

    #[getter]
    fn max_bins(&self) -> usize {
        self.0.layout().max_bins
    }

    #[getter]
    fn folded(&self) -> bool {
        self.0.layout().key == Key::Fold
    }

    /// Columns of scores, 0 while no rows came.
    #[getter]
    fn width(&self) -> usize {
        self.0.width()
    }

    /// Rows of each class.
    #[getter]
    fn rows(&self) -> Vec<u64> {
        self.0.rows().to_vec()
    }

    /// The mass of each class.
    #[getter]
    fn masses(&self) -> Vec<f64> {
        self.0.masses()
    }

    #[getter]
    fn weighted(&self) -> bool {
        self.0.weighted()
    }

    /// Whether weights were rounded.
    #[getter]
    fn rounded(&self) -> bool {
        self.0.rounded()
    }

    /// A sum of a hash of each row.
    #[getter]
    fn checksum(&self) -> u64 {
        self.0.checksum()
    }

    /// The most bits that a column drops, and a pair of classes.
    #[getter]
    fn shifts(&self) -> (u32, u32) {
        self.0.shifts()
    }

    /// The bins of the fullest column, and of the fullest pair of classes.
    #[getter]
    fn bins(&self) -> (usize, usize) {
        self.0.bins()
    }

    /// Areas, each with a bound of its error: of columns over all other classes, of columns against the rest, of
    /// pairs of classes; and their means, over pairs of classes by columns, over columns, over pairs by differences.
    fn areas(&self, py: Python<'_>) -> (Bounded, Bounded, Bounded, (f64, f64, f64)) {
        let areas = py.detach(|| self.0.areas());
        let plain =
            |all: Vec<core::Bounded>| all.iter().map(|one| (one.value, one.bound)).collect();
        let means = (areas.means.columns, areas.means.rest, areas.means.projected);
        (plain(areas.sums), plain(areas.rest), plain(areas.projected), means)
    }

    /// A binary AUC, and for each class its rows and the sums of squares and fourth powers of influence values.
    fn moments(&self, py: Python<'_>) -> (f64, Vec<(u64, f64, f64)>) {
        let moments = py.detach(|| self.0.moments());
        (moments.estimate, moments.classes.to_vec())
    }
}

/// Columns as they were held.
fn apart<'a, T: Element>(held: &'a [Held<'_, T>]) -> PyResult<Scores<'a, T>> {
    Ok(Scores::Apart(held.iter().map(Held::column).collect::<PyResult<_>>()?))
}
