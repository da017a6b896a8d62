//! Rows that were counted lately: counters in the order of bins, small enough to stay in a processor's caches.
//!
//! A row's counter is found by arithmetic alone, many rows at once and while they are looked at for the first time
//! ([`CounterAt`]); counting is then one addition for each, to a byte: bytes of all bins fit into the first cache. One that
//! overflows, after 256 rows, is carried to a wide counter. Bins that nobody has opened yet have bytes that are full:
//! the addition overflows, and the row goes the long way. So one test tells what is new.

use super::first_look::Aim;
use crate::machine::lanes::{Kernel, launch};

/// The most counters of a column: a megabyte of them.
const MOST: u64 = 1 << 18;
/// A wide counter that no row may add to.
const CLOSED: u32 = u32::MAX;
/// Rows that a byte counts until it is carried.
const CARRY: u32 = 1 << u8::BITS;

/// How a key and a class become the number of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterAt {
    /// How many low bits of a key are dropped: 32 at least.
    pub shift: u32,
    /// The first bin.
    pub base: u32,
    /// How many bins there are; all others share the counters of one more.
    pub count: u32,
    /// The counters of a bin.
    pub lanes: u32,
}

impl Aim for CounterAt {
    #[inline(always)]
    fn number(self, key: u64, lane: u32) -> u32 {
        let bin = (key >> self.shift) as u32;
        bin.wrapping_sub(self.base).min(self.count) * self.lanes + lane
    }
}

impl CounterAt {
    /// From which counter on those of a bin lie, if it has any.
    fn start(self, bin: u64) -> Option<usize> {
        let at = bin.checked_sub(self.base.into()).filter(|&at| at < self.count.into())?;
        Some(at as usize * self.lanes as usize)
    }
}

/// Counters of rows, for bins that are near each other.
#[derive(Debug)]
pub struct Recent {
    at: CounterAt,
    /// What is not yet carried; full where a counter is closed.
    bytes: Vec<u8>,
    /// What was carried.
    wide: Vec<u32>,
    /// How many rows they have counted.
    rows: u64,
    /// Memory for the numbers of rows that are looked at; kept, since systems ask for time to give it anew.
    pub numbers: Vec<u32>,
}

impl Recent {
    /// Counters for bins and some room beside them, if they are few enough. `seen` rows were counted so far: making
    /// counters, and reading them, is worth it for some times as many.
    pub fn of(bins: &[u64], shift: u32, lanes: usize, seen: u64) -> Option<Self> {
        let (&low, &high) = (bins.iter().min()?, bins.iter().max()?);
        let room = (high - low) / 8 + 8;
        let base = low.saturating_sub(room);
        let count = high - base + room + 1;
        let size = (count + 1).checked_mul(lanes as u64)?;
        if shift < 32 || size > MOST.min(seen) {
            return None;
        }
        let (base, count, lanes) = (base as u32, count as u32, lanes as u32);
        let at = CounterAt { shift, base, count, lanes };
        let (bytes, wide) = (vec![u8::MAX; size as usize], vec![CLOSED; size as usize]);
        let mut recent = Self { at, bytes, wide, rows: 0, numbers: Vec::new() };
        for &bin in bins {
            recent.open(bin);
        }
        Some(recent)
    }

    /// How rows find their counters.
    pub fn at(&self) -> CounterAt {
        self.at
    }

    /// Lets rows of a bin be counted here, if it is near enough; returns whether it is.
    pub fn open(&mut self, bin: u64) -> bool {
        let Some(start) = self.at.start(bin) else { return false };
        let counters = start..start + self.at.lanes as usize;
        self.bytes[counters.clone()].fill(0);
        self.wide[counters].fill(0);
        true
    }

    /// Whether so many rows more could make a counter full.
    pub fn is_full(&self, rows: usize) -> bool {
        self.rows + rows as u64 >= CLOSED.into()
    }

    /// Counts rows up to the first that has no open counter; returns how many.
    pub fn count(&mut self, numbers: &[u32]) -> usize {
        let counted = launch(Count { numbers, bytes: &mut self.bytes, wide: &mut self.wide });
        self.rows += counted as u64;
        counted
    }

    /// What was counted of a bin, which is open; nothing if it lies too far off.
    pub fn of_bin(&self, bin: u64) -> impl Iterator<Item = u64> {
        let counters = self.at.start(bin).map_or(0..0, |k| k..k + self.at.lanes as usize);
        let both = self.wide[counters.clone()].iter().zip(&self.bytes[counters]);
        both.map(|(&wide, &byte)| u64::from(wide) + u64::from(byte))
    }
}

struct Count<'a> {
    numbers: &'a [u32],
    bytes: &'a mut [u8],
    wide: &'a mut [u32],
}

impl Kernel for Count<'_> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        let Self { numbers, bytes, wide } = self;
        for (row, &number) in numbers.iter().enumerate() {
            let byte = &mut bytes[number as usize];
            let (more, full) = byte.overflowing_add(1);
            if full && !carry(&mut wide[number as usize]) {
                return row;
            }
            *byte = more;
        }
        numbers.len()
    }
}

/// Carries a full byte, unless the counter is closed.
#[cold]
fn carry(wide: &mut u32) -> bool {
    let open = *wide != CLOSED;
    *wide = if open { *wide + CARRY } else { CLOSED };
    open
}
