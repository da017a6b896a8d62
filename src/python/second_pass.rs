//! Bindings of the second pass over rows.

use std::sync::Arc;

use ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::arguments::{Models, hold_models};
use super::state::State;
use super::supervised::{SHORT, supervised};
use crate::error::{Error, Result};
use crate::state::second as core;
use crate::state::second::sums::Rows;
use crate::state::second::worth::Kind;

/// What the second pass broadcasts.
#[pyclass(module = "polyroc._core", frozen)]
pub struct Tables(Arc<core::Tables>);

#[pymethods]
impl Tables {
    /// `kinds`: 0 AUC, 1 M, 2 one-vs-rest, 3 AUC-mu. `whole`: tables of all rows, if the state is of a segment of
    /// them. `note` is kept as it is.
    #[new]
    #[pyo3(signature = (*, states, whole, kinds, groups, n_resamples, seed, note))]
    #[expect(clippy::too_many_arguments, reason = "keywords")]
    fn new(
        py: Python<'_>,
        states: Vec<PyRef<'_, State>>,
        whole: Option<&Self>,
        kinds: Vec<usize>,
        groups: bool,
        n_resamples: u64,
        seed: u64,
        note: Vec<u8>,
    ) -> PyResult<Self> {
        let kind = |number: usize| {
            Kind::ALL.get(number).copied().ok_or_else(|| Error::Domain(format!("no kind {number}")))
        };
        let kinds = kinds.into_iter().map(kind).collect::<Result<Vec<_>>>()?;
        let mut models: Vec<_> =
            states.iter().map(|state| core::Model::new(state.0.clone(), &kinds)).collect();
        models.extend(whole.map(|whole| whole.0.models[0].clone()));
        let beside = whole.is_some();
        let options = core::Options { kinds, groups, replicates: n_resamples, seed, beside, note };
        Ok(Self(Arc::new(py.detach(|| core::Tables::new(models, options))?)))
    }

    /// The tables as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| self.0.to_bytes());
        PyBytes::new(py, &bytes)
    }

    /// The tables of such bytes.
    #[staticmethod]
    #[pyo3(signature = (data))]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        Ok(Self(Arc::new(py.detach(|| core::Tables::from_bytes(data))?)))
    }

    /// The states of all models.
    fn states(&self) -> Vec<State> {
        self.0.states().map(|state| State(state.clone())).collect()
    }

    #[getter]
    fn note<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.options.note)
    }

    #[getter]
    fn groups(&self) -> bool {
        self.0.options.groups
    }

    #[getter]
    fn n_resamples(&self) -> u64 {
        self.0.options.replicates
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.0.options.seed
    }

    /// Tells tables apart.
    #[getter]
    fn fingerprint(&self) -> u64 {
        self.0.fingerprint
    }

    /// What the values of each number are about in each class.
    fn centres(&self) -> Vec<Vec<f64>> {
        (0..self.0.numbers()).map(|number| self.0.centres(number).to_vec()).collect()
    }

    /// Pairs of numbers whose difference is summed.
    fn differences(&self) -> Vec<(usize, usize)> {
        self.0.differences()
    }
}

/// Sums over the rows of a shard.
#[pyclass(module = "polyroc._core")]
pub struct Sums(core::Sums);

type Ids<'py> = Option<PyReadonlyArray1<'py, u64>>;
/// Group, class and weight of each cell, and for each number its sums.
type Cells = (Py<PyArray1<u32>>, Py<PyArray1<u32>>, Py<PyArray1<f64>>, Py<PyArray2<f64>>);

#[pymethods]
impl Sums {
    #[new]
    #[pyo3(signature = (tables))]
    fn new(tables: &Tables) -> Self {
        Self(core::Sums::new(tables.0.clone()))
    }

    /// Takes all of these rows, or none.
    #[pyo3(signature = (*, scores, codes, weights, ids, groups, n_threads))]
    #[expect(clippy::too_many_arguments, reason = "keywords")]
    fn update(
        &mut self,
        py: Python<'_>,
        scores: Vec<Py<PyAny>>,
        codes: PyReadonlyArray1<'_, u32>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        ids: Ids<'_>,
        groups: Ids<'_>,
        n_threads: usize,
    ) -> PyResult<()> {
        let codes = codes.as_slice()?;
        let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
        let ids = ids.as_ref().map(|ids| ids.as_slice()).transpose()?;
        let groups = groups.as_ref().map(|groups| groups.as_slice()).transpose()?;
        let sums = &mut self.0;
        let width = sums.tables().classes() * scores.len();
        let short = codes.len() * width <= SHORT;
        match hold_models(py, scores.iter().map(|any| any.clone_ref(py)))? {
            Models::Double(held) => {
                let scores = held.iter().map(|held| held.view()).collect();
                let rows = Rows { scores, codes, weights, ids, groups };
                supervised(py, short, None, |watch| sums.update(&rows, n_threads, watch))
            }
            Models::Single(held) => {
                let scores = held.iter().map(|held| held.view()).collect();
                let rows = Rows { scores, codes, weights, ids, groups };
                supervised(py, short, None, |watch| sums.update(&rows, n_threads, watch))
            }
        }
    }

    /// Adds what another shard found.
    #[pyo3(signature = (other))]
    fn merge(&mut self, py: Python<'_>, other: &Sums) -> PyResult<()> {
        Ok(py.detach(|| self.0.merge(&other.0))?)
    }

    /// Sums of the same rows.
    fn copy(&self) -> Self {
        Self(self.0.clone())
    }

    /// The sums as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| self.0.to_bytes());
        PyBytes::new(py, &bytes)
    }

    /// The sums of such bytes.
    #[staticmethod]
    #[pyo3(signature = (data, tables))]
    fn from_bytes(py: Python<'_>, data: &[u8], tables: &Tables) -> PyResult<Self> {
        let tables = tables.0.clone();
        Ok(Self(py.detach(|| core::Sums::from_bytes(data, tables))?))
    }

    /// Rows of each class.
    #[getter]
    fn rows(&self) -> Vec<u64> {
        self.0.rows.clone()
    }

    /// Rows of each class that weigh something.
    #[getter]
    fn positive(&self) -> Vec<u64> {
        self.0.positive.clone()
    }

    /// The weight of each class.
    #[getter]
    fn masses(&self) -> Vec<f64> {
        self.0.weights()
    }

    /// One for each model.
    #[getter]
    fn checksums(&self) -> Vec<u64> {
        self.0.checksums.clone()
    }

    /// Whether rows that weigh something do not all weigh the same.
    #[getter]
    fn uneven(&self) -> bool {
        self.0.uneven()
    }

    /// Of each class the sum of its rows' squared shares: bytes of a whole number of 2^-384.
    fn shares(&self) -> Vec<Vec<u8>> {
        self.0.shares()
    }

    /// By class and number the sums of values times the rows' shares of all rows, as `shares`; none where they are
    /// not needed.
    fn crossed(&self) -> Vec<Vec<u8>> {
        self.0.crossed()
    }

    /// How many row ids were looked at, how many of them came more than once, and how often one came at most.
    fn repeated_ids(&self) -> (usize, usize, u64) {
        self.0.ids().repeated()
    }

    /// The ids of all groups, in ascending order: those of `group_cells` are their places in here.
    fn group_ids(&self, py: Python<'_>) -> Py<PyArray1<u64>> {
        py.detach(|| self.0.group_ids()).into_pyarray(py).unbind()
    }

    /// Sums of the first four powers, by class and then by number and difference, as `shares`.
    fn powers(&self) -> Vec<Vec<Vec<u8>>> {
        self.0.powers()
    }

    /// The rows of each class in each group: group, class and weight, and for each number its sums.
    fn group_cells(&self, py: Python<'_>) -> PyResult<Cells> {
        let found = py.detach(|| self.0.group_cells());
        let (numbers, cells) = (found.sums.len(), found.classes.len());
        let sums = Array2::from_shape_vec((numbers, cells), found.sums.concat())
            .map_err(|error| Error::Shape(error.to_string()))?;
        Ok((
            found.groups.into_pyarray(py).unbind(),
            found.classes.into_pyarray(py).unbind(),
            found.masses.into_pyarray(py).unbind(),
            sums.into_pyarray(py).unbind(),
        ))
    }

    /// By class: sums of the weights of each replicate, and of these times each number.
    fn replicate_sums(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        py.detach(|| self.0.replicate_sums()).into_pyarray(py).unbind()
    }
}
