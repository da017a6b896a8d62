//! Two sets of rows compared in one thread, in memory that is kept from one duel to the next.

use crate::count::deal::deal;
use crate::count::parts::{LARGE, Parts};
use crate::count::rank_index::RankIndex;
use crate::count::tally::{Tally, join_parts};
use crate::data::scores::Score;
use crate::data::weights::Weighting;
use crate::machine::lanes::{self, Kernel};

/// Scratch memory for comparing one class with another.
pub struct Duel<T, W: Weighting> {
    index: RankIndex<T, W>,
    class: Hands<T, W>,
    others: Hands<T, W>,
}

/// Rows dealt into parts.
struct Hands<T, W: Weighting> {
    rows: Vec<(T, W::Row)>,
    bounds: Vec<u32>,
    part_of: Vec<u32>,
}

impl<T: Score, W: Weighting> Hands<T, W> {
    #[inline(always)]
    fn deal(&mut self, rows: &[(T, W::Row)], parts: &Parts) {
        self.rows.resize(rows.len(), Default::default());
        self.part_of.resize(rows.len(), 0);
        parts.find(rows.iter().map(|row| row.0), &mut self.part_of);
        let rows = rows.iter().copied();
        deal(&self.part_of, rows, parts.count, &mut self.rows, &mut self.bounds);
    }

    fn hand(&self, part: usize) -> &[(T, W::Row)] {
        &self.rows[self.bounds[part] as usize..self.bounds[part + 1] as usize]
    }
}

impl<T: Score, W: Weighting> Default for Duel<T, W> {
    fn default() -> Self {
        let hands = || Hands { rows: Vec::new(), bounds: Vec::new(), part_of: Vec::new() };
        Self { index: RankIndex::default(), class: hands(), others: hands() }
    }
}

impl<T: Score, W: Weighting> Duel<T, W> {
    /// Compares a class with others. Also tells whether rows of the two sides lie within `reach` of
    /// each other without being equal.
    pub fn compare(
        &mut self,
        class: &[(T, W::Row)],
        others: &[(T, W::Row)],
        reach: f64,
    ) -> (Tally<W>, bool) {
        // The smaller side is indexed, the larger looked up.
        if class.len() > others.len() {
            let (tally, near) = self.compare(others, class, reach);
            return (tally.reversed(), near);
        }
        lanes::launch(Compare { duel: self, class, others, reach })
    }

    #[inline(always)]
    fn compare_here(
        &mut self,
        class: &[(T, W::Row)],
        others: &[(T, W::Row)],
        reach: f64,
    ) -> (Tally<W>, bool) {
        if class.len() <= LARGE {
            self.index.rebuild(class);
            let mut tally = Tally::empty(self.index.total());
            let near = tally.meet_near(&self.index, others, reach);
            return (tally, near);
        }
        let n = class.len() + others.len();
        let parts = Parts::new(n, class.len(), |_, k| {
            class.get(k).unwrap_or_else(|| &others[k - class.len()]).0
        });
        self.class.deal(class, &parts);
        self.others.deal(others, &parts);
        let mut near = false;
        // The greatest score of each side in the parts so far.
        let mut greatest = [f64::NEG_INFINITY; 2];
        let mut tallies = Vec::with_capacity(parts.count);
        for part in 0..parts.count {
            self.index.rebuild(self.class.hand(part));
            let mut tally = Tally::empty(self.index.total());
            let others = self.others.hand(part);
            near |= tally.meet_near(&self.index, others, reach);
            tallies.push(tally);
            let ranges = [self.index.range(), range(others)];
            for (side, other_side) in [(0, 1), (1, 0)] {
                if let Some((least, _)) = ranges[side] {
                    near |= least.to_f64() - greatest[other_side] <= reach;
                }
            }
            for (greatest, range) in greatest.iter_mut().zip(ranges) {
                *greatest = range.map_or(*greatest, |(_, most)| most.to_f64());
            }
        }
        (join_parts(tallies.into_iter()), near)
    }
}

struct Compare<'a, T, W: Weighting> {
    duel: &'a mut Duel<T, W>,
    class: &'a [(T, W::Row)],
    others: &'a [(T, W::Row)],
    reach: f64,
}

impl<T: Score, W: Weighting> Kernel for Compare<'_, T, W> {
    type Output = (Tally<W>, bool);

    #[inline(always)]
    fn run(self) -> (Tally<W>, bool) {
        self.duel.compare_here(self.class, self.others, self.reach)
    }
}

#[inline(always)]
fn range<T: Score, R: Copy>(rows: &[(T, R)]) -> Option<(T, T)> {
    let mut scores = rows.iter().map(|row| row.0);
    let first = scores.next()?;
    Some(scores.fold((first, first), |(least, most), x| {
        (if x < least { x } else { least }, if x > most { x } else { most })
    }))
}
