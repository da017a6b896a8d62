//! The points of the curve of one class against others.

use ndarray::{ArrayView1, Axis};

use crate::data::by_class::ByClass;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::error::{Error, Result};
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
pub use crate::order::points::Points;
use crate::project::projection::{Partition, Projection};
use crate::project::ties::{self, Projected};

/// The last column: class 1 against class 0.
pub fn of_last_column<T: Score>(sample: &Sample<'_, T>, watch: &Watch) -> Result<Points> {
    let Sample { scores, classes, weights, workers } = sample;
    let column = scores.index_axis(Axis(1), scores.ncols() - 1);
    Points::new(column, classes.codes, weights.reals(), (workers, watch))
        .map_err(|error| sample.in_last_column(error))
}

/// Class i by its own column, against all other classes.
pub fn against_rest<T: Score>(sample: &Sample<'_, T>, i: usize, watch: &Watch) -> Result<Points> {
    let Sample { scores, classes, weights, workers } = sample;
    let side: Vec<u32> = classes.codes.iter().map(|&code| u32::from(code as usize == i)).collect();
    Points::new(scores.index_axis(Axis(1), i), &side, weights.reals(), (workers, watch))
        .map_err(|error| error.in_column(scores.ncols(), i))
}

/// Class i by its own column, against class j alone: A(i|j) is the area below.
pub fn against_one<T: Score>(
    scores: &ByClass<'_, T>,
    (i, j): (usize, usize),
    workers: &Workers,
    watch: &Watch,
) -> Result<Points> {
    let classes = scores.classes;
    let column = [scores.column(i, i), scores.column(j, i)].concat();
    let mut side = vec![1; classes.size(i)];
    side.resize(column.len(), 0);
    let mass = match classes.weights.reals() {
        [] => Vec::new(),
        mass => {
            let rows = [i, j].into_iter().flat_map(|class| classes.rows(class));
            rows.map(|&row| mass[row as usize]).collect()
        }
    };
    Points::new(ArrayView1::from(&column), &side, &mass, (workers, watch))
}

/// Classes i and j by their projection, class i favoured: S(i,j) is the area below. Projections that differ by
/// rounding alone are one point, whose threshold is the least of them.
pub fn projected<T: Score>(
    scores: &ByClass<'_, T>,
    (i, j): (usize, usize),
    (partition, unit_roundoff): (&Partition<'_>, f64),
    watch: &Watch,
) -> Result<Points> {
    if watch.is_stopped() {
        return Err(Error::Interrupted);
    }
    let classes = scores.classes;
    let mut projection = Projection::new(partition);
    projection.aim(classes.count(), i, j);
    let mut rows = Vec::with_capacity(classes.size(i) + classes.size(j));
    for class in [i, j] {
        let (mut side, mass) =
            (Vec::new(), |a: usize| classes.weights.weight(classes.rows(class)[a] as usize));
        projection.project(scores, class, mass, &mut side)?;
        let side = side.into_iter().zip(projection.magnitudes(scores, class));
        rows.extend(side.map(|((score, row), magnitude)| Projected {
            score: score + 0.0,
            magnitude,
            row,
            favoured: class == i,
        }));
    }
    // Tie groups come lowest first.
    let mut groups = Vec::new();
    ties::tie_groups(&mut rows, projection.rule(unit_roundoff), |tied| {
        tied.sort_unstable_by(|a, b| a.row.total_cmp(&b.row));
        let mass = |own: bool| {
            let side = tied.iter().filter(|row| row.favoured == own);
            side.fold(0.0, |sum, row| sum + row.row)
        };
        let least = tied.iter().map(|row| row.score).fold(f64::INFINITY, f64::min);
        groups.push((least, mass(true), mass(false)));
    });
    let mut points = Points { thresholds: vec![f64::INFINITY], tp: vec![0.0], fp: vec![0.0] };
    let (mut tp, mut fp) = (0.0, 0.0);
    for (threshold, own, others) in groups.into_iter().rev() {
        (tp, fp) = (tp + own, fp + others);
        points.thresholds.push(threshold);
        points.tp.push(tp);
        points.fp.push(fp);
    }
    Ok(points)
}
