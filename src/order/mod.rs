//! Rows sorted once: which orderings are wanted, and how they are made.
//!
//! May use [`crate::project`] and what is below it; knows no weights of replicates.

pub mod argsort;
pub mod by_value;
mod bytes;
pub mod class_groups;
mod dealt_rows;
pub mod jobs;
pub mod merge;
pub mod ordering;
pub mod points;
pub mod projected;
pub mod ranked;
mod sorter;
pub mod tie_groups;
pub mod wanted;
