//! Drives the blocks of a run over the threads, pass by pass where not all orderings fit the memory.

use std::ops::Range;
use std::sync::Mutex;

use super::block::{Common, Walker};
use super::in_order::{InOrderSource, slots};
use super::masses::BlockMasses;
use super::on_rows::{take_counts, take_reals};
use super::plan::Plan;
use super::source::{CountSource, RealSource};
use super::{Replicates, Run, lock};
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::units::Scheme;
use crate::error::{Error, Result};
use crate::influence::gathered::Influences;
use crate::machine::lanes::instructions::WIDTH;
use crate::machine::lanes::weights::Reals;
use crate::machine::memory::{self, LARGE, Lines, Spare};
use crate::machine::watch::Watch;
use crate::order::jobs::{Job, Models};
use crate::order::ordering::Ordering;
use crate::resample::exponential::Exponentials;
use crate::resample::multinomial::Counts;
use crate::resample::stream::{Draw, Stream};
use crate::resample::{Block, equal_rows};

/// Blocks of replicates, worked on by all threads.
pub struct Driver<'a, 's, T> {
    sample: &'a Sample<'s, T>,
    jobs: &'a Models<'a, 's, T>,
    run: &'a Run<'a>,
    common: Common<'a>,
    counts: Counts<'a>,
    plan: Plan,
    /// Ranges of jobs whose orderings are in memory together.
    passes: Vec<Range<usize>>,
    /// Influence values, until all orderings have been seen once.
    pub influences: Mutex<Option<Influences<'a>>>,
    /// The orderings, where all fit.
    kept: Mutex<Option<Vec<Ordering>>>,
}

impl<'a, 's, T: Score> Driver<'a, 's, T> {
    /// All that blocks need; `only` is the ordering, where there is one and it has been made.
    pub fn new(
        sample: &'a Sample<'s, T>,
        jobs: &'a Models<'a, 's, T>,
        run: &'a Run<'a>,
        common: Common<'a>,
        plan: Plan,
        influences: Option<Influences<'a>>,
        only: Option<Vec<Ordering>>,
    ) -> Self {
        let (weighted, all_ties) = (!common.setup.mass.is_empty(), common.rows().all_ties);
        let mut passes = Vec::new();
        let (mut first, mut held) = (0, 0);
        for (k, job) in jobs.list.iter().enumerate() {
            if held + job.bytes(weighted, all_ties) > plan.orderings && k > first {
                passes.push(first..k);
                (first, held) = (k, 0);
            }
            held += job.bytes(weighted, all_ties);
        }
        passes.push(first..jobs.list.len());
        let setup = common.setup;
        let keep = plan.keep && !setup.is_in_order();
        let keep = keep && !setup.scheme.is_real() && setup.counts.is_empty();
        let counts = Counts::new(Stream::new(run.seed), &setup.units, setup.scheme, keep);
        let (influences, kept) = (Mutex::new(influences), Mutex::new(only));
        Self { sample, jobs, run, common, counts, plan, passes, influences, kept }
    }

    /// The replicates of some quads, those that are asked for put into their rows of the result.
    pub fn compute(
        &self,
        quads: &[Draw],
        result: &mut Replicates,
        asked: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<()> {
        if self.common.setup.is_real() {
            self.compute_with::<1>(quads, result, asked, true)
        } else if self.plan.double {
            self.compute_with::<2>(quads, result, asked, false)
        } else {
            self.compute_with::<1>(quads, result, asked, false)
        }
    }

    fn compute_with<const H: usize>(
        &self,
        quads: &[Draw],
        result: &mut Replicates,
        asked: &(dyn Fn(u64) -> bool + Sync),
        real: bool,
    ) -> Result<()> {
        let blocks: Vec<&[Draw]> = quads.chunks(H * WIDTH / 4).collect();
        let rows: usize = self.jobs.list.iter().map(|job| job.rows).sum();
        let result = Mutex::new(result);
        let buffers = Spare::<Buffers<H>>::default();
        for (number, batch) in blocks.chunks(self.plan.batch.max(1)).enumerate() {
            let rooms: Vec<Mutex<Vec<Vec<f64>>>> = batch.iter().map(|_| Mutex::default()).collect();
            for pass in &self.passes {
                let mut kept = lock(&self.kept);
                let orderings = match kept.take() {
                    Some(orderings) => orderings,
                    None => self.orderings(pass.clone())?,
                };
                let walked: Vec<(&Job, &Ordering)> =
                    self.jobs.list[pass.clone()].iter().zip(&orderings).collect();
                if number == 0
                    && let Some(influences) = lock(&self.influences).as_mut()
                {
                    let total = self.jobs.list.len();
                    influences.take(&walked, pass.start, total, self.sample.workers);
                }
                let share: usize = walked.iter().map(|(job, _)| job.rows).sum();
                let last = pass.end == self.jobs.list.len();
                // The plan has memory for so many threads.
                self.sample.workers.map_at_most(self.plan.threads, batch.len(), |k| {
                    if self.run.watch.is_stopped() {
                        return;
                    }
                    let mut buffer = buffers.take();
                    let mut rooms = lock(&rooms[k]);
                    let block = Block::<H>::new(&self.counts.stream, batch[k]);
                    let work = Work { driver: self, block: &block, walked: &walked, last };
                    let masses = work.walk(&mut buffer, &mut rooms, real);
                    if last && !self.run.watch.is_stopped() {
                        self.finish(&block, batch[k], &masses, &mut rooms, &result, asked);
                        rooms.clear();
                    }
                    drop(rooms);
                    buffers.give(buffer);
                    let done = (4 * batch[k].len() * share).checked_div(rows).unwrap_or(0);
                    self.run.watch.add(done as u64);
                });
                if self.run.watch.is_stopped() {
                    return Err(Error::Interrupted);
                }
                if self.passes.len() == 1 {
                    *kept = Some(orderings);
                }
            }
        }
        Ok(())
    }

    /// Sorts the rows for some jobs.
    fn orderings(&self, pass: Range<usize>) -> Result<Vec<Ordering>> {
        let rows = self.common.rows();
        let jobs = self.jobs.together(&self.jobs.list[pass]);
        let made = self.sample.workers.map_at_most(self.plan.makers, jobs.len(), |k| {
            if self.run.watch.is_stopped() {
                return Err(Error::Interrupted);
            }
            self.jobs.orderings(jobs[k], &rows)
        });
        let made: Vec<Vec<Ordering>> = made.into_iter().collect::<Result<_>>()?;
        if self.common.classes.len() > LARGE {
            memory::give_back();
        }
        Ok(made.into_iter().flatten().collect())
    }

    /// Puts the values of a block into the result.
    fn finish<const H: usize>(
        &self,
        block: &Block<H>,
        quads: &[Draw],
        masses: &BlockMasses,
        rooms: &mut [Vec<f64>],
        result: &Mutex<&mut Replicates>,
        asked: &(dyn Fn(u64) -> bool + Sync),
    ) {
        let lanes = H * WIDTH;
        let present = &self.common.setup.present;
        let masses = masses.view(present);
        let lost = |lane: usize| present.iter().any(|&class| masses.of(class, lane) <= 0.0);
        let wanted: Vec<(usize, u64)> = (0..4 * quads.len())
            .map(|lane| (lane, block.draws.as_flattened()[lane].replicate))
            .filter(|(_, replicate)| self.run.replicates.contains(replicate) && asked(*replicate))
            .collect();
        let first = self.run.replicates.start;
        for (k, measure) in self.common.measures.iter().enumerate() {
            let mut values = vec![0.0; measure.width() * lanes];
            measure.finish(&masses, &mut rooms[k], &mut values);
            let mut result = lock(result);
            for &(lane, replicate) in wanted.iter().filter(|(lane, _)| !lost(*lane)) {
                let row = (replicate - first) as usize;
                for v in 0..measure.width() {
                    result.values[k][[row, v]] = values[v * lanes + lane];
                }
            }
        }
        let mut result = lock(result);
        for (lane, replicate) in wanted {
            result.lost[(replicate - first) as usize] = lost(lane);
        }
    }
}

/// A thread's memory.
#[derive(Default)]
struct Buffers<const H: usize> {
    walker: Walker<H>,
    counts: Lines,
    reals: Vec<Reals>,
}

/// One block's share of a pass.
struct Work<'a, 'd, 's, T, const H: usize> {
    driver: &'a Driver<'d, 's, T>,
    block: &'a Block<H>,
    walked: &'a [(&'a Job, &'a Ordering)],
    /// Whether no other pass comes after it.
    last: bool,
}

impl<T: Score, const H: usize> Work<'_, '_, '_, T, H> {
    fn walk(&self, buffers: &mut Buffers<H>, rooms: &mut Vec<Vec<f64>>, real: bool) -> BlockMasses {
        let (driver, lanes) = (self.driver, H * WIDTH);
        let common = &driver.common;
        if rooms.is_empty() {
            *rooms =
                common.measures.iter().map(|measure| vec![0.0; measure.room() * lanes]).collect();
        }
        let (setup, units) = (common.setup, &common.setup.units);
        let (counts, keep) = (&driver.counts, driver.plan.keep);
        if !real {
            let source = match common.in_order {
                Some(in_order) => {
                    let buffer = buffers.counts.get(slots(&setup.class_bounds));
                    let source = InOrderSource::new(in_order, self.block, buffer, common.watch);
                    CountSource::InOrder(source)
                }
                None => counted(counts, self.block, &mut buffers.counts, keep, common.watch),
            };
            let masses = BlockMasses::counted(common, &source);
            buffers.walker.walk_counts(common, &source, &masses, self.walked, rooms);
            if self.last {
                take_counts(common, &source, rooms);
            }
            return masses;
        }
        let block = Block::<1> { draws: [self.block.draws[0]], keys: [self.block.keys[0]] };
        let (stream, draws) = (&counts.stream, &block.draws[0]);
        let source = match setup.scheme {
            _ if !setup.counts.is_empty() => {
                let drawn = &mut buffers.reals;
                drawn.resize(units.len(), [0.0; WIDTH]);
                equal_rows::draw(stream, draws, &setup.counts, units.strata(), drawn);
                RealSource::Kept(drawn)
            }
            Scheme::Bayesian => {
                let weights = Exponentials::new(stream, draws);
                if keep {
                    let drawn = &mut buffers.reals;
                    drawn.resize(units.len(), [0.0; WIDTH]);
                    weights.fill(units, drawn);
                    RealSource::Kept(drawn)
                } else {
                    let factors = weights.factors(units);
                    RealSource::Again(Box::new(weights), units, factors)
                }
            }
            _ => {
                let source = counted(counts, &block, &mut buffers.counts, keep, common.watch);
                RealSource::Counted(source)
            }
        };
        let masses = BlockMasses::real(common, &source);
        buffers.walker.walk_reals(common, &source, &masses, self.walked, rooms);
        if self.last {
            take_reals(common, &source, rooms);
        }
        masses
    }
}

fn counted<'a, const H: usize>(
    counts: &'a Counts<'a>,
    block: &'a Block<H>,
    buffer: &'a mut Lines,
    keep: bool,
    watch: &'a Watch,
) -> CountSource<'a, H> {
    if !keep {
        return CountSource::Again(counts, block, counts.corrections(block), watch);
    }
    let weights = buffer.get(counts.units.len());
    counts.fill(block, weights);
    CountSource::Kept(weights)
}
