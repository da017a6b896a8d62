//! Beyond the whole area: what needs the ROC curve itself.
//!
//! May use `walk` and the rooms before it.

pub mod partial;
