//! How a run fits its memory.
//!
//! Results never depend on any of this: weights are the same whether they are kept or drawn again,
//! and orderings are taken in one after the other whether they are all in memory or not.

use crate::bootstrap::Run;
use crate::bootstrap::in_order::slots;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::setup::Setup;
use crate::error::{Error, Result};
use crate::machine::lanes::instructions::WIDTH;
use crate::measures::measure::Shared;
use crate::order::jobs::{Job, Models};

/// Weights of more units than this are drawn again rather than kept: they would leave the cache.
const MOST_KEPT: usize = 1 << 20;
/// The part of the budget that orderings get at least, so that passes stay few.
const LEAST_SHARE: usize = 16;

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
    /// All orderings.
    pub orderings: usize,
    /// The largest ordering.
    pub largest: usize,
    /// What making an ordering needs beside it.
    pub scratch: usize,
    /// A thread's counters, for each replicate.
    pub counters: usize,
    /// What measures keep until all orderings are walked, for each replicate.
    pub room: usize,
}

/// How the work is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Whether 64 replicates are worked on at once, or 32.
    pub double: bool,
    /// Whether weights are kept.
    pub keep: bool,
    /// Bytes of orderings in memory at a time.
    pub orderings: usize,
    /// Blocks of replicates between two makings of the orderings.
    pub batch: usize,
    /// Threads at work.
    pub threads: usize,
}

impl Plan {
    /// A plan within a budget of bytes; fails if there is none.
    pub fn new(needs: &Needs, budget: usize) -> Result<Self> {
        if let Some(plan) = Self::within(needs, budget) {
            return Ok(plan);
        }
        // The least budget that would do, to within a MiB.
        let mut enough = budget.max(1 << 20);
        while Self::within(needs, enough).is_none() {
            enough = enough.saturating_mul(2);
        }
        let mut little = budget;
        while enough - little > 1 << 20 {
            let middle = little + (enough - little) / 2;
            match Self::within(needs, middle) {
                Some(_) => enough = middle,
                None => little = middle,
            }
        }
        Err(Error::Memory { needed: enough, budget })
    }

    fn within(needs: &Needs, budget: usize) -> Option<Self> {
        for threads in (1..=needs.threads).rev() {
            // Enough blocks that no thread is left without work for long.
            let wide = needs.weight == 1 && needs.replicates >= 6 * threads * WIDTH;
            for (double, keep) in [(wide, true), (false, true), (wide, false), (false, false)] {
                let lanes = if double { 2 * WIDTH } else { WIDTH };
                if keep && needs.units > MOST_KEPT {
                    continue;
                }
                // Kept weights, or one bit per unit and a few changed weights.
                let weights =
                    if keep { needs.units * needs.weight * lanes } else { needs.units / 2 };
                let thread = weights + lanes * needs.counters;
                let blocks = needs.replicates.div_ceil(lanes);
                // Kept weights come with 8 bytes a unit of the stream's.
                let fixed =
                    needs.scratch + threads * thread + if keep { 8 * needs.units } else { 0 };
                let one_pass = fixed + needs.orderings + threads * lanes * needs.room;
                if one_pass <= budget {
                    let orderings = needs.orderings;
                    return Some(Self { double, keep, orderings, batch: blocks, threads });
                }
                let rest = budget.saturating_sub(fixed);
                let batch = (rest / 2 / (lanes * needs.room).max(1)).min(blocks);
                let orderings = rest.saturating_sub(batch * lanes * needs.room);
                let enough = needs.largest.max((budget / LEAST_SHARE).min(needs.orderings));
                if batch >= threads.min(blocks) && orderings >= enough {
                    return Some(Self { double, keep, orderings, batch, threads });
                }
            }
        }
        None
    }
}

/// How the run fits its memory.
pub fn plan<T: Score>(
    sample: &Sample<'_, T>,
    setup: &Setup<'_>,
    jobs: &Models<'_, '_, T>,
    measures: &[Shared],
    run: &Run<'_>,
) -> Result<Plan> {
    let classes = sample.classes;
    let bytes = |job: &Job| job.bytes(!setup.mass.is_empty());
    let sides = if jobs.list.iter().any(|job| job.others.len() > 1) { classes.count() } else { 2 };
    let most_rows = jobs.list.iter().map(|job| job.rows).max().unwrap_or(0);
    let in_order = setup.is_in_order();
    let needs = Needs {
        units: if in_order { slots(&setup.units.bounds) } else { setup.units.len() },
        replicates: run.replicates.clone().count(),
        threads: sample.workers.count(),
        weight: if setup.scheme.is_real() || !setup.counts.is_empty() { 8 } else { 1 },
        orderings: jobs.list.iter().map(bytes).sum(),
        largest: jobs.list.iter().map(bytes).max().unwrap_or(0),
        // Sorting holds 6 or 8 bytes a row beside the ordering; influence values come after it.
        scratch: jobs.scratch()
            + setup.bytes()
            + (if in_order { 8 } else { 6 } * most_rows).max(if run.influence {
                8 * setup.units.len()
            } else {
                0
            }),
        counters: 48 * sides + 8 * classes.count(),
        room: measures.iter().map(|measure| 8 * measure.room()).sum(),
    };
    let mut plan = Plan::new(&needs, run.budget)?;
    plan.double &= !setup.is_real();
    Ok(plan)
}
