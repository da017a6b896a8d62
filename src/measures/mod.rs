//! The measures of the papers, each a short file over the kernels.

pub mod auc;
pub mod auc_mu;
pub mod hand_till;
pub mod one_vs_rest;
pub mod pairs;
pub mod polar_area;
