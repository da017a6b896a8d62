//! The area under the convex hull of an ROC curve.

use std::sync::Arc;

use crate::error::Result;
use crate::measures::measure::Shared;
use crate::measures::on_hull::{OfHull, OnHull};
use crate::measures::options::Options;
use crate::walk::hull::Point;

/// AUCH (Provost & Fawcett): what a curve encloses if a classifier may also choose at random between two of its
/// thresholds. Never below the AUC, nor below 1/2. O(n log n).
pub(super) fn make(options: &mut Options) -> Result<Shared> {
    let (one_column, optimism) = (options.flag("one_column")?, options.flag("optimism")?);
    Ok(Arc::new(OnHull { one_column, of_hull: Area, optimism }))
}

#[derive(Clone, Copy)]
struct Area;

impl OfHull for Area {
    fn of(&self, (n, p): Point, pieces: impl Iterator<Item = (Point, Point)>) -> f64 {
        let (mut tp, mut doubled) = (0.0, 0.0);
        for (_, (along, up)) in pieces {
            doubled += along * (2.0 * tp + up);
            tp += up;
        }
        doubled / (2.0 * p * n)
    }
}
