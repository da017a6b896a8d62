//! Pairs of rows counted without sorting: who wins, and how many tie.
//!
//! May use [`crate::data`] and what is below it; knows no measure.

pub mod buckets;
pub mod columns;
pub mod contrast;
pub mod deal;
pub mod labels;
pub mod pairs;
pub mod parts;
pub mod rank_index;
pub mod tally;
pub mod two_classes;
