//! A walk over an ordering one tie group after the other, for what depends on the points of a curve.
//!
//! Going down from the highest score, every tie group is one straight piece of the ROC curve, of all
//! replicates at once: a convex hull, the greatest distance between two curves, an area up to a limit or a
//! sum of precisions is each a small [`Steps`].

use std::ops::{ControlFlow, Range};

use crate::order::ordering::Ordering;
use crate::walk::pieces::Pieces;

/// What is made of an ordering's tie groups, in many lanes side by side.
pub trait Steps: Send {
    /// Takes in the next tie group; nothing follows after a `Break`.
    fn step(&mut self, tied: &Tied<'_>) -> ControlFlow<()>;

    /// Takes in a row that ties with no other, where sides are told apart: the same as [`Steps::step`] for those
    /// that need not look at the other sides. `None` if it wants the step after all.
    fn alone(&mut self, _side: usize, _mass: &[f64]) -> Option<ControlFlow<()>> {
        None
    }

    /// Takes in many tie groups of one lane at once, of each the favoured rows and the others: the same as
    /// [`Steps::step`] for each, of those that can do it faster. `None` if it wants the steps after all.
    fn counted(&mut self, _groups: &[(u32, u32)]) -> Option<ControlFlow<()>> {
        None
    }

    /// [`Steps::width`] numbers for each lane, number k of a lane at `k lanes + lane`.
    fn finish(self: Box<Self>, out: &mut [f64]);

    /// How many numbers for each lane.
    fn width(&self) -> usize {
        1
    }

    /// Whether the others are told apart, side by side ([`Tied::sides`]), rather than all together.
    fn by_side(&self) -> bool {
        false
    }

    /// Whether they want to know what the rows of a tie group weigh in the sample itself ([`Tied::sample`]).
    fn looks_at_sample(&self) -> bool {
        false
    }

    /// Whether the lowest score comes first.
    fn goes_up(&self) -> bool {
        false
    }

    /// Whether a tie group without favoured rows may come together with the next that has some: for those that only
    /// add up what lies above. What follows the last favoured row may never come.
    fn joins_others(&self) -> bool {
        false
    }

    /// Whether favoured rows of one score come together where they tie with no others. The ordering must
    /// have them marked ([`crate::order::wanted::Wanted::all_ties`]).
    fn joins_favoured(&self) -> bool {
        false
    }
}

/// Begins the steps along an ordering whose sides have these weights.
pub type Start<'a> = Box<dyn Fn(&Totals<'_>) -> Box<dyn Steps> + Sync + 'a>;

/// The weight of each side of an ordering, lane by lane.
pub struct Totals<'a> {
    /// Replicates side by side.
    pub lanes: usize,
    /// The favoured side.
    pub favoured: usize,
    /// Side after side, lane by lane.
    pub values: &'a [f64],
}

impl Totals<'_> {
    /// The weight of the favoured side.
    pub fn own(&self) -> &[f64] {
        &self.values[self.favoured * self.lanes..][..self.lanes]
    }

    /// The weight of all others, in order of their numbers.
    pub fn others(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.lanes];
        for (side, masses) in self.values.chunks_exact(self.lanes).enumerate() {
            if side != self.favoured {
                sums.iter_mut().zip(masses).for_each(|(sum, mass)| *sum += mass);
            }
        }
        sums
    }

    /// Both, lane by lane.
    pub fn both(&self) -> impl Iterator<Item = (f64, f64)> {
        self.own().iter().copied().zip(self.others())
    }
}

/// The rows of one score: what the favoured ones and the others weigh, lane by lane.
pub struct Tied<'a> {
    /// The favoured rows.
    pub own: &'a [f64],
    /// The others together; empty where they are told apart.
    pub others: &'a [f64],
    /// The rows of each side, side after side and lane by lane, the favoured one among them; empty unless asked
    /// for.
    pub sides: &'a [f64],
    /// The same in the sample itself, one number for all lanes: favoured rows and others, or side after side. Empty
    /// unless asked for; of cells of equal rows it is not known.
    pub sample: &'a [f64],
    /// Whether favoured rows are among them, even if no lane drew one.
    pub holds_favoured: bool,
}

/// Steps on their way along an ordering, whose rows come a stretch at a time.
pub struct Walk<'a> {
    ordering: &'a Ordering,
    steps: Box<dyn Steps>,
    pieces: Pieces<'a>,
    up: bool,
    lanes: usize,
    /// The tie group at hand: what its rows weigh, side by side if asked for, else favoured rows and others.
    sums: Vec<f64>,
    /// The same in the sample itself; empty unless asked for.
    sample: Vec<f64>,
    by_side: bool,
    joins_others: bool,
    /// Whether it holds favoured rows.
    favoured: bool,
    ended: bool,
}

impl<'a> Walk<'a> {
    /// Steps at their start.
    pub fn new(ordering: &'a Ordering, steps: Box<dyn Steps>, lanes: usize) -> Self {
        let ties = if steps.joins_favoured() { &ordering.all_ties } else { &ordering.ties };
        let (up, by_side, joins_others) = (steps.goes_up(), steps.by_side(), steps.joins_others());
        let kinds = if by_side { ordering.sides } else { 2 };
        let sums = vec![0.0; lanes * kinds];
        let sample = vec![0.0; if steps.looks_at_sample() { kinds } else { 0 }];
        let pieces = Pieces::new(ties, up);
        let (favoured, ended) = (false, false);
        Self {
            ordering,
            steps,
            pieces,
            up,
            lanes,
            sums,
            sample,
            by_side,
            joins_others,
            favoured,
            ended,
        }
    }

    /// Whether stretches come from the lowest score up.
    pub fn goes_up(&self) -> bool {
        self.up
    }

    /// Takes in a stretch of rows, the next one on the way; `add(k, sums)` adds the weights of its k-th row,
    /// lane by lane. Tells whether more is wanted.
    #[inline(always)]
    pub fn take(
        &mut self,
        rows: Range<usize>,
        mut add: impl FnMut(usize, &mut [f64]),
    ) -> ControlFlow<()> {
        let mut stretch = rows.clone();
        while let Some(piece) = self.pieces.next(&mut stretch) {
            let len = piece.rows.len();
            for k in 0..len {
                if self.ended {
                    return ControlFlow::Break(());
                }
                let row = if self.up { piece.rows.start + k } else { piece.rows.end - 1 - k };
                let side = usize::from(self.ordering.side[row]);
                self.favoured |= side == self.ordering.favoured;
                let at = match self.by_side {
                    true => side,
                    false => usize::from(side != self.ordering.favoured),
                };
                if let Some(sample) = self.sample.get_mut(at) {
                    *sample += self.ordering.mass.get(row).copied().unwrap_or(1.0);
                }
                let at = at * self.lanes..(at + 1) * self.lanes;
                add(row - rows.start, &mut self.sums[at.clone()]);
                let ends = !piece.tied || (piece.ends && k + 1 == len);
                if self.joins_others {
                    if ends && self.favoured {
                        self.step();
                        self.sums.fill(0.0);
                    }
                } else if !piece.tied {
                    let alone = match self.by_side {
                        true => self.steps.alone(side, &self.sums[at.clone()]),
                        false => None,
                    };
                    match alone {
                        Some(flow) => self.ended = flow.is_break(),
                        None => self.step(),
                    }
                    self.sums[at].fill(0.0);
                } else if ends {
                    self.step();
                    self.sums.fill(0.0);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Ends a tie group.
    fn step(&mut self) {
        let holds_favoured = std::mem::take(&mut self.favoured);
        let tied = match self.by_side {
            true => {
                let own = &self.sums[self.ordering.favoured * self.lanes..][..self.lanes];
                Tied { own, others: &[], sides: &self.sums, sample: &self.sample, holds_favoured }
            }
            false => {
                let (own, others) = self.sums.split_at(self.lanes);
                Tied { own, others, sides: &[], sample: &self.sample, holds_favoured }
            }
        };
        self.ended = self.steps.step(&tied).is_break();
        self.sample.fill(0.0);
    }

    /// The steps' numbers for each lane.
    pub fn finish(self) -> Vec<f64> {
        let mut out = vec![0.0; self.lanes * self.steps.width()];
        self.steps.finish(&mut out);
        out
    }
}
