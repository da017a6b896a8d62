//! One walk over an ordering for many replicates at once: pairs counted, or tie group by tie group.
//!
//! May use `order` and the rooms before it; knows no measure.

pub mod counts;
pub mod hull;
pub mod pieces;
pub mod reals;
pub mod row_sums;
pub mod steps;
