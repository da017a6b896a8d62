//! Bindings of measures, and of their values on a sample.

use std::collections::BTreeMap;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

use super::arguments::with_any_scores;
use super::rows::{Rows, sample_of};
use super::supervised::{SHORT, supervised};
use crate::count::pairs::{self, conditional as count_conditional};
use crate::machine::workers::Workers;
use crate::measures::measure::Shared;
use crate::measures::options::Setting;
use crate::measures::{hum, polar_area, registry, value as core};
use crate::project::projection::Partition;
use crate::project::separation::separation as count_separation;

/// A measure with its options.
#[pyclass(frozen, module = "polyroc._core")]
pub struct Measure(pub(super) Shared);

#[pymethods]
impl Measure {
    /// The measure that the core knows by a name.
    #[new]
    #[pyo3(signature = (name, **options))]
    fn new(name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut given = BTreeMap::new();
        for (name, value) in options.into_iter().flatten() {
            given.insert(name.extract::<String>()?, setting(&value)?);
        }
        Ok(Self(registry::measure(name, given)?))
    }
}

fn setting(value: &Bound<'_, PyAny>) -> PyResult<Setting> {
    if value.is_none() {
        return Ok(Setting::Nothing);
    }
    // True is an int too.
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Setting::Flag(flag.is_true()));
    }
    if value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyInt>() {
        return Ok(Setting::Number(value.extract()?));
    }
    if let Ok(word) = value.cast::<PyString>() {
        return Ok(Setting::Word(word.to_string()));
    }
    if let Ok(matrix) = value.cast::<PyArray2<f64>>() {
        return Ok(Setting::Matrix(matrix.try_readonly()?.as_array().to_owned()));
    }
    if let Ok(measure) = value.cast::<Measure>() {
        return Ok(Setting::Measure(Shared::clone(&measure.get().0)));
    }
    let kind = value.get_type();
    Err(PyTypeError::new_err(format!("an option of type {kind} cannot be read")))
}

/// The only value of a measure on the rows themselves, or the first one.
#[pyfunction]
#[pyo3(signature = (*, rows, measure))]
pub fn value(py: Python<'_>, rows: PyRef<'_, Rows>, measure: PyRef<'_, Measure>) -> PyResult<f64> {
    Ok(values_of(py, &rows, &measure)?[0])
}

/// All values of a measure on the rows themselves.
#[pyfunction]
#[pyo3(signature = (*, rows, measure))]
pub fn values<'py>(
    py: Python<'py>,
    rows: PyRef<'py, Rows>,
    measure: PyRef<'py, Measure>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    Ok(values_of(py, &rows, &measure)?.into_pyarray(py))
}

fn values_of(py: Python<'_>, rows: &Rows, measure: &Measure) -> PyResult<Vec<f64>> {
    let (held, n_threads) = (rows.hold(py)?, rows.n_threads);
    let (labelled, measure) = (held.read()?, &measure.0);
    with_any_scores!(rows.scores.bind(py), view => {
        // Counting is over before anyone could interrupt it; sorting all columns is not.
        let counts = measure.steps().is_none() && !measure.is_of_rows();
        supervised(py, counts || view.len() < SHORT && !measure.is_of_rows(), None, |watch| {
            labelled.check(&view)?;
            let work = if measure.is_of_rows() { usize::MAX } else { view.len() };
            let workers = Workers::new(n_threads, work);
            let classes = labelled.classes(&workers)?;
            let sample = sample_of(view, &classes, &workers)?;
            core::value(&sample, measure.as_ref(), watch)
        })
    })
}

/// What tuples of rows, one of each class with rows and in order of classes, count in HUM: 1, 1 / m where m assignments
/// share the greatest total score, or 0.
#[pyfunction]
#[pyo3(signature = (*, rows, tuples, unit_roundoff))]
pub fn tuple_shares<'py>(
    py: Python<'py>,
    rows: PyRef<'py, Rows>,
    tuples: PyReadonlyArray2<'py, u32>,
    unit_roundoff: f64,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (held, n_threads) = (rows.hold(py)?, rows.n_threads);
    let (labelled, tuples) = (held.read()?, tuples.as_slice()?);
    let found = with_any_scores!(rows.scores.bind(py), view => {
        supervised(py, tuples.len() < SHORT, None, |watch| {
            labelled.check(&view)?;
            let workers = Workers::new(n_threads, tuples.len());
            let classes = labelled.classes(&workers)?;
            hum::shares(&sample_of(view, &classes, &workers)?, tuples, unit_roundoff, watch)
        })
    })?;
    Ok(found.into_pyarray(py))
}

/// The AUC of every pair of classes, and the share of pairs of rows that tie.
#[pyclass(frozen, get_all, module = "polyroc._core")]
pub struct Pairs {
    /// The AUCs, K x K.
    auc: Py<PyArray2<f64>>,
    /// The shares, K x K.
    tied: Py<PyArray2<f64>>,
}

impl Pairs {
    fn new(py: Python<'_>, found: pairs::Pairs) -> Self {
        let (auc, tied) = (found.auc.into_pyarray(py), found.tied.into_pyarray(py));
        Self { auc: auc.unbind(), tied: tied.unbind() }
    }
}

/// A(i|j) of all pairs of classes.
#[pyfunction]
#[pyo3(signature = (*, rows))]
pub fn conditional(py: Python<'_>, rows: PyRef<'_, Rows>) -> PyResult<Pairs> {
    let (held, n_threads) = (rows.hold(py)?, rows.n_threads);
    let labelled = held.read()?;
    let found = with_any_scores!(rows.scores.bind(py), view => Ok(py.detach(|| {
        labelled.check(&view)?;
        let workers = Workers::new(n_threads, view.len());
        let classes = labelled.classes(&workers)?;
        count_conditional(&sample_of(view, &classes, &workers)?)
    })?))?;
    Ok(Pairs::new(py, found))
}

/// S(i,j) of AUC-mu for all pairs of classes.
#[pyfunction]
#[pyo3(signature = (*, rows, partition, unit_roundoff))]
pub fn separation(
    py: Python<'_>,
    rows: PyRef<'_, Rows>,
    partition: Option<PyReadonlyArray2<'_, f64>>,
    unit_roundoff: f64,
) -> PyResult<Pairs> {
    let (held, n_threads) = (rows.hold(py)?, rows.n_threads);
    let labelled = held.read()?;
    let partition = Partition::new(partition.as_ref().map(|costs| costs.as_array()));
    let found = with_any_scores!(rows.scores.bind(py), view => Ok(py.detach(|| {
        labelled.check(&view)?;
        let workers = Workers::new(n_threads, view.len());
        let classes = labelled.classes(&workers)?;
        count_separation(&sample_of(view, &classes, &workers)?, &partition, unit_roundoff)
    })?))?;
    Ok(Pairs::new(py, found))
}

/// The polar area of q perfect AUCs.
#[pyfunction]
#[pyo3(signature = (*, q))]
pub fn polar_maximum(q: usize) -> PyResult<f64> {
    Ok(polar_area::polar_maximum(q)?)
}
