//! The bindings: extract, borrow, detach, compute, hand back. No arithmetic and no defaults here.
//!
//! May use every other room; no other room uses it. Arguments are keyword-only, results have names.

mod arguments;
mod bootstrap;
mod curves;
mod entries;
mod influence;
mod measure;
mod resample;
mod rows;
mod second_pass;
mod segments;
mod state;
mod supervised;
mod tails;

use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::Error;
use crate::machine::workers::Workers;
use arguments::with_labels;

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        PyValueError::new_err(error.to_string())
    }
}

/// Finds numpy now: rust-numpy looks for it at its first use, and panics if Ctrl-C is pressed just then.
#[pyfunction]
fn find_numpy(py: Python<'_>) -> PyResult<()> {
    numpy::get_array_module(py)?;
    PyArray1::<u32>::zeros(py, 1, false).try_readonly()?;
    Ok(())
}

type Codes<'py> = PyReadonlyArray1<'py, u32>;

/// Class codes and sorted distinct labels of integer labels.
#[pyfunction]
#[pyo3(signature = (*, y, n_threads))]
fn encode<'py>(
    py: Python<'py>,
    y: &Bound<'py, PyAny>,
    n_threads: usize,
) -> PyResult<(Bound<'py, PyArray1<u32>>, Bound<'py, PyAny>)> {
    with_labels!(y, y => {
        let workers = Workers::new(n_threads, y.len() / 8);
        let (codes, labels) = py.detach(|| crate::data::labels::encode(y, &workers));
        Ok((codes.into_pyarray(py), labels.into_pyarray(py).into_any()))
    })
}

#[pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::bootstrap::{Replicates, Scheme, Shape, bootstrap};
    #[pymodule_export]
    use super::curves::{Curve, curve, farthest, pair_curves, projected_curves};
    #[pymodule_export]
    use super::entries::{Entries, entries};
    #[pymodule_export]
    use super::influence::{Influence, by_class, influence, known, known_by_class, pair_variances};
    #[pymodule_export]
    use super::measure::{
        Measure, Pairs, conditional, polar_maximum, separation, tuple_shares, value, values,
    };
    #[pymodule_export]
    use super::resample::{resample, resample_portions};
    #[pymodule_export]
    use super::rows::Rows;
    #[pymodule_export]
    use super::second_pass::{Sums, Tables};
    #[pymodule_export]
    use super::segments::{
        row_influence, row_replicates, segment_errors, segment_limits, segment_replicates,
    };
    #[pymodule_export]
    use super::state::State;
    #[pymodule_export]
    use super::tails::{Estimated, Mover, t_quantile, t_tail};
    #[pymodule_export]
    use super::{encode, find_numpy};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("HALF_ROW", crate::tails::limits::HALF_ROW)?;
        module.add("ROUNDING", crate::tails::estimated::ROUNDING)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("optimised", !cfg!(debug_assertions))
    }
}
