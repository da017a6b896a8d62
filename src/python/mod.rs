//! The bindings: extract, borrow, detach, compute, hand back. No arithmetic and no defaults here.

mod arguments;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::classes::Classes;
use crate::curves::partial;
use crate::error::Error;
use crate::measures::pairs::{PairWeights, Pairs};
use crate::measures::{auc as binary, auc_mu as mu, hand_till as ht, one_vs_rest as ovr, polar_area as polar};
use crate::projection::Partition;
use crate::sample::Sample;
use crate::weights::Weights;
use crate::workers::Workers;
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

fn partition_of<'a>(costs: Option<&'a Matrix<'_>>) -> Partition<'a> {
    costs.map_or(Partition::Argmax, |costs| Partition::Costs(costs.as_array()))
}

fn pair_weights_of<'a>(given: Option<&'a Matrix<'_>>, prevalence: bool) -> PairWeights<'a> {
    match given {
        Some(given) => PairWeights::Given(given.as_array()),
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
        let workers = Workers::new(n_threads, 2 * y.len());
        let (codes, labels) = py.detach(|| crate::labels::encode(y, &workers));
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
    let (weights, codes) = (row_weights(weights.as_ref())?, codes.as_slice()?);
    with_scores!(scores, scores => {
        let values = py.detach(|| {
            let classes = Classes::new(codes, n_classes, &weights)?;
            ovr::one_vs_rest(&Sample::new(scores, &classes, &weights)?, n_threads)
        })?;
        Ok(values.into_pyarray(py))
    })
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
    let (weights, codes) = (row_weights(weights.as_ref())?, codes.as_slice()?);
    with_scores!(scores, scores => Ok(py.detach(|| {
        let classes = Classes::new(codes, n_classes, &weights)?;
        ovr::micro(&Sample::new(scores, &classes, &weights)?, n_threads)
    })?))
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
    let (weights, codes) = (row_weights(weights.as_ref())?, codes.as_slice()?);
    with_scores!(scores, scores => {
        let pairs = py.detach(|| {
            let classes = Classes::new(codes, n_classes, &weights)?;
            ht::conditional(&Sample::new(scores, &classes, &weights)?, n_threads)
        })?;
        Ok(pair_arrays(py, pairs))
    })
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
    let (weights, codes) = (row_weights(weights.as_ref())?, codes.as_slice()?);
    let partition = partition_of(partition.as_ref());
    with_scores!(scores, scores => {
        let pairs = py.detach(|| {
            let classes = Classes::new(codes, n_classes, &weights)?;
            let sample = Sample::new(scores, &classes, &weights)?;
            mu::separation(&sample, &partition, unit_roundoff, n_threads)
        })?;
        Ok(pair_arrays(py, pairs))
    })
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
    let (weights, codes) = (row_weights(weights.as_ref())?, codes.as_slice()?);
    let pair_weights = pair_weights_of(pair_weights.as_ref(), prevalence);
    with_scores!(scores, scores => Ok(py.detach(|| {
        let classes = Classes::new(codes, n_classes, &weights)?;
        ht::hand_till(&Sample::new(scores, &classes, &weights)?, &pair_weights, n_threads)
    })?))
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
    let (weights, codes) = (row_weights(weights.as_ref())?, codes.as_slice()?);
    let partition = partition_of(partition.as_ref());
    let pair_weights = pair_weights_of(pair_weights.as_ref(), prevalence);
    with_scores!(scores, scores => Ok(py.detach(|| {
        let classes = Classes::new(codes, n_classes, &weights)?;
        let sample = Sample::new(scores, &classes, &weights)?;
        mu::auc_mu(&sample, &partition, unit_roundoff, &pair_weights, n_threads)
    })?))
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
    use super::{
        auc, auc_below, auc_mu, conditional, encode, hand_till, micro, one_vs_rest, polar_area,
        polar_maximum, separation,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
