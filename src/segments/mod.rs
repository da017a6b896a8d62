//! Segments of rows: a measure in each of them, with what it shares with the measure of all rows.
//!
//! Rows are dealt once, segment after segment, one column at a time; a segment is then a stretch of each column
//! and is worked on as any sample is. Segments go over the threads, the largest first, and a large one is shared
//! out once more; so small ones pay for no more than their own rows.
//!
//! May use `influence`, `bootstrap` and the rooms before them.

pub mod closed;
mod dealt;
pub mod limits;
pub mod multiplier;
pub mod replicates;

pub use dealt::Dealt;

/// What is wanted of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// No number.
    Nothing,
    /// The measure.
    Estimate,
    /// The measure and its error.
    Error,
}
