//! The area under the convex hull of an ROC curve.

use std::sync::Arc;

use crate::error::Result;
use crate::measures::measure::Shared;
use crate::measures::on_hull::OnHull;
use crate::measures::options::Options;
use crate::walk::hull::Hull;

/// AUCH (Provost & Fawcett): what a curve encloses if a classifier may also choose at random between two of its
/// thresholds. Never below the AUC, nor below 1/2. O(n log n).
pub(super) fn make(options: &mut Options) -> Result<Shared> {
    let one_column = options.flag("one_column")?;
    Ok(Arc::new(OnHull { one_column, of_hull: Arc::new(area) }))
}

fn area(hull: &Hull) -> f64 {
    let ((n, p), mut tp, mut doubled) = (hull.end(), 0.0, 0.0);
    for (along, up) in hull.pieces() {
        doubled += along * (2.0 * tp + up);
        tp += up;
    }
    doubled / (2.0 * p * n)
}
