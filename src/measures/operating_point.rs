//! The best point of the ROC curve of two classes, by a rule.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::measures::measure::Shared;
use crate::measures::on_curve::OnCurve;
use crate::measures::options::Options;
use crate::walk::steps::{Steps, Tied, Totals};

/// What rounding of sums may add to a rate, or take from it: a bound that is met but for this is met.
const ROUNDING: f64 = 1.0 / (1u64 << 40) as f64;

/// FPR, TPR and the number of the point that a rule chooses: the k-th highest score of class 1 is its
/// threshold, and k = 0 is the point (0, 0), above all scores.
///
/// Points are those of thresholds, nothing lies between them. A point that is best by any rule ends in a tie
/// group with rows of class 1: one that ends in others alone has the same TPR as the one before, and a higher
/// FPR. So scores of class 1 number them all, whichever rows a replicate draws. O(n log n).
pub struct OperatingPoint {
    rule: Rule,
}

#[derive(Clone, Copy)]
enum Rule {
    /// The greatest TPR whose FPR stays within a bound, that of the lowest FPR among equals (B97 s.9.2).
    MaxFpr(f64),
    /// The least FPR whose TPR reaches a bound, that of the highest TPR among equals.
    MinTpr(f64),
    /// The greatest gain tp - loss fp, that of the lowest FPR among equals: tp and fp are rates (Youden's index,
    /// or costs at a given prevalence), else masses (costs at the prevalence of the sample, B97 Eq. 6).
    Gain { gain: f64, loss: f64, of_rates: bool },
}

/// `rule`, with its `bound`, or with `gain` and `loss`.
pub(super) fn make(options: &mut Options) -> Result<Shared> {
    let rule = match options.word("rule")?.unwrap_or_default().as_str() {
        "max_fpr" => Rule::MaxFpr(options.number("bound")?),
        "min_tpr" => Rule::MinTpr(options.number("bound")?),
        word @ ("rates" | "masses") => Rule::Gain {
            gain: options.number("gain")?,
            loss: options.number("loss")?,
            of_rates: word == "rates",
        },
        other => return Err(Error::Domain(format!("there is no rule {other:?}"))),
    };
    Ok(Arc::new(OperatingPoint { rule }))
}

impl OnCurve for OperatingPoint {
    fn start(&self, totals: &Totals<'_>) -> Box<dyn Steps> {
        let lane = |(p, n)| Lane { p, n, ..Lane::default() };
        Box::new(Search {
            rule: self.rule,
            number: 0,
            open: totals.lanes,
            lanes: totals.both().map(lane).collect(),
        })
    }
    fn width(&self) -> usize {
        3
    }
    fn joins_favoured(&self) -> bool {
        true
    }
}

/// A curve on its way, in masses, and the best point of it so far.
#[derive(Clone, Copy, Default)]
struct Lane {
    p: f64,
    n: f64,
    tp: f64,
    fp: f64,
    best: Best,
    /// Whether no better point can follow.
    done: bool,
}

#[derive(Clone, Copy, Default)]
struct Best {
    tp: f64,
    fp: f64,
    number: f64,
}

struct Search {
    rule: Rule,
    /// Scores of class 1 so far.
    number: u32,
    /// Lanes that are not done.
    open: usize,
    lanes: Vec<Lane>,
}

impl Steps for Search {
    fn width(&self) -> usize {
        3
    }

    fn joins_favoured(&self) -> bool {
        true
    }

    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        self.number += u32::from(tied.holds_favoured);
        for ((lane, &own), &others) in self.lanes.iter_mut().zip(tied.own).zip(tied.others) {
            if lane.done {
                continue;
            }
            lane.tp += own;
            lane.fp += others;
            if lane.ends(self.rule) {
                lane.done = true;
                self.open -= 1;
            } else if own > 0.0 && lane.is_better(self.rule) {
                lane.best = Best { tp: lane.tp, fp: lane.fp, number: f64::from(self.number) };
            }
        }
        if self.open == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// NaN where a class was lost.
    fn finish(self: Box<Self>, out: &mut [f64]) {
        let (rates, number) = out.split_at_mut(2 * self.lanes.len());
        let (fpr, tpr) = rates.split_at_mut(self.lanes.len());
        for (k, &Lane { p, n, best, .. }) in self.lanes.iter().enumerate() {
            let lost = if p > 0.0 && n > 0.0 { 0.0 } else { f64::NAN };
            // Sums in another order than those of p and n may have been rounded upwards.
            fpr[k] = (best.fp / n).min(1.0) + lost;
            tpr[k] = (best.tp / p).min(1.0) + lost;
            number[k] = best.number + lost;
        }
    }
}

impl Lane {
    /// Whether a rule can neither take this point nor one that follows.
    fn ends(&self, rule: Rule) -> bool {
        match rule {
            Rule::MaxFpr(bound) => self.fp / self.n > bound + ROUNDING,
            Rule::MinTpr(bound) => self.best.reaches(bound, self.p) && self.fp > self.best.fp,
            Rule::Gain { .. } => false,
        }
    }

    /// Whether a point that is not yet beyond is better than the best one before it.
    fn is_better(&self, rule: Rule) -> bool {
        let Rule::Gain { gain, loss, of_rates } = rule else {
            // Up to the bound on FPR a higher TPR, up to that on TPR any point, and then those of the same FPR.
            return true;
        };
        let (gain, loss) = if of_rates { (gain * self.n, loss * self.p) } else { (gain, loss) };
        let more = gain * (self.tp - self.best.tp) - loss * (self.fp - self.best.fp);
        let rounding = 8.0 * f64::EPSILON * (gain * self.tp + loss * self.fp);
        more > rounding || self.fp == self.best.fp
    }
}

impl Best {
    fn reaches(&self, bound: f64, p: f64) -> bool {
        self.tp / p >= bound - ROUNDING
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::measure::Measure;

    /// FPR, TPR and number in two lanes: every row once, and without the third tie group.
    fn chosen(rule: Rule) -> [[f64; 3]; 2] {
        // Favoured rows and others, highest score first: + | + + - | - | + -
        let groups = [(1.0, 0.0), (2.0, 1.0), (0.0, 1.0), (1.0, 1.0)];
        let measure = OperatingPoint { rule };
        let start = measure.steps().unwrap();
        let totals = Totals { lanes: 2, favoured: 1, values: &[3.0, 2.0, 4.0, 4.0] };
        let mut steps = start(&totals);
        for (k, (own, others)) in groups.into_iter().enumerate() {
            let (own_lanes, other) = ([own; 2], [others, if k == 2 { 0.0 } else { others }]);
            let holds_favoured = own > 0.0;
            let tied =
                Tied { own: &own_lanes, others: &other, sides: &[], sample: &[], holds_favoured };
            if steps.step(&tied).is_break() {
                break;
            }
        }
        let mut out = [0.0; 6];
        steps.finish(&mut out);
        [[out[0], out[2], out[4]], [out[1], out[3], out[5]]]
    }

    #[test]
    fn every_rule_takes_its_point() {
        let gain = |gain, loss, of_rates| Rule::Gain { gain, loss, of_rates };
        let third = 1.0 / 3.0;
        assert_eq!(chosen(Rule::MaxFpr(0.3)), [[0.0, 0.25, 1.0]; 2]);
        assert_eq!(chosen(Rule::MaxFpr(third)), [[third, 0.75, 2.0], [0.0, 0.25, 1.0]]);
        assert_eq!(chosen(Rule::MinTpr(0.75)), [[third, 0.75, 2.0], [0.5, 0.75, 2.0]]);
        assert_eq!(chosen(Rule::MinTpr(0.8)), [[1.0, 1.0, 3.0]; 2]);
        // Youden: 5/12 of the first lane; 1/4 at both points of the second, of which the lower FPR.
        assert_eq!(chosen(gain(1.0, 1.0, true)), [[third, 0.75, 2.0], [0.0, 0.25, 1.0]]);
        // Masses: 1, 2 and 1 (or 2) at the three points.
        assert_eq!(chosen(gain(1.0, 1.0, false)), [[third, 0.75, 2.0], [0.5, 0.75, 2.0]]);
        assert_eq!(chosen(gain(1.0, 0.0, false)), [[1.0, 1.0, 3.0]; 2]);
        assert_eq!(chosen(gain(0.0, 1.0, false)), [[0.0, 0.25, 1.0]; 2]);
    }
}
