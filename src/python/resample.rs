//! Bindings of the weights themselves, for tests and curious readers.

use numpy::{IntoPyArray, PyArray2};
use pyo3::prelude::*;

use super::Codes;
use super::bootstrap::Scheme;
use crate::error::Error;
use crate::resample::portions::{self, Shares};
use crate::resample::stream::Stream;

/// The weights of units in replicates, one row per replicate: what the bootstrap draws, for looking at it.
/// `strata` is the stratum of each unit; `again` takes the way of many units.
#[pyfunction]
#[pyo3(signature = (*, strata, n_strata, scheme, seed, first, last, attempt, again))]
#[expect(clippy::too_many_arguments, reason = "one argument each of the Python signature")]
pub fn resample<'py>(
    py: Python<'py>,
    strata: Codes<'py>,
    n_strata: usize,
    scheme: PyRef<'py, Scheme>,
    seed: u64,
    first: u64,
    last: u64,
    attempt: u32,
    again: bool,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let mut units = vec![Vec::new(); n_strata];
    for (unit, &stratum) in strata.as_slice()?.iter().enumerate() {
        let units = units.get_mut(stratum as usize);
        units.ok_or_else(|| Error::Shape(format!("no stratum {stratum}")))?.push(unit as u32);
    }
    let stream = Stream::new(seed);
    let weights =
        crate::resample::weights(&stream, units, (*scheme).into(), first..last, attempt, again)?;
    Ok(weights.into_pyarray(py))
}

/// The same where weights are drawn a portion of at most so many units at a time; classes of `sizes` units
/// follow one another.
#[pyfunction]
#[pyo3(signature = (*, sizes, most, scheme, stratified, seed, first, last, attempt))]
#[expect(clippy::too_many_arguments, reason = "one argument each of the Python signature")]
pub fn resample_portions<'py>(
    py: Python<'py>,
    sizes: Vec<usize>,
    most: usize,
    scheme: PyRef<'py, Scheme>,
    stratified: bool,
    seed: u64,
    first: u64,
    last: u64,
    attempt: u32,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    if most == 0 {
        return Err(Error::Domain("portions of no units".into()).into());
    }
    let shares = Shares::of((*scheme).into(), stratified)
        .ok_or_else(|| Error::Domain("a scheme that is not drawn in portions".into()))?;
    let mut bounds = vec![0];
    bounds.extend(sizes.iter().scan(0, |end, size| {
        *end += size;
        Some(*end)
    }));
    let stream = Stream::new(seed);
    Ok(portions::weights(stream, &bounds, most, shares, first..last, attempt).into_pyarray(py))
}
