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
//! | [`project`] | scores projected on pairs of classes, and which of them tie |
//! | `order` | rows sorted once |
//! | `walk` | one walk over an ordering, for many replicates at once |
//! | [`curves`], [`measures`] | the papers' measures, one short file each |
//! | [`resample`] | weights of replicates |
//! | [`influence`] | how much each unit moves a measure, and the variances that come of it |
//! | [`bootstrap`] | the run that draws weights, walks orderings and tells measures |
//! | `python` | the bindings |

pub mod bootstrap;
mod count;
pub mod curves;
pub mod data;
pub mod error;
pub mod influence;
mod machine;
pub mod measures;
mod order;
pub mod project;
#[cfg(feature = "python")]
mod python;
pub mod resample;
mod walk;

pub use error::{Error, Result};

/// What tests and benches look at; no part of the interface.
#[doc(hidden)]
pub mod internals {
    pub use crate::count::{columns, contrast, rank_index, tally, two_classes};
    pub use crate::machine::{watch, workers};
    pub use crate::order::{argsort, ordering};
    pub use crate::walk::{counts, reals};
}
