//! Pairs of rows that are neither clearly right nor clearly wrong beside a tuple: mostly because totals tie.
//!
//! What such a pair counts depends on the *kind* of either row alone: by which rows of the tuple, or directly, it
//! reaches the other class with its greatest gain F, and by which it comes back to its own without gain or loss. There
//! are few kinds, so each pair of kinds is looked at once; and rows of one F tie with the same rows of the other
//! class, so that pairs are counted by kinds, not one by one.

use super::count::{Count, Seen};

/// What pairs of kinds count beside the tuple at hand.
#[derive(Default)]
pub(super) struct Shares(Vec<((u64, u64), f64)>);

impl Shares {
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// Rows of one kind: one of them, and their weight, lane by lane.
struct Alike {
    kind: u64,
    row: u32,
    weight: Vec<f64>,
}

impl Count<'_> {
    /// By which rows of the tuple a row of one of the two classes comes back to its own in a ring that ties, as bits.
    pub fn rings_of(&self, side: usize, row: usize) -> u32 {
        let high = self.gains_of(side, row);
        let ties = |by: &usize| high[*by] + self.ways[0][*by][side] >= 0.0;
        (0..self.classes.len() - 2).filter(ties).fold(0, |bits, by| bits | 1 << by)
    }

    /// The kind of a row: its rings, and how it reaches the other class with F, whose least value is given.
    fn kind_of(&self, side: usize, seen: &Seen) -> u64 {
        let tuple = self.classes.len() - 2;
        let high = self.gains_of(side, seen.row as usize);
        let gain = |by: usize| match by == tuple {
            true => high[tuple + 1 - side],
            false => high[by] + self.ways[0][by][1 - side],
        };
        let reaches = (0..=tuple).filter(|&by| gain(by) >= seen.low);
        let rings = if seen.factor < 1.0 { self.rings_of(side, seen.row as usize) } else { 0 };
        let rings = u64::from(rings);
        reaches.fold(rings, |bits, by| bits | 1 << (tuple + by))
    }

    fn gains_of(&self, side: usize, row: usize) -> &[f64] {
        let all = self.classes.len();
        let rows = &self.classes[all - 2 + side];
        &rows.high[row * all..][..all]
    }

    /// Counts the pairs that are not clear, and those that are although both rows are in rings that tie.
    pub fn look_at_doubtful(&mut self, ones: &[Seen], others: &[Seen], alone: f64) {
        let width = |seen: &[Seen]| seen.iter().fold(0.0, |most, x| f64::max(most, x.high - x.low));
        let width = width(ones) + width(others);
        // The rows of `others` in doubt beside a row of `ones`, and rows of `ones` in doubt beside the same.
        let (mut first, mut end, mut last) = (0, 0, ones.len());
        let mut range = (0, 0);
        for at in (0..ones.len()).rev() {
            let one = &ones[at];
            while first < others.len() && others[first].high < -one.high {
                first += 1;
            }
            while end < others.len() && others[end].high + one.high <= width {
                end += 1;
            }
            if (first, end.max(first)) != range {
                self.count_tied(&ones[at + 1..last], &others[range.0..range.1]);
                (range, last) = ((first, end.max(first)), at + 1);
            }
        }
        self.count_tied(&ones[..last], &others[range.0..range.1]);
        if self.classes.len() > 3 {
            self.mend_clear(ones, others, alone); // of three classes no row that ties with both leaves them clear
        }
    }

    /// Counts pairs of rows that all are in doubt, but for those that are wrong after all.
    fn count_tied(&mut self, ones: &[Seen], others: &[Seen]) {
        if ones.is_empty() || others.is_empty() {
            return;
        }
        let greatest = |seen: &[Seen]| seen.iter().fold(f64::NEG_INFINITY, |m, x| m.max(x.low));
        if greatest(ones) + greatest(others) > 0.0 {
            // Some of these are wrong: scores that lie closely, but do not tie.
            for one in ones {
                for other in others.iter().filter(|other| one.low + other.low <= 0.0) {
                    let pair = (std::slice::from_ref(one), std::slice::from_ref(other));
                    self.count_kinds(pair.0, pair.1);
                }
            }
            return;
        }
        self.count_kinds(ones, others);
    }

    fn count_kinds(&mut self, ones: &[Seen], others: &[Seen]) {
        let (own, theirs) = (self.alike(0, ones), self.alike(1, others));
        for one in &own {
            for other in &theirs {
                let share = self.share_of_kinds(one, other);
                if share > 0.0 {
                    let weights = one.weight.iter().zip(&other.weight);
                    let found = self.found.iter_mut().zip(weights);
                    found.for_each(|(found, (a, b))| *found += share * a * b);
                }
            }
        }
        if self.with_rows {
            self.add_to_rows(0, ones, &theirs, |count, one, other| {
                count.share_of_kinds(one, other)
            });
            self.add_to_rows(1, others, &own, |count, one, other| count.share_of_kinds(other, one));
        }
    }

    /// Adds to each row what it counts with all of the other class.
    fn add_to_rows(
        &mut self,
        side: usize,
        rows: &[Seen],
        others: &[Alike],
        share: impl Fn(&mut Self, &Alike, &Alike) -> f64,
    ) {
        let class = self.classes.len() - 2 + side;
        let tuple = self.weight_of_tuple(0, None);
        for seen in rows {
            let one = Alike { kind: self.kind_of(side, seen), row: seen.row, weight: Vec::new() };
            let with: f64 =
                others.iter().map(|other| share(self, &one, other) * other.weight[0]).sum();
            self.right.with_row[class][seen.row as usize] += tuple * with;
        }
    }

    /// Rows by kind.
    fn alike(&self, side: usize, seen: &[Seen]) -> Vec<Alike> {
        let weights = &self.weights[self.classes.len() - 2 + side];
        let mut found: Vec<Alike> = Vec::new();
        for seen in seen {
            let weight = &weights[seen.row as usize * self.lanes..][..self.lanes];
            let kind = self.kind_of(side, seen);
            match found.iter_mut().find(|alike| alike.kind == kind) {
                Some(alike) => alike.weight.iter_mut().zip(weight).for_each(|(sum, w)| *sum += w),
                None => found.push(Alike { kind, row: seen.row, weight: weight.to_vec() }),
            }
        }
        found
    }

    fn share_of_kinds(&mut self, one: &Alike, other: &Alike) -> f64 {
        let kinds = (one.kind, other.kind);
        if let Some((_, share)) = self.shares.0.iter().find(|(known, _)| *known == kinds) {
            return *share;
        }
        let share = self.share_of_pair(one.row, other.row);
        self.shares.0.push((kinds, share));
        share
    }

    /// The share of the tuple with a row of either class.
    fn share_of_pair(&mut self, one: u32, other: u32) -> f64 {
        let all = self.classes.len();
        (self.rows[all - 2], self.rows[all - 1]) = (one as usize, other as usize);
        self.share_of(all)
    }

    /// Pairs that are clear have been counted as if the factors of both rows multiplied, which is not so where both
    /// are in rings that tie.
    fn mend_clear(&mut self, ones: &[Seen], others: &[Seen], alone: f64) {
        let (own, theirs) = (self.by_rings(0, ones), self.by_rings(1, others));
        for ones in &own {
            for others in &theirs {
                let (one, other) = (&ones[0], &others[0]); // those of the least F
                if one.high + other.high < 0.0 {
                    let counted = alone * one.factor * other.factor;
                    let by = (self.share_of_pair(one.row, other.row) - counted)
                        / (one.factor * other.factor);
                    self.count_clear(ones, others, by);
                }
            }
        }
    }

    /// Rows that are in rings that tie, by those rings.
    fn by_rings(&self, side: usize, seen: &[Seen]) -> Vec<Vec<Seen>> {
        let mut found: Vec<(u32, Vec<Seen>)> = Vec::new();
        for &seen in seen.iter().filter(|seen| seen.factor < 1.0) {
            let rings = self.rings_of(side, seen.row as usize);
            match found.iter_mut().find(|(known, _)| *known == rings) {
                Some((_, alike)) => alike.push(seen),
                None => found.push((rings, vec![seen])),
            }
        }
        found.into_iter().map(|(_, seen)| seen).collect()
    }
}
