//! The measures of the papers, one short file each, and what a measure is ([`measure`]).
//!
//! May use `walk` and the rooms before it; knows nothing of how replicates are drawn.

pub mod auc;
pub mod auc_and_error;
pub mod auc_mu;
pub mod average;
pub mod average_precision;
pub mod h_measure;
pub mod hand_till;
pub mod hull_area;
pub mod kolmogorov_smirnov;
pub mod mean;
pub mod measure;
mod on_hull;
pub mod one_vs_rest;
pub mod options;
pub mod pairs;
pub mod partial_auc;
pub mod polar_area;
pub mod registry;
pub mod roc_heights;
mod stepped;
pub mod value;
