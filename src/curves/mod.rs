//! Beyond the whole area: measures that need the ROC curve itself.

pub mod partial;
