//! Bindings of the bootstrap.

use std::ops::Range;

use numpy::ndarray::{Array1, ArrayView2};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::arguments::{Models, hold_models};
use super::measure::Measure;
use super::rows::{Labelled, Rows, sample_of};
use super::supervised::supervised;
use crate::bootstrap::{self as core, Resampled, Run, bootstrap as run_bootstrap};
use crate::data::scores::Score;
use crate::data::units;
use crate::data::weights::Weights;
use crate::error::{Error, Result};
use crate::influence::sorted::Moments;
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::measures::measure::Shared;

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
    /// All units but one.
    LeaveOut,
}

impl From<Scheme> for units::Scheme {
    fn from(scheme: Scheme) -> Self {
        match scheme {
            Scheme::Multinomial => Self::Multinomial,
            Scheme::Poisson => Self::Poisson,
            Scheme::Bayesian => Self::Bayesian,
            Scheme::Exchange => Self::Exchange,
            Scheme::Complement => Self::Complement,
            Scheme::LeaveOut => Self::LeaveOut,
        }
    }
}

/// Scores times replicates that are over before anyone could interrupt them: some 50 milliseconds. Starting a
/// thread to watch over them would take a noticeable part of that.
const SHORT: usize = 1 << 27;

/// The options of a run.
struct Request {
    measures: Vec<Shared>,
    scheme: Scheme,
    stratified: bool,
    seed: u64,
    replicates: Range<u64>,
    redraw: bool,
    estimates: bool,
    influence: bool,
    cells: bool,
    budget: usize,
    grows: bool,
    held: usize,
    n_threads: usize,
}

impl Request {
    fn run<T: Score>(
        &self,
        py: Python<'_>,
        models: &[ArrayView2<'_, T>],
        rows: &Labelled<'_>,
        watcher: Option<&Py<PyAny>>,
    ) -> PyResult<core::Replicates> {
        let scores = models.iter().map(|scores| scores.len()).sum::<usize>();
        let work = scores.saturating_mul(self.replicates.clone().count());
        let counted = matches!(rows.weights, Weights::Unit) && self.scheme != Scheme::Bayesian;
        supervised(py, work < SHORT && counted, watcher, |watch| {
            self.compute(models, rows, &Workers::new(self.n_threads, work), watch)
        })
    }

    fn compute<T: Score>(
        &self,
        models: &[ArrayView2<'_, T>],
        rows: &Labelled<'_>,
        workers: &Workers,
        watch: &Watch,
    ) -> Result<core::Replicates> {
        models.iter().try_for_each(|scores| rows.check(scores))?;
        if models.len() > 1 && (self.influence || !self.measures.len().is_multiple_of(models.len()))
        {
            return Err(Error::Shape("several models have the same measures, no influence".into()));
        }
        let classes = rows.classes(workers)?;
        let samples = models.iter().map(|scores| sample_of(scores.view(), &classes, workers));
        let samples = samples.collect::<Result<Vec<_>>>()?;
        let run = Run {
            seed: self.seed,
            replicates: self.replicates.clone(),
            stratified: self.stratified,
            redraw: self.redraw,
            estimates: self.estimates,
            influence: self.influence,
            cells: self.cells,
            budget: self.budget,
            grows: self.grows,
            held: self.held,
            watch,
        };
        run_bootstrap(&samples, rows.groups.as_ref(), self.scheme.into(), &self.measures, &run)
    }
}

/// What came of a run.
#[pyclass(frozen, get_all, module = "polyroc._core")]
pub struct Replicates {
    /// For each measure its values, a row for each replicate.
    values: Vec<Py<PyArray2<f64>>>,
    /// For each measure what influence values say of each of its values; NaN where they are not known.
    shapes: Vec<Py<Shape>>,
    /// Which replicates lost a class.
    lost: Py<PyArray1<bool>>,
    /// How many draws were thrown away.
    n_redrawn: u64,
    /// The values of each measure on the rows themselves, where asked for.
    estimates: Vec<Py<PyArray1<f64>>>,
    /// What was drawn: "rows", "sorted rows" or "cells".
    path: &'static str,
}

/// What influence values say of a measure's values, one number each.
#[pyclass(frozen, get_all, module = "polyroc._core")]
pub struct Shape {
    /// BCa's acceleration.
    acceleration: Py<PyArray1<f64>>,
    /// The variance.
    variance: Py<PyArray1<f64>>,
    /// The variance over that of replicates.
    inflation: Py<PyArray1<f64>>,
    /// The degrees of freedom of the variance.
    df: Py<PyArray1<f64>>,
}

impl Shape {
    fn new(py: Python<'_>, moments: &[Option<Moments>]) -> Self {
        let numbers = |number: fn(&Moments) -> f64| {
            let known = moments.iter().map(|moments| moments.as_ref().map_or(f64::NAN, number));
            known.collect::<Array1<f64>>().into_pyarray(py).unbind()
        };
        Self {
            acceleration: numbers(Moments::acceleration),
            variance: numbers(|moments| moments.variance),
            inflation: numbers(Moments::inflation),
            df: numbers(Moments::freedom),
        }
    }
}

/// Replicates `first` to `last` of some measures from the same weights. `models` are the same rows scored by
/// one model or several, each with as many of the measures, model after model; what rows have beside scores is
/// read of the first.
#[pyfunction]
#[pyo3(signature = (
    *, models, measures, scheme, stratified, seed, first, last, redraw, estimates, influence, cells, budget,
    grows, held, watcher,
))]
#[expect(clippy::too_many_arguments, reason = "one argument each of the Python signature")]
pub fn bootstrap(
    py: Python<'_>,
    models: Vec<PyRef<'_, Rows>>,
    measures: Vec<PyRef<'_, Measure>>,
    scheme: PyRef<'_, Scheme>,
    stratified: bool,
    seed: u64,
    first: u64,
    last: u64,
    redraw: bool,
    estimates: bool,
    influence: bool,
    cells: bool,
    budget: usize,
    grows: bool,
    held: usize,
    watcher: Option<Py<PyAny>>,
) -> PyResult<Replicates> {
    let Some(rows) = models.first() else {
        return Err(PyTypeError::new_err("models is empty"));
    };
    let request = Request {
        measures: measures.iter().map(|measure| Shared::clone(&measure.0)).collect(),
        scheme: *scheme,
        stratified,
        seed,
        replicates: first..last,
        redraw,
        estimates,
        influence,
        cells,
        budget,
        grows,
        held,
        n_threads: rows.n_threads,
    };
    let held = rows.hold(py)?;
    let (labelled, watcher) = (held.read()?, watcher.as_ref());
    let scores = models.iter().map(|rows| rows.scores.clone_ref(py));
    let result = match hold_models(py, scores)? {
        Models::Double(arrays) => {
            let views: Vec<_> = arrays.iter().map(|array| array.view()).collect();
            request.run(py, &views, &labelled, watcher)?
        }
        Models::Single(arrays) => {
            let views: Vec<_> = arrays.iter().map(|array| array.view()).collect();
            request.run(py, &views, &labelled, watcher)?
        }
    };
    let mut moments = result.moments.into_iter();
    let mut shapes = Vec::with_capacity(result.values.len());
    for values in &result.values {
        let moments = moments.next().unwrap_or_else(|| vec![None; values.ncols()]);
        shapes.push(Py::new(py, Shape::new(py, &moments))?);
    }
    let values = result.values.into_iter().map(|values| values.into_pyarray(py).unbind());
    let estimates = result.estimates.into_iter().map(|values| values.into_pyarray(py).unbind());
    Ok(Replicates {
        values: values.collect(),
        shapes,
        lost: result.lost.into_pyarray(py).unbind(),
        n_redrawn: result.redrawn,
        estimates: estimates.collect(),
        path: match result.units {
            Resampled::Rows => "rows",
            Resampled::InOrder => "sorted rows",
            Resampled::Cells => "cells",
        },
    })
}
