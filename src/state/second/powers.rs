//! Powers of influence values, summed by class.

use super::stretch::Stretch;
use super::sums::{Powers, Sums};

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
        let add = |powers: &mut Powers, x: f64| {
            let square = x * x;
            powers[1].add(square);
            powers[3].add(square * square);
            if all {
                powers[0].add(x);
                powers[2].add(square * x);
            }
        };
        for (number, values) in stretch.values.iter().enumerate() {
            for (&code, &x) in codes.iter().zip(values) {
                add(&mut self.powers[code as usize * size + number], x);
            }
        }
        for (k, &(one, other)) in differences.iter().enumerate() {
            let both = stretch.values[one].iter().zip(&stretch.values[other]);
            for (&code, (x, y)) in codes.iter().zip(both) {
                add(&mut self.powers[code as usize * size + numbers + k], x - y);
            }
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
