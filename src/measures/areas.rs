//! Parts of the area under ROC curves, of many replicates side by side.

use std::ops::ControlFlow;

use crate::machine::lanes::{Kernel, launch};
use crate::walk::steps::{Steps, Tied, Totals};

/// A part of the unit square: between two rates, below and to the right of the curve.
///
/// Over FPR it is the integral of TPR from `low` to `high`, over TPR that of 1 - FPR.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Whether the rates are true positive ones.
    pub over_tpr: bool,
    /// The lower rate.
    pub low: f64,
    /// The upper rate.
    pub high: f64,
}

impl Window {
    /// The same part for the other class, by scores turned round: rates f and t are then 1 - t and 1 - f.
    pub fn turned(self) -> Self {
        Self { over_tpr: !self.over_tpr, low: 1.0 - self.high, high: 1.0 - self.low }
    }

    /// The greatest area.
    pub fn most(&self) -> f64 {
        self.high - self.low
    }

    /// The area below the diagonal, which is that of chance.
    pub fn by_chance(&self) -> f64 {
        let below = 0.5 * (self.high - self.low) * (self.high + self.low);
        if self.over_tpr { self.most() - below } else { below }
    }
}

/// Areas in some windows under a curve, or under one against each other side: window after window, side after
/// side.
///
/// What is summed is what an area lacks: so that of a perfect curve is the greatest to the last bit. Masses, not
/// rates, are added up, so that whole weights stay exact.
pub struct Areas {
    windows: Vec<Window>,
    lanes: usize,
    /// How many sides are told apart; `None` if all others are one.
    sides: Option<usize>,
    positives: Vec<f64>,
    tp: Vec<f64>,
    curves: Vec<Curve>,
}

/// The curve against one side, or against all others.
struct Curve {
    side: usize,
    negatives: Vec<f64>,
    fp: Vec<f64>,
    /// For each window, what the area lacks, and whether some lane is short of the window's end.
    missed: Vec<Vec<f64>>,
    open: Vec<bool>,
}

impl Areas {
    /// Areas under the curve against all others, or (`apart`) against each of them.
    pub fn new(windows: &[Window], apart: bool, totals: &Totals<'_>) -> Self {
        let lanes = totals.lanes;
        let zeros = || vec![0.0; lanes];
        let curve = |(side, negatives): (usize, Vec<f64>)| Curve {
            side,
            negatives,
            fp: zeros(),
            missed: windows.iter().map(|_| zeros()).collect(),
            open: vec![true; windows.len()],
        };
        let sides = totals.values.len() / lanes;
        let curves = match apart {
            false => vec![curve((0, totals.others()))],
            true => (totals.values.chunks_exact(lanes).map(<[f64]>::to_vec).enumerate())
                .filter(|(side, masses)| *side != totals.favoured && !are_nothing(masses))
                .map(curve)
                .collect(),
        };
        Self {
            windows: windows.to_vec(),
            lanes,
            sides: apart.then_some(sides),
            positives: totals.own().to_vec(),
            tp: zeros(),
            curves,
        }
    }
}

impl Steps for Areas {
    fn by_side(&self) -> bool {
        self.sides.is_some()
    }

    fn width(&self) -> usize {
        self.windows.len() * self.sides.unwrap_or(1)
    }

    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()> {
        let (own, lanes) = (tied.own, self.lanes);
        let no_own = are_nothing(own);
        let mut any_open = false;
        for curve in &mut self.curves {
            if !curve.open.contains(&true) {
                continue;
            }
            let others = match self.sides {
                Some(_) => &tied.sides[curve.side * lanes..][..lanes],
                None => tied.others,
            };
            let no_others = are_nothing(others);
            let windows = self.windows.iter().zip(&mut curve.missed).zip(&mut curve.open);
            for ((&window, missed), open) in windows {
                // Without a move along its rates nothing changes in a window.
                if !*open || if window.over_tpr { no_own } else { no_others } {
                    continue;
                }
                let (fp, negatives) = (&curve.fp[..], &curve.negatives[..]);
                let (tp, positives) = (&self.tp[..], &self.positives[..]);
                let (along, across) = match window.over_tpr {
                    false => ((fp, others, negatives), (tp, own)),
                    true => ((tp, own, positives), (fp, others)),
                };
                let most = (!window.over_tpr).then_some(positives);
                *open = launch(Piece { window, along, across, most, missed });
            }
            any_open |= curve.open.contains(&true);
            if !no_others {
                curve.fp.iter_mut().zip(others).for_each(|(sum, mass)| *sum += mass);
            }
        }
        if !no_own {
            self.tp.iter_mut().zip(own).for_each(|(sum, mass)| *sum += mass);
        }
        if any_open { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// NaN where a class was lost.
    fn finish(self: Box<Self>, out: &mut [f64]) {
        out.fill(f64::NAN);
        let sides = self.sides.unwrap_or(1);
        for curve in &self.curves {
            for ((k, window), missed) in self.windows.iter().enumerate().zip(&curve.missed) {
                let out = &mut out[(k * sides + curve.side) * self.lanes..][..self.lanes];
                let masses = self.positives.iter().zip(&curve.negatives);
                for ((out, missed), (p, n)) in out.iter_mut().zip(missed).zip(masses) {
                    // Rounding must not lead beyond the range; NaN stays NaN.
                    *out = (window.most() - missed / (p * n)).clamp(0.0, window.most());
                }
            }
        }
    }
}

/// A number, or the end of a range that it lies beyond.
#[inline(always)]
fn cut(x: f64, low: f64, high: f64) -> f64 {
    let above = if x > low { x } else { low };
    if above < high { above } else { high }
}

fn are_nothing(masses: &[f64]) -> bool {
    masses.iter().all(|&mass| mass == 0.0)
}

/// What one straight piece of the curves adds to what areas lack; tells whether any curve is still short of the
/// window's end.
struct Piece<'a> {
    window: Window,
    /// Of the rates that the window is over: masses so far, those of the piece, and all.
    along: (&'a [f64], &'a [f64], &'a [f64]),
    /// Of the other rates: masses so far, and those of the piece.
    across: (&'a [f64], &'a [f64]),
    /// All of the latter, where what lies above the curve is lacking and not what lies to its left.
    most: Option<&'a [f64]>,
    missed: &'a mut [f64],
}

impl Kernel for Piece<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { window, along: (x, dx, all), across: (y, dy), most, missed } = self;
        let lanes = missed.len();
        // One length for all, so that the loops check no bounds.
        let (x, dx, all, y, dy) =
            (&x[..lanes], &dx[..lanes], &all[..lanes], &y[..lanes], &dy[..lanes]);
        // Where the piece begins and ends within the window: how wide that is, and where its middle lies.
        let within = |k: usize| {
            let (low, high) = (window.low * all[k], window.high * all[k]);
            let (first, last) = (cut(x[k], low, high), cut(x[k] + dx[k], low, high));
            let middle = if dx[k] > 0.0 { (0.5 * (first + last) - x[k]) / dx[k] } else { 0.0 };
            (last - first, middle)
        };
        match most {
            Some(most) => {
                let most = &most[..lanes];
                for k in 0..lanes {
                    let (width, middle) = within(k);
                    missed[k] += width * ((most[k] - y[k]) - dy[k] * middle);
                }
            }
            None => {
                for k in 0..lanes {
                    let (width, middle) = within(k);
                    missed[k] += width * (y[k] + dy[k] * middle);
                }
            }
        }
        (0..lanes).any(|k| x[k] + dx[k] < window.high * all[k])
    }
}
