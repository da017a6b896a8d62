//! Influence values of labels: each has entries of its own, and rows have entries of many labels.

use super::placer::{Memory, Placer};
use super::sums::Sums;
use crate::data::scores::Score;
use crate::influence::carry::Carry;
use crate::machine::workers::Workers;
use crate::measures::measure::Gradient;

impl<T: Score> Placer<'_, '_, T> {
    /// A label, its positive entries against the negative ones.
    pub(super) fn take_label<C: Carry>(
        &self,
        label: usize,
        gradient: &Gradient,
        (workers, (room, scratch)): (&Workers, Memory<'_, T, C>),
        sums: &mut Sums,
    ) {
        let (i, j) = (2 * label + 1, 2 * label);
        let slope = (gradient.contrast)(i, j);
        let sides = self.sample.sides_of_label(label, |row| self.carry::<C>(row, 0));
        let workers = (workers, &room.dealt);
        let rows = (sides, &mut scratch.column);
        if !self.widened {
            let (taken, _) = self.take_two((i, j), slope, 0.0, rows, workers, sums);
            debug_assert!(taken, "nothing is within a reach of 0");
            return;
        }
        // Every entry has a place of its own here: what moves it is known by itself before rows add up.
        let classes = self.sample.classes;
        let mut own = Sums::nothing(self.setup.units.len(), classes.count(), &room.values);
        let (taken, sides) = self.take_two((i, j), slope, 0.0, rows, workers, &mut own);
        debug_assert!(taken, "nothing is within a reach of 0");
        for (side, class) in sides.iter().zip([i, j]) {
            let (times, centre) = (root_widening(classes.size(class)), own.centres[class]);
            for (_, row) in side {
                let value = own.values[row.place()] - row.mass() * centre;
                sums.values[row.place()] += times * value;
            }
        }
        sums.auc.append(&mut own.auc);
        room.values.give(own.values);
    }
}

/// The root of n / (n - 1).
pub(super) fn root_widening(n: usize) -> f64 {
    (n as f64 / (n as f64 - 1.0)).sqrt()
}
