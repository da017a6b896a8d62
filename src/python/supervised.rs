//! Work that leaves the interpreter to others, and ends when the user interrupts it.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::error::{Error, Result};
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;

/// Scores that are sorted before anyone could interrupt.
pub const SHORT: usize = 1 << 20;

/// Does some work with the interpreter left to others. Unless it is short, another thread does it while this one
/// looks out for signals and tells the `watcher` how far it is; what either raises ends the work.
pub fn supervised<R: Send>(
    py: Python<'_>,
    short: bool,
    watcher: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> Result<R> + Send,
) -> PyResult<R> {
    let (mut raised, watch) = (None, Watch::default());
    let result = py.detach(|| {
        if short && watcher.is_none() {
            return work(&watch);
        }
        Workers::supervise(
            || work(&watch),
            || {
                let looked = Python::attach(|py| {
                    py.check_signals()?;
                    watcher.map_or(Ok(()), |call| call.call1(py, (watch.done(),)).map(drop))
                });
                if let Err(error) = looked {
                    watch.stop();
                    raised.get_or_insert(error);
                }
            },
        )
    });
    match (raised, result) {
        (Some(error), _) => Err(error),
        (None, Err(error @ (Error::Memory { .. } | Error::ManyValues { .. }))) => {
            Err(PyMemoryError::new_err(error.to_string()))
        }
        (None, result) => Ok(result?),
    }
}
