//! The second pass over rows: errors and replicates of measures that no single state has.
//!
//! The first pass counted all rows. The counts tell what any row is worth (`worth`, by `lookup`), so that shards go over
//! their rows once more, each by itself, a `stretch` at a time. They return sums over rows: of powers of their influence
//! values (`powers`, `exact`), of those of each group (`groups`), or of those times the weights of replicates (`replicates`). All
//! of them are sums of whole numbers, so that no order of rows, shards or merges shows.

pub mod bytes;
mod exact;
mod found;
mod groups;
mod lookup;
mod powers;
mod replicates;
mod sampled_ids;
mod stretch;
pub mod sums;
pub mod tables;
pub mod worth;

pub use found::GroupCells;
pub use sums::Sums;
pub use tables::{Model, Options, Tables};
