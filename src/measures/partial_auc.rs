//! The area under a part of the ROC curve.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::measures::area_moves::area_moves;
use crate::measures::areas::{Areas, Window};
use crate::measures::mean::LaneMeans;
use crate::measures::measure::{Derivative, Masses, Measure, Outcome, Point, Shared};
use crate::measures::options::Options;
use crate::measures::ties::{Step, TieGradient};
use crate::order::wanted::{Orderings, Wanted};
use crate::walk::steps::Start;

/// The integral of TPR over FPR in [a, b], or of 1 - FPR over TPR in [a, b] (ties joined by straight lines), as it
/// is or standardised (McClish 1989).
///
/// With `most` = b - a, and `chance` = (b^2 - a^2) / 2 over FPR, `most` less that over TPR, the standardised area is
/// 1/2 [1 + (area - chance) / (most - chance)]: 1/2 for chance, 1 for a perfect score, whatever the range.
///
/// Of several classes it is the mean over ordered pairs (i, j), i being positive; of projections `one_way` over those
/// with i > j alone. O(n log n) for each ordering.
pub struct PartialAuc {
    window: Window,
    standardize: bool,
    curves: Curves,
}

/// Which curves there are.
enum Curves {
    /// That of class 1 against class 0 by the only column, or the second.
    One,
    /// That of every class against every other one by its own column.
    Columns,
    /// Those of the favoured class of each ordering, if not `one_way`, and those of the other class, by scores turned
    /// round.
    Ways { orderings: Orderings, one_way: bool },
}

impl PartialAuc {
    /// The windows of an ordering.
    fn windows(&self) -> Vec<Window> {
        match self.curves {
            Curves::One | Curves::Columns => vec![self.window],
            Curves::Ways { one_way: false, .. } => vec![self.window, self.window.turned()],
            Curves::Ways { one_way: true, .. } => vec![self.window.turned()],
        }
    }

    /// What an area is multiplied by, and what is added then.
    fn scale(&self) -> (f64, f64) {
        match self.standardize {
            true => {
                let (most, chance) = (self.window.most(), self.window.by_chance());
                let factor = 0.5 / (most - chance);
                (factor, 0.5 - factor * chance)
            }
            false => (1.0, 0.0),
        }
    }
}

impl Measure for PartialAuc {
    fn wanted(&self) -> Wanted {
        match &self.curves {
            Curves::One => Orderings::SingleColumn.into(),
            Curves::Columns => Orderings::Columns.into(),
            Curves::Ways { orderings, .. } => orderings.clone().into(),
        }
    }
    fn counts_pairs(&self) -> bool {
        false
    }
    fn steps(&self) -> Option<Start<'_>> {
        let (windows, apart) = (self.windows(), matches!(self.curves, Curves::Columns));
        Some(Box::new(move |totals| Box::new(Areas::new(&windows, apart, totals))))
    }
    fn room(&self) -> usize {
        if matches!(self.curves, Curves::One) { 1 } else { LaneMeans::ROOM }
    }
    fn take(&self, outcome: &Outcome<'_>, _: &Masses<'_>, room: &mut [f64]) {
        let lanes = outcome.lanes;
        let numbers: Vec<usize> = match self.curves {
            Curves::One => return room.copy_from_slice(outcome.steps),
            Curves::Columns => outcome.others.to_vec(),
            Curves::Ways { one_way, .. } => (0..if one_way { 1 } else { 2 }).collect(),
        };
        let mut means = LaneMeans::new(lanes, room);
        for number in numbers {
            for lane in 0..lanes {
                means.add(lane, 1.0, outcome.steps[number * lanes + lane]);
            }
        }
    }
    fn finish(&self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        match self.curves {
            Curves::One => out.copy_from_slice(room),
            _ => LaneMeans::new(masses.lanes, room).finish(out),
        }
        if self.standardize {
            let (most, chance) = (self.window.most(), self.window.by_chance());
            for out in out {
                *out = 0.5 * (1.0 + (*out - chance) / (most - chance));
            }
        }
    }
    fn derivative(&self, at: &Point<'_>) -> Derivative {
        let ordered = at.present.len() * (at.present.len() - 1);
        let pairs = match self.curves {
            Curves::One => 1,
            Curves::Ways { one_way: true, .. } => ordered / 2,
            _ => ordered,
        };
        let (windows, factor) = (self.windows(), self.scale().0 / pairs as f64);
        let moves = move |_: usize, _: usize, steps: &[Step]| {
            let mut moved = area_moves(windows[0], steps, factor);
            for &window in &windows[1..] {
                for (sum, more) in moved.iter_mut().zip(area_moves(window, steps, factor)) {
                    sum.own += more.own;
                    sum.others += more.others;
                }
            }
            moved
        };
        Derivative::OfTies(vec![TieGradient {
            only: None,
            apart: matches!(self.curves, Curves::Columns),
            joins_favoured: false,
            moves: Box::new(moves),
            mass: Vec::new(),
        }])
    }
}

/// The range from `low` to `high`, of FPR or (`over_tpr`) of TPR. Several classes by column or `projected` by a
/// `partition` and `unit_roundoff`, `both_ways` or one; otherwise the only column, or the second, and with `both_ways`
/// also that turned round.
pub(super) fn make(options: &mut Options) -> Result<Shared> {
    let (low, high) = (options.number("low")?, options.number("high")?);
    if !(0.0 <= low && low < high && high <= 1.0) {
        return Err(Error::Domain(format!("[{low:?}, {high:?}] is no range of rates")));
    }
    let window = Window { over_tpr: options.flag("over_tpr")?, low, high };
    let standardize = options.flag("standardize")?;
    let (columns, projected) = (options.flag("by_column")?, options.flag("projected")?);
    let both = options.flag("both_ways")?;
    let curves = match (columns, projected) {
        (true, false) if !both => Curves::Columns,
        (false, true) => {
            let (partition, unit_roundoff) =
                (options.matrix("partition")?, options.number("unit_roundoff")?);
            let orderings = Orderings::Pairs { partition, unit_roundoff };
            Curves::Ways { orderings, one_way: !both }
        }
        (false, false) if both => {
            Curves::Ways { orderings: Orderings::SingleColumn, one_way: false }
        }
        (false, false) => Curves::One,
        _ => return Err(Error::Domain("curves are of one kind".into())),
    };
    Ok(Arc::new(PartialAuc { window, standardize, curves }))
}
