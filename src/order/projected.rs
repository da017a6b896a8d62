//! The rows of two classes, projected and put in order.

use super::jobs::Jobs;
use super::ordering::{Ordering, RowPlaces};
use crate::data::by_class::ByClass;
use crate::data::scores::Score;
use crate::error::Result;
use crate::project::projection::Projection;
use crate::project::ties;

impl<'a, T: Score> Jobs<'a, '_, T> {
    /// Sorts the rows of classes i and j by their projection.
    pub(super) fn projected(
        &self,
        i: usize,
        j: usize,
        number: usize,
        rows: &RowPlaces<'_>,
    ) -> Result<Ordering> {
        let carried = |row: u32, favoured: bool| (row, favoured);
        let ProjectedPair { sides: [own, others], reach } =
            self.project(i, j, number, carried, Default::default())?;
        let (partition, unit_roundoff) = &self.partitions[number];
        let mut projection = Projection::new(partition);
        projection.aim(self.sample.classes.count(), i, j);
        let magnitudes = || {
            let scores = self.by_class_scores();
            [i, j].iter().flat_map(|&class| projection.magnitudes(scores, class)).collect()
        };
        let projected = [own, others].concat();
        let rule = projection.rule(*unit_roundoff);
        Ok(Ordering::projected(&projected, magnitudes, rule, reach, rows))
    }

    /// The rows of classes i and j projected by a partition, each with what `carried(row, is i)` says
    /// it carries; in the memory of `sides`.
    pub fn project<R: Copy>(
        &self,
        i: usize,
        j: usize,
        number: usize,
        carried: impl Fn(u32, bool) -> R,
        mut sides: [Vec<(f64, R)>; 2],
    ) -> Result<ProjectedPair<R>> {
        let (partition, unit_roundoff) = &self.partitions[number];
        let classes = self.sample.classes;
        let mut projection = Projection::new(partition);
        projection.aim(classes.count(), i, j);
        let mut greatest = 0.0f64;
        for (side, class) in sides.iter_mut().zip([i, j]) {
            let row = |a: usize| carried(classes.rows(class)[a], class == i);
            greatest =
                greatest.max(projection.project(self.by_class_scores(), class, row, side)?);
        }
        Ok(ProjectedPair { sides, reach: ties::reach(*unit_roundoff, greatest) })
    }

    pub(super) fn by_class_scores(&self) -> &ByClass<'a, T> {
        let Some(scores) = &self.by_class else {
            unreachable!("scores are by_class_scores before a projection is listed");
        };
        scores
    }
}

/// Two classes projected.
pub struct ProjectedPair<R> {
    /// The favoured class's rows, and the other's.
    pub sides: [Vec<(f64, R)>; 2],
    /// Rows of the two that differ by no more may tie but for rounding.
    pub reach: f64,
}
