//! Measures of the convex hull of an ROC curve, of two classes or averaged over pairs.

use std::ops::ControlFlow;

use crate::measures::mean::LaneMeans;
use crate::measures::measure::{Derivative, Masses, Measure, Outcome, Point};
use crate::measures::optimism::Optimisms;
use crate::order::wanted::{Orderings, Wanted};
use crate::walk::hull::{self, Hull};
use crate::walk::steps::{Start, Steps, Tied};

/// What is made of a hull that has an end to the right and upwards.
pub trait OfHull: Copy + Send + Sync + 'static {
    /// The measure of the rows whose curve comes to `end`, with thresholds at the corners of a hull that may be another
    /// curve's. Of each piece between corners: how far the hull goes right, and up; and how far these rows do.
    fn of(&self, end: hull::Point, pieces: impl Iterator<Item = (hull::Point, hull::Point)>)
    -> f64;
}

/// A measure of hulls: that of the last column, class 1 against class 0; or else the mean over all ordered pairs of
/// classes (i, j), rows of class i against those of class j by the column of class i. O(n log n) for each column.
pub struct OnHull<F> {
    /// Whether one column is read.
    pub one_column: bool,
    /// The measure.
    pub of_hull: F,
    /// Whether its optimism is wanted instead ([`super::optimism`]).
    pub optimism: bool,
}

impl<F: OfHull> Measure for OnHull<F> {
    fn wanted(&self) -> Wanted {
        match self.one_column {
            true => Orderings::SingleColumn.into(),
            false => Orderings::Columns.into(),
        }
    }
    fn counts_pairs(&self) -> bool {
        false
    }
    fn steps(&self) -> Option<Start<'_>> {
        Some(Box::new(|totals| {
            if self.optimism {
                return Box::new(Optimisms::new(self.of_hull, totals, !self.one_column));
            }
            let opponents = match self.one_column {
                true => 1,
                false => totals.values.len() / totals.lanes,
            };
            Box::new(Hulls {
                hulls: vec![Hull::default(); opponents * totals.lanes],
                lanes: totals.lanes,
                by_side: !self.one_column,
                of_hull: self.of_hull,
            })
        }))
    }
    fn room(&self) -> usize {
        if self.one_column { 1 } else { LaneMeans::ROOM }
    }
    fn take(&self, outcome: &Outcome<'_>, _: &Masses<'_>, room: &mut [f64]) {
        if self.one_column {
            return room.copy_from_slice(outcome.steps);
        }
        let mut means = LaneMeans::new(outcome.lanes, room);
        for &other in outcome.others {
            for lane in 0..outcome.lanes {
                means.add(lane, 1.0, outcome.steps[other * outcome.lanes + lane]);
            }
        }
    }
    fn finish(&self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        match self.one_column {
            true => out.copy_from_slice(room),
            false => LaneMeans::new(masses.lanes, room).finish(out),
        }
    }
    fn derivative(&self, _: &Point<'_>) -> Derivative {
        Derivative::Unknown
    }
}

/// The hulls against each opponent, lane by lane; against the favoured side itself there is none.
struct Hulls<F> {
    hulls: Vec<Hull>,
    lanes: usize,
    by_side: bool,
    of_hull: F,
}

impl<F: OfHull> Steps for Hulls<F> {
    fn width(&self) -> usize {
        self.hulls.len() / self.lanes
    }

    fn by_side(&self) -> bool {
        self.by_side
    }

    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        let others = if self.by_side { tied.sides } else { tied.others };
        for (hulls, others) in self.hulls.chunks_mut(self.lanes).zip(others.chunks(self.lanes)) {
            for ((hull, &own), &others) in hulls.iter_mut().zip(tied.own).zip(others) {
                hull.step(own, others);
            }
        }
        ControlFlow::Continue(())
    }

    fn counted(&mut self, groups: &[(u32, u32)]) -> Option<ControlFlow<()>> {
        let (false, [hull]) = (self.by_side, &mut self.hulls[..]) else {
            return None;
        };
        groups.iter().for_each(|&(own, others)| hull.step(f64::from(own), f64::from(others)));
        Some(ControlFlow::Continue(()))
    }

    /// NaN where a class was lost.
    fn finish(mut self: Box<Self>, out: &mut [f64]) {
        for (out, hull) in out.iter_mut().zip(&mut self.hulls) {
            hull.close();
            let (n, p) = hull.end();
            let pieces = hull.pieces().map(|piece| (piece, piece));
            *out = if n > 0.0 && p > 0.0 { self.of_hull.of((n, p), pieces) } else { f64::NAN };
        }
    }
}
