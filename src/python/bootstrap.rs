//! Bindings of the bootstrap.

use std::sync::Arc;

use numpy::ndarray::{Array2, ArrayView2, Axis, s};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use super::arguments::with_any_scores;
use super::{Codes, Matrix, RowWeights, pair_weights_of, row_weights};
use crate::bootstrap::{Replicates, Resampled, Run, bootstrap as run_bootstrap};
use crate::data::classes::Classes;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::units::Groups;
use crate::data::weights::Weights;
use crate::error::{Error, Result};
use crate::influence::sorted::Moments;
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::measures::measure as statistic;
use crate::measures::pairs::{AllPairs, PairWeights};
use crate::measures::{auc, auc_mu, hand_till, one_vs_rest, polar_area};
use crate::order::wanted;

/// How weights are drawn.
#[pyclass(frozen, eq, eq_int, module = "polyroc._core")]
#[derive(Clone, Copy, PartialEq)]
pub enum Scheme {
    /// Efron's bootstrap.
    Multinomial,
    /// Independent Poisson weights.
    Poisson,
    /// Rubin's Bayesian bootstrap.
    Bayesian,
    /// Rows of two models exchanged, the first model's half.
    Exchange,
    /// The second model's half.
    Complement,
}

impl From<Scheme> for crate::data::units::Scheme {
    fn from(scheme: Scheme) -> Self {
        match scheme {
            Scheme::Multinomial => Self::Multinomial,
            Scheme::Poisson => Self::Poisson,
            Scheme::Bayesian => Self::Bayesian,
            Scheme::Exchange => Self::Exchange,
            Scheme::Complement => Self::Complement,
        }
    }
}

/// A measure as the bootstrap sees it.
#[pyclass(frozen, module = "polyroc._core")]
pub struct Statistic(pub(super) Arc<dyn statistic::Statistic>);

fn owned(given: Option<&Matrix<'_>>, prevalence: bool) -> Arc<PairWeights<'static>> {
    Arc::new(match pair_weights_of(given, prevalence) {
        PairWeights::Given(weights) => PairWeights::Given(weights.into_owned().into()),
        PairWeights::Uniform => PairWeights::Uniform,
        PairWeights::Prevalence => PairWeights::Prevalence,
    })
}

#[pymethods]
impl Statistic {
    /// The AUC of class 1 against class 0, or up to a false positive rate.
    #[staticmethod]
    #[pyo3(signature = (max_fpr))]
    fn auc(max_fpr: Option<f64>) -> Self {
        let extra = max_fpr.map_or(statistic::Extra::Nothing, statistic::Extra::AreaBelow);
        Self(Arc::new(auc::Auc { extra }))
    }

    /// The AUC of class 1 against class 0 and its standard error.
    #[staticmethod]
    #[pyo3(signature = ())]
    fn auc_and_error() -> Self {
        Self(Arc::new(auc::Auc { extra: statistic::Extra::Error }))
    }

    /// Hand & Till's M.
    #[staticmethod]
    #[pyo3(signature = (pair_weights, prevalence))]
    fn hand_till(pair_weights: Option<Matrix<'_>>, prevalence: bool) -> Self {
        let pair_weights = owned(pair_weights.as_ref(), prevalence);
        Self(Arc::new(hand_till::HandTill { pair_weights }))
    }

    /// AUC-mu.
    #[staticmethod]
    #[pyo3(signature = (partition, unit_roundoff, pair_weights, prevalence))]
    fn auc_mu(
        partition: Option<Matrix<'_>>,
        unit_roundoff: f64,
        pair_weights: Option<Matrix<'_>>,
        prevalence: bool,
    ) -> Self {
        let partition = partition.map(|costs| costs.as_array().to_owned());
        let pair_weights = owned(pair_weights.as_ref(), prevalence);
        Self(Arc::new(auc_mu::AucMu { partition, unit_roundoff, pair_weights }))
    }

    /// The mean over classes of each against the rest.
    #[staticmethod]
    #[pyo3(signature = (n_classes, prevalence))]
    fn one_vs_rest(n_classes: usize, prevalence: bool) -> Self {
        let average =
            if prevalence { one_vs_rest::Average::Prevalence } else { one_vs_rest::Average::Macro };
        Self(Arc::new(one_vs_rest::OneVsRest { classes: n_classes, average }))
    }

    /// Each class against the rest.
    #[staticmethod]
    #[pyo3(signature = (n_classes))]
    fn each_vs_rest(n_classes: usize) -> Self {
        let average = one_vs_rest::Average::None;
        Self(Arc::new(one_vs_rest::OneVsRest { classes: n_classes, average }))
    }

    /// All scores together.
    #[staticmethod]
    #[pyo3(signature = ())]
    fn micro() -> Self {
        Self(Arc::new(one_vs_rest::Micro))
    }

    /// The area of pairwise AUCs on a polar plot with rays of the pairs (i, j).
    #[staticmethod]
    #[pyo3(signature = (n_classes, i, j, maximise, normalise))]
    fn polar_area(
        n_classes: usize,
        i: PyReadonlyArray1<'_, i64>,
        j: PyReadonlyArray1<'_, i64>,
        maximise: bool,
        normalise: bool,
    ) -> PyResult<Self> {
        let (i, j) = (i.as_slice()?, j.as_slice()?);
        let rays = i.iter().zip(j).map(|(&i, &j)| (i as usize, j as usize)).collect();
        let area = polar_area::PolarArea::new(n_classes, rays, maximise, normalise)?;
        Ok(Self(Arc::new(area)))
    }

    /// All pairs of classes by the column of the first one; `symmetric`: both ways averaged.
    #[staticmethod]
    #[pyo3(signature = (n_classes, symmetric))]
    fn column_pairs(n_classes: usize, symmetric: bool) -> Self {
        let wanted = wanted::Wanted::Columns;
        Self(Arc::new(AllPairs { classes: n_classes, symmetric, wanted }))
    }

    /// All pairs of classes by projection.
    #[staticmethod]
    #[pyo3(signature = (n_classes, partition, unit_roundoff))]
    fn projected_pairs(
        n_classes: usize,
        partition: Option<Matrix<'_>>,
        unit_roundoff: f64,
    ) -> Self {
        let partition = partition.map(|costs| costs.as_array().to_owned());
        let wanted = wanted::Wanted::Pairs { partition, unit_roundoff };
        Self(Arc::new(AllPairs { classes: n_classes, symmetric: false, wanted }))
    }
}

/// Scores times replicates that are over before anyone could interrupt them: some 50 milliseconds. Starting a
/// thread to watch over them would take a noticeable part of that.
const SHORT: usize = 1 << 27;

/// The rows of a run and its options, apart from the scores.
struct Request<'a> {
    models: usize,
    codes: &'a [u32],
    n_classes: usize,
    weights: Weights<'a>,
    groups: Option<Groups<'a>>,
    statistics: Vec<Arc<dyn statistic::Statistic>>,
    scheme: Scheme,
    stratified: bool,
    seed: u64,
    replicates: std::ops::Range<u64>,
    redraw: bool,
    influence: bool,
    cells: bool,
    budget: usize,
    n_threads: usize,
}

impl Request<'_> {
    fn run<T: Score>(
        &self,
        py: Python<'_>,
        scores: ArrayView2<'_, T>,
        watcher: Option<&Py<PyAny>>,
    ) -> PyResult<Replicates> {
        let mut raised = None;
        let watch = Watch::default();
        let result = py.detach(|| {
            let work = scores.len().saturating_mul(self.replicates.clone().count());
            let body = || self.compute(scores, &Workers::new(self.n_threads, work), &watch);
            let counted = matches!(self.weights, Weights::Unit) && self.scheme != Scheme::Bayesian;
            if work < SHORT && counted && watcher.is_none() {
                return body();
            }
            Workers::supervise(body, || {
                // A signal, or what the watcher raises, ends the work; whoever asked hears of it.
                let looked = Python::attach(|py| {
                    py.check_signals()?;
                    watcher.map_or(Ok(()), |call| call.call1(py, (watch.done(),)).map(drop))
                });
                if let Err(error) = looked {
                    watch.stop();
                    raised.get_or_insert(error);
                }
            })
        });
        match (raised, result) {
            (Some(error), _) => Err(error),
            (None, Err(error @ Error::Memory { .. })) => {
                Err(PyMemoryError::new_err(error.to_string()))
            }
            (None, result) => Ok(result?),
        }
    }

    fn compute<T: Score>(
        &self,
        scores: ArrayView2<'_, T>,
        workers: &Workers,
        watch: &Watch,
    ) -> Result<Replicates> {
        if scores.ncols() != self.n_classes && (scores.ncols(), self.n_classes) != (1, 2) {
            let (columns, classes) = (scores.ncols(), self.n_classes);
            return Err(Error::Shape(format!("{columns} score columns for {classes} classes")));
        }
        let rows = self.codes.len();
        if scores.nrows() != self.models * rows || self.models == 0 {
            let (given, models) = (scores.nrows(), self.models);
            return Err(Error::Shape(format!("{given} score rows for {models} x {rows} labels")));
        }
        if self.models > 1 && (self.influence || !self.statistics.len().is_multiple_of(self.models))
        {
            return Err(Error::Shape(
                "several models have the same statistics, no influence".into(),
            ));
        }
        let classes = Classes::new(self.codes, self.n_classes, &self.weights, workers)?;
        let of_model = |model: usize| {
            let scores = scores.slice_move(s![model * rows..(model + 1) * rows, ..]);
            match scores.ncols() {
                1 => Sample::single_column(scores.index_axis_move(Axis(1), 0), &classes, workers),
                _ => Sample::new(scores, &classes, workers),
            }
        };
        let samples = (0..self.models).map(of_model).collect::<Result<Vec<_>>>()?;
        let run = Run {
            seed: self.seed,
            replicates: self.replicates.clone(),
            stratified: self.stratified,
            redraw: self.redraw,
            influence: self.influence,
            cells: self.cells,
            budget: self.budget,
            watch,
        };
        let scheme = self.scheme.into();
        run_bootstrap(&samples, self.groups.as_ref(), scheme, &self.statistics, &run)
    }
}

/// Groups of rows, where there are any.
pub(super) fn groups_of<'a>(
    codes: Option<&'a Codes<'_>>,
    count: usize,
) -> PyResult<Option<Groups<'a>>> {
    codes.map(|codes| Ok(Groups { codes: codes.as_slice()?, count })).transpose()
}

/// For each statistic, its values, a row a replicate; and for each of its values acceleration, variance,
/// inflation and degrees of freedom by influence values, NaN where they are not known.
type Values<'py> = Vec<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>)>;

/// Values, lost replicates, draws thrown away, measures of the sample, and what was drawn.
type Found<'py> = (Values<'py>, Bound<'py, PyArray1<bool>>, u64, Vec<Option<f64>>, &'static str);

/// Replicates of some statistics from the same weights, of one model or of several whose scores stand one
/// after the other, each with as many of the statistics; which of them lost a class; draws thrown away;
/// the statistics of the sample itself, where they came along; and what was drawn: "rows", "sorted rows" or "cells".
#[pyfunction]
#[pyo3(signature = (
    scores, models, codes, n_classes, weights, groups, n_groups, statistics, scheme, stratified, seed,
    first, last, redraw, influence, cells, budget, n_threads, watcher,
))]
#[expect(clippy::too_many_arguments, reason = "one argument each of the Python signature")]
pub fn bootstrap<'py>(
    py: Python<'py>,
    scores: &Bound<'py, PyAny>,
    models: usize,
    codes: Codes<'py>,
    n_classes: usize,
    weights: Option<RowWeights<'py>>,
    groups: Option<Codes<'py>>,
    n_groups: usize,
    statistics: Vec<PyRef<'py, Statistic>>,
    scheme: PyRef<'py, Scheme>,
    stratified: bool,
    seed: u64,
    first: u64,
    last: u64,
    redraw: bool,
    influence: bool,
    cells: bool,
    budget: usize,
    n_threads: usize,
    watcher: Option<Py<PyAny>>,
) -> PyResult<Found<'py>> {
    let groups = groups_of(groups.as_ref(), n_groups)?;
    let request = Request {
        models,
        codes: codes.as_slice()?,
        n_classes,
        weights: row_weights(weights.as_ref())?,
        groups,
        statistics: statistics.iter().map(|statistic| Arc::clone(&statistic.0)).collect(),
        scheme: *scheme,
        stratified,
        seed,
        replicates: first..last,
        redraw,
        influence,
        cells,
        budget,
        n_threads,
    };
    let result = with_any_scores!(scores, view => request.run(py, view, watcher.as_ref()))?;
    let mut moments = result.moments.into_iter();
    let values = result.values.into_iter().map(|values| {
        let moments = moments.next().unwrap_or_else(|| vec![None; values.ncols()]);
        let numbers: [fn(&Moments) -> f64; 4] = [
            Moments::acceleration,
            |moments| moments.variance,
            Moments::inflation,
            Moments::freedom,
        ];
        let known = Array2::from_shape_fn((moments.len(), numbers.len()), |(value, k)| {
            moments[value].as_ref().map_or(f64::NAN, numbers[k])
        });
        (values.into_pyarray(py), known.into_pyarray(py))
    });
    let path = match result.units {
        Resampled::Rows => "rows",
        Resampled::InOrder => "sorted rows",
        Resampled::Cells => "cells",
    };
    Ok((values.collect(), result.lost.into_pyarray(py), result.redrawn, result.observed, path))
}
