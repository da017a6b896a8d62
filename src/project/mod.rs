//! Scores projected on pairs of classes, and which projections tie but for rounding.
//!
//! May use [`crate::count`] and what is below it.

pub mod projection;
pub mod separation;
pub mod ties;
