//! Arrays of several kinds of numbers, borrowed as views of their own kind.

use numpy::ndarray::{ArrayView2, Axis};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Borrows `$any` as an array of the first listed kind that it is, and runs the body with the view.
macro_rules! with_kind {
    ($any:expr, $wanted:literal, $array:ident, [$($t:ty),*], $view:ident => $body:expr) => {
        $(if let Ok(array) = $any.cast::<numpy::$array<$t>>() {
            let array = array.try_readonly()?;
            let $view = array.as_array();
            $body
        } else)* {
            Err($crate::python::arguments::wrong_kind($any, $wanted))
        }
    };
}

/// A matrix of scores.
macro_rules! with_scores {
    ($any:expr, $view:ident => $body:expr) => {
        $crate::python::arguments::with_kind!(
            $any, "2-D scores of float64 or float32", PyArray2, [f64, f32], $view => $body)
    };
}

/// Scores of one or several columns, as a matrix.
macro_rules! with_any_scores {
    ($scores:expr, $view:ident => $body:expr) => {
        if $scores.getattr("ndim").and_then(|ndim| ndim.extract::<usize>()).ok() == Some(1) {
            $crate::python::arguments::with_kind!(
                $scores, "1-D scores of float64 or float32", PyArray1, [f64, f32], view => {
                let $view = view.insert_axis(numpy::ndarray::Axis(1));
                $body
            })
        } else {
            $crate::python::arguments::with_scores!($scores, $view => $body)
        }
    };
}

/// Labels of any integer kind.
macro_rules! with_labels {
    ($any:expr, $view:ident => $body:expr) => {
        $crate::python::arguments::with_kind!(
            $any, "1-D labels of an integer dtype",
            PyArray1, [i64, i32, i16, i8, u64, u32, u16, u8], $view => $body)
    };
}

pub(super) use {with_any_scores, with_kind, with_labels, with_scores};

pub(super) fn wrong_kind(any: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
    let found = any
        .getattr("dtype")
        .map_or_else(|_| any.get_type().to_string(), |dtype| format!("an array of dtype {dtype}"));
    PyTypeError::new_err(format!("{wanted} wanted, got {found}"))
}

/// Scores of one or several columns, held while they are read.
pub(super) enum Held<'py, T: Element> {
    Column(PyReadonlyArray1<'py, T>),
    Matrix(PyReadonlyArray2<'py, T>),
}

impl<'py, T: Element> Held<'py, T> {
    fn new(any: &Bound<'py, PyAny>) -> Option<Self> {
        if let Ok(array) = any.cast::<PyArray2<T>>() {
            return Some(Self::Matrix(array.try_readonly().ok()?));
        }
        let array = any.cast::<PyArray1<T>>().ok()?;
        Some(Self::Column(array.try_readonly().ok()?))
    }

    /// The scores as a matrix.
    pub(super) fn view(&self) -> ArrayView2<'_, T> {
        match self {
            Self::Column(array) => array.as_array().insert_axis(Axis(1)),
            Self::Matrix(array) => array.as_array(),
        }
    }

    /// The scores as a column in one piece.
    pub(super) fn column(&self) -> PyResult<&[T]> {
        match self {
            Self::Column(array) => Ok(array.as_slice()?),
            Self::Matrix(_) => Err(PyTypeError::new_err("columns of scores wanted, got a matrix")),
        }
    }
}

/// The scores of several models, all of one kind.
pub(super) enum Models<'py> {
    Double(Vec<Held<'py, f64>>),
    Single(Vec<Held<'py, f32>>),
}

/// Holds the scores of several models.
pub(super) fn hold_models<'py>(
    py: Python<'py>,
    models: impl Iterator<Item = Py<PyAny>> + Clone,
) -> PyResult<Models<'py>> {
    if let Some(held) = models.clone().map(|any| Held::new(any.bind(py))).collect::<Option<_>>() {
        return Ok(Models::Double(held));
    }
    if let Some(held) = models.clone().map(|any| Held::new(any.bind(py))).collect::<Option<_>>() {
        return Ok(Models::Single(held));
    }
    let kinds = models.map(|any| any.bind(py).getattr("dtype").map(|dtype| dtype.to_string()));
    let kinds = kinds.collect::<PyResult<Vec<_>>>()?.join(", ");
    Err(PyTypeError::new_err(format!(
        "scores of one kind, float64 or float32, wanted, got {kinds}"
    )))
}
