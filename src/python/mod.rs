//! The bindings: extract, borrow, detach, compute, hand back. No arithmetic and no defaults here.

mod arguments;
mod bootstrap;
mod influence;
mod resample;

use numpy::ndarray::ArrayView2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::curves::partial;
use crate::data::classes::Classes;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::weights::Weights;
use crate::error::{Error, Result};
use crate::machine::workers::Workers;
use crate::measures::pairs::{PairWeights, Pairs};
use crate::measures::{
    auc as binary, auc_mu as mu, hand_till as ht, one_vs_rest as ovr, polar_area as polar,
};
use crate::project::projection::Partition;
use arguments::{with_labels, with_scores, with_single_scores};

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        PyValueError::new_err(error.to_string())
    }
}

type Codes<'py> = PyReadonlyArray1<'py, u32>;
type Matrix<'py> = PyReadonlyArray2<'py, f64>;
type RowWeights<'py> = PyReadonlyArray1<'py, f64>;
type PairArrays<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>);

fn row_weights<'a>(weights: Option<&'a RowWeights<'_>>) -> PyResult<Weights<'a>> {
    let slice = weights.map(|weights| weights.as_slice()).transpose()?;
    Ok(Weights::new(slice)?)
}

/// The rows of a call, apart from their scores.
struct Rows<'a> {
    codes: &'a [u32],
    n_classes: usize,
    weights: Weights<'a>,
    n_threads: usize,
}

impl<'a> Rows<'a> {
    fn new(
        codes: &'a Codes<'_>,
        n_classes: usize,
        weights: Option<&'a RowWeights<'_>>,
        n_threads: usize,
    ) -> PyResult<Self> {
        Ok(Self { codes: codes.as_slice()?, n_classes, weights: row_weights(weights)?, n_threads })
    }

    /// Computes a measure with the interpreter left to others.
    fn measure<T: Score, R: Send>(
        &self,
        py: Python<'_>,
        scores: ArrayView2<'_, T>,
        measure: impl Fn(&Sample<'_, T>) -> Result<R> + Send + Sync,
    ) -> PyResult<R> {
        let value = py.detach(|| {
            // Before anything is made for each class.
            if scores.ncols() != self.n_classes {
                let (columns, classes) = (scores.ncols(), self.n_classes);
                return Err(Error::Shape(format!("{columns} score columns for {classes} classes")));
            }
            let workers = Workers::new(self.n_threads, scores.len());
            let classes = Classes::new(self.codes, self.n_classes, &self.weights, &workers)?;
            measure(&Sample::new(scores, &classes, &workers)?)
        })?;
        Ok(value)
    }
}

fn partition_of<'a>(costs: Option<&'a Matrix<'_>>) -> Partition<'a> {
    costs.map_or(Partition::Argmax, |costs| Partition::Costs(costs.as_array()))
}

fn pair_weights_of<'a>(given: Option<&'a Matrix<'_>>, prevalence: bool) -> PairWeights<'a> {
    match given {
        Some(given) => PairWeights::Given(given.as_array().into()),
        None if prevalence => PairWeights::Prevalence,
        None => PairWeights::Uniform,
    }
}

fn pair_arrays<'py>(py: Python<'py>, pairs: Pairs) -> PairArrays<'py> {
    (pairs.auc.into_pyarray(py), pairs.tied.into_pyarray(py))
}

/// Class codes and sorted distinct labels of integer labels.
#[pyfunction]
#[pyo3(signature = (y, n_threads))]
fn encode<'py>(
    py: Python<'py>,
    y: &Bound<'py, PyAny>,
    n_threads: usize,
) -> PyResult<(Bound<'py, PyArray1<u32>>, Bound<'py, PyAny>)> {
    with_labels!(y, y => {
        let workers = Workers::new(n_threads, y.len() / 8);
        let (codes, labels) = py.detach(|| crate::data::labels::encode(y, &workers));
        Ok((codes.into_pyarray(py), labels.into_pyarray(py).into_any()))
    })
}

/// The AUC of class 1 against class 0.
#[pyfunction]
#[pyo3(signature = (scores, codes, weights, n_threads))]
fn auc(
    py: Python<'_>,
    scores: &Bound<'_, PyAny>,
    codes: Codes<'_>,
    weights: Option<RowWeights<'_>>,
    n_threads: usize,
) -> PyResult<f64> {
    let (weights, codes) = (row_weights(weights.as_ref())?, codes.as_slice()?);
    with_single_scores!(scores, scores => py.detach(|| binary::auc(scores, codes, &weights, n_threads)))
}

/// McClish's standardised partial AUC over false positive rates up to `max_fpr`.
#[pyfunction]
#[pyo3(signature = (scores, codes, weights, max_fpr))]
fn auc_below(
    py: Python<'_>,
    scores: &Bound<'_, PyAny>,
    codes: Codes<'_>,
    weights: Option<RowWeights<'_>>,
    max_fpr: f64,
) -> PyResult<f64> {
    let (weights, codes) = (row_weights(weights.as_ref())?, codes.as_slice()?);
    with_single_scores!(scores, scores => py.detach(|| partial::auc_below(scores, codes, &weights, max_fpr)))
}

/// The AUC of each class against the rest.
#[pyfunction]
#[pyo3(signature = (scores, codes, n_classes, weights, n_threads))]
fn one_vs_rest<'py>(
    py: Python<'py>,
    scores: &Bound<'py, PyAny>,
    codes: Codes<'py>,
    n_classes: usize,
    weights: Option<RowWeights<'py>>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let rows = Rows::new(&codes, n_classes, weights.as_ref(), n_threads)?;
    let values = with_scores!(scores, scores => rows.measure(py, scores, ovr::one_vs_rest))?;
    Ok(values.into_pyarray(py))
}

/// The AUC of all scores together, positive where the column is the row's class.
#[pyfunction]
#[pyo3(signature = (scores, codes, n_classes, weights, n_threads))]
fn micro(
    py: Python<'_>,
    scores: &Bound<'_, PyAny>,
    codes: Codes<'_>,
    n_classes: usize,
    weights: Option<RowWeights<'_>>,
    n_threads: usize,
) -> PyResult<f64> {
    let rows = Rows::new(&codes, n_classes, weights.as_ref(), n_threads)?;
    with_scores!(scores, scores => rows.measure(py, scores, ovr::micro))
}

/// A(i|j) and the tied shares of all pairs of classes.
#[pyfunction]
#[pyo3(signature = (scores, codes, n_classes, weights, n_threads))]
fn conditional<'py>(
    py: Python<'py>,
    scores: &Bound<'py, PyAny>,
    codes: Codes<'py>,
    n_classes: usize,
    weights: Option<RowWeights<'py>>,
    n_threads: usize,
) -> PyResult<PairArrays<'py>> {
    let rows = Rows::new(&codes, n_classes, weights.as_ref(), n_threads)?;
    let pairs = with_scores!(scores, scores => rows.measure(py, scores, ht::conditional))?;
    Ok(pair_arrays(py, pairs))
}

/// S(i,j) of AUC-mu and the tied shares of all pairs of classes.
#[pyfunction]
#[pyo3(signature = (scores, codes, n_classes, weights, partition, unit_roundoff, n_threads))]
#[expect(clippy::too_many_arguments, reason = "one argument each of the Python signature")]
fn separation<'py>(
    py: Python<'py>,
    scores: &Bound<'py, PyAny>,
    codes: Codes<'py>,
    n_classes: usize,
    weights: Option<RowWeights<'py>>,
    partition: Option<Matrix<'py>>,
    unit_roundoff: f64,
    n_threads: usize,
) -> PyResult<PairArrays<'py>> {
    let rows = Rows::new(&codes, n_classes, weights.as_ref(), n_threads)?;
    let partition = partition_of(partition.as_ref());
    let pairs = with_scores!(scores, scores => {
        rows.measure(py, scores, |s| mu::separation(s, &partition, unit_roundoff))
    })?;
    Ok(pair_arrays(py, pairs))
}

/// Hand & Till's M, or another average of A(i,j).
#[pyfunction]
#[pyo3(signature = (scores, codes, n_classes, weights, pair_weights, prevalence, n_threads))]
#[expect(clippy::too_many_arguments, reason = "one argument each of the Python signature")]
fn hand_till(
    py: Python<'_>,
    scores: &Bound<'_, PyAny>,
    codes: Codes<'_>,
    n_classes: usize,
    weights: Option<RowWeights<'_>>,
    pair_weights: Option<Matrix<'_>>,
    prevalence: bool,
    n_threads: usize,
) -> PyResult<f64> {
    let rows = Rows::new(&codes, n_classes, weights.as_ref(), n_threads)?;
    let pair_weights = pair_weights_of(pair_weights.as_ref(), prevalence);
    with_scores!(scores, scores => rows.measure(py, scores, |s| ht::hand_till(s, &pair_weights)))
}

/// AUC-mu, or another average of S(i,j).
#[pyfunction]
#[pyo3(signature = (scores, codes, n_classes, weights, partition, unit_roundoff, pair_weights, prevalence, n_threads))]
#[expect(clippy::too_many_arguments, reason = "one argument each of the Python signature")]
fn auc_mu(
    py: Python<'_>,
    scores: &Bound<'_, PyAny>,
    codes: Codes<'_>,
    n_classes: usize,
    weights: Option<RowWeights<'_>>,
    partition: Option<Matrix<'_>>,
    unit_roundoff: f64,
    pair_weights: Option<Matrix<'_>>,
    prevalence: bool,
    n_threads: usize,
) -> PyResult<f64> {
    let rows = Rows::new(&codes, n_classes, weights.as_ref(), n_threads)?;
    let partition = partition_of(partition.as_ref());
    let pair_weights = pair_weights_of(pair_weights.as_ref(), prevalence);
    with_scores!(scores, scores => {
        rows.measure(py, scores, |s| mu::auc_mu(s, &partition, unit_roundoff, &pair_weights))
    })
}

/// The area of pairwise AUCs on a polar plot.
#[pyfunction]
#[pyo3(signature = (radii, maximise))]
fn polar_area(radii: PyReadonlyArray1<'_, f64>, maximise: bool) -> PyResult<f64> {
    Ok(polar::polar_area(radii.as_slice()?, maximise)?)
}

/// The polar area of q perfect AUCs.
#[pyfunction]
#[pyo3(signature = (q))]
fn polar_maximum(q: usize) -> PyResult<f64> {
    Ok(polar::polar_maximum(q)?)
}

#[pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::bootstrap::{Scheme, Statistic, bootstrap};
    #[pymodule_export]
    use super::influence::{influence, pair_variances};
    #[pymodule_export]
    use super::resample::{resample, resample_portions};

    #[pymodule_export]
    use super::{
        auc, auc_below, auc_mu, conditional, encode, hand_till, micro, one_vs_rest, polar_area,
        polar_maximum, separation,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
