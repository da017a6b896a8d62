//! The AUC family for classifiers: a core with no Python in it, and (feature `python`) its bindings.
//!
//! Every measure here is a weighted average of pairwise U-statistics: on one scalar per row (a score
//! column, or a projection of the scores) the rows of a favoured class are compared with the rows of
//! others, and the share of pairs in the right order is counted, ties one half.
//!
//! | module | what it holds |
//! |---|---|
//! | [`scores`] | the kinds of numbers that order rows, and blocks of score columns |
//! | [`classes`] | which rows belong to which class |
//! | [`weights`] | what a row counts: one, a whole number, a real number |
//! | [`cells`] | a monotone map from scores to cells, the base of sorting by distribution |
//! | [`rank_index`] | the mass of a sorted class below any score, in O(1) on average |
//! | [`parts`] | rows dealt by score, so that indexes stay in the cache |
//! | [`tally`] | who wins the pairs of two sets of rows |
//! | [`contrast`], [`columns`] | what is compared with what, and all contrasts on all score columns |
//! | [`by_class`], [`projection`], [`rounding`], [`duel`] | scores projected on a pair of classes, which of them tie, and who wins |
//! | [`argsort`], [`ordering`], [`merge`], [`walk`], [`walk_real`], [`walk_spread`] | rows sorted once, and walked for many replicates at a time |
//! | [`influence`], [`placements`], [`delong`] | how much each unit moves a measure, by sorting or by look-up, and the variances that come of it |
//! | [`resample`], [`bootstrap`] | weights of replicates, and the run that walks with them |
//! | [`workers`], [`lanes`], [`memory`] | threads, instruction sets, large buffers |
//! | [`measures`] | the papers' measures: short files over the kernels above |

pub mod argsort;
pub mod bootstrap;
pub mod by_class;
pub mod cells;
pub mod classes;
pub mod columns;
pub mod contrast;
pub mod curves;
pub mod delong;
pub mod duel;
pub mod error;
pub mod influence;
pub mod labels;
pub mod lanes;
pub mod measures;
pub mod memory;
pub mod merge;
pub mod ordering;
pub mod parts;
pub mod placements;
pub mod projection;
pub mod rank_index;
pub mod resample;
pub mod rounding;
pub mod sample;
pub mod scores;
pub mod tally;
pub mod walk;
pub mod walk_real;
pub mod walk_spread;
pub mod weights;
pub mod workers;

#[cfg(feature = "python")]
mod python;

pub use error::{Error, Result};
