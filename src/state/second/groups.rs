//! Sums over the rows of each group and class, where the rows of a group vary as one.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::resample::stream::mix;
use crate::state::wire::{Reader, Writer};

/// Bits after the point of a sum.
pub const GROUP_BITS: i32 = 60;

/// A hash that is good enough for numbers, and quick.
#[derive(Default)]
pub struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = mix(self.0.rotate_left(23) ^ number);
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }
}

/// The rows of one class in one group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// What they weigh.
    pub mass: u64,
    /// Of each number the sum over its rows of weight times value, in units of 2^-60.
    pub sums: Vec<i128>,
}

/// All cells, by group and class.
#[derive(Clone, Debug, Default)]
pub struct Groups(HashMap<(u64, u32), Cell, BuildHasherDefault<Mixed>>);

impl Groups {
    /// Adds a row.
    pub fn add(&mut self, group: u64, class: u32, mass: u64, values: impl Iterator<Item = f64>) {
        let cell = self.0.entry((group, class)).or_default();
        cell.mass += mass;
        let unit = 2_f64.powi(GROUP_BITS);
        let terms = values.map(|value| (value * mass as f64 * unit).round_ties_even() as i128);
        if cell.sums.is_empty() {
            cell.sums = terms.collect();
        } else {
            cell.sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        }
    }

    /// Adds the cells of other rows.
    pub fn merge(&mut self, other: &Self) {
        for (key, theirs) in &other.0 {
            let cell = self.0.entry(*key).or_default();
            cell.mass += theirs.mass;
            cell.sums.resize(theirs.sums.len(), 0);
            cell.sums.iter_mut().zip(&theirs.sums).for_each(|(sum, more)| *sum += more);
        }
    }

    /// All cells by group, then by class.
    pub fn sorted(&self) -> Vec<((u64, u32), &Cell)> {
        let mut all: Vec<_> = self.0.iter().map(|(key, cell)| (*key, cell)).collect();
        all.sort_unstable_by_key(|(key, _)| *key);
        all
    }

    /// Writes all cells, in order.
    pub fn write(&self, out: &mut Writer) {
        out.number(self.0.len() as u64);
        let mut last = 0;
        for ((group, class), cell) in self.sorted() {
            out.number(group - last);
            out.number(class.into());
            out.number(cell.mass);
            cell.sums.iter().for_each(|&sum| out.signed(sum));
            last = group;
        }
    }

    /// Reads cells of so many numbers.
    pub fn read(input: &mut Reader<'_>, numbers: usize, classes: usize) -> Option<Self> {
        let (mut groups, mut last) = (Self::default(), 0_u64);
        for _ in 0..input.count()? {
            last = last.checked_add(input.number()?)?;
            let class = u32::try_from(input.number()?).ok()?;
            let mass = input.number()?;
            let sums = (0..numbers).map(|_| input.signed()).collect::<Option<Vec<_>>>()?;
            let new = groups.0.insert((last, class), Cell { mass, sums }).is_none();
            if !new || class as usize >= classes {
                return None;
            }
        }
        Some(groups)
    }
}
