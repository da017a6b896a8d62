//! The AUC family for classifiers: a core with no Python in it, and (feature `python`) its bindings.
//!
//! Every measure here is a function of pairs of rows or of steps along a curve, on a few *orderings* of the rows.
//! A room (a folder) may use those above it in this table, never one below:
//!
//! | room | what it holds |
//! |---|---|
//! | [`error`] | what can be wrong with data that the core alone can see |
//! | `machine` | threads, instruction sets, large buffers, interrupts |
//! | [`data`] | scores, labels, weights, the rows of each class, what is resampled |
//! | `count` | pairs of rows counted without sorting |
//! | `project` | scores projected on pairs of classes, and which of them tie |
//! | `order` | rows sorted once |
//! | `walk` | one walk over an ordering, for many replicates at once |
//! | [`measures`] | the papers' measures, one short file each |
//! | [`resample`] | weights of replicates |
//! | [`influence`] | how much each unit moves a measure, and the variances that come of it |
//! | [`bootstrap`] | the run that draws weights, walks orderings and tells measures |
//! | `python` | the bindings |
//!
//! ```
//! use ndarray::arr2;
//! use polyroc::data::{classes::Classes, sample::Sample, weights::Weights};
//! use polyroc::measures::{registry::measure, value::value};
//! use polyroc::{Watch, Workers};
//!
//! let workers = Workers::inline();
//! let classes = Classes::new(&[0, 0, 1, 1], 2, &Weights::Unit, &workers)?;
//! let scores = arr2(&[[0.1], [0.4], [0.4], [0.8]]);
//! let sample = Sample::single_column(scores.column(0), &classes, &workers)?;
//! let auc = measure("auc", Default::default())?;
//! assert_eq!(value(&sample, auc.as_ref(), &Watch::default())?, [0.875]);
//! # Ok::<(), polyroc::Error>(())
//! ```

pub mod bootstrap;
mod count;
pub mod data;
pub mod error;
pub mod influence;
mod machine;
pub mod measures;
mod order;
mod project;
#[cfg(feature = "python")]
mod python;
pub mod resample;
mod walk;

pub use error::{Error, Result};
pub use machine::watch::Watch;
pub use machine::workers::Workers;

/// What tests and benches look at; no part of the interface.
#[doc(hidden)]
pub mod internals {
    pub use crate::count::{columns, contrast, pairs, rank_index, tally, two_classes};
    pub use crate::project::{projection, separation};
}
