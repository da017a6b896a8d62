//! Bindings of curves.

use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use super::arguments::with_any_scores;
use super::rows::{Rows, sample_of};
use super::supervised::{SHORT, supervised};
use crate::curves::contrast::{self, Points};
use crate::curves::farthest::{Place, farthest as farthest_of};
use crate::curves::hull;
use crate::data::by_class::ByClass;
use crate::error::{Error, Result};
use crate::machine::workers::Workers;
use crate::project::projection::Partition;

/// The points of a curve in masses, highest score first; nothing lies above the first one.
#[pyclass(frozen, get_all, module = "polyroc._core")]
pub struct Curve {
    /// The scores, the first one infinite.
    thresholds: Py<PyArray1<f64>>,
    /// The mass of the favoured rows at or above each.
    tp: Py<PyArray1<f64>>,
    /// The mass of the others.
    fp: Py<PyArray1<f64>>,
}

impl Curve {
    fn new(py: Python<'_>, points: Points) -> Self {
        let [thresholds, tp, fp] = [points.thresholds, points.tp, points.fp]
            .map(|values| values.into_pyarray(py).unbind());
        Self { thresholds, tp, fp }
    }
}

#[pymethods]
impl Curve {
    /// The points that are corners of the upper convex hull, the first and the last among them.
    fn hull(&self, py: Python<'_>) -> PyResult<Self> {
        let read = |array: &Py<PyArray1<f64>>| -> PyResult<Vec<f64>> {
            Ok(array.bind(py).try_readonly()?.as_array().to_vec())
        };
        let points = Points {
            thresholds: read(&self.thresholds)?,
            tp: read(&self.tp)?,
            fp: read(&self.fp)?,
        };
        Ok(Self::new(py, py.detach(|| hull::cornered(&points))))
    }
}

/// The curve of the last column, class 1 against class 0; or of a class by its own column against the rest.
#[pyfunction]
#[pyo3(signature = (*, rows, favoured))]
pub fn curve(py: Python<'_>, rows: PyRef<'_, Rows>, favoured: Option<usize>) -> PyResult<Curve> {
    let (held, n_threads) = (rows.hold(py)?, rows.n_threads);
    let labelled = held.read()?;
    let points = with_any_scores!(rows.scores.bind(py), view => {
        supervised(py, view.nrows() < SHORT, None, |watch| {
            labelled.check(&view)?;
            let workers = Workers::new(n_threads, view.nrows());
            let classes = labelled.classes(&workers)?;
            let sample = sample_of(view, &classes, &workers)?;
            match favoured {
                None => contrast::of_last_column(&sample, watch),
                Some(class) => contrast::against_rest(&sample, class, watch),
            }
        })
    })?;
    Ok(Curve::new(py, points))
}

/// The curves of pairs of classes (i, j), each by the column of class i.
#[pyfunction]
#[pyo3(signature = (*, rows, pairs))]
pub fn pair_curves(
    py: Python<'_>,
    rows: PyRef<'_, Rows>,
    pairs: Vec<(usize, usize)>,
) -> PyResult<Vec<Curve>> {
    let (held, n_threads) = (rows.hold(py)?, rows.n_threads);
    let labelled = held.read()?;
    let found = with_any_scores!(rows.scores.bind(py), view => {
        supervised(py, view.len() < SHORT, None, |watch| {
            labelled.check(&view)?;
            let workers = Workers::new(n_threads, view.len());
            let classes = labelled.classes(&workers)?;
            let sample = sample_of(view, &classes, &workers)?;
            let scores = ByClass::new(&sample)?;
            let of = |k: usize| contrast::against_one(&scores, pairs[k], &workers, watch);
            workers.map(pairs.len(), of).into_iter().collect::<Result<Vec<Points>>>()
        })
    })?;
    Ok(found.into_iter().map(|points| Curve::new(py, points)).collect())
}

/// The curves of pairs of classes (i, j), each by their projection.
#[pyfunction]
#[pyo3(signature = (*, rows, pairs, partition, unit_roundoff))]
pub fn projected_curves(
    py: Python<'_>,
    rows: PyRef<'_, Rows>,
    pairs: Vec<(usize, usize)>,
    partition: Option<PyReadonlyArray2<'_, f64>>,
    unit_roundoff: f64,
) -> PyResult<Vec<Curve>> {
    let (held, n_threads) = (rows.hold(py)?, rows.n_threads);
    let labelled = held.read()?;
    let partition = Partition::new(partition.as_ref().map(|costs| costs.as_array()));
    let found = with_any_scores!(rows.scores.bind(py), view => {
        supervised(py, view.len() < SHORT, None, |watch| {
            labelled.check(&view)?;
            let workers = Workers::new(n_threads, view.len());
            let classes = labelled.classes(&workers)?;
            let sample = sample_of(view, &classes, &workers)?;
            partition.check(classes.count())?;
            let (scores, by) = (ByClass::new(&sample)?, (&partition, unit_roundoff));
            let of = |k: usize| contrast::projected(&scores, pairs[k], by, watch);
            workers.map(pairs.len(), of).into_iter().collect::<Result<Vec<Points>>>()
        })
    })?;
    Ok(found.into_iter().map(|points| Curve::new(py, points)).collect())
}

/// How far from each of many lines the farthest of some points is; lines are rows of coordinates.
#[pyfunction]
#[pyo3(signature = (*, across, up, lines_across, lines_up, n_threads))]
pub fn farthest<'py>(
    py: Python<'py>,
    across: PyReadonlyArray1<'_, f64>,
    up: PyReadonlyArray1<'_, f64>,
    lines_across: PyReadonlyArray2<'_, f64>,
    lines_up: PyReadonlyArray2<'_, f64>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (across, up) = (across.as_array(), up.as_array());
    let (lines_across, lines_up) = (lines_across.as_array(), lines_up.as_array());
    let points: Vec<Place> = across.iter().copied().zip(up.iter().copied()).collect();
    let count = lines_across.nrows().min(lines_up.nrows());
    let short = points.len() * count < SHORT;
    let found = supervised(py, short, None, |watch| {
        let workers = Workers::new(n_threads, points.len() * count);
        let of = |k: usize| {
            if watch.is_stopped() {
                return Err(Error::Interrupted);
            }
            let line =
                lines_across.row(k).into_iter().copied().zip(lines_up.row(k).into_iter().copied());
            Ok(farthest_of(&points, &line.collect::<Vec<Place>>()))
        };
        workers.map(count, of).into_iter().collect::<Result<Vec<f64>>>()
    })?;
    Ok(found.into_pyarray(py))
}
