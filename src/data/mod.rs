//! What a call is given, read once: scores, labels, weights, the rows of each class, and what is resampled.
//!
//! May use [`crate::machine`]; knows no measure and no order of rows.

pub mod by_class;
pub mod classes;
pub mod entries;
pub mod labels;
pub mod sample;
pub mod scores;
pub mod setup;
pub mod spread;
pub mod table;
pub mod units;
pub mod weights;
