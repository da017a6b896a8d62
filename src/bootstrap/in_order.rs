//! Runs with one ordering of many rows: what is resampled is the k-th row of a class by score, so that
//! weights are drawn in the order in which they are used, a portion at a time, and never leave the cache.
//!
//! In all other runs a unit is a row or a group by its number in the input. Here that would mean to keep all
//! weights of a block until the ordering meets them, or to draw them twice. The law of replicates is the
//! same; their numbers are those of another resample.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::{ControlFlow, Range};

use crate::data::classes::Classes;
use crate::data::setup::Setup;
use crate::data::units::Scheme;
use crate::data::weights::Weights;
use crate::machine::lanes::instructions::WIDTH;
use crate::machine::lanes::weights::Lanes;
use crate::machine::watch::Watch;
use crate::order::jobs::{Job, Key};
use crate::order::ordering::Ordering;
use crate::resample::Block;
use crate::resample::portions::{Draws, Portions, Shares};
use crate::resample::stream::Stream;

/// Runs of more rows than this go in order: weights of fewer stay in the cache as they are.
pub const MANY_ROWS: usize = 1 << 17;
/// Units of a portion, at most.
pub const PORTION: usize = 1 << 16;
/// Rows handed on at a time.
const STRETCH: usize = 1 << 13;

/// Whether a run of these jobs goes in order. Depends on data and measures alone.
pub fn goes_in_order(
    jobs: &[Job],
    classes: &Classes<'_>,
    scheme: Scheme,
    stratified: bool,
) -> bool {
    let one_column = matches!(jobs, [Job { key: Key::Single(_), .. }]);
    let plain = matches!(classes.weights, Weights::Unit);
    one_column && plain && Shares::of(scheme, stratified).is_some() && classes.len() > MANY_ROWS
}

/// Weights that are held at once: those of a portion of either class. Bounds are those of classes.
pub fn slots(bounds: &[usize]) -> usize {
    bounds.windows(2).map(|ends| (ends[1] - ends[0]).min(PORTION)).sum()
}

/// An ordering cut where a class goes on to its next portion.
pub struct InOrder {
    portions: Portions,
    segments: Vec<Segment>,
    /// Where each class has its weights.
    regions: [usize; 2],
}

/// Rows whose weights come from the same portions.
struct Segment {
    rows: Range<usize>,
    /// The portion of each class, by number among all; beyond the last for a class that is at its end.
    portions: [usize; 2],
}

impl InOrder {
    /// Cuts an ordering; its places become the slots where weights are found.
    pub fn new(stream: Stream, setup: &Setup<'_>, ordering: &mut Ordering) -> Self {
        let bounds = &setup.class_bounds;
        let shares = Shares::of(setup.scheme, setup.fixed).unwrap_or(Shares::OfStrata);
        let portions = Portions::new(stream, bounds, PORTION, shares);
        let regions = [0, slots(&bounds[..2])];
        let of_class = |class: usize| portions.all.iter().position(|p| p.stratum == class);
        let mut current = [0, 1].map(|class| of_class(class).unwrap_or(portions.all.len()));
        let (mut segments, mut first) = (Vec::new(), 0);
        for (row, (place, &side)) in ordering.place.iter_mut().zip(&ordering.side).enumerate() {
            let class = usize::from(side);
            let at = *place as usize;
            if at == portions.all[current[class]].units.end {
                segments.push(Segment { rows: first..row, portions: current });
                first = row;
                current[class] += 1;
            }
            *place = (regions[class] + at - portions.all[current[class]].units.start) as u32;
        }
        segments.push(Segment { rows: first..ordering.place.len(), portions: current });
        Self { portions, segments, regions }
    }
}

/// Weights of a block, drawn as they are met.
pub struct InOrderSource<'a, const H: usize> {
    in_order: &'a InOrder,
    block: &'a Block<H>,
    draws: Vec<Draws<H>>,
    weights: RefCell<&'a mut [Lanes<H>]>,
    watch: &'a Watch,
}

impl<'a, const H: usize> InOrderSource<'a, H> {
    /// Weights in a buffer of as many as there are [`slots`].
    pub fn new(
        in_order: &'a InOrder,
        block: &'a Block<H>,
        buffer: &'a mut [Lanes<H>],
        watch: &'a Watch,
    ) -> Self {
        let draws = in_order.portions.draws(block);
        Self { in_order, block, draws, weights: RefCell::new(buffer), watch }
    }

    /// What a class weighs in each replicate: as many as its portions have draws.
    pub fn mass(&self, class: usize) -> [[u64; WIDTH]; H] {
        let mut mass = [[0; WIDTH]; H];
        let portions = self.in_order.portions.all.iter().zip(&self.draws);
        for (_, draws) in portions.filter(|(portion, _)| portion.stratum == class) {
            for (mass, &drawn) in mass.as_flattened_mut().iter_mut().zip(draws.as_flattened()) {
                *mass += u64::from(drawn);
            }
        }
        mass
    }

    /// Calls `take(weights, slots, rows)` for stretches of rows until it has enough, the last one first if `back`.
    pub fn visit(
        &self,
        slots: &[u32],
        back: bool,
        mut take: impl FnMut(&[Lanes<H>], &[u32], Range<usize>) -> ControlFlow<()>,
    ) {
        let mut weights = self.weights.borrow_mut();
        let mut held = [usize::MAX; 2];
        let count = self.in_order.segments.len();
        for k in 0..count {
            let segment = &self.in_order.segments[if back { count - 1 - k } else { k }];
            for (class, (held, &portion)) in held.iter_mut().zip(&segment.portions).enumerate() {
                if *held != portion {
                    *held = portion;
                    self.draw(class, portion, &mut weights);
                }
            }
            let rows = &segment.rows;
            let stretches = rows.len().div_ceil(STRETCH);
            for k in 0..stretches {
                if self.watch.is_stopped() {
                    return;
                }
                let k = if back { stretches - 1 - k } else { k };
                let first = rows.start + k * STRETCH;
                let rows = first..rows.end.min(first + STRETCH);
                if take(&weights, &slots[rows.clone()], rows).is_break() {
                    return;
                }
            }
        }
    }

    fn draw(&self, class: usize, portion: usize, weights: &mut [Lanes<H>]) {
        if let Some(portion_of) = self.in_order.portions.all.get(portion)
            && portion_of.stratum == class
        {
            let out = &mut weights[self.in_order.regions[class]..][..portion_of.units.len()];
            self.in_order.portions.fill(self.block, portion_of, &self.draws[portion], out);
        }
    }
}

impl Setup<'_> {
    /// Whether rows are the units, those of the ordering all of them.
    pub fn rows_are_units(&self, job: &Job) -> bool {
        job.key != Key::Pooled && job.rows == self.units.len() && self.counts.is_empty()
    }

    /// Whether places can follow the ordering of a run that has no other, and it pays. Bayesian weights
    /// are summed up in the order of places, which has to stay.
    pub fn can_follow(&self) -> bool {
        self.units.len() > MANY_ROWS && !self.scheme.is_real()
    }

    /// Gives units the places in which the only ordering meets them, stratum by stratum, so that
    /// weights are read one after the other rather than here and there. Units keep their numbers, and
    /// with them their weights.
    pub fn follow(&mut self, ordering: &mut Ordering) {
        let mut next: Vec<u32> = self.units.bounds.iter().map(|&bound| bound as u32).collect();
        let mut moved = vec![0; self.units.len()];
        let mut numbers = vec![0; self.units.len()];
        for place in &mut ordering.place {
            let next = &mut next[self.units.stratum(*place)];
            moved[*place as usize] = *next;
            numbers[*next as usize] = self.units.numbers[*place as usize];
            *place = *next;
            *next += 1;
        }
        for place in self.class_places.iter_mut().flatten() {
            *place = moved[*place as usize];
        }
        self.units.numbers = numbers.into();
        self.units.moved = moved;
        self.place_of_row = Cow::default(); // there is nothing left to sort
    }
}
