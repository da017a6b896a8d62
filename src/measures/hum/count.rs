//! The tuples whose own assignment has the greatest total score, counted.
//!
//! All rows of two classes, the largest, are looked at together for every tuple of rows of the others. Given that
//! tuple, a row b of the one is out if some ring through b and the tuple gains; else all that matters is F_b, the
//! greatest gain on a way from b through rows of the tuple, or none, to the class of the other row c. The rings
//! through both gain F_b + F_c at most: so the pairs with F_b + F_c < 0 are right, and these are counted by
//! sorting, as an AUC. With n rows in each of K classes that takes n^(K-2) n log n steps, not n^K.
//!
//! Where rounding or a tie leaves doubt, each F has a least and a greatest value ([`super::rings`]). Pairs that are
//! not clear by both are looked at by themselves ([`super::doubtful`]).

use super::doubtful::Shares;
use super::rings::{MOST_CLASSES, share};
use super::rows::ClassRows;
use crate::error::{Error, Result};
use crate::machine::lanes::{Kernel, launch};
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;

/// Tasks that the rows of the first class are shared out to: as many for any number of threads.
const TASKS: usize = 64;

/// The weight of right tuples, lane by lane, and where it is asked for of those with each distinct row.
pub struct Right {
    /// In all.
    pub total: Vec<f64>,
    /// Class by class, for each distinct row: the weight of the other rows of right tuples. One lane only.
    pub with_row: Vec<Vec<f64>>,
}

/// Counts right tuples; row k of class c weighs `weights[c][k lanes + lane]`.
pub fn count(
    classes: &[ClassRows],
    weights: &[Vec<f64>],
    lanes: usize,
    with_rows: bool,
    (workers, watch): (&Workers, &Watch),
) -> Result<Right> {
    let firsts = if classes.len() > 2 { classes[0].len() } else { 1 };
    let tasks = TASKS.min(firsts);
    let found = workers.map(tasks, |task| {
        let mut count = Count::new(classes, weights, lanes, with_rows);
        for first in task * firsts / tasks..(task + 1) * firsts / tasks {
            if watch.is_stopped() {
                return Err(Error::Interrupted);
            }
            count.rows[0] = first;
            count.go_on(1, watch);
        }
        Ok(count.right)
    });
    let mut right = Count::new(classes, weights, lanes, with_rows).right;
    for found in found {
        let found = found?;
        add(&mut right.total, &found.total);
        right.with_row.iter_mut().zip(&found.with_row).for_each(|(sum, more)| add(sum, more));
    }
    match watch.is_stopped() {
        true => Err(Error::Interrupted),
        false => Ok(right),
    }
}

fn add(sums: &mut [f64], more: &[f64]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// A row of one of the two large classes, beside a tuple of the others.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// F, at most and at least.
    pub high: f64,
    pub low: f64,
    pub row: u32,
    /// How many assignments tie without it over how many do with it: below 1 where it is in a ring that ties.
    pub factor: f64,
}

/// What is at hand while tuples are gone through.
pub(super) struct Count<'a> {
    pub classes: &'a [ClassRows],
    pub weights: &'a [Vec<f64>],
    pub lanes: usize,
    /// The row at hand of each class.
    pub rows: Vec<usize>,
    pub right: Right,
    pub with_rows: bool,
    /// The rows of the last two classes that are not out.
    seen: [Vec<Seen>; 2],
    /// The best ways from the tuple's rows to the two classes, at most and at least, row by row.
    pub ways: [Vec<[f64; 2]>; 2],
    /// The weight of right pairs beside the tuple, lane by lane.
    pub found: Vec<f64>,
    pub shares: Shares,
}

impl<'a> Count<'a> {
    fn new(
        classes: &'a [ClassRows],
        weights: &'a [Vec<f64>],
        lanes: usize,
        with_rows: bool,
    ) -> Self {
        let each = classes.iter().filter(|_| with_rows).map(|rows| vec![0.0; rows.len()]);
        Self {
            classes,
            weights,
            lanes,
            rows: vec![0; classes.len()],
            right: Right { total: vec![0.0; lanes], with_row: each.collect() },
            with_rows,
            seen: Default::default(),
            ways: Default::default(),
            found: vec![0.0; lanes],
            shares: Shares::default(),
        }
    }

    /// Goes through the rows of the classes from number `class` on, but for the last two.
    fn go_on(&mut self, class: usize, watch: &Watch) {
        if class + 2 >= self.classes.len() {
            return self.count_pairs();
        }
        for row in 0..self.classes[class].len() {
            self.rows[class] = row;
            // These rows may have lost already; the last ones are looked at in the end.
            if class + 3 == self.classes.len() || self.share_of(class + 1) > 0.0 {
                self.go_on(class + 1, watch);
            }
            if watch.is_stopped() {
                return;
            }
        }
    }

    /// The share of the rows at hand of the first n classes, as if there were no others.
    pub fn share_of(&self, n: usize) -> f64 {
        let mut list = [0; MOST_CLASSES];
        (0..n).for_each(|class| list[class] = class);
        self.share_of_classes(&list[..n])
    }

    fn share_of_classes(&self, list: &[usize]) -> f64 {
        match list.len() {
            2 => self.share_in::<2>(2, list),
            3 => self.share_in::<3>(3, list),
            4 => self.share_in::<4>(4, list),
            n => self.share_in::<MOST_CLASSES>(n, list),
        }
    }

    #[inline(always)]
    fn share_in<const N: usize>(&self, n: usize, list: &[usize]) -> f64 {
        let (mut low, mut high) = ([[0.0; N]; N], [[0.0; N]; N]);
        for (i, &class) in list.iter().enumerate() {
            let rows = &self.classes[class];
            let first = self.rows[class] * self.classes.len();
            for (j, &other) in list.iter().enumerate() {
                low[i][j] = rows.low[first + other];
                high[i][j] = rows.high[first + other];
            }
        }
        share(n, &low, &high)
    }

    /// Counts the pairs of rows of the last two classes that are right beside the tuple at hand.
    fn count_pairs(&mut self) {
        let tuple = self.classes.len() - 2;
        let alone = if tuple > 1 { self.share_of(tuple) } else { 1.0 };
        if alone == 0.0 {
            return;
        }
        self.find_ways();
        for side in [0, 1] {
            self.see(side, alone);
            if self.seen[side].is_empty() {
                return;
            }
        }
        self.found.fill(0.0);
        self.shares.clear();
        let [ones, others] = std::mem::take(&mut self.seen);
        self.count_clear(&ones, &others, alone);
        self.look_at_doubtful(&ones, &others, alone);
        self.seen = [ones, others];
        for (lane, found) in self.found.iter().enumerate() {
            self.right.total[lane] += found * self.weight_of_tuple(lane, None);
        }
        for class in (0..tuple).filter(|_| self.with_rows) {
            let more = self.found[0] * self.weight_of_tuple(0, Some(class));
            self.right.with_row[class][self.rows[class]] += more;
        }
    }

    /// The weight of the tuple's rows, but for that of one class.
    pub fn weight_of_tuple(&self, lane: usize, without: Option<usize>) -> f64 {
        (0..self.classes.len() - 2)
            .filter(|class| Some(*class) != without)
            .map(|class| self.weights[class][self.rows[class] * self.lanes + lane])
            .product()
    }

    /// The best ways from each of the tuple's rows to the last two classes.
    fn find_ways(&mut self) {
        let all = self.classes.len();
        let tuple = all - 2;
        for bound in [0, 1] {
            let gains = |class: usize| {
                let rows = &self.classes[class];
                let gains = if bound == 0 { &rows.high } else { &rows.low };
                &gains[self.rows[class] * all..][..all]
            };
            let ways = &mut self.ways[bound];
            ways.clear();
            ways.extend((0..tuple).map(|class| [gains(class)[tuple], gains(class)[tuple + 1]]));
            // A best way passes each row once at most: as many rounds as there are rows.
            for _ in 1..tuple {
                for class in 0..tuple {
                    for by in (0..tuple).filter(|by| *by != class) {
                        for side in [0, 1] {
                            let by_way = gains(class)[by] + ways[by][side];
                            ways[class][side] = ways[class][side].max(by_way);
                        }
                    }
                }
            }
        }
    }

    /// Finds the rows of one of the two classes that are not out, and sorts them, the least F first.
    fn see(&mut self, side: usize, alone: f64) {
        let mut seen = std::mem::take(&mut self.seen[side]);
        let class = self.classes.len() - 2 + side;
        launch(See { classes: self.classes, ways: &self.ways, side, seen: &mut seen });
        let mut list = [0; MOST_CLASSES];
        let tuple = self.classes.len() - 2;
        (0..tuple).for_each(|class| list[class] = class);
        list[tuple] = class;
        let mut known: Vec<(u32, f64)> = Vec::new();
        for seen in seen.iter_mut().filter(|seen| seen.factor == 0.0) {
            // Rows in the same rings have the same factor.
            let rings = self.rings_of(side, seen.row as usize);
            let found = known.iter().find(|(kind, _)| *kind == rings).map(|(_, factor)| *factor);
            seen.factor = found.unwrap_or_else(|| {
                self.rows[class] = seen.row as usize;
                let factor = self.share_of_classes(&list[..=tuple]) / alone;
                known.push((rings, factor));
                factor
            });
        }
        seen.retain(|seen| seen.factor > 0.0);
        seen.sort_unstable_by(|a, b| a.high.total_cmp(&b.high));
        self.seen[side] = seen;
    }

    /// Adds the pairs of a row of `ones` and one of `others` with F + F < 0 for certain, each `by` times its factors.
    pub fn count_clear(&mut self, ones: &[Seen], others: &[Seen], by: f64) {
        let tuple = self.classes.len() - 2;
        let (weights, other_weights) = (&self.weights[tuple], &self.weights[tuple + 1]);
        let (found, lanes) = (&mut self.found, self.lanes);
        launch(CountClear { ones, others, weights, other_weights, by, lanes, found });
        if self.with_rows {
            let by = by * self.weight_of_tuple(0, None);
            for (side, ones, others) in [(0, ones, others), (1, others, ones)] {
                let with_row = &mut self.right.with_row[tuple + side];
                let other_weights = &self.weights[tuple + 1 - side];
                let (mut met, mut sum) = (0, 0.0);
                for one in ones.iter().rev() {
                    while met < others.len() && others[met].high < -one.high {
                        sum += other_weights[others[met].row as usize] * others[met].factor;
                        met += 1;
                    }
                    with_row[one.row as usize] += by * one.factor * sum;
                }
            }
        }
    }
}

/// The rows of one of the two classes that are not out; a factor of 0 is still to be found.
struct See<'a> {
    classes: &'a [ClassRows],
    ways: &'a [Vec<[f64; 2]>; 2],
    side: usize,
    seen: &'a mut Vec<Seen>,
}

impl Kernel for See<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { classes, ways: [high_ways, low_ways], side, seen } = self;
        let (all, tuple) = (classes.len(), classes.len() - 2);
        let (class, other) = (tuple + side, tuple + 1 - side);
        let rows = &classes[class];
        seen.clear();
        let each = rows.high.chunks_exact(all).zip(rows.low.chunks_exact(all));
        for (row, (high, low)) in each.enumerate() {
            let (mut ring, mut low_ring) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
            let mut found =
                Seen { high: high[other], low: low[other], row: row as u32, factor: 1.0 };
            for by in 0..tuple {
                ring = ring.max(high[by] + high_ways[by][side]);
                low_ring = low_ring.max(low[by] + low_ways[by][side]);
                found.high = found.high.max(high[by] + high_ways[by][1 - side]);
                found.low = found.low.max(low[by] + low_ways[by][1 - side]);
            }
            if low_ring <= 0.0 {
                found.factor = if ring >= 0.0 { 0.0 } else { 1.0 };
                seen.push(found);
            }
        }
    }
}

/// The weight of pairs with F + F < 0, lane by lane.
struct CountClear<'a> {
    ones: &'a [Seen],
    others: &'a [Seen],
    weights: &'a [f64],
    other_weights: &'a [f64],
    by: f64,
    lanes: usize,
    found: &'a mut [f64],
}

impl Kernel for CountClear<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        match self.lanes {
            1 => self.walk::<1>(),
            32 => self.walk::<32>(),
            64 => self.walk::<64>(),
            lanes => unreachable!("{lanes} lanes"),
        }
    }
}

impl CountClear<'_> {
    #[inline(always)]
    fn walk<const L: usize>(self) {
        let Self { ones, others, weights, other_weights, by, found, .. } = self;
        let (mut sum, mut all) = ([0.0; L], [0.0; L]);
        let mut met = 0;
        for one in ones.iter().rev() {
            while met < others.len() && others[met].high < -one.high {
                let other = &others[met];
                let weights = &other_weights[other.row as usize * L..][..L];
                (0..L).for_each(|lane| sum[lane] += weights[lane] * other.factor);
                met += 1;
            }
            let weights = &weights[one.row as usize * L..][..L];
            (0..L).for_each(|lane| all[lane] += weights[lane] * one.factor * sum[lane]);
        }
        found.iter_mut().zip(all).for_each(|(found, all)| *found += by * all);
    }
}
