//! Arrays of several kinds of numbers, borrowed as views of their own kind.

use numpy::ndarray::{ArrayView1, ArrayView2, Axis};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::{Error, Result};

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

/// One score a row: a vector, or the second column of a matrix. The body's errors name the column.
macro_rules! with_single_scores {
    ($any:expr, $view:ident => $body:expr) => {
        if let Ok(2) = $any.getattr("ndim").and_then(|ndim| ndim.extract::<usize>()) {
            $crate::python::arguments::with_scores!($any, matrix => {
                let $view = $crate::python::arguments::second_column(matrix)?;
                Ok($crate::python::arguments::in_second_column($body)?)
            })
        } else {
            $crate::python::arguments::with_kind!(
                $any, "1-D scores of float64 or float32", PyArray1, [f64, f32], $view => Ok($body?))
        }
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

pub(super) use {with_any_scores, with_kind, with_labels, with_scores, with_single_scores};

pub(super) fn wrong_kind(any: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
    let found = any
        .getattr("dtype")
        .map_or_else(|_| any.get_type().to_string(), |dtype| format!("an array of dtype {dtype}"));
    PyTypeError::new_err(format!("{wanted} wanted, got {found}"))
}

pub(super) fn second_column<T>(matrix: ArrayView2<'_, T>) -> Result<ArrayView1<'_, T>> {
    if matrix.ncols() != 2 {
        let message = format!("{} score columns where two are needed", matrix.ncols());
        return Err(Error::Shape(message));
    }
    Ok(matrix.index_axis_move(Axis(1), 1))
}

pub(super) fn in_second_column<R>(result: Result<R>) -> Result<R> {
    result.map_err(|error| match error {
        Error::NanScore { row, column: None } => Error::NanScore { row, column: Some(1) },
        other => other,
    })
}
