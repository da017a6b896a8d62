//! ROC curves: the points of every contrast of classes, and their hulls.
//!
//! May use `walk` and the rooms before it; stands beside the measures, and knows none of them.

pub mod contrast;
pub mod hull;
