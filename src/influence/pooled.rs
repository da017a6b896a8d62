//! Influence values of the micro average: all scores together, a row having one of each column.
//!
//! Entry k of the n K ones, row by row, is the score of row k / K by column k mod K, and favoured where that is the
//! row's own class.

use ndarray::CowArray;

use super::placer::{Memory, Placer};
use super::sums::{Scratch, Sums};
use crate::data::scores::{Score, reject_nan};
use crate::error::Result;
use crate::influence::carry::Carry;
use crate::influence::few::{self, are_few};
use crate::influence::placements::{Contest, add_placements};
use crate::machine::workers::Workers;

/// The sides of entries: those of a row's own class are favoured.
const OTHERS: usize = 0;
const OWN: usize = 1;

/// Rows and columns of entries. A division takes longer than all else that is done for most entries; a product with
/// 2^64 / K, rounded up, tells as much for every k below 2^64 / K.
#[derive(Clone, Copy)]
struct Grid {
    columns: usize,
    reciprocal: u128,
}

impl Grid {
    fn new(columns: usize) -> Self {
        Self { columns, reciprocal: (1_u128 << 64).div_ceil(columns as u128) }
    }

    /// The row of an entry, and its column.
    #[inline(always)]
    fn at(self, entry: usize) -> (usize, usize) {
        let row = ((entry as u128 * self.reciprocal) >> 64) as usize;
        (row, entry - row * self.columns)
    }
}

/// All entries.
struct Entries<'a, 'm, 's, T> {
    placer: &'a Placer<'m, 's, T>,
    scores: &'a [T],
    grid: Grid,
}

impl<T: Score, C: Carry> Contest<T, C> for Entries<'_, '_, '_, T> {
    fn count(&self) -> usize {
        self.scores.len()
    }
    fn favoured(&self) -> usize {
        self.placer.sample.classes.codes.len()
    }
    #[inline(always)]
    fn score(&self, k: usize) -> T {
        self.scores[k]
    }
    #[inline(always)]
    fn is_favoured(&self, k: usize) -> bool {
        let (row, column) = self.grid.at(k);
        self.placer.sample.classes.codes[row] as usize == column
    }
    #[inline(always)]
    fn carried(&self, k: usize) -> C {
        let (row, column) = self.grid.at(k);
        let own = self.placer.sample.classes.codes[row] as usize == column;
        self.placer.carry(row, if own { OWN } else { OTHERS })
    }
}

impl<T: Score> Placer<'_, '_, T> {
    /// All entries, of which each row's own one counts `slope` times against the others of all rows.
    pub(super) fn take_pooled<C: Carry>(
        &self,
        slope: f64,
        (workers, (room, scratch)): (&Workers, Memory<'_, T, C>),
        sums: &mut Sums,
    ) -> Result<()> {
        let (given, classes) = (&self.sample.scores, self.sample.classes);
        reject_nan(given, false, self.sample.workers)?;
        let standard: CowArray<'_, T, _> = given.as_standard_layout();
        let scores = standard.as_slice().unwrap_or_else(|| unreachable!("rows lie in a row"));
        let (rows, columns) = given.dim();
        let entries = Entries { placer: self, scores, grid: Grid::new(columns) };
        let own: f64 = self.masses.iter().sum();
        let masses = (own, &[own * (columns as f64 - 1.0), own][..]);
        // Favoured entries look themselves up in vain where they stand among the others: their slope is 0.
        let (slopes, reach) = (&[slope, 0.0][..], 0.0);
        let values = &mut sums.values;
        let placed;
        let centres = if are_few(rows) {
            let Scratch { favoured, column: few, .. } = scratch;
            favoured.clear();
            favoured.extend(classes.codes.iter().enumerate().map(|(row, &code)| {
                (scores[row * columns + code as usize], self.carry::<C>(row, OWN))
            }));
            let carried = |k: usize| Contest::<T, C>::carried(&entries, k);
            // All that a row moves is added up, in whatever order.
            let (others, apart) = (scores, true);
            few.add(
                &few::Contest { favoured, others, carried, masses, slopes, reach, apart },
                values,
            )
        } else {
            let workers = (workers, &room.dealt);
            placed = add_placements::<T, C, _>(&entries, masses, slopes, reach, workers, values);
            placed.as_ref()
        };
        let Some(centres) = centres else {
            unreachable!("nothing is within a reach of 0");
        };
        // A row has one entry of its own class and one of each other.
        let of_a_row = centres.favoured + (columns as f64 - 1.0) * centres.others[OTHERS];
        sums.centres.iter_mut().for_each(|centre| *centre += of_a_row);
        sums.auc.push(centres.won[OTHERS] / (own * masses.1[OTHERS]));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stand_in_rows_and_columns() {
        for columns in [1, 2, 3, 7, 10, 641, 1_000, 65_535] {
            let grid = Grid::new(columns);
            let entries = (0..3 * columns).chain((1 << 40)..(1 << 40) + 5).chain([columns << 30]);
            for entry in entries.flat_map(|entry| [entry, entry.saturating_sub(1)]) {
                assert_eq!(grid.at(entry), (entry / columns, entry % columns));
            }
        }
    }
}
