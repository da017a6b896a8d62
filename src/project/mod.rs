//! Scores projected on pairs of classes, which projections tie but for rounding, and what a row is worth by itself.
//!
//! May use [`crate::count`] and what is below it.

pub mod projection;
pub mod row_values;
pub mod separation;
pub mod ties;
