//! Kleiman & Page's AUC-mu.

use std::sync::Arc;

use crate::error::Result;
use crate::measures::measure::Shared;
use crate::measures::options::Options;
use crate::measures::pairs::PairMean;
use crate::order::wanted::Orderings;

/// AUC-mu = 2 / (K (K - 1)) sum_{i<j} S(i,j) (KP19 Eq. 4), or the average by other pair weights, of
/// which the prevalence weights are KP19 Eq. 5.
///
/// S(i,j) is the share of pairs of rows of classes i and j that their projection puts in the right order,
/// ties one half (`project/separation.rs`). `partition` is the cost matrix, none for argmax, and
/// `unit_roundoff` that of the scores as they were given, 0 for integers; 0 makes only equal projections tie.
/// O(K n) on average with the argmax partition.
pub(super) fn make(options: &mut Options) -> Result<Shared> {
    let partition = options.matrix("partition")?;
    let unit_roundoff = options.number("unit_roundoff")?;
    Ok(Arc::new(PairMean {
        orderings: Orderings::Pairs { partition, unit_roundoff },
        pair_weights: Arc::new(options.pair_weights()?),
    }))
}
