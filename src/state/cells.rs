//! Counts by key: exact while there are few keys, by bins of neighbouring keys when there are more.
//!
//! A bin is a key without its low bits. At most `most` bins are kept: a further one makes all of them wider, by the
//! fewest bits that bring them down to `most`. Wider bins are unions of narrower ones, so what is kept in the end
//! depends on the keys that came and on nothing else: not on their order, nor on how they were split up and merged.

use crate::machine::lanes::{Kernel, launch};
use crate::state::first_look::Numbered;
use crate::state::index::Index;
use crate::state::recent::{CounterAt, Recent};

/// So many times more bins than are kept may stand open while rows are added. The first keys beyond `most` bring
/// few equal bits with them, and would make bins wider bit by bit.
const SLACK: usize = 2;
/// Rows without a counter that are added one by one, of those that are counted together.
const MOST_NEW: usize = 1 << 8;

/// Counts by bin, in some lanes: one for each class, say.
#[derive(Debug)]
pub struct Cells {
    lanes: usize,
    most: usize,
    /// How many low bits of each key are dropped.
    shift: u32,
    /// In the order in which they came.
    bins: Vec<u64>,
    /// The lanes of the first bin, of the second, ...; without those counted lately.
    counts: Vec<u64>,
    index: Index,
    /// Where most rows are counted, once there were many.
    recent: Option<Recent>,
    /// How many rows were counted.
    seen: u64,
}

impl Clone for Cells {
    /// The same cells, all collected.
    fn clone(&self) -> Self {
        let (bins, mut counts) = (self.bins.clone(), self.counts.clone());
        add_recent(self.recent.as_ref(), &bins, &mut counts);
        Self { index: Index::of(&bins), bins, counts, recent: None, ..*self }
    }
}

/// Adds what was counted lately to the counts of bins.
fn add_recent(recent: Option<&Recent>, bins: &[u64], counts: &mut [u64]) {
    let Some(recent) = recent else { return };
    let lanes = recent.at().lanes as usize;
    for (&bin, own) in bins.iter().zip(counts.chunks_exact_mut(lanes)) {
        for (count, more) in own.iter_mut().zip(recent.of_bin(bin)) {
            *count += more;
        }
    }
}

impl Cells {
    /// None, in so many lanes, of which at most `most` are to be kept.
    pub fn new(lanes: usize, most: usize) -> Self {
        Self::told(lanes, most, 0, Vec::new(), Vec::new())
    }

    /// Cells that were told: bins without doubles.
    pub fn told(lanes: usize, most: usize, shift: u32, bins: Vec<u64>, counts: Vec<u64>) -> Self {
        let index = Index::of(&bins);
        Self { lanes, most, shift, bins, counts, index, recent: None, seen: 0 }
    }

    /// How many low bits of each key are dropped; none while counts are exact.
    pub fn shift(&self) -> u32 {
        self.shift
    }

    /// How many lanes a bin has.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// How many bins there are.
    pub fn len(&self) -> usize {
        self.bins.len()
    }

    /// The places of bins in ascending order.
    pub fn ascending(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.bins.len()).collect();
        if !self.bins.is_sorted() {
            places.sort_unstable_by_key(|&place| self.bins[place]);
        }
        places
    }

    /// The bin at a place, and its lanes. To be called after [`collect`](Self::collect), or of a clone.
    pub fn at(&self, place: usize) -> (u64, &[u64]) {
        debug_assert!(self.recent.is_none());
        (self.bins[place], &self.counts[place * self.lanes..][..self.lanes])
    }

    /// Whether nothing was counted lately that is not among the counts.
    pub fn is_collected(&self) -> bool {
        self.recent.is_none()
    }

    /// Puts what was counted lately among the counts.
    pub fn collect(&mut self) {
        add_recent(self.recent.take().as_ref(), &self.bins, &mut self.counts);
    }

    /// What is to be written down of so many rows that are to be counted class by class: the numbers of their
    /// counters, where there are counters or where they are worth making. To be given back by `count_numbered`.
    pub fn numbered(&mut self, rows: usize) -> Option<Numbered<CounterAt>> {
        if self.recent.is_none() && matches!(self.index, Index::Direct { .. }) {
            self.recent = Recent::of(&self.bins, self.shift, self.lanes, self.seen);
        }
        if self.recent.as_ref()?.is_full(rows) {
            self.collect();
        }
        let recent = self.recent.as_mut()?;
        let mut numbers = std::mem::take(&mut recent.numbers);
        numbers.resize(rows, 0);
        Some(Numbered { aim: recent.at(), numbers })
    }

    /// Adds rows by the numbers of their counters; returns how many. Of rows whose bin is new or far off, which have
    /// none, it asks for the key and the lane and adds them one by one, until they are too many.
    pub fn count_numbered(
        &mut self,
        numbered: Numbered<CounterAt>,
        of: impl Fn(usize) -> (u64, u32),
    ) -> usize {
        let Numbered { aim, numbers } = numbered;
        let (mut row, mut new) = (0, 0);
        loop {
            let Some(recent) = self.recent.as_mut().filter(|recent| recent.at() == aim) else {
                return row;
            };
            row += recent.count(&numbers[row..]);
            if row == numbers.len() || new == MOST_NEW {
                recent.numbers = numbers;
                return row;
            }
            let (key, lane) = of(row);
            self.count(&[key], &[lane]);
            (row, new) = (row + 1, new + 1);
        }
    }

    /// All counts times a power of two.
    pub fn scale(&mut self, bits: u32) {
        self.collect();
        for count in &mut self.counts {
            *count <<= bits;
        }
    }

    /// Adds rows, one in the lane of each.
    pub fn count(&mut self, keys: &[u64], lanes: &[u32]) {
        self.seen += keys.len() as u64;
        let mut row = 0;
        while row < keys.len() {
            row += self.count_known(&keys[row..], &lanes[row..]);
            if let (Some(&key), Some(&lane)) = (keys.get(row), lanes.get(row)) {
                self.each(&[key], |_, counts| counts[lane as usize] += 1);
                row += 1;
            }
        }
    }

    /// Adds rows up to the first whose bin has no direct place; returns how many. Most rows go this way.
    fn count_known(&mut self, keys: &[u64], lanes: &[u32]) -> usize {
        let Index::Direct { base, places } = &self.index else { return 0 };
        let (width, shift, base) = (self.lanes, self.shift, *base);
        launch(Count { keys, lanes, shift, base, places, width, counts: &mut self.counts })
    }

    /// Adds rows of some mass each.
    pub fn weigh(&mut self, keys: &[u64], lanes: &[u32], masses: &[u64]) {
        self.each(keys, |row, counts| counts[lanes[row] as usize] += masses[row]);
    }

    /// Lets each row change the lanes of its bin.
    #[inline(always)]
    pub fn each(&mut self, keys: &[u64], change: impl Fn(usize, &mut [u64])) {
        let mut row = 0;
        while row < keys.len() {
            row = self.run(keys, row, &change);
            if let Some(&key) = keys.get(row) {
                self.open(key);
            }
        }
    }

    /// Goes on from a row to the first one whose bin is new; returns it.
    #[inline(always)]
    fn run(&mut self, keys: &[u64], from: usize, change: &impl Fn(usize, &mut [u64])) -> usize {
        let (lanes, shift, counts) = (self.lanes, self.shift, self.counts.as_mut_slice());
        match &self.index {
            Index::Direct { base, places } => {
                let (base, places) = (*base, places.as_slice());
                for (row, &key) in keys.iter().enumerate().skip(from) {
                    let at = (key >> shift).wrapping_sub(base);
                    let place = if at < places.len() as u64 { places[at as usize] } else { 0 };
                    if place == 0 {
                        return row;
                    }
                    change(row, &mut counts[(place as usize - 1) * lanes..][..lanes]);
                }
            }
            index => {
                for (row, &key) in keys.iter().enumerate().skip(from) {
                    let Some(place) = index.find(key >> shift) else { return row };
                    change(row, &mut counts[place * lanes..][..lanes]);
                }
            }
        }
        keys.len()
    }

    /// Makes room for a key.
    fn open(&mut self, key: u64) {
        let bin = key >> self.shift;
        self.bins.push(bin);
        self.counts.resize(self.bins.len() * self.lanes, 0);
        if self.recent.as_mut().is_some_and(|recent| !recent.open(bin)) {
            self.collect();
        }
        if self.bins.len() > SLACK * self.most {
            self.coarsen(0);
        } else {
            self.index.push(&self.bins);
        }
    }

    /// Comes down to the most bins there may be; to be called after rows were added.
    pub fn settle(&mut self) {
        if self.bins.len() > self.most {
            self.coarsen(0);
        }
    }

    /// Drops at least so many bits in all, and as many more as bring the bins down to `most`.
    fn coarsen(&mut self, shift: u32) {
        self.collect();
        let order = self.ascending();
        let sorted: Vec<u64> = order.iter().map(|&place| self.bins[place]).collect();
        // Neighbours become one when all bits in which they differ are dropped.
        let mut joined = [0_usize; 65];
        for two in sorted.windows(2) {
            joined[64 - (two[0] ^ two[1]).leading_zeros() as usize] += 1;
        }
        let (mut dropped, mut left) = (0, sorted.len());
        left -= joined[0];
        while left > self.most || self.shift + dropped < shift {
            dropped += 1;
            left -= joined[dropped as usize];
        }
        self.shift += dropped;
        let (mut bins, mut counts) = (Vec::with_capacity(left), Vec::<u64>::new());
        counts.reserve(left * self.lanes);
        for (&place, bin) in order.iter().zip(&sorted) {
            let own = &self.counts[place * self.lanes..][..self.lanes];
            if bins.last() == Some(&(bin >> dropped)) {
                let start = counts.len() - self.lanes;
                for (sum, count) in counts[start..].iter_mut().zip(own) {
                    *sum += count;
                }
            } else {
                bins.push(bin >> dropped);
                counts.extend_from_slice(own);
            }
        }
        self.index = Index::of(&bins);
        (self.bins, self.counts) = (bins, counts);
    }

    /// Adds all cells of another table, which has as many lanes.
    pub fn merge(&mut self, other: &Self) {
        if self.bins.is_empty() && self.most == other.most && self.shift <= other.shift {
            *self = other.clone();
            return;
        }
        if self.shift < other.shift {
            self.coarsen(other.shift);
        }
        for place in 0..other.len() {
            let (bin, theirs) = other.at(place);
            let key = bin << other.shift;
            self.each(&[key], |_, counts| {
                for (count, more) in counts.iter_mut().zip(theirs) {
                    *count += more;
                }
            });
        }
        self.settle();
    }
}

/// Adds one for each row whose bin is known.
struct Count<'a> {
    keys: &'a [u64],
    lanes: &'a [u32],
    shift: u32,
    base: u64,
    places: &'a [u32],
    width: usize,
    counts: &'a mut [u64],
}

impl Kernel for Count<'_> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        let Self { keys, lanes, shift, base, places, width, counts } = self;
        for (row, (&key, &lane)) in keys.iter().zip(lanes).enumerate() {
            let at = (key >> shift).wrapping_sub(base);
            let place = if at < places.len() as u64 { places[at as usize] } else { 0 };
            if place == 0 {
                return row;
            }
            counts[(place as usize - 1) * width + lane as usize] += 1;
        }
        keys.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::first_look::Aim;

    fn canonical(cells: &Cells) -> (u32, Vec<(u64, Vec<u64>)>) {
        let cells = cells.clone();
        let told = |&place: &usize| (cells.at(place).0, cells.at(place).1.to_vec());
        (cells.shift(), cells.ascending().iter().map(told).collect())
    }

    #[test]
    fn order_and_splits_do_not_show() {
        let keys: Vec<u64> =
            (0..3000_u64).map(|k| k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (k % 40)).collect();
        let lanes: Vec<u32> = (0..3000).map(|k| k % 3).collect();
        let mut whole = Cells::new(3, 100);
        whole.count(&keys, &lanes);
        whole.settle();
        let mut turned = Cells::new(3, 100);
        let back: (Vec<_>, Vec<_>) = keys.iter().copied().zip(lanes.iter().copied()).rev().unzip();
        turned.count(&back.0, &back.1);
        turned.settle();
        let (mut one, mut other) = (Cells::new(3, 100), Cells::new(3, 100));
        one.count(&keys[..50], &lanes[..50]);
        other.count(&keys[50..], &lanes[50..]);
        one.merge(&other);
        assert!(whole.shift() > 0 && whole.len() <= 100);
        assert_eq!(canonical(&whole), canonical(&turned));
        assert_eq!(canonical(&whole), canonical(&one));
    }

    #[test]
    fn rows_with_counters_are_counted_as_others() {
        let (mut plain, mut numbered, mut by_number) = (Cells::new(3, 64), Cells::new(3, 64), 0);
        let rows: Vec<(u64, u32)> = (0..40_000_u64)
            .map(|k| (k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 2, (k % 3) as u32))
            .collect();
        // First the middle of all keys, then others among them, then others on both sides.
        let middle = |width: u64| move |row: &&(u64, u32)| row.0.abs_diff(1 << 61) < width;
        for width in [1 << 59, 1 << 59, 1 << 60, 1 << 60, 1 << 61, 1 << 61] {
            let gaps = |row: &&(u64, u32)| width > 1 << 59 || row.0 >> 56 & 1 == 0;
            let some: Vec<_> = rows.iter().filter(middle(width)).filter(gaps).copied().collect();
            let (keys, lanes): (Vec<_>, Vec<_>) = some.iter().copied().unzip();
            plain.count(&keys, &lanes);
            plain.settle();
            let found = numbered.numbered(some.len()).map_or(0, |mut given| {
                for (number, &(key, lane)) in given.numbers.iter_mut().zip(&some) {
                    *number = given.aim.number(key, lane);
                }
                numbered.count_numbered(given, |row| some[row])
            });
            by_number += found;
            numbered.count(&keys[found..], &lanes[found..]);
            numbered.settle();
            assert_eq!(canonical(&plain), canonical(&numbered));
        }
        assert!(by_number > 10_000);
    }
}
