//! Powers of influence values, summed by class.

use super::stretch::Stretch;
use super::sums::{Powers, Sums};
use crate::machine::lanes::{Kernel, launch};

/// What is left of a class beside a row of it, at least: as in `_inference.small_sample`.
const LEAST_REST: f64 = f64::from_bits((1023 - 40) << 52); // 2^-40

impl Sums {
    /// Adds powers of the values of rows, widened by their leverage where they weigh differently.
    pub(super) fn add_powers(
        &mut self,
        stretch: &mut Stretch<'_>,
        codes: &[u32],
        masses: Option<&[u64]>,
    ) {
        self.weigh(stretch, codes, masses);
        let (numbers, differences) = (stretch.values.len(), self.tables.differences());
        let size = numbers + differences.len();
        let all = !self.tables.are_centred();
        for (number, values) in stretch.values.iter().enumerate() {
            let powers = &mut self.powers[number..];
            launch(Add { codes, values: values.iter().copied(), powers, size, all });
        }
        for (k, &(one, other)) in differences.iter().enumerate() {
            let both = stretch.values[one].iter().zip(&stretch.values[other]);
            let (values, powers) = (both.map(|(x, y)| x - y), &mut self.powers[numbers + k..]);
            launch(Add { codes, values, powers, size, all });
        }
    }

    /// Multiplies values with their rows' shares of the class and their leverage, where rows weigh differently. A
    /// segment may have rows that count alike and stand beside all rows that do not.
    fn weigh(&mut self, stretch: &mut Stretch<'_>, codes: &[u32], masses: Option<&[u64]>) {
        let (tables, kinds) = (self.tables.clone(), self.tables.options.kinds.len());
        let numbers = stretch.values.len();
        for (values, state) in stretch.values.chunks_exact_mut(kinds).zip(tables.states()) {
            if !state.weighted {
                continue;
            }
            let unit = 2_f64.powi((state.fraction - tables.first().fraction) as i32);
            for (row, &code) in codes.iter().enumerate() {
                let mass = masses.map_or(1, |masses| masses[row]);
                let share = mass as f64 * unit / state.masses[code as usize] as f64;
                let factor = share / (1.0 - share).max(LEAST_REST);
                values.iter_mut().for_each(|values| values[row] *= factor);
            }
        }
        if self.crossed.is_empty() {
            return;
        }
        let whole = &tables.models[1].state;
        let unit = 2_f64.powi((whole.fraction - tables.first().fraction) as i32);
        for (row, &code) in codes.iter().enumerate() {
            let mass = masses.map_or(1, |masses| masses[row]);
            let share = mass as f64 * unit / whole.masses[code as usize] as f64;
            for (number, values) in stretch.values.iter().enumerate() {
                self.crossed[code as usize * numbers + number].add(values[row] * share);
            }
        }
    }
}

/// Adds the powers of rows' values to those of their classes.
struct Add<'a, V> {
    codes: &'a [u32],
    values: V,
    /// Those of a number of the first class; so many further on those of the next.
    powers: &'a mut [Powers],
    size: usize,
    /// Whether odd powers are wanted.
    all: bool,
}

impl<V: Iterator<Item = f64>> Kernel for Add<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (&code, x) in self.codes.iter().zip(self.values) {
            let powers = &mut self.powers[code as usize * self.size];
            let square = x * x;
            powers[1].add(square);
            powers[3].add(square * square);
            if self.all {
                powers[0].add(x);
                powers[2].add(square * x);
            }
        }
    }
}
