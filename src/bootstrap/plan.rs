//! How a run fits its memory.
//!
//! Results never depend on any of this: weights are the same whether they are kept or drawn again,
//! and orderings are taken in one after the other whether they are all in memory or not.

use crate::error::{Error, Result};
use crate::lanes::instructions::WIDTH;

/// Weights of more units than this are drawn again rather than kept: they would leave the cache.
const MOST_KEPT: usize = 1 << 18;
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
    /// What statistics keep until all orderings are walked, for each replicate.
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
        let mut least = usize::MAX;
        for threads in (1..=needs.threads).rev() {
            // Enough blocks that no thread is left without work for long.
            let wide = needs.weight == 1 && needs.replicates >= 6 * threads * WIDTH;
            for (double, keep) in [(wide, true), (false, true), (wide, false), (false, false)] {
                let lanes = if double { 2 * WIDTH } else { WIDTH };
                if keep && needs.units > MOST_KEPT {
                    continue;
                }
                let kept = if keep { needs.units * needs.weight } else { needs.units / 8 };
                // Sorting takes its own share, and what waits for the orderings of later passes.
                let thread = lanes * (kept / if keep { 1 } else { lanes } + needs.counters);
                let fixed = needs.scratch + threads * thread;
                let blocks = needs.replicates.div_ceil(lanes);
                let one_pass = fixed + needs.orderings + threads * lanes * needs.room;
                if one_pass <= budget {
                    let orderings = needs.orderings;
                    return Ok(Self { double, keep, orderings, batch: blocks, threads });
                }
                let rest = budget.saturating_sub(fixed);
                let batch = (rest / 2 / (lanes * needs.room).max(1)).min(blocks);
                let orderings = rest.saturating_sub(batch * lanes * needs.room);
                if batch >= threads.min(blocks)
                    && orderings >= needs.largest
                    && orderings >= budget / LEAST_SHARE
                {
                    return Ok(Self { double, keep, orderings, batch, threads });
                }
                let room = lanes * needs.room * threads.min(blocks);
                least = least.min(fixed + 2 * room.max(needs.largest));
            }
        }
        Err(Error::Memory { needed: least, budget })
    }
}
