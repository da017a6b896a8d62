//! Bindings of closed-form errors.

use std::sync::Arc;

use numpy::ndarray::{ArrayView2, Axis};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use super::arguments::with_any_scores;
use super::bootstrap::{Statistic, groups_of};
use super::{Codes, RowWeights, row_weights};
use crate::data::classes::Classes;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::units::Groups;
use crate::data::weights::Weights;
use crate::error::{Error, Result};
use crate::influence::{self as delong, Influence};
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::measures::measure as statistic;
use crate::order::wanted;

/// Scores that are done with before anyone could interrupt: some 20 milliseconds of work at most, less than
/// would pay for a thread to watch over it.
const SHORT: usize = 1 << 18;

/// Rows and how they are parted, apart from the scores.
struct Request<'a> {
    codes: &'a [u32],
    n_classes: usize,
    weights: Weights<'a>,
    groups: Option<Groups<'a>>,
    stratified: bool,
    n_threads: usize,
}

/// Work on a sample whatever its kind of scores.
trait Work: Sync {
    type Output: Send;
    /// Whether it takes time in proportion to the scores.
    const IS_LINEAR: bool;
    fn run<T: Score>(
        &self,
        sample: &Sample<'_, T>,
        request: &Request<'_>,
        watch: &Watch,
    ) -> Result<Self::Output>;
}

impl Request<'_> {
    fn run<T: Score, W: Work>(
        &self,
        py: Python<'_>,
        scores: ArrayView2<'_, T>,
        work: &W,
    ) -> PyResult<W::Output> {
        let (mut raised, watch) = (None, Watch::default());
        let result = py.detach(|| {
            let workers = || Workers::new(self.n_threads, scores.len());
            let body = || self.compute(scores, work, &workers(), &watch);
            if W::IS_LINEAR && scores.len() < SHORT {
                return body();
            }
            Workers::supervise(body, || {
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    watch.stop();
                    raised.get_or_insert(error);
                }
            })
        });
        raised.map_or_else(|| Ok(result?), Err)
    }

    fn compute<T: Score, W: Work>(
        &self,
        scores: ArrayView2<'_, T>,
        work: &W,
        workers: &Workers,
        watch: &Watch,
    ) -> Result<W::Output> {
        if scores.ncols() != self.n_classes && (scores.ncols(), self.n_classes) != (1, 2) {
            let (columns, classes) = (scores.ncols(), self.n_classes);
            return Err(Error::Shape(format!("{columns} score columns for {classes} classes")));
        }
        let classes = Classes::new(self.codes, self.n_classes, &self.weights, workers)?;
        let sample = match scores.ncols() {
            1 => Sample::single_column(scores.index_axis_move(Axis(1), 0), &classes, workers)?,
            _ => Sample::new(scores, &classes, workers)?,
        };
        work.run(&sample, self, watch)
    }
}

struct Values(Vec<Arc<dyn statistic::Statistic>>);

impl Work for Values {
    type Output = Influence;
    const IS_LINEAR: bool = true;
    fn run<T: Score>(
        &self,
        sample: &Sample<'_, T>,
        request: &Request<'_>,
        watch: &Watch,
    ) -> Result<Influence> {
        delong::influence(sample, request.groups.as_ref(), request.stratified, &self.0, watch)
    }
}

struct PairVariances(wanted::Wanted, bool);

impl Work for PairVariances {
    type Output = ndarray::Array2<f64>;
    const IS_LINEAR: bool = false;
    fn run<T: Score>(
        &self,
        sample: &Sample<'_, T>,
        request: &Request<'_>,
        watch: &Watch,
    ) -> Result<Self::Output> {
        let (groups, stratified) = (request.groups.as_ref(), request.stratified);
        delong::pair_variances(sample, groups, stratified, &self.0, self.1, watch)
    }
}

/// Influence values by place, where strata begin and end, and measures.
type Found<'py> = (Vec<Bound<'py, PyArray2<f64>>>, Vec<usize>, Vec<Option<f64>>);

/// Influence values of some statistics, by place: for each a row for each of its numbers; where strata
/// begin and end; and the measures themselves, where they came along.
#[pyfunction]
#[pyo3(signature = (
    scores, codes, n_classes, weights, groups, n_groups, statistics, stratified, n_threads,
))]
#[expect(clippy::too_many_arguments, reason = "one argument each of the Python signature")]
pub fn influence<'py>(
    py: Python<'py>,
    scores: &Bound<'py, PyAny>,
    codes: Codes<'py>,
    n_classes: usize,
    weights: Option<RowWeights<'py>>,
    groups: Option<Codes<'py>>,
    n_groups: usize,
    statistics: Vec<PyRef<'py, Statistic>>,
    stratified: bool,
    n_threads: usize,
) -> PyResult<Found<'py>> {
    let groups = groups_of(groups.as_ref(), n_groups)?;
    let weights = row_weights(weights.as_ref())?;
    let codes = codes.as_slice()?;
    let request = Request { codes, n_classes, weights, groups, stratified, n_threads };
    let work = Values(statistics.iter().map(|statistic| Arc::clone(&statistic.0)).collect());
    let found = with_any_scores!(scores, view => request.run(py, view, &work))?;
    let values = found.values.into_iter().map(|values| values.into_pyarray(py)).collect();
    Ok((values, found.bounds, found.estimates))
}

/// The variance of the AUC of every pair of classes that a statistic of pairs has.
#[pyfunction]
#[pyo3(signature = (
    scores, codes, n_classes, weights, groups, n_groups, statistic, stratified, n_threads,
))]
#[expect(clippy::too_many_arguments, reason = "one argument each of the Python signature")]
pub fn pair_variances<'py>(
    py: Python<'py>,
    scores: &Bound<'py, PyAny>,
    codes: Codes<'py>,
    n_classes: usize,
    weights: Option<RowWeights<'py>>,
    groups: Option<Codes<'py>>,
    n_groups: usize,
    statistic: PyRef<'py, Statistic>,
    stratified: bool,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let groups = groups_of(groups.as_ref(), n_groups)?;
    let Some(symmetric) = statistic.0.symmetric_pairs() else {
        return Err(Error::Domain("a statistic of pairs of classes is wanted".into()).into());
    };
    let weights = row_weights(weights.as_ref())?;
    let codes = codes.as_slice()?;
    let request = Request { codes, n_classes, weights, groups, stratified, n_threads };
    let work = PairVariances(statistic.0.wanted(), symmetric);
    let found = with_any_scores!(scores, view => request.run(py, view, &work))?;
    Ok(found.into_pyarray(py))
}
