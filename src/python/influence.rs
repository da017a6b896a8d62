//! Bindings of closed-form errors.

use numpy::ndarray::ArrayView2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arguments::with_any_scores;
use super::measure::Measure;
use super::rows::{Labelled, Rows, sample_of};
use super::supervised::supervised;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::error::Result;
use crate::influence as core;
use crate::influence::known::How;
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::measures::measure::Shared;

/// Scores that are done with before anyone could interrupt: some 20 milliseconds of work at most, less than
/// would pay for a thread to watch over it.
const SHORT: usize = 1 << 18;

/// Work on a sample whatever its kind of scores.
trait Work: Sync {
    type Output: Send;
    /// Whether it takes time in proportion to the scores.
    fn is_linear(&self) -> bool;
    /// How many scores it is as much work as, given how many there are.
    fn size(&self, scores: usize) -> usize {
        scores
    }
    fn run<T: Score>(
        &self,
        sample: &Sample<'_, T>,
        rows: &Labelled<'_>,
        watch: &Watch,
    ) -> Result<Self::Output>;
}

fn run<T: Score, W: Work>(
    py: Python<'_>,
    scores: ArrayView2<'_, T>,
    rows: &Labelled<'_>,
    n_threads: usize,
    work: &W,
) -> PyResult<W::Output> {
    supervised(py, work.is_linear() && scores.len() < SHORT, None, |watch| {
        rows.check(&scores)?;
        let workers = Workers::new(n_threads, work.size(scores.len()));
        let classes = rows.classes(&workers)?;
        work.run(&sample_of(scores, &classes, &workers)?, rows, watch)
    })
}

struct Values {
    measures: Vec<Shared>,
    stratified: bool,
    widened: bool,
}

impl Work for Values {
    type Output = core::Influence;
    fn is_linear(&self) -> bool {
        !self.measures.iter().any(|measure| measure.is_of_rows())
    }
    fn size(&self, scores: usize) -> usize {
        if self.is_linear() { scores } else { usize::MAX }
    }
    fn run<T: Score>(
        &self,
        sample: &Sample<'_, T>,
        rows: &Labelled<'_>,
        watch: &Watch,
    ) -> Result<Self::Output> {
        let how = (self.stratified, self.widened);
        core::influence(sample, rows.groups.as_ref(), how, &self.measures, watch)
    }
}

struct PairVariances {
    measure: Shared,
    stratified: bool,
}

impl Work for PairVariances {
    type Output = ndarray::Array2<f64>;
    fn is_linear(&self) -> bool {
        false
    }
    fn run<T: Score>(
        &self,
        sample: &Sample<'_, T>,
        rows: &Labelled<'_>,
        watch: &Watch,
    ) -> Result<Self::Output> {
        let (groups, measure) = (rows.groups.as_ref(), self.measure.as_ref());
        core::pair_variances(sample, groups, self.stratified, measure, watch)
    }
}

/// Influence values of some measures.
#[pyclass(frozen, get_all, module = "polyroc._core")]
pub struct Influence {
    /// For each measure a row for each of its values, a column for each unit; no rows where there is no
    /// closed form.
    values: Vec<Py<PyArray2<f64>>>,
    /// Where strata begin among the units, and the end of the last one.
    bounds: Vec<usize>,
    /// The values of each measure.
    estimates: Vec<Py<PyArray1<f64>>>,
}

/// Influence values of some measures, and the measures themselves. With `widened`, for labels, variances are
/// sums of their squares.
#[pyfunction]
#[pyo3(signature = (*, rows, measures, stratified, widened))]
pub fn influence(
    py: Python<'_>,
    rows: PyRef<'_, Rows>,
    measures: Vec<PyRef<'_, Measure>>,
    stratified: bool,
    widened: bool,
) -> PyResult<Influence> {
    let (held, n_threads) = (rows.hold(py)?, rows.n_threads);
    let labelled = held.read()?;
    let measures = measures.iter().map(|measure| Shared::clone(&measure.0)).collect();
    let work = Values { measures, stratified, widened };
    let found = with_any_scores!(rows.scores.bind(py), view => {
        run(py, view, &labelled, n_threads, &work)
    })?;
    let values = found.values.into_iter().map(|values| values.into_pyarray(py).unbind());
    let estimates = found.estimates.into_iter().map(|values| values.into_pyarray(py).unbind());
    let (values, estimates) = (values.collect(), estimates.collect());
    Ok(Influence { values, bounds: found.bounds, estimates })
}

/// The variance of the AUC of every pair of classes, for a measure of pairs.
#[pyfunction]
#[pyo3(signature = (*, rows, measure, stratified))]
pub fn pair_variances<'py>(
    py: Python<'py>,
    rows: PyRef<'py, Rows>,
    measure: PyRef<'py, Measure>,
    stratified: bool,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (held, n_threads) = (rows.hold(py)?, rows.n_threads);
    let labelled = held.read()?;
    let work = PairVariances { measure: Shared::clone(&measure.0), stratified };
    let found = with_any_scores!(rows.scores.bind(py), view => {
        run(py, view, &labelled, n_threads, &work)
    })?;
    Ok(found.into_pyarray(py))
}

/// Values by class, where classes begin and the last one ends, and what lies between classes.
type ByClass<'py> = (Bound<'py, PyArray2<f64>>, Vec<usize>, Bound<'py, PyArray2<f64>>);

/// Influence values of units in any order, put in the order of their classes and centred there; and the mean of each
/// class that has units, times the root of their number.
#[pyfunction]
#[pyo3(signature = (values, classes, n_classes))]
pub fn by_class<'py>(
    py: Python<'py>,
    values: PyReadonlyArray2<'_, f64>,
    classes: PyReadonlyArray1<'_, u32>,
    n_classes: usize,
) -> PyResult<ByClass<'py>> {
    let (values, classes) = (values.as_array(), classes.as_slice()?);
    check_classes(values, classes, n_classes)?;
    let found = py.detach(|| core::class_order::by_class(values, classes, n_classes));
    Ok((found.values.into_pyarray(py), found.bounds, found.between.into_pyarray(py)))
}

/// A covariance matrix, row by row; variances; the doubt in each, and the same without the kurtosis.
type Known = (Vec<Vec<f64>>, Vec<f64>, Vec<f64>, Vec<f64>);

/// The variances of numbers whose influence values stand in a row each, classes one after the other.
#[pyfunction]
#[pyo3(signature = (values, bounds, *, fewest, covariance, widened, n_threads))]
pub fn known(
    py: Python<'_>,
    values: PyReadonlyArray2<'_, f64>,
    bounds: Vec<usize>,
    fewest: usize,
    covariance: bool,
    widened: bool,
    n_threads: usize,
) -> PyResult<Known> {
    let values = values.as_array();
    if !bounds.is_sorted() || bounds.last().is_some_and(|&last| last > values.ncols()) {
        return Err(PyValueError::new_err("bounds must ascend within the values"));
    }
    if values.strides()[1] != 1 && values.ncols() > 1 {
        return Err(PyValueError::new_err("values must be contiguous in each row"));
    }
    let how = How { fewest, widened };
    let found = py.detach(|| {
        let workers = Workers::new(n_threads, values.len());
        core::known::known(values, &bounds, &[], covariance, how, &workers)
    });
    Ok((found.covariance, found.variances, found.doubt, found.plain_doubt))
}

/// The variances of numbers whose units stand in any order, of classes whose sizes vary; the doubt in each, and the
/// same without the kurtosis. `weights` are those of the units, where they differ.
#[pyfunction]
#[pyo3(signature = (values, classes, weights, n_classes, *, fewest, n_threads))]
pub fn known_by_class(
    py: Python<'_>,
    values: PyReadonlyArray2<'_, f64>,
    classes: PyReadonlyArray1<'_, u32>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    n_classes: usize,
    fewest: usize,
    n_threads: usize,
) -> PyResult<(Vec<f64>, Vec<f64>, Vec<f64>)> {
    let (values, classes) = (values.as_array(), classes.as_slice()?);
    check_classes(values, classes, n_classes)?;
    let weights = weights.as_ref().map(PyReadonlyArray1::as_slice).transpose()?;
    if weights.is_some_and(|weights| weights.len() != classes.len()) {
        return Err(PyValueError::new_err("each unit must have one weight"));
    }
    let how = How { fewest, widened: false };
    let found = py.detach(|| {
        let workers = Workers::new(n_threads, values.len());
        core::known::known_by_class(values, (classes, weights), n_classes, how, &workers)
    });
    Ok((found.variances, found.doubt, found.plain_doubt))
}

fn check_classes(values: ArrayView2<'_, f64>, classes: &[u32], count: usize) -> PyResult<()> {
    if classes.len() != values.ncols() || classes.iter().any(|&class| class as usize >= count) {
        return Err(PyValueError::new_err("each unit must have one of the classes"));
    }
    Ok(())
}
