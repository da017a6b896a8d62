//! ROC curves: the points of every contrast of classes, their hulls, and how far one is from another.
//!
//! May use `walk` and the rooms before it; stands beside the measures, and knows none of them.

pub mod contrast;
pub mod farthest;
pub mod hull;
