//! What orderings take, and what it takes to make them.
//!
//! Bounds, not guesses: a run plans its memory by them before it sorts anything.

use crate::data::scores::Score;
use crate::order::by_value::LEAST_TIED;
use crate::order::jobs::{Job, Jobs, Key, Models};

impl Job {
    /// Bytes of the ordering, if rows that tie are as many as they can be.
    pub fn bytes(&self, weighted: bool, all_ties: bool) -> usize {
        let row = 6 + if weighted { 8 } else { 0 } + if self.has_values() { 8 } else { 0 };
        row * self.rows + self.tie_bytes(all_ties) + 64
    }

    /// Bytes of its lists of ties: each has a favoured row and another one, or two favoured rows.
    fn tie_bytes(&self, all_ties: bool) -> usize {
        if self.has_values() {
            return 8 * (self.rows / LEAST_TIED);
        }
        if matches!(self.key, Key::Ordered(_)) {
            return 8 * (self.rows / 2); // whichever rows tie
        }
        let mixed = self.own.min(self.rows - self.own);
        8 * (mixed + if all_ties { self.own.min(self.rows / 2) } else { 0 })
    }

    fn has_values(&self) -> bool {
        matches!(self.key, Key::Rows(_))
    }
}

impl<T: Score> Jobs<'_, '_, T> {
    /// Bytes held for making any ordering: the scores by class, where there are projections.
    pub fn held(&self) -> usize {
        if self.by_class.is_some() { self.sample.scores.len() * size_of::<T>() } else { 0 }
    }

    /// Bytes that making an ordering needs beside it.
    pub fn making(&self, job: &Job, all_ties: bool) -> usize {
        let sorting = match job.key {
            // Values twice while they are found; row numbers, half of them twice.
            Key::Rows(_) => 22,
            // Ranks, and the scores that they are made of with their rows.
            Key::Pair(..) | Key::Label(_) if self.by_rank => 120,
            _ if self.by_rank => 48,
            // Projections twice; or once, with their rounding errors.
            Key::Pair(..) | Key::Label(_) => 72,
            // Row numbers, and the part of each or a copy of those of a part.
            _ => 8,
        };
        // Ties are listed part by part first.
        sorting * job.rows + self.tie_copy(job, all_ties)
    }

    fn tie_copy(&self, job: &Job, all_ties: bool) -> usize {
        if matches!(job.key, Key::Pair(..) | Key::Label(_)) { 0 } else { job.tie_bytes(all_ties) }
    }
}

impl<T: Score> Models<'_, '_, T> {
    /// Bytes held for making any ordering.
    pub fn held(&self) -> usize {
        self.each.iter().map(Jobs::held).sum()
    }

    /// Bytes that making orderings needs beside them: those that are made together, wherever they are.
    pub fn making(&self, all_ties: bool) -> usize {
        let together = self.together(&self.list).into_iter().map(|jobs| {
            let model = &self.each[jobs[0].model];
            let copied = |job: &&Job| matches!(job.key, Key::Column(_)) && !model.by_rank;
            let copies = jobs.iter().filter(copied).count() * model.sample.scores.nrows();
            let most = jobs.iter().map(|job| model.making(job, all_ties)).max().unwrap_or(0);
            copies * size_of::<T>() + most
        });
        together.max().unwrap_or(0)
    }

    /// The same where the only ordering is [merged](Self::merged): keys, of which those of a part are copied.
    pub fn merging(&self, all_ties: bool) -> usize {
        let of = |job: &Job| (job.rows * size_of::<T::Bits>() / 4 * 5).max(job.tie_bytes(all_ties));
        self.list.iter().map(of).max().unwrap_or(0)
    }
}
