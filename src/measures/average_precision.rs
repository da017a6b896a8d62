//! Average precision.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::error::Result;
use crate::measures::average::Average;
use crate::measures::measure::{Derivative, Masses, Measure, Outcome, Point, Shared};
use crate::measures::options::Options;
use crate::measures::ties::{Moves, Step, TieGradient};
use crate::order::wanted::{Orderings, Wanted};
use crate::walk::steps::{Start, Steps, Tied};

/// AP = sum over thresholds of (R_t - R_(t-1)) P_t, thresholds from the highest score down, rows of one score
/// one step: R_t is the share of positive rows at or above the threshold, P_t the share of positives among the
/// rows there (scikit-learn's definition; no line is drawn between the points).
///
/// Of one column class 1 is positive; else every class by its own column against the rest. O(n log n) for each
/// column.
pub struct AveragePrecision {
    /// How many classes, and how they are put together; `None` for one column.
    classes: Option<(usize, Average)>,
}

/// `n_classes` and `average`, or neither for one column.
pub(super) fn make(options: &mut Options) -> Result<Shared> {
    let classes = match options.flag("one_column")? {
        true => None,
        false => Some((options.count("n_classes")?, options.average()?)),
    };
    Ok(Arc::new(AveragePrecision { classes }))
}

impl Measure for AveragePrecision {
    fn wanted(&self) -> Wanted {
        let orderings = match self.classes {
            None => Orderings::SingleColumn,
            Some(_) => Orderings::Columns,
        };
        Wanted { orderings, all_ties: true }
    }
    fn counts_pairs(&self) -> bool {
        false
    }
    fn steps(&self) -> Option<Start<'_>> {
        Some(Box::new(|totals| Box::new(Precisions { lanes: vec![Lane::default(); totals.lanes] })))
    }
    fn width(&self) -> usize {
        self.classes.map_or(1, |(classes, average)| average.width(classes))
    }
    fn room(&self) -> usize {
        self.classes.map_or(1, |(classes, average)| average.room(classes))
    }
    fn take(&self, outcome: &Outcome<'_>, masses: &Masses<'_>, room: &mut [f64]) {
        match self.classes {
            None => room.copy_from_slice(outcome.steps),
            Some((_, average)) => {
                average.take(outcome.favoured, |lane| outcome.steps[lane], masses, room);
            }
        }
    }
    fn finish(&self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        match self.classes {
            None => out.copy_from_slice(room),
            Some((_, average)) => average.finish(masses, room, out),
        }
    }
    fn derivative(&self, at: &Point<'_>) -> Derivative {
        let gradient = |only: Option<usize>, moves: Moves| TieGradient {
            only,
            apart: false,
            joins_favoured: true,
            moves,
            mass: Vec::new(),
        };
        let mean = |share: f64| -> Moves { Box::new(move |_, _, steps| moves(steps, share).0) };
        Derivative::OfTies(match self.classes {
            None => vec![gradient(None, mean(1.0))],
            Some((classes, Average::None)) => {
                (0..classes).map(|class| gradient(Some(class), mean(1.0))).collect()
            }
            Some((_, Average::Macro)) => {
                vec![gradient(None, mean(1.0 / at.present.len() as f64))]
            }
            Some((_, Average::Prevalence)) => {
                vec![gradient(None, Box::new(|_, _, steps| weighted_moves(steps)))]
            }
        })
    }
}

/// How AP changes with the mass of either side in each tie group, `share` times; and AP itself.
///
/// With p_g of a_g rows positive down to tie group g, own_g of them in it, and P in all, AP is the sum of
/// own_g p_g / a_g over P. A positive row of group h adds one to p_g and a_g for all g from h on, and to own_h and P;
/// a negative one to a_g alone.
fn moves(steps: &[Step], share: f64) -> (Vec<Step>, f64) {
    let (mut tp, mut all, mut sum) = (0.0, 0.0, 0.0);
    let reached: Vec<(f64, f64)> = (steps.iter())
        .map(|step| {
            (tp, all) = (tp + step.own, all + step.own + step.others);
            let precision = if all > 0.0 { tp / all } else { 0.0 };
            sum += step.own * precision;
            (precision, all)
        })
        .collect();
    let value = sum / tp;
    let (mut gained, mut lost) = (0.0, 0.0);
    let mut moved = vec![Step::default(); steps.len()];
    for (k, (step, &(precision, all))) in steps.iter().zip(&reached).enumerate().rev() {
        if step.own > 0.0 {
            gained += step.own * (1.0 - precision) / all;
            lost += step.own * precision / all;
        }
        moved[k].own = share * (precision + gained - value) / tp;
        moved[k].others = -share * lost / tp;
    }
    (moved, value)
}

/// The same for what a class's AP adds to the mean by masses: m_i AP_i / M.
fn weighted_moves(steps: &[Step]) -> Vec<Step> {
    let own: f64 = steps.iter().map(|step| step.own).sum();
    let total = own + steps.iter().map(|step| step.others).sum::<f64>();
    let (mut moved, value) = moves(steps, own / total);
    for step in &mut moved {
        step.own += value * (1.0 - own / total) / total;
        step.others -= value * own / total / total;
    }
    moved
}

#[derive(Clone, Copy, Default)]
struct Lane {
    /// What lies at or above the threshold: of the class, and in all.
    tp: f64,
    all: f64,
    sum: f64,
}

impl Lane {
    /// Takes in what one tie group weighs.
    #[inline(always)]
    fn take(&mut self, own: f64, others: f64) {
        self.tp += own;
        self.all += own + others;
        // Rows that were not drawn may come before all that were, and nothing is above these.
        let gained = own * (self.tp / self.all);
        self.sum += if own > 0.0 { gained } else { 0.0 };
    }
}

struct Precisions {
    lanes: Vec<Lane>,
}

impl Steps for Precisions {
    /// One step raises the recall once, however many rows have its score.
    fn joins_favoured(&self) -> bool {
        true
    }

    /// Recall stays where no row is of the class, as at most scores of many classes.
    fn joins_others(&self) -> bool {
        true
    }

    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        for ((lane, own), others) in self.lanes.iter_mut().zip(tied.own).zip(tied.others) {
            lane.take(*own, *others);
        }
        ControlFlow::Continue(())
    }

    fn counted(&mut self, groups: &[(u32, u32)]) -> Option<ControlFlow<()>> {
        let [lane] = &mut self.lanes[..] else {
            return None;
        };
        groups.iter().for_each(|&(own, others)| lane.take(f64::from(own), f64::from(others)));
        Some(ControlFlow::Continue(()))
    }

    /// NaN where the class was lost. All of its mass has been met by now, in the order of the sum, so that
    /// perfect precision is 1 to the last bit.
    fn finish(self: Box<Self>, out: &mut [f64]) {
        for (out, lane) in out.iter_mut().zip(&self.lanes) {
            *out = lane.sum / lane.tp;
        }
    }
}
