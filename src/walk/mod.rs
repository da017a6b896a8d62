//! One walk over an ordering for many replicates at once: pairs counted, or tie group by tie group.
//!
//! May use [`crate::order`] and what is below it; knows no measure.

pub mod counts;
pub mod reals;
pub mod spread;
