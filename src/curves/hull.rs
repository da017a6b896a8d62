//! The upper convex hull of the points of a curve.

use crate::order::points::Points;
use crate::walk::hull::is_above;

/// The points that are corners of the hull, the first and the last among them.
pub fn cornered(points: &Points) -> Points {
    let corners = corners(points);
    let of = |values: &[f64]| corners.iter().map(|&k| values[k]).collect();
    Points { thresholds: of(&points.thresholds), tp: of(&points.tp), fp: of(&points.fp) }
}

fn corners(points: &Points) -> Vec<usize> {
    let at = |k: usize| (points.fp[k], points.tp[k]);
    let mut corners: Vec<usize> = Vec::new();
    for k in 0..points.tp.len() {
        while let [.., before, last] = corners[..]
            && !is_above(at(before), at(last), at(k))
        {
            corners.pop();
        }
        corners.push(k);
    }
    corners
}
