//! Influence values of one column of scores: a class against all others, class by class or as one.

use super::placer::{Memory, Placer};
use super::sums::{Scratch, Sums};
use crate::data::scores::Score;
use crate::influence::carry::Carry;
use crate::influence::counted_contest::{Entries, fit_one_index};
use crate::influence::few::{self, are_few};
use crate::influence::number::slopes;
use crate::influence::placements::{Centres, Contest, add_placements};
use crate::machine::workers::Workers;
use crate::measures::measure::Gradient;
use crate::order::jobs::Job;

/// All rows in one column, a class favoured.
struct Column<'a, 'm, 's, T> {
    placer: &'a Placer<'m, 's, T>,
    scores: &'a [T],
    favoured: usize,
}

impl<T: Score, C: Carry> Contest<T, C> for Column<'_, '_, '_, T> {
    fn count(&self) -> usize {
        self.scores.len()
    }
    fn favoured(&self) -> usize {
        self.placer.sample.classes.size(self.favoured)
    }
    #[inline(always)]
    fn score(&self, k: usize) -> T {
        self.scores[k]
    }
    #[inline(always)]
    fn is_favoured(&self, k: usize) -> bool {
        self.placer.sample.classes.codes[k] as usize == self.favoured
    }
    #[inline(always)]
    fn carried(&self, k: usize) -> C {
        let class = self.placer.sample.classes.codes[k] as usize;
        let side =
            if self.placer.against_rest { usize::from(class == self.favoured) } else { class };
        self.placer.carry(k, side)
    }
    fn given(&self) -> usize {
        self.placer.sample.scores.len() * size_of::<T>()
    }
}

impl<T: Score> Placer<'_, '_, T> {
    /// A column, its favoured class against all others.
    pub(super) fn take_column<C: Carry>(
        &self,
        job: &Job,
        column: &[T],
        gradient: &Gradient,
        (workers, (room, scratch)): (&Workers, Memory<'_, T, C>),
        sums: &mut Sums,
    ) {
        if self.against_rest {
            return self.take_against_rest(job, column, gradient, (workers, (room, scratch)), sums);
        }
        let classes = self.sample.classes;
        let slopes = slopes(job, classes.count(), gradient);
        let masses = (self.masses[job.favoured], self.masses);
        let carried = |k: usize| self.carry::<C>(k, classes.codes[k] as usize);
        let workers = (workers, (room, scratch));
        let centres =
            self.place_column(job, column, (masses, &slopes), carried, workers, &mut sums.values);
        sums.centres[job.favoured] += centres.favoured;
        let (own, mass) = (self.masses[job.favoured], |&j: &usize| self.masses[j]);
        let others = job.others.iter();
        sums.auc.extend(others.clone().map(|&j| centres.won[j] / (own * mass(&j))));
        let won: f64 = others.clone().map(|&j| centres.won[j]).sum();
        sums.rest.push(won / (own * others.map(mass).sum::<f64>()));
        sums.centres.iter_mut().zip(&centres.others).for_each(|(sum, more)| *sum += more);
    }

    /// A column, its favoured class against all others, which count alike whatever their classes.
    fn take_against_rest<C: Carry>(
        &self,
        job: &Job,
        column: &[T],
        gradient: &Gradient,
        (workers, (room, scratch)): (&Workers, Memory<'_, T, C>),
        sums: &mut Sums,
    ) {
        let (classes, favoured) = (self.sample.classes, job.favoured);
        let (own, rest) = (self.masses[favoured], job.others.iter().map(|&j| self.masses[j]).sum());
        let Some(&other) = job.others.first() else { return };
        // The AUC against the rest is the mean of those against each class, by mass.
        let slope = (gradient.contrast)(favoured, other) * (rest / self.masses[other]);
        let positive = classes.size(favoured);
        if self.setup.mass.is_empty() && fit_one_index(positive) {
            let (positives, sizes) = (classes.rows(favoured), [classes.len() - positive, positive]);
            let (places, times) = (self.places, [slope; 2]);
            let entries = Entries { scores: column, positives, places, sizes, times };
            sums.rest.push(scratch.counted.add(&entries, &mut sums.values));
            return;
        }
        // Favoured rows look themselves up in vain: their slope is 0.
        let (masses, slopes) = ((own, &[rest, own][..]), [slope, 0.0]);
        let carried =
            |k: usize| self.carry::<C>(k, usize::from(classes.codes[k] as usize == favoured));
        let workers = (workers, (room, scratch));
        let centres =
            self.place_column(job, column, (masses, &slopes), carried, workers, &mut sums.values);
        sums.rest.push(centres.won[0] / (own * rest));
        job.others.iter().for_each(|&j| sums.centres[j] += centres.others[0]);
        sums.centres[favoured] += centres.favoured;
    }

    /// Adds what the rows of a column move, of given masses and slopes by side.
    fn place_column<C: Carry>(
        &self,
        job: &Job,
        column: &[T],
        (masses, slopes): ((f64, &[f64]), &[f64]),
        carried: impl Fn(usize) -> C,
        (workers, (room, scratch)): (&Workers, Memory<'_, T, C>),
        values: &mut [f64],
    ) -> Centres {
        let classes = self.sample.classes;
        // Columns are compared as they are: only equal scores tie.
        let reach = 0.0;
        let placed = if are_few(classes.size(job.favoured)) {
            let Scratch { favoured, column: few, .. } = scratch;
            self.favoured_rows(job.favoured, column, favoured);
            let apart = self.setup.units.len() == classes.len();
            let others = column;
            let rows = few::Contest { favoured, others, carried, masses, slopes, reach, apart };
            few.add(&rows, values).cloned()
        } else {
            let rows = Column { placer: self, scores: column, favoured: job.favoured };
            let workers = (workers, &room.dealt);
            add_placements::<T, C, _>(&rows, masses, slopes, reach, workers, values)
        };
        placed.unwrap_or_else(|| unreachable!("nothing is within a reach of 0"))
    }

    /// The rows of a class in a column, those of weight zero too.
    fn favoured_rows<C: Carry>(&self, class: usize, column: &[T], out: &mut Vec<(T, C)>) {
        let classes = self.sample.classes;
        let row = |row: usize| (column[row], self.carry(row, class));
        out.clear();
        if classes.len() == classes.codes.len() {
            out.extend(classes.rows(class).iter().map(|&k| row(k as usize)));
        } else {
            let codes = classes.codes.iter().enumerate();
            out.extend(codes.filter(|(_, code)| **code as usize == class).map(|(k, _)| row(k)));
        }
    }
}
