//! Bindings of segments.

use ndarray::{Array1, ArrayView2};
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

use super::Codes;
use super::arguments::with_any_scores;
use super::measure::Measure;
use super::rows::{Labelled, Rows, sample_of};
use super::supervised::supervised;
use crate::data::scores::Score;
use crate::error::{Error, Result};
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::measures::measure::Shared;
use crate::segments::closed::{self, How, Own};
use crate::segments::limits::{self, Found, Given};
use crate::segments::replicates::{self, Draws, Resampled};
use crate::segments::{Dealt, Wanted};
use crate::tails::estimated::{Range, Spread};

type Column = Py<PyArray1<f64>>;
type Floats<'py> = PyReadonlyArray1<'py, f64>;
/// Estimate, variance, the doubt in it, the same without the kurtosis; influence values by row.
type Influence<'py> = (f64, f64, f64, f64, Bound<'py, PyArray1<f64>>);

fn column<T>(py: Python<'_>, found: &[T], number: impl Fn(&T) -> f64) -> Column {
    found.iter().map(number).collect::<Array1<f64>>().into_pyarray(py).unbind()
}

/// What is wanted of each segment: 0 nothing, 1 the measure, 2 its error too.
fn wanted_of(numbers: &[u32], count: usize) -> Result<Vec<Wanted>> {
    if numbers.len() != count {
        return Err(Error::Shape(format!("{} wishes for {count} segments", numbers.len())));
    }
    let kind = |&number: &u32| match number {
        0 => Ok(Wanted::Nothing),
        1 => Ok(Wanted::Estimate),
        2 => Ok(Wanted::Error),
        other => Err(Error::Domain(format!("no wish {other}"))),
    };
    numbers.iter().map(kind).collect()
}

fn in_segments<T: Score, R: Send>(
    py: Python<'_>,
    scores: ArrayView2<'_, T>,
    (rows, n_classes, n_threads): (&Labelled<'_>, usize, usize),
    (keys, wanted): (&[u32], &[u32]),
    work: impl FnOnce(&Dealt<T>, &[Wanted], &Workers, &Watch) -> Result<Vec<R>> + Send,
) -> PyResult<Vec<R>> {
    supervised(py, false, None, |watch| {
        rows.check(&scores)?;
        let workers = Workers::new(n_threads, scores.len());
        let dealt = Dealt::new(&scores, (rows.codes, n_classes), (keys, wanted.len()), &workers)?;
        let wanted = wanted_of(wanted, dealt.count())?;
        work(&dealt, &wanted, &workers, watch)
    })
}

/// One number of rows that count one: the estimate, its variance, the doubt in it, the same without the kurtosis,
/// and the widened influence value of each row.
#[pyfunction]
#[pyo3(signature = (*, rows, measure, stratified, fewest))]
pub fn row_influence<'py>(
    py: Python<'py>,
    rows: PyRef<'py, Rows>,
    measure: PyRef<'py, Measure>,
    stratified: bool,
    fewest: usize,
) -> PyResult<Influence<'py>> {
    let (held, n_threads) = (rows.hold(py)?, rows.n_threads);
    let labelled = held.read()?;
    let how = How { measure: Shared::clone(&measure.0), stratified, fewest };
    let found = with_any_scores!(rows.scores.bind(py), view => {
        supervised(py, false, None, |watch| {
            labelled.check(&view)?;
            let workers = Workers::new(n_threads, view.len());
            let classes = labelled.classes(&workers)?;
            closed::own(&sample_of(view, &classes, &workers)?, &how, watch)
        })
    })?;
    let Own { estimate, variance, doubt, plain_doubt, moved } = found;
    Ok((estimate, variance, doubt, plain_doubt, moved.into_pyarray(py)))
}

/// Closed-form errors of segments: estimates, variances, the doubt in them, the same without the kurtosis,
/// covariances with all rows, and variances of differences from them.
#[pyfunction]
#[pyo3(signature = (*, rows, keys, wanted, measure, stratified, fewest, moved, variance))]
#[expect(clippy::too_many_arguments, reason = "one argument each of the Python signature")]
pub fn segment_errors<'py>(
    py: Python<'py>,
    rows: PyRef<'py, Rows>,
    keys: Codes<'py>,
    wanted: Codes<'py>,
    measure: PyRef<'py, Measure>,
    stratified: bool,
    fewest: usize,
    moved: Option<Floats<'py>>,
    variance: f64,
) -> PyResult<[Column; 6]> {
    let (held, n_threads) = (rows.hold(py)?, rows.n_threads);
    let labelled = held.read()?;
    let how = How { measure: Shared::clone(&measure.0), stratified, fewest };
    let (keys, wanted) = (keys.as_slice()?, wanted.as_slice()?);
    let moved = moved.as_ref().map(|moved| moved.as_slice()).transpose()?;
    if moved.is_some_and(|moved| moved.len() != keys.len()) {
        return Err(Error::Shape("one influence value for each row".into()).into());
    }
    let whole = moved.map(|moved| (moved, variance));
    let found = with_any_scores!(rows.scores.bind(py), view => {
        let given = (&labelled, rows.n_classes, n_threads);
        in_segments(py, view, given, (keys, wanted), |dealt, wanted, workers, watch| {
            closed::closed(dealt, wanted, &how, whole, workers, watch)
        })
    })?;
    Ok([
        column(py, &found, |one| one.estimate),
        column(py, &found, |one| one.variance),
        column(py, &found, |one| one.doubt),
        column(py, &found, |one| one.plain_doubt),
        column(py, &found, |one| one.covariance),
        column(py, &found, |one| one.difference_variance),
    ])
}

/// One number of all rows, its replicates by Poisson weights of each row, nan where one lost a class, and whether
/// they went by influence values.
#[pyfunction]
#[pyo3(signature = (*, rows, measure, stratified, fewest, multiplies, seed, count))]
#[expect(clippy::too_many_arguments, reason = "one argument each of the Python signature")]
pub fn row_replicates<'py>(
    py: Python<'py>,
    rows: PyRef<'py, Rows>,
    measure: PyRef<'py, Measure>,
    stratified: bool,
    fewest: usize,
    multiplies: bool,
    seed: u64,
    count: u64,
) -> PyResult<(f64, Bound<'py, PyArray1<f64>>, bool)> {
    let (held, n_threads) = (rows.hold(py)?, rows.n_threads);
    let labelled = held.read()?;
    let how = How { measure: Shared::clone(&measure.0), stratified, fewest };
    let draws = Draws { seed, multiplies, replicates: 0..count };
    let found = with_any_scores!(rows.scores.bind(py), view => {
        supervised(py, false, None, |watch| {
            labelled.check(&view)?;
            let workers = Workers::new(n_threads, usize::MAX);
            let classes = labelled.classes(&workers)?;
            let numbers: Vec<u32> = (0..labelled.codes.len() as u32).collect();
            let sample = sample_of(view, &classes, &workers)?;
            replicates::drawn(&sample, &numbers, (&how, &draws), watch)
        })
    })?;
    Ok((found.estimate, found.values.into_pyarray(py), found.multiplied))
}

/// Segments by replicates whose weights hang on rows: estimates, errors, percentiles at both tails, errors of the
/// differences from all rows, whose replicates are `whole`, how many replicates lost a class, and 1 where they went
/// by influence values.
#[pyfunction]
#[pyo3(signature = (
    *, rows, keys, wanted, measure, stratified, fewest, multiplies, seed, whole, tail,
))]
#[expect(clippy::too_many_arguments, reason = "one argument each of the Python signature")]
pub fn segment_replicates<'py>(
    py: Python<'py>,
    rows: PyRef<'py, Rows>,
    keys: Codes<'py>,
    wanted: Codes<'py>,
    measure: PyRef<'py, Measure>,
    stratified: bool,
    fewest: usize,
    multiplies: bool,
    seed: u64,
    whole: Floats<'py>,
    tail: f64,
) -> PyResult<[Column; 7]> {
    let (held, n_threads) = (rows.hold(py)?, rows.n_threads);
    let labelled = held.read()?;
    let (keys, wanted, whole) = (keys.as_slice()?, wanted.as_slice()?, whole.as_slice()?);
    let how = How { measure: Shared::clone(&measure.0), stratified, fewest };
    let draws = Draws { seed, multiplies, replicates: 0..whole.len() as u64 };
    let found: Vec<Resampled> = with_any_scores!(rows.scores.bind(py), view => {
        let given = (&labelled, rows.n_classes, n_threads);
        in_segments(py, view, given, (keys, wanted), |dealt, wanted, workers, watch| {
            let what = (&how, &draws);
            replicates::resampled(dealt, wanted, what, (whole, tail), workers, watch)
        })
    })?;
    Ok([
        column(py, &found, |one| one.estimate),
        column(py, &found, |one| one.error),
        column(py, &found, |one| one.low),
        column(py, &found, |one| one.high),
        column(py, &found, |one| one.difference_error),
        column(py, &found, |one| one.lost as f64),
        column(py, &found, |one| f64::from(u8::from(one.multiplied))),
    ])
}

/// Limits of estimates by Student's t at a tail, those of their differences from all rows, and p-values. `spreads`
/// are variances, the doubts in them (for the limit towards 1/2 apart) and what one unit decides.
#[pyfunction]
#[pyo3(signature = (
    *, estimates, spreads, covariances, difference_variances, whole, bounds, degree, tail, n_threads,
))]
#[expect(clippy::too_many_arguments, reason = "one argument each of the Python signature")]
pub fn segment_limits<'py>(
    py: Python<'py>,
    estimates: Floats<'py>,
    spreads: [Floats<'py>; 4],
    covariances: Floats<'py>,
    difference_variances: Floats<'py>,
    whole: Option<(f64, (f64, f64, f64, f64))>,
    bounds: (f64, f64),
    degree: f64,
    tail: f64,
    n_threads: usize,
) -> PyResult<[Column; 5]> {
    let spread =
        |(variance, doubt, inner_doubt, pull)| Spread { variance, doubt, inner_doubt, pull };
    let estimates = estimates.as_slice()?;
    let (shared, apart) = (covariances.as_slice()?, difference_variances.as_slice()?);
    let [a, b, c, d] = &spreads;
    let (a, b, c, d) = (a.as_slice()?, b.as_slice()?, c.as_slice()?, d.as_slice()?);
    if [shared, apart, a, b, c, d].iter().any(|column| column.len() != estimates.len()) {
        return Err(Error::Shape("columns of one length".into()).into());
    }
    let given: Vec<Given> = (0..estimates.len())
        .map(|k| Given {
            estimate: estimates[k],
            spread: spread((a[k], b[k], c[k], d[k])),
            covariance: shared[k],
            difference_variance: apart[k],
        })
        .collect();
    let whole = whole.map(|(estimate, numbers)| (estimate, spread(numbers)));
    let range = Range { bottom: bounds.0, top: bounds.1, degree };
    let found: Vec<Found> = py.detach(|| {
        let workers = Workers::new(n_threads, given.len() << 10);
        limits::limits(&given, whole, range, tail, &workers)
    });
    Ok([
        column(py, &found, |one| one.low),
        column(py, &found, |one| one.high),
        column(py, &found, |one| one.difference_low),
        column(py, &found, |one| one.difference_high),
        column(py, &found, |one| one.p_value),
    ])
}
