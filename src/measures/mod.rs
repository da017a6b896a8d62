//! The measures of the papers, one short file each, and what a measure is ([`measure`]).
//!
//! May use `walk` and the rooms before it; knows nothing of how replicates are drawn.

pub mod auc;
pub mod auc_and_error;
pub mod auc_mu;
pub mod average;
pub mod average_precision;
pub mod hand_till;
pub mod hum;
pub mod kolmogorov_smirnov;
pub mod mean;
pub mod measure;
pub mod one_vs_rest;
pub mod options;
pub mod pairs;
pub mod partial_auc;
pub mod pdi;
pub mod polar_area;
mod quadrature;
pub mod registry;
mod stepped;
pub mod value;
pub mod vus;
