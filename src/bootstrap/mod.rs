//! The bootstrap of every measure: sorted once, walked for many replicates at a time.
//!
//! The orderings that the measures want ([`crate::order::jobs`]) are sorted. Then blocks of 32 or 64 replicates are
//! worked on side by side by all threads: a block's weights are drawn ([`crate::resample`]), each ordering
//! is walked once for all replicates and all measures that use it ([`crate::walk::counts`]), and what comes
//! out is folded into the measures at once ([`crate::measures::measure`]), so that no table of all pairs of classes
//! is kept unless one is asked for. Where not all orderings fit the memory, they are made and walked
//! a part at a time, in the same order.
//!
//! A replicate in which a class has no weight is *lost*: its values are NaN, or it is drawn again.
//!
//! May use every room but `python`; nothing but the bindings uses it.

pub mod block;
mod driver;
pub mod in_order;
pub mod masses;
mod needs;
mod on_rows;
pub mod plan;
mod row_sums;
pub mod source;

use std::ops::Range;
use std::sync::Mutex;

use ndarray::Array2;

use self::block::{Common, rows_of};
use self::driver::Driver;
use self::in_order::{InOrder, goes_in_order};
use self::needs::needs;
use self::on_rows::Ready;
use self::plan::Plan;
use crate::data::classes::Classes;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::setup::Setup;
use crate::data::units::{Groups, Scheme};
use crate::error::{Error, Result};
use crate::influence::gathered::Influences;
use crate::influence::sorted::Moments;
use crate::machine::memory;
use crate::machine::watch::Watch;
use crate::measures::measure::Shared;
use crate::measures::value::value;
use crate::order::jobs::{Job, Key, Models};
use crate::order::wanted::Wanted;
use crate::resample::equal_rows::Cells;
use crate::resample::stream::{Draw, Stream};

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
    /// Whether the measures of the sample itself are wanted.
    pub estimates: bool,
    /// Whether influence values are wanted.
    pub influence: bool,
    /// Whether equal rows may be drawn together: not where models are to see the same resamples.
    pub cells: bool,
    /// Bytes that may be used beside the input and the result.
    pub budget: usize,
    /// Whether the budget grows where the input needs more.
    pub grows: bool,
    /// Bytes in use already: copies of what was given.
    pub held: usize,
    /// Told how far the run is, and asked whether to go on.
    pub watch: &'a Watch,
}

/// What came of a run.
pub struct Replicates {
    /// For each measure, its values: one row per replicate.
    pub values: Vec<Array2<f64>>,
    /// Which replicates lost a class, for good.
    pub lost: Vec<bool>,
    /// How many draws were thrown away.
    pub redrawn: u64,
    /// For each measure, the moments of each value's influence values, where asked for and known.
    pub moments: Vec<Vec<Option<Moments>>>,
    /// The values of each measure on the sample itself, where asked for.
    pub estimates: Vec<Vec<f64>>,
    /// What was drawn.
    pub units: Resampled,
}

/// What replicates draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resampled {
    /// Rows or groups, by their numbers.
    Rows,
    /// Rows of each class by their order ([`in_order`]).
    InOrder,
    /// Equal rows together ([`crate::resample::equal_rows`]).
    Cells,
}

/// The replicates of some measures, all from the same weights. Rows are drawn, or `groups` of rows;
/// equal rows are drawn together where that saves much. `samples` are the same rows scored by one model or
/// several; each model has as many measures, model after model. Several have no influence values.
pub fn bootstrap<T: Score>(
    samples: &[Sample<'_, T>],
    groups: Option<&Groups<'_>>,
    scheme: Scheme,
    measures: &[Shared],
    run: &Run<'_>,
) -> Result<Replicates> {
    let sample = &samples[0];
    let mut result = drawn(samples, groups, scheme, measures, run)?;
    for (k, estimate) in result.estimates.iter_mut().enumerate().filter(|_| run.estimates) {
        if estimate.is_empty() {
            *estimate = value(sample, measures[k].as_ref(), run.watch)?;
        }
    }
    Ok(result)
}

/// The measures of the sample itself, but for AUCs, which may come along with the replicates. What is wrong
/// with the data is told before these are drawn.
fn estimates<T: Score>(
    sample: &Sample<'_, T>,
    measures: &[Shared],
    run: &Run<'_>,
) -> Result<Vec<Vec<f64>>> {
    let estimate = |measure: &Shared| match run.estimates && !measure.is_auc() {
        true => value(sample, measure.as_ref(), run.watch),
        false => Ok(Vec::new()),
    };
    measures.iter().map(estimate).collect()
}

/// The replicates alone, and the measures that came along with them.
fn drawn<T: Score>(
    samples: &[Sample<'_, T>],
    groups: Option<&Groups<'_>>,
    scheme: Scheme,
    measures: &[Shared],
    run: &Run<'_>,
) -> Result<Replicates> {
    let sample = &samples[0];
    let (classes, workers) = (sample.classes, sample.workers);
    if run.cells
        && samples.len() == 1
        && scheme == Scheme::Multinomial
        && groups.is_none()
        && let Some(cells) = Cells::find(&sample.scores, classes, workers)
    {
        let weights = cells.weights();
        let reduced = Classes::new(&cells.codes, classes.count(), &weights, workers)?;
        let setup = Setup::of_cells(&reduced, &cells.counts, cells.mass.clone(), run.stratified)?;
        let sample =
            Sample { scores: cells.scores.view(), classes: &reduced, weights: &weights, workers };
        let given = (&samples[0], None);
        let mut result = replicates(given, (&[sample], false), |_| Ok(setup), measures, run)?;
        result.units = Resampled::Cells;
        return Ok(result);
    }
    let setup = |jobs: &[Job]| {
        if groups.is_none() && goes_in_order(jobs, classes, scheme, run.stratified) {
            return Ok(Setup::in_order(classes, scheme, run.stratified));
        }
        let mut setup = Setup::new(classes, groups, scheme, run.stratified)?;
        if scheme.exchanges() {
            setup.units.half = groups.map_or(classes.codes.len(), |groups| groups.count) as u32 / 2;
        }
        Ok(setup)
    };
    replicates((sample, groups), (samples, scheme.exchanges()), setup, measures, run)
}

/// Replicates of rows that are some of many, by Poisson weights: row k has the weights that row `numbers[k]` of
/// all has. Numbers ascend.
pub fn bootstrap_numbered<T: Score>(
    sample: Sample<'_, T>,
    numbers: &[u32],
    measures: &[Shared],
    run: &Run<'_>,
) -> Result<Replicates> {
    let classes = sample.classes;
    if numbers.len() != classes.codes.len() || classes.len() != numbers.len() {
        return Err(Error::Shape("one number for each row, and no row without weight".into()));
    }
    let setup = |_: &[Job]| {
        let mut setup = Setup::new(classes, None, Scheme::Poisson, false)?;
        setup.units.numbers = numbers.into();
        Ok(setup)
    };
    let samples = [sample];
    replicates((&samples[0], None), (&samples, false), setup, measures, run)
}

fn replicates<'a, T: Score>(
    given: (&Sample<'_, T>, Option<&Groups<'_>>),
    (samples, by_rank): (&[Sample<'_, T>], bool),
    setup: impl FnOnce(&[Job]) -> Result<Setup<'a>>,
    measures: &[Shared],
    run: &Run<'_>,
) -> Result<Replicates> {
    let sample = &samples[0];
    let rows = run.replicates.clone().count();
    memory::require(rows.saturating_mul(bytes_of_replicate(measures)))?;
    let wanted: Vec<Wanted> = measures.iter().map(|measure| measure.wanted()).collect();
    let jobs = Models::new(samples, &wanted, by_rank)?;
    let share = measures.len() / samples.len();
    let ready = measures.iter().enumerate().map(|(k, measure)| {
        let ready = measure.on_rows(&samples[k / share]);
        if by_rank && ready.is_some() {
            return Err(Error::Domain(
                "models are exchanged by the ranks of their scores, and this measure adds scores up; \
                 use method=\"bootstrap\" or \"delong\""
                    .into(),
            ));
        }
        ready.transpose()
    });
    let ready = ready.collect::<Result<Ready>>()?;
    let on_rows = ready.iter().any(Option::is_some);
    let mut setup = setup(&jobs.list)?;
    let in_order = setup.is_in_order();
    let mut plan =
        Plan::new(&needs(given, sample, &setup, &jobs, measures, run), run.budget, run.grows)?;
    plan.double &= !setup.is_real();
    let (mut moments, mut only, mut cut) = (None, None, None);
    let mut observed = estimates(given.0, measures, run)?;
    if jobs.list.len() == 1 && !on_rows && (in_order || setup.rows_are_units(&jobs.list[0])) {
        let mut orderings = match in_order {
            true => {
                let all_ties = wanted.iter().any(|wanted| wanted.all_ties);
                vec![jobs.merged(&jobs.list[0], all_ties, run.watch)?]
            }
            false => jobs.orderings(&jobs.list, &rows_of(&setup, measures, run.watch))?,
        };
        if sample.classes.len() > memory::LARGE {
            memory::give_back();
        }
        if run.estimates && setup.mass.is_empty() && matches!(jobs.list[0].key, Key::Single(_)) {
            let auc = orderings[0].auc_of_two();
            let along = measures.iter().zip(&mut observed).filter(|(measure, _)| measure.is_auc());
            along.for_each(|(_, observed)| *observed = vec![auc]);
        }
        if run.influence {
            let mut influences = Influences::new(sample, &setup, measures, run.watch)?;
            influences.take(&[(&jobs.list[0], &orderings[0])], 0, 1, sample.workers);
            moments = Some(influences.finish());
        }
        if in_order {
            let stream = Stream::new(run.seed);
            cut = Some(InOrder::new(stream, &setup, &mut orderings[0]));
        } else if setup.can_follow() {
            setup.follow(&mut orderings[0]);
        }
        only = Some(orderings);
    }
    let influences = match run.influence && moments.is_none() {
        true => Some(Influences::new(sample, &setup, measures, run.watch)?),
        false => None,
    };
    let common = Common {
        setup: &setup,
        in_order: cut.as_ref(),
        classes: sample.classes,
        measures,
        ready: &ready,
        watch: run.watch,
    };
    let driver = Driver::new(sample, &jobs, run, common, plan, influences, only);
    let first = run.replicates.start / 4 * 4;
    let quads: Vec<Draw> = (first..run.replicates.end)
        .step_by(4)
        .map(|replicate| Draw { replicate, attempt: 0 })
        .collect();
    let mut result = Replicates {
        values: measures
            .iter()
            .map(|measure| Array2::from_elem((rows, measure.width()), f64::NAN))
            .collect(),
        lost: vec![false; rows],
        redrawn: 0,
        moments: moments.unwrap_or_default(),
        estimates: observed,
        units: if in_order { Resampled::InOrder } else { Resampled::Rows },
    };
    driver.compute(&quads, &mut result, &|_| true)?;
    if let Some(mut influences) = lock(&driver.influences).take() {
        influences.column_pairs(sample, plan.makers, run.watch);
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

/// What a replicate takes: its values, whether it lost a class, and its share of a quad of draws.
fn bytes_of_replicate(measures: &[Shared]) -> usize {
    let values: usize = measures.iter().map(|measure| measure.width()).sum();
    size_of::<f64>() * values + size_of::<bool>() + size_of::<Draw>() / 4
}

/// A lock that no thread has left in a broken state: a panic ends the whole run.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
