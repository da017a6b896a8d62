//! By how much the thresholds of a hull look better than they are (Efron 1983).
//!
//! The corners of a hull are thresholds chosen on the rows that they are judged by, and judged by others they are worse.
//! A replicate shows by how much: its own hull, less what the thresholds at the corners of it make of the sample.

use std::ops::ControlFlow;

use crate::measures::on_hull::OfHull;
use crate::walk::hull::{Hull, Point};
use crate::walk::steps::{Steps, Tied, Totals};

/// The hulls of replicates against each opponent, lane by lane, and where the sample's curve is at their corners;
/// against the favoured side itself there is none.
pub struct Optimisms<F> {
    of_hull: F,
    hulls: Vec<Hull<Point>>,
    lanes: usize,
    by_side: bool,
    /// The favoured side, as the sample's rows are told.
    favoured: usize,
    /// The sample's curve against each opponent.
    sample: Vec<Point>,
}

impl<F: OfHull> Optimisms<F> {
    /// At the start of an ordering whose sides have these weights, against each of them apart or all others together.
    pub fn new(of_hull: F, totals: &Totals<'_>, by_side: bool) -> Self {
        let lanes = totals.lanes;
        let opponents = if by_side { totals.values.len() / lanes } else { 1 };
        let favoured = if by_side { totals.favoured } else { 0 };
        let hulls = vec![Hull::default(); opponents * lanes];
        Self { of_hull, hulls, lanes, by_side, favoured, sample: vec![(0.0, 0.0); opponents] }
    }
}

impl<F: OfHull> Steps for Optimisms<F> {
    fn width(&self) -> usize {
        self.sample.len()
    }

    fn by_side(&self) -> bool {
        self.by_side
    }

    fn looks_at_sample(&self) -> bool {
        true
    }

    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        let (others, in_sample) = match self.by_side {
            true => (tied.sides, tied.sample),
            false => (tied.others, &tied.sample[1..]),
        };
        let opponents = self.sample.iter_mut().zip(in_sample);
        let lanes = self.hulls.chunks_mut(self.lanes).zip(others.chunks(self.lanes));
        for ((sample, more), (hulls, others)) in opponents.zip(lanes) {
            *sample = (sample.0 + more, sample.1 + tied.sample[self.favoured]);
            for ((hull, &own), &others) in hulls.iter_mut().zip(tied.own).zip(others) {
                hull.step_to(own, others, *sample);
            }
        }
        ControlFlow::Continue(())
    }

    /// NaN where a class was lost.
    fn finish(mut self: Box<Self>, out: &mut [f64]) {
        let lanes = out.chunks_mut(self.lanes).zip(self.hulls.chunks_mut(self.lanes));
        for ((out, hulls), &end) in lanes.zip(&self.sample) {
            for (out, hull) in out.iter_mut().zip(hulls) {
                hull.close_at(end);
                let (n, p) = hull.end();
                let own = hull.pieces().map(|piece| (piece, piece));
                let same_thresholds = hull.pieces().zip(hull.marked_pieces());
                *out = match n > 0.0 && p > 0.0 {
                    true => self.of_hull.of((n, p), own) - self.of_hull.of(end, same_thresholds),
                    false => f64::NAN,
                };
            }
        }
    }
}
