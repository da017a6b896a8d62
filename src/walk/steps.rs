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

    /// One number for each lane.
    fn finish(self: Box<Self>, out: &mut [f64]);

    /// Whether the lowest score comes first.
    fn goes_up(&self) -> bool {
        false
    }

    /// Whether favoured rows of one score come together where they tie with no others. The ordering must
    /// have them marked ([`crate::order::wanted::Wanted::all_ties`]).
    fn joins_favoured(&self) -> bool {
        false
    }
}

/// Begins the steps along an ordering whose sides have these weights.
pub type Start<'a> = Box<dyn Fn(&Totals<'_>) -> Box<dyn Steps> + 'a>;

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
}

/// The rows of one score: what they weigh, one side after the other, lane by lane.
pub struct Tied<'a> {
    lanes: usize,
    favoured: usize,
    sides: &'a [usize],
    masses: &'a [f64],
}

impl Tied<'_> {
    /// The weight of the favoured rows in a lane.
    #[inline(always)]
    pub fn own(&self, lane: usize) -> f64 {
        self.masses[self.favoured * self.lanes + lane]
    }

    /// The weight of the others.
    #[inline(always)]
    pub fn others(&self, lane: usize) -> f64 {
        let others = self.sides.iter().filter(|&&side| side != self.favoured);
        others.fold(0.0, |sum, side| sum + self.masses[side * self.lanes + lane])
    }
}

/// Steps on their way along an ordering, whose rows come a stretch at a time.
pub struct Walk<'a> {
    ordering: &'a Ordering,
    steps: Box<dyn Steps>,
    pieces: Pieces<'a>,
    lanes: usize,
    /// The tie group at hand: what its rows weigh, and which sides they are of.
    masses: Vec<f64>,
    sides: Vec<usize>,
    ended: bool,
}

impl<'a> Walk<'a> {
    /// Steps at their start.
    pub fn new(ordering: &'a Ordering, steps: Box<dyn Steps>, lanes: usize) -> Self {
        let ties = if steps.joins_favoured() { &ordering.all_ties } else { &ordering.ties };
        Self {
            ordering,
            pieces: Pieces::new(ties, steps.goes_up()),
            steps,
            lanes,
            masses: vec![0.0; ordering.sides * lanes],
            sides: Vec::new(),
            ended: false,
        }
    }

    /// Whether stretches come from the lowest score up.
    pub fn goes_up(&self) -> bool {
        self.steps.goes_up()
    }

    /// Takes in a stretch of rows, the next one on the way; `weight(k, lane)` is that of its k-th row.
    pub fn take(&mut self, rows: Range<usize>, weight: impl Fn(usize, usize) -> f64) {
        let mut stretch = rows.clone();
        while let Some(piece) = self.pieces.next(&mut stretch) {
            let len = piece.rows.len();
            for k in 0..len {
                if self.ended {
                    return;
                }
                let row = piece.rows.start + if self.goes_up() { k } else { len - 1 - k };
                self.add(row, row - rows.start, &weight);
                if !piece.tied || (piece.ends && k + 1 == len) {
                    self.step();
                }
            }
        }
    }

    fn add(&mut self, row: usize, k: usize, weight: &impl Fn(usize, usize) -> f64) {
        let side = usize::from(self.ordering.side[row]);
        if !self.sides.contains(&side) {
            self.sides.push(side);
        }
        let masses = &mut self.masses[side * self.lanes..][..self.lanes];
        for (lane, mass) in masses.iter_mut().enumerate() {
            *mass += weight(k, lane);
        }
    }

    /// Ends a tie group.
    fn step(&mut self) {
        let Self { lanes, sides, masses, .. } = self;
        let favoured = self.ordering.favoured;
        let tied = Tied { lanes: *lanes, favoured, sides, masses };
        self.ended = self.steps.step(&tied).is_break();
        for side in self.sides.drain(..) {
            self.masses[side * self.lanes..][..self.lanes].fill(0.0);
        }
    }

    /// One number for each lane.
    pub fn finish(self) -> Vec<f64> {
        let mut out = vec![0.0; self.lanes];
        self.steps.finish(&mut out);
        out
    }
}
