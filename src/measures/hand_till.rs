//! Hand & Till's M.

use std::sync::Arc;

use crate::error::Result;
use crate::measures::measure::Shared;
use crate::measures::options::Options;
use crate::measures::pairs::PairMean;
use crate::order::wanted::Orderings;

/// M = 2 / (K (K - 1)) sum_{i<j} A(i,j), A(i,j) = (A(i|j) + A(j|i)) / 2 (HT01 Eq. 7), or the average
/// of A(i,j) by other pair weights.
///
/// A(i|j) is the AUC of class i against class j by the scores of column i (`count/pairs.rs`). O(K n) on average.
pub(super) fn make(options: &mut Options) -> Result<Shared> {
    let pair_weights = Arc::new(options.pair_weights()?);
    Ok(Arc::new(PairMean { orderings: Orderings::Columns, pair_weights }))
}
