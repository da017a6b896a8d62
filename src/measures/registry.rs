//! All measures by name. A measure says in its own file how it is made of its options.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::measures::measure::Shared;
use crate::measures::options::{Options, Setting};

type Make = fn(&mut Options) -> Result<Shared>;

const MEASURES: &[(&str, Make)] = &[
    ("all_pairs", super::pairs::make),
    ("auc", super::auc::make),
    ("auc_and_error", super::auc_and_error::make),
    ("auc_mu", super::auc_mu::make),
    ("average_precision", super::average_precision::make),
    ("expected_correct", super::expected_correct::make),
    ("expected_correct_at_thresholds", super::row_mean::make_at_thresholds),
    ("expected_correct_screened", super::screened::make),
    ("fpr_at", super::rate_at::make_fpr),
    ("hand_till", super::hand_till::make),
    ("hum", super::hum::make),
    ("h_measure", super::h_measure::make),
    ("hull_area", super::hull_area::make),
    ("kolmogorov_smirnov", super::kolmogorov_smirnov::make),
    ("micro", super::one_vs_rest::make_micro),
    ("multilabel", super::multilabel::make),
    ("one_vs_rest", super::one_vs_rest::make),
    ("operating_point", super::operating_point::make),
    ("partial_auc", super::partial_auc::make),
    ("pdi", super::pdi::make),
    ("polar_area", super::polar_area::make),
    ("proportion_correct", super::row_mean::make_greatest),
    ("proportion_correct_by_pairs", super::pairs_correct::make),
    ("recall_at", super::recall_at::make),
    ("tpr_at", super::rate_at::make_tpr),
    ("vus", super::vus::make),
    ("roc_heights", super::roc_heights::make),
    ("roc_rates", super::roc_rates::make),
];

/// The measure of a name with its options.
pub fn measure(name: &str, given: BTreeMap<String, Setting>) -> Result<Shared> {
    let Some((_, make)) = MEASURES.iter().find(|(known, _)| *known == name) else {
        return Err(Error::Domain(format!("there is no measure {name:?}")));
    };
    let mut options = Options::new(name, given);
    let made = make(&mut options)?;
    options.end()?;
    Ok(made)
}
