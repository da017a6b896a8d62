//! The AUC family for classifiers: a core with no Python in it, and (feature `python`) its bindings.
//!
//! Every measure here is a function of pairs of rows or of steps along a curve, on a few *orderings* of the rows.
//! A room (a folder) may use those above it in this table, never one below:
//!
//! | room | what it holds |
//! |---|---|
//! | [`error`] | what can be wrong with data that the core alone can see |
//! | [`tails`] | tail areas of the normal and of Student's t, confidence limits made of them, shares of a Beta |
//! | `machine` | threads, instruction sets, large buffers, interrupts |
//! | [`data`] | scores, labels, weights, the rows of each class, what is resampled |
//! | `count` | pairs of rows counted without sorting |
//! | `project` | scores projected on pairs of classes, and which of them tie; what a row is worth by itself |
//! | `order` | rows sorted once |
//! | `walk` | one walk over an ordering, for many replicates at once |
//! | [`curves`] | the points of ROC curves |
//! | [`measures`] | the papers' measures, one short file each |
//! | [`resample`] | weights of replicates |
//! | [`influence`] | how much each unit moves a measure, and the variances that come of it |
//! | [`bootstrap`] | the run that draws weights, walks orderings and tells measures |
//! | [`segments`] | a measure in every segment of the rows, with errors, and what it shares with all rows |
//! | [`state`] | counts by score that shards add up |
//! | `python` | the bindings |
//!
//! The words of the core, each for one thing:
//!
//! | word | meaning |
//! |---|---|
//! | row | one labelled and scored case |
//! | entry | what a row says of one of many labels: a row of the core, whose group is the row |
//! | mass | what a row, or a set of rows, weighs |
//! | group | rows that are resampled together: a patient, a document |
//! | unit | what is resampled: a row, a group, or a cell |
//! | cell | rows that are equal in all that counts, drawn as one |
//! | stratum | units that are resampled by themselves: those of a class, or all |
//! | place | where a unit stands among all units, strata one after the other |
//! | ordering | rows sorted by one scalar |
//! | row value | what a row is worth by its own scores, whatever the others are |
//! | side | what an ordering tells apart: the favoured rows, and the others by class |
//! | tie group | rows of one score, seen together |
//! | steps | what a measure makes of an ordering's tie groups, one after the other |
//! | contrast | which rows are compared with which |
//! | rank | where a score stands in an index of a class |
//! | bucket | a range of scores, narrow enough to sort by; a *part* is a wide one, of many buckets |
//! | replicate | one vector of weights over the units, and the measure with it |
//! | segment | rows that have the same keys |
//! | lane | one of the replicates of a block, side by side with the others |
//! | block | the replicates that are worked on at once, 32 or 64 |
//! | pass | the orderings that are in memory together |
//! | portion | units whose weights are drawn together where they are drawn in order |
//! | stretch | consecutive rows that are handed on together; a *chunk* is one that a task takes |
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
pub mod curves;
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
pub mod segments;
pub mod state;
pub mod tails;
mod walk;

pub use error::{Error, Result};
pub use machine::watch::Watch;
pub use machine::workers::Workers;

/// What tests and benches look at; no part of the interface.
#[doc(hidden)]
pub mod internals {
    pub use crate::count::{columns, contrast, pairs, rank_index, tally, two_classes};
    pub use crate::order::{argsort, ordering};
    pub use crate::project::{projection, separation};
    pub use crate::walk::{counts, reals};
}
