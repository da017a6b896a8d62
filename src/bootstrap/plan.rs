//! How a run fits its memory.
//!
//! Results never depend on any of this: weights are the same whether they are kept or drawn again,
//! and orderings are taken in one after the other whether they are all in memory or not.

use crate::bootstrap::needs::Needs;
use crate::error::{Error, Result};
use crate::machine::lanes::instructions::WIDTH;

/// Weights of more units than this are drawn again rather than kept: they would leave the cache.
const MOST_KEPT: usize = 1 << 20;
/// The part of the budget that orderings get at least, so that passes stay few.
const LEAST_SHARE: usize = 16;

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
    /// Orderings made at a time.
    pub makers: usize,
}

impl Plan {
    /// A plan within a budget of bytes; fails if there is none. A budget that `grows` does so as far as all
    /// threads need it to.
    pub fn new(needs: &Needs, budget: usize, grows: bool) -> Result<Self> {
        let least = if grows { needs.threads } else { 1 };
        if let Some(plan) = Self::within(needs, budget, least) {
            return Ok(plan);
        }
        // The least budget that would do, to within a hundredth.
        let mut enough = budget.max(1 << 12);
        while Self::within(needs, enough, least).is_none() {
            enough = enough.saturating_mul(2);
        }
        let mut little = budget;
        while enough - little > enough / 128 {
            let middle = little + (enough - little) / 2;
            match Self::within(needs, middle, least) {
                Some(_) => enough = middle,
                None => little = middle,
            }
        }
        let grown = Self::within(needs, enough, least).filter(|_| grows);
        grown.ok_or(Error::Memory { needed: enough, budget })
    }

    /// A plan for as many threads as there are, or as few as `least`.
    fn within(needs: &Needs, budget: usize, least: usize) -> Option<Self> {
        let budget = budget.checked_sub(needs.held).filter(|&rest| rest >= needs.point)?;
        for threads in (least..=needs.threads).rev() {
            // Enough blocks that no thread is left without work for long.
            let wide = needs.weight == 1 && needs.replicates >= 6 * threads * WIDTH;
            for (double, keep) in [(wide, true), (false, true), (wide, false), (false, false)] {
                if keep && needs.units > MOST_KEPT {
                    continue;
                }
                let plan = Self { double, keep, orderings: 0, batch: 0, threads, makers: threads };
                if let Some(plan) = plan.in_one_pass(needs, budget) {
                    return Some(plan);
                }
                let each = [threads, 1].into_iter().find_map(|makers| {
                    let plan = Self { makers, ..plan };
                    plan.in_passes(needs, budget)
                });
                if each.is_some() {
                    return each;
                }
            }
        }
        None
    }

    /// Replicates side by side.
    fn lanes(&self) -> usize {
        if self.double { 2 * WIDTH } else { WIDTH }
    }

    /// What all threads need for their replicates, and what is kept for them of the stream.
    fn walking(&self, needs: &Needs) -> (usize, usize) {
        // Kept weights, or one bit per unit and a few changed weights.
        let weights =
            if self.keep { needs.units * needs.weight * self.lanes() } else { needs.units / 2 };
        let walking = self.threads * (weights + self.lanes() * needs.counters);
        // Kept weights come with 8 bytes of the stream per unit.
        (walking, if self.keep { 8 * needs.units } else { 0 })
    }

    /// All orderings in memory, made before the replicates are drawn.
    fn in_one_pass(self, needs: &Needs, budget: usize) -> Option<Self> {
        let (walking, stream) = self.walking(needs);
        let walking = walking + self.threads * self.lanes() * needs.room;
        let (kept, once) =
            if needs.one_by_one { (0, needs.influence) } else { (needs.influence, 0) };
        let rest = budget.checked_sub(needs.orderings + kept + stream)?;
        if walking.max(once).max(needs.making) > rest {
            return None;
        }
        let makers = rest.checked_div(needs.making).unwrap_or(self.threads).clamp(1, self.threads);
        let batch = needs.replicates.div_ceil(self.lanes());
        Some(Self { orderings: needs.orderings, batch, makers, ..self })
    }

    /// Orderings made again and again, for batches of replicates.
    fn in_passes(self, needs: &Needs, budget: usize) -> Option<Self> {
        let (walking, stream) = self.walking(needs);
        let fixed = walking + stream + needs.influence + self.makers * needs.making;
        let (rest, blocks) = (budget.checked_sub(fixed)?, needs.replicates.div_ceil(self.lanes()));
        let batch = (rest / 2 / (self.lanes() * needs.room).max(1)).min(blocks);
        let orderings = rest.saturating_sub(batch * self.lanes() * needs.room);
        let enough = needs.largest.max((budget / LEAST_SHARE).min(needs.orderings));
        let fits = batch >= self.threads.min(blocks) && orderings >= enough;
        fits.then_some(Self { orderings, batch, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One ordering of many rows, or several of fewer.
    fn needs(rows: usize, orderings: usize) -> Needs {
        Needs {
            units: rows,
            replicates: 1000,
            threads: 4,
            weight: 1,
            held: 8 * rows,
            point: rows,
            orderings: 6 * orderings * rows,
            largest: 6 * rows,
            making: 8 * rows,
            influence: 8 * rows,
            one_by_one: orderings == 1,
            counters: 100,
            room: 8,
        }
    }

    #[test]
    fn what_a_refusal_asks_for_is_enough_and_little_less_is_not() {
        for needs in [needs(1 << 22, 1), needs(1 << 16, 30), needs(300, 2)] {
            let Err(Error::Memory { needed, .. }) = Plan::new(&needs, 0, false) else {
                panic!("no plan needs no memory");
            };
            assert!(needed >= needs.held + needs.largest + needs.making);
            assert!(Plan::new(&needs, needed, false).is_ok());
            assert!(Plan::new(&needs, needed - needed / 50, false).is_err());
        }
    }

    #[test]
    fn a_budget_that_grows_never_fails_and_leaves_no_thread_idle() {
        for needs in [needs(100_000_000, 1), needs(1 << 16, 30), needs(300, 2)] {
            let plan = Plan::new(&needs, 0, true).unwrap();
            assert_eq!(plan.threads, 4);
            assert!(plan.orderings >= needs.largest);
        }
        let ample = Plan::new(&needs(1 << 16, 3), 1 << 30, true).unwrap();
        assert!(ample.keep && ample.double && ample.makers == 4);
    }
}
