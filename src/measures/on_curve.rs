//! Measures that read the ROC curve of two classes, and nothing else.

use crate::measures::measure::{Derivative, Masses, Measure, Outcome, Point};
use crate::order::wanted::{Orderings, Wanted};
use crate::walk::steps::{Start, Steps, Totals};

/// A measure of two classes whose values are what its steps along their curve end with.
///
/// Its pairs of rows are never counted, and it has no derivative in closed form.
pub trait OnCurve: Send + Sync {
    /// The steps at their start.
    fn start(&self, totals: &Totals<'_>) -> Box<dyn Steps>;

    /// How many values it has.
    fn width(&self) -> usize {
        1
    }

    /// Whether favoured rows of one score are to come together where they tie with no others.
    fn joins_favoured(&self) -> bool {
        false
    }
}

impl<M: OnCurve> Measure for M {
    fn wanted(&self) -> Wanted {
        Wanted { orderings: Orderings::SingleColumn, all_ties: self.joins_favoured() }
    }
    fn counts_pairs(&self) -> bool {
        false
    }
    fn steps(&self) -> Option<Start<'_>> {
        Some(Box::new(|totals| self.start(totals)))
    }
    fn width(&self) -> usize {
        OnCurve::width(self)
    }
    fn room(&self) -> usize {
        OnCurve::width(self)
    }
    fn take(&self, outcome: &Outcome<'_>, _: &Masses<'_>, room: &mut [f64]) {
        room.copy_from_slice(outcome.steps);
    }
    fn finish(&self, _: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        out.copy_from_slice(room);
    }
    fn derivative(&self, _: &Point<'_>) -> Derivative {
        Derivative::Unknown
    }
}
