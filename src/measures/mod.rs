//! The measures of the papers, one short file each, and what a measure is ([`measure`]).
//!
//! May use `walk` and the rooms before it; knows nothing of how replicates are drawn.

mod area_moves;
mod areas;
pub mod auc;
pub mod auc_and_error;
pub mod auc_mu;
pub mod average;
pub mod average_precision;
pub mod expected_correct;
pub mod h_measure;
pub mod hand_till;
pub mod hull_area;
pub mod hum;
pub mod kolmogorov_smirnov;
pub mod mean;
pub mod measure;
pub mod multilabel;
mod on_curve;
mod on_hull;
pub mod one_vs_rest;
pub mod operating_point;
pub mod optimism;
pub mod options;
pub mod pairs;
pub mod pairs_correct;
pub mod partial_auc;
pub mod pdi;
pub mod polar_area;
mod quadrature;
mod rate_at;
mod recall_at;
pub mod registry;
pub mod roc_heights;
mod roc_rates;
pub mod row_mean;
pub mod row_sums;
pub mod screened;
mod screened_share;
mod stepped;
pub mod ties;
pub mod value;
pub mod vus;
