//! Influence values of two classes by themselves, one of them favoured: projections of their rows.

use super::placer::{Memory, Placer};
use super::sums::Sums;
use crate::data::scores::Score;
use crate::error::Result;
use crate::influence::carry::Carry;
use crate::influence::few::{self, Few, are_few};
use crate::influence::placements::{Contest, add_placements};
use crate::machine::memory::Spare;
use crate::machine::workers::Workers;
use crate::order::projected::ProjectedPair;

/// The rows of two classes.
type Sides<T, C> = [Vec<(T, C)>; 2];

/// The rows of two classes, the first one favoured.
struct Two<T, C> {
    sides: Sides<T, C>,
}

impl<T: Score, C: Carry> Contest<T, C> for Two<T, C> {
    fn count(&self) -> usize {
        self.sides[0].len() + self.sides[1].len()
    }
    fn favoured(&self) -> usize {
        self.sides[0].len()
    }
    #[inline(always)]
    fn score(&self, k: usize) -> T {
        self.row(k).0
    }
    #[inline(always)]
    fn is_favoured(&self, k: usize) -> bool {
        k < self.sides[0].len()
    }
    #[inline(always)]
    fn carried(&self, k: usize) -> C {
        self.row(k).1
    }
}

impl<T, C> Two<T, C> {
    #[inline(always)]
    fn row(&self, k: usize) -> &(T, C) {
        let own = self.sides[0].len();
        if k < own { &self.sides[0][k] } else { &self.sides[1][k - own] }
    }
}

impl<T: Score> Placer<'_, '_, T> {
    /// A projection of two classes; false if rounding may have parted rows that tie.
    pub(super) fn take_pair<C: Carry>(
        &self,
        (i, j): (usize, usize),
        number: usize,
        slope: f64,
        (workers, (room, scratch)): (&Workers, Memory<'_, T, C>),
        sums: &mut Sums,
    ) -> Result<bool> {
        let carried = |row: u32, _| self.carry::<C>(row as usize, 0);
        let spare = std::mem::take(&mut scratch.sides);
        let ProjectedPair { sides, reach } = self.jobs.project(i, j, number, carried, spare)?;
        let workers = (workers, &room.projected);
        let taken = self.take_two((i, j), slope, reach, (sides, &mut scratch.pair), workers, sums);
        let (taken, sides) = taken;
        scratch.sides = sides;
        Ok(taken)
    }

    /// Two classes by any scores; false if some lie within `reach` of each other. Gives the rows back.
    pub(super) fn take_two<S: Score, C: Carry>(
        &self,
        (i, j): (usize, usize),
        slope: f64,
        reach: f64,
        (sides, few): (Sides<S, C>, &mut Few<S, C>),
        workers: (&Workers, &Spare<Vec<(S, C)>>),
        sums: &mut Sums,
    ) -> (bool, Sides<S, C>) {
        let (slopes, masses) = ([slope], (self.masses[i], &self.masses[j..=j]));
        let values = &mut sums.values;
        let placed;
        let (centres, sides) = if are_few(sides[0].len()) {
            let [favoured, others] = &sides;
            let carried = |k: usize| others[k].1;
            let (slopes, others) = (&slopes[..], &others[..]);
            let apart = false;
            let rows = few::Contest { favoured, others, carried, masses, slopes, reach, apart };
            (few.add(&rows, values), sides)
        } else {
            let rows = Two { sides };
            placed = add_placements(&rows, masses, &slopes, reach, workers, values);
            (placed.as_ref(), rows.sides)
        };
        if let Some(centres) = centres {
            sums.centres[i] += centres.favoured;
            sums.centres[j] += centres.others[0];
            sums.auc.push(centres.won[0] / (self.masses[i] * self.masses[j]));
        }
        (centres.is_some(), sides)
    }
}
