//! The rows of a call: scores, classes, weights and groups, handed over once.

use numpy::ndarray::{ArrayView2, Axis};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::data::classes::Classes;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::units::Groups;
use crate::data::weights::Weights;
use crate::error::{Error, Result};
use crate::machine::workers::Workers;

/// Scored and labelled rows, and the threads that may work on them.
#[pyclass(frozen, module = "polyroc._core")]
pub struct Rows {
    pub(super) scores: Py<PyAny>,
    codes: Py<PyArray1<u32>>,
    pub(super) n_classes: usize,
    weights: Option<Py<PyArray1<f64>>>,
    groups: Option<(Py<PyArray1<u32>>, usize)>,
    pub(super) n_threads: usize,
}

#[pymethods]
impl Rows {
    /// `scores` has one column per class, or is 1-D for two classes, for two of each label (2l + 1 the positive
    /// one), or for a marker of ordered ones; `codes` are class numbers.
    #[new]
    #[pyo3(signature = (*, scores, codes, n_classes, weights, n_threads))]
    fn new(
        scores: Py<PyAny>,
        codes: Py<PyArray1<u32>>,
        n_classes: usize,
        weights: Option<Py<PyArray1<f64>>>,
        n_threads: usize,
    ) -> Self {
        Self { scores, codes, n_classes, weights, groups: None, n_threads }
    }

    /// The same rows in groups that are resampled as one.
    #[pyo3(signature = (*, codes, count))]
    fn grouped(&self, py: Python<'_>, codes: Py<PyArray1<u32>>, count: usize) -> Self {
        Self {
            scores: self.scores.clone_ref(py),
            codes: self.codes.clone_ref(py),
            n_classes: self.n_classes,
            weights: self.weights.as_ref().map(|weights| weights.clone_ref(py)),
            groups: Some((codes, count)),
            n_threads: self.n_threads,
        }
    }
}

/// The arrays of some rows, held while they are read.
pub struct Held<'py> {
    codes: PyReadonlyArray1<'py, u32>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    groups: Option<(PyReadonlyArray1<'py, u32>, usize)>,
    n_classes: usize,
}

impl Rows {
    /// Holds the arrays, the scores apart.
    pub fn hold<'py>(&self, py: Python<'py>) -> PyResult<Held<'py>> {
        let groups = match &self.groups {
            Some((codes, count)) => Some((codes.bind(py).try_readonly()?, *count)),
            None => None,
        };
        let weights = self.weights.as_ref().map(|weights| weights.bind(py).try_readonly());
        Ok(Held {
            codes: self.codes.bind(py).try_readonly()?,
            weights: weights.transpose()?,
            groups,
            n_classes: self.n_classes,
        })
    }
}

impl Held<'_> {
    /// What is known of the rows beside their scores.
    pub fn read(&self) -> PyResult<Labelled<'_>> {
        let weights = self.weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
        let groups = match &self.groups {
            Some((codes, count)) => Some(Groups { codes: codes.as_slice()?, count: *count }),
            None => None,
        };
        Ok(Labelled {
            codes: self.codes.as_slice()?,
            n_classes: self.n_classes,
            weights: Weights::new(weights)?,
            groups,
        })
    }
}

/// Rows beside their scores.
pub struct Labelled<'a> {
    /// The class of each row.
    pub codes: &'a [u32],
    n_classes: usize,
    /// What each row counts.
    pub weights: Weights<'a>,
    /// Groups of rows, where there are any.
    pub groups: Option<Groups<'a>>,
}

impl Labelled<'_> {
    /// Fails unless there is one column for each class, or one for all.
    pub fn check<T>(&self, scores: &ArrayView2<'_, T>) -> Result<()> {
        let (columns, classes) = (scores.ncols(), self.n_classes);
        if columns != classes && columns != 1 {
            return Err(Error::Shape(format!("{columns} score columns for {classes} classes")));
        }
        Ok(())
    }

    /// Counts the rows of each class.
    pub fn classes(&self, workers: &Workers) -> Result<Classes<'_>> {
        Classes::new(self.codes, self.n_classes, &self.weights, workers)
    }
}

/// Scores with the classes of their rows.
pub fn sample_of<'a, T: Score>(
    scores: ArrayView2<'a, T>,
    classes: &'a Classes<'a>,
    workers: &'a Workers,
) -> Result<Sample<'a, T>> {
    match scores.ncols() {
        1 => Sample::single_column(scores.index_axis_move(Axis(1), 0), classes, workers),
        _ => Sample::new(scores, classes, workers),
    }
}
