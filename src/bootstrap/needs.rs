//! What a run holds beside its input and its result: all of it, counted before any of it is taken.

use crate::bootstrap::Run;
use crate::bootstrap::block::rows_of;
use crate::bootstrap::in_order::slots;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::setup::Setup;
use crate::data::units::Groups;
use crate::influence::gathered::{bytes_after, bytes_kept};
use crate::measures::measure::Shared;
use crate::order::jobs::{Job, Models};
use crate::order::wanted::Orderings;

/// What a run needs, in bytes unless said otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    /// How many units.
    pub units: usize,
    /// How many replicates.
    pub replicates: usize,
    /// Threads at work.
    pub threads: usize,
    /// What a weight takes: 1 for counts, 8 for real ones.
    pub weight: usize,
    /// Held from the first to the last: class codes, groups, units, scores by class.
    pub held: usize,
    /// What the measures of the sample itself need beside that, before anything is sorted.
    pub point: usize,
    /// All orderings.
    pub orderings: usize,
    /// The largest ordering.
    pub largest: usize,
    /// What making an ordering needs beside it.
    pub making: usize,
    /// Influence values.
    pub influence: usize,
    /// Whether they are done with, and making too, before replicates are drawn: there is one ordering.
    pub one_by_one: bool,
    /// A thread's counters, for each replicate.
    pub counters: usize,
    /// What measures keep until all orderings are walked, for each replicate.
    pub room: usize,
}

/// What a run needs. `given` is the sample that was given, of which `sample` may hold the distinct rows alone.
pub fn needs<T: Score>(
    (given, groups): (&Sample<'_, T>, Option<&Groups<'_>>),
    sample: &Sample<'_, T>,
    setup: &Setup<'_>,
    jobs: &Models<'_, '_, T>,
    measures: &[Shared],
    run: &Run<'_>,
) -> Needs {
    let classes = sample.classes;
    let rows = rows_of(setup, measures, run.watch);
    let bytes = |job: &Job| job.bytes(!rows.mass.is_empty(), rows.all_ties);
    let sides = if jobs.list.iter().any(|job| job.others.len() > 1) { classes.count() } else { 2 };
    let in_order = setup.is_in_order();
    let on_rows = measures.iter().any(|measure| measure.is_of_rows());
    let one_by_one =
        jobs.list.len() == 1 && !on_rows && (in_order || setup.rows_are_units(&jobs.list[0]));
    // A code for every row that was given, and for its group; rows by class.
    let codes = 4 * given.classes.codes.len() * if groups.is_some() { 2 } else { 1 };
    let by_class = if in_order { 0 } else { 4 * classes.len() };
    let making = match in_order {
        true => jobs.merging(rows.all_ties),
        false => jobs.making(rows.all_ties),
    };
    let (kept, after) = match run.influence {
        true => {
            (bytes_kept(setup, measures, jobs.list.len()), bytes_after(classes, setup, measures))
        }
        false => (0, 0),
    };
    Needs {
        units: if in_order { slots(&setup.class_bounds) } else { setup.units.len() },
        replicates: run.replicates.clone().count(),
        threads: sample.workers.count(),
        weight: if setup.scheme.is_real() || !setup.counts.is_empty() { 8 } else { 1 },
        held: run.held + codes + by_class + classes.weights.held() + setup.bytes() + jobs.held(),
        point: point(given, jobs, measures, run),
        orderings: jobs.list.iter().map(bytes).sum(),
        largest: jobs.list.iter().map(bytes).max().unwrap_or(0),
        making: making.max(after),
        influence: kept,
        one_by_one,
        // Measures of the rows themselves hold the weight of every row, twice.
        counters: 48 * sides
            + 8 * classes.count()
            + if on_rows { 16 * classes.codes.len() } else { 0 },
        room: measures.iter().map(|measure| 8 * measure.room()).sum(),
    }
}

/// What the measures of the sample itself need. An AUC may come along with the replicates.
fn point<T: Score>(
    given: &Sample<'_, T>,
    jobs: &Models<'_, '_, T>,
    measures: &[Shared],
    run: &Run<'_>,
) -> usize {
    let along = |measure: &Shared| {
        measure.is_auc() && given.weights.reals().is_empty() && jobs.list.len() == 1
    };
    let asked = |measure: &&Shared| {
        run.estimates && !along(measure) || run.influence && measure.needs_point(true)
    };
    let scores = given.scores.len() * size_of::<T>();
    let counted = scores + 8 * given.weights.reals().len();
    let need = |measure: &Shared| match measure.steps() {
        // A few rows at a time.
        None if matches!(measure.wanted().orderings, Orderings::Rows(_)) => counted,
        Some(_) => {
            given.workers.count().min(jobs.list.len())
                * (8 * given.weights.reals().len() + 16 * given.classes.len())
                + counted
        }
        None => 2 * counted,
    };
    measures.iter().filter(asked).map(need).max().unwrap_or(0)
}
