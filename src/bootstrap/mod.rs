//! The bootstrap of every measure: sorted once, walked for many replicates at a time.
//!
//! The orderings that the statistics want ([`jobs`]) are sorted. Then blocks of 32 or 64 replicates are
//! worked on side by side by all threads: a block's weights are drawn ([`crate::resample`]), each ordering
//! is walked once for all replicates and all statistics that use it ([`crate::walk`]), and what comes
//! out is folded into the statistics at once ([`statistic`]), so that no table of all pairs of classes
//! is kept unless one is asked for. Where not all orderings fit the memory, they are made and walked
//! a part at a time, in the same order.
//!
//! A replicate in which a class has no weight is *lost*: its values are NaN, or it is drawn again.

pub mod acceleration;
pub mod block;
pub mod jobs;
pub mod plan;
pub mod setup;
pub mod source;
pub mod statistic;
pub mod watch;

use std::ops::Range;
use std::sync::{Arc, Mutex};

use ndarray::Array2;

use self::acceleration::Influences;
use self::block::{BlockMasses, Scratch, Shared};
use self::jobs::{Job, Jobs, wanted};
use self::plan::{Needs, Plan};
use self::setup::{Groups, Setup};
use self::source::{CountSource, RealSource};
use self::statistic::Statistic;
use self::watch::Watch;
use crate::classes::Classes;
use crate::error::{Error, Result};
use crate::influence::Moments;
use crate::lanes::instructions::WIDTH;
use crate::memory;
use crate::ordering::{MOST_GROUPS, Ordering, Rows};
use crate::resample::cells::{self, Cells};
use crate::resample::multinomial::Counts;
use crate::resample::poisson::Lanes;
use crate::resample::stream::{Draw, Stream};
use crate::resample::{Block, Scheme, exponential};
use crate::sample::Sample;
use crate::scores::Score;
use crate::walk_real::Reals;

/// How often a replicate that loses a class is drawn again.
const MOST_ATTEMPTS: u32 = 1000;

/// Which replicates to compute, and within what bounds.
pub struct Run<'a> {
    /// The seed.
    pub seed: u64,
    /// The replicates, by number.
    pub replicates: Range<u64>,
    /// Whether strata are classes.
    pub stratified: bool,
    /// Whether replicates that lose a class are drawn again.
    pub redraw: bool,
    /// Whether influence values are wanted.
    pub influence: bool,
    /// Bytes that may be used beside the input and the result.
    pub budget: usize,
    /// Told how far the run is, and asked whether to go on.
    pub watch: &'a Watch,
}

/// What came of a run.
pub struct Replicates {
    /// For each statistic, its values: a row a replicate.
    pub values: Vec<Array2<f64>>,
    /// Which replicates lost a class, for good.
    pub lost: Vec<bool>,
    /// How many draws were thrown away.
    pub redrawn: u64,
    /// For each statistic, the moments of each value's influence values, where asked for and known.
    pub moments: Vec<Vec<Option<Moments>>>,
    /// Whether equal rows were drawn together.
    pub cells: bool,
}

/// The replicates of some statistics, all from the same weights. Rows are drawn, or `groups` of rows;
/// equal rows are drawn together where that saves much.
pub fn bootstrap<T: Score>(
    sample: &Sample<'_, T>,
    groups: Option<&Groups<'_>>,
    scheme: Scheme,
    statistics: &[Arc<dyn Statistic>],
    run: &Run<'_>,
) -> Result<Replicates> {
    let (classes, workers) = (sample.classes, sample.workers);
    if scheme == Scheme::Multinomial
        && groups.is_none()
        && let Some(cells) = Cells::find(&sample.scores, classes, workers)
    {
        let weights = cells.weights();
        let reduced = Classes::new(&cells.codes, classes.count(), &weights, workers)?;
        let setup = Setup::of_cells(&reduced, &cells.counts, cells.mass.clone(), run.stratified)?;
        let sample =
            Sample { scores: cells.scores.view(), classes: &reduced, weights: &weights, workers };
        let mut result = replicates(&sample, &setup, statistics, run)?;
        result.cells = true;
        return Ok(result);
    }
    replicates(sample, &Setup::new(classes, groups, scheme, run.stratified)?, statistics, run)
}

fn replicates<T: Score>(
    sample: &Sample<'_, T>,
    setup: &Setup<'_>,
    statistics: &[Arc<dyn Statistic>],
    run: &Run<'_>,
) -> Result<Replicates> {
    if sample.classes.count() > MOST_GROUPS {
        return Err(Error::Domain(format!(
            "{} classes; the bootstrap tells at most {MOST_GROUPS} apart",
            sample.classes.count()
        )));
    }
    let wanted = wanted(statistics);
    let driver = Driver::new(sample, setup, statistics, &wanted, run)?;
    let first = run.replicates.start / 4 * 4;
    let quads: Vec<Draw> = (first..run.replicates.end)
        .step_by(4)
        .map(|replicate| Draw { replicate, attempt: 0 })
        .collect();
    let rows = run.replicates.clone().count();
    let mut result = Replicates {
        values: statistics.iter().map(|s| Array2::from_elem((rows, s.width()), f64::NAN)).collect(),
        lost: vec![false; rows],
        redrawn: 0,
        moments: Vec::new(),
        cells: false,
    };
    driver.compute(&quads, &mut result, &|_| true)?;
    if let Some(mut influences) = lock(&driver.influences).take() {
        influences.column_pairs(sample, run.watch);
        result.moments = influences.finish();
    }
    if !run.redraw {
        return Ok(result);
    }
    for attempt in 1.. {
        let open: Vec<u64> = (run.replicates.clone())
            .zip(&result.lost)
            .filter(|(_, lost)| **lost)
            .map(|(replicate, _)| replicate)
            .collect();
        let Some(&replicate) = open.first() else {
            break;
        };
        if attempt > MOST_ATTEMPTS {
            return Err(Error::HopelessRedraw { replicate, attempts: attempt });
        }
        result.redrawn += open.len() as u64;
        let mut quads: Vec<u64> = open.iter().map(|replicate| replicate / 4 * 4).collect();
        quads.dedup();
        let quads: Vec<Draw> =
            quads.into_iter().map(|replicate| Draw { replicate, attempt }).collect();
        driver.compute(&quads, &mut result, &|replicate| open.binary_search(&replicate).is_ok())?;
    }
    Ok(result)
}

struct Driver<'a, 's, T> {
    sample: &'a Sample<'s, T>,
    jobs: Jobs<'a, 's, T>,
    run: &'a Run<'a>,
    shared: Shared<'a>,
    stream: Stream,
    plan: Plan,
    /// Ranges of jobs whose orderings are in memory together.
    passes: Vec<Range<usize>>,
    /// Influence values, until all orderings have been seen once.
    influences: Mutex<Option<Influences<'a>>>,
    /// The orderings, where all fit.
    kept: Mutex<Option<Vec<Ordering>>>,
}

impl<'a, 's, T: Score> Driver<'a, 's, T> {
    fn new(
        sample: &'a Sample<'s, T>,
        setup: &'a Setup<'a>,
        statistics: &'a [Arc<dyn Statistic>],
        wanted: &'a [statistic::Wanted],
        run: &'a Run<'a>,
    ) -> Result<Self> {
        let jobs = Jobs::new(sample, wanted)?;
        let classes = sample.classes;
        let real = setup.is_real();
        let bytes = |job: &Job| (6 + if setup.mass.is_empty() { 0 } else { 8 }) * job.rows + 64;
        let groups =
            if jobs.list.iter().any(|job| job.others.len() > 1) { classes.count() } else { 2 };
        let most_rows = jobs.list.iter().map(|job| job.rows).max().unwrap_or(0);
        let needs = Needs {
            units: setup.units.len(),
            replicates: run.replicates.clone().count(),
            threads: sample.workers.count(),
            weight: if setup.scheme == Scheme::Bayesian || !setup.counts.is_empty() {
                8
            } else {
                1
            },
            orderings: jobs.list.iter().map(bytes).sum(),
            largest: jobs.list.iter().map(bytes).max().unwrap_or(0),
            // Sorting holds 6 bytes a row beside the ordering; influence values come after it.
            scratch: jobs.scratch()
                + setup.bytes()
                + (6 * most_rows).max(if run.influence { 8 * setup.units.len() } else { 0 }),
            counters: 48 * groups + 8 * classes.count(),
            room: statistics.iter().map(|s| 8 * s.room()).sum(),
        };
        let mut plan = Plan::new(&needs, run.budget)?;
        plan.double &= !real;
        let mut passes = Vec::new();
        let (mut first, mut held) = (0, 0);
        for (k, job) in jobs.list.iter().enumerate() {
            if held + bytes(job) > plan.orderings && k > first {
                passes.push(first..k);
                (first, held) = (k, 0);
            }
            held += bytes(job);
        }
        passes.push(first..jobs.list.len());
        let influences = match run.influence {
            true => Some(Influences::new(sample, setup, statistics)?),
            false => None,
        };
        let shared = Shared { setup, classes, statistics, watch: run.watch };
        let stream = Stream::new(run.seed);
        Ok(Self {
            sample,
            jobs,
            run,
            shared,
            stream,
            plan,
            passes,
            kept: Mutex::new(None),
            influences: Mutex::new(influences),
        })
    }

    /// The replicates of some quads, those that are asked for put into their rows of the result.
    fn compute(
        &self,
        quads: &[Draw],
        result: &mut Replicates,
        asked: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<()> {
        if self.shared.setup.is_real() {
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
        let buffers: Mutex<Vec<Buffers<H>>> = Mutex::new(Vec::new());
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
                self.sample.workers.map(batch.len(), |k| {
                    if self.run.watch.is_stopped() {
                        return;
                    }
                    let mut buffer = lock(&buffers).pop().unwrap_or_default();
                    let mut rooms = lock(&rooms[k]);
                    let block = Block::<H>::new(&self.stream, batch[k]);
                    let work = Work { driver: self, block: &block, walked: &walked };
                    let masses = work.walk(&mut buffer, &mut rooms, real);
                    if last && !self.run.watch.is_stopped() {
                        self.finish(&block, batch[k], &masses, &mut rooms, &result, asked);
                        rooms.clear();
                    }
                    drop(rooms);
                    lock(&buffers).push(buffer);
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
        let setup = self.shared.setup;
        let rows = Rows { place: &setup.place_of_row, mass: &setup.mass, watch: self.run.watch };
        let jobs: Vec<&[Job]> = self.jobs.list[pass].chunks(self.jobs.together()).collect();
        let made = self.sample.workers.map(jobs.len(), |k| {
            if self.run.watch.is_stopped() {
                return Err(Error::Interrupted);
            }
            self.jobs.orderings(jobs[k], &rows)
        });
        let made: Vec<Vec<Ordering>> = made.into_iter().collect::<Result<_>>()?;
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
        let present = &self.shared.setup.present;
        let masses = masses.view(present);
        let lost = |lane: usize| present.iter().any(|&class| masses.of(class, lane) <= 0.0);
        let wanted: Vec<(usize, u64)> = (0..4 * quads.len())
            .map(|lane| (lane, block.draws.as_flattened()[lane].replicate))
            .filter(|(_, replicate)| self.run.replicates.contains(replicate) && asked(*replicate))
            .collect();
        let first = self.run.replicates.start;
        for (k, statistic) in self.shared.statistics.iter().enumerate() {
            let mut values = vec![0.0; statistic.width() * lanes];
            statistic.finish(&masses, &mut rooms[k], &mut values);
            let mut result = lock(result);
            for &(lane, replicate) in wanted.iter().filter(|(lane, _)| !lost(*lane)) {
                let row = (replicate - first) as usize;
                for v in 0..statistic.width() {
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
    scratch: Scratch<H>,
    counts: Vec<Lanes<H>>,
    single: Vec<Lanes<1>>,
    reals: Vec<Reals>,
}

/// One block's share of a pass.
struct Work<'a, 'd, 's, T, const H: usize> {
    driver: &'a Driver<'d, 's, T>,
    block: &'a Block<H>,
    walked: &'a [(&'a Job, &'a Ordering)],
}

impl<T: Score, const H: usize> Work<'_, '_, '_, T, H> {
    fn walk(&self, buffers: &mut Buffers<H>, rooms: &mut Vec<Vec<f64>>, real: bool) -> BlockMasses {
        let (driver, lanes) = (self.driver, H * WIDTH);
        let shared = &driver.shared;
        if rooms.is_empty() {
            *rooms = shared.statistics.iter().map(|s| vec![0.0; s.room() * lanes]).collect();
        }
        let (setup, units) = (shared.setup, &shared.setup.units);
        let keep = driver.plan.keep;
        if !real {
            let counts = Counts::new(driver.stream, units, setup.scheme);
            let source = counted(&counts, self.block, &mut buffers.counts, keep, shared.watch);
            let masses = BlockMasses::counted(shared, &source);
            buffers.scratch.walk_counts(shared, &source, &masses, self.walked, rooms);
            return masses;
        }
        let block = Block::<1> { draws: [self.block.draws[0]], keys: [self.block.keys[0]] };
        let counts = Counts::new(driver.stream, units, setup.scheme);
        let source = match setup.scheme {
            _ if !setup.counts.is_empty() => {
                let drawn = &mut buffers.reals;
                drawn.resize(units.len(), [0.0; WIDTH]);
                cells::draw(&driver.stream, &block.draws[0], &setup.counts, units.strata(), drawn);
                RealSource::Kept(drawn)
            }
            Scheme::Bayesian => {
                let (stream, draws) = (&driver.stream, &block.draws[0]);
                let factors = exponential::factors(stream, draws, units);
                let source = RealSource::Again(stream, units, &block, factors);
                if keep {
                    let places: Vec<u32> = (0..units.len() as u32).collect();
                    let drawn = &mut buffers.reals;
                    drawn.clear();
                    source.visit(&places, &[], |weights, _| drawn.extend_from_slice(weights));
                    RealSource::Kept(drawn)
                } else {
                    source
                }
            }
            _ => RealSource::Counted(counted(
                &counts,
                &block,
                &mut buffers.single,
                keep,
                shared.watch,
            )),
        };
        let masses = BlockMasses::real(shared, &source);
        buffers.scratch.walk_reals(shared, &source, &masses, self.walked, rooms);
        masses
    }
}

fn counted<'a, const H: usize>(
    counts: &'a Counts<'a>,
    block: &'a Block<H>,
    buffer: &'a mut Vec<Lanes<H>>,
    keep: bool,
    watch: &'a Watch,
) -> CountSource<'a, H> {
    if !keep {
        return CountSource::Again(counts, block, counts.corrections(block), watch);
    }
    if buffer.is_empty() {
        *buffer = memory::zeroed(counts.units.len());
    }
    counts.fill(block, buffer);
    CountSource::Kept(buffer)
}

/// A lock that no thread has left in a broken state: a panic ends the whole run.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
