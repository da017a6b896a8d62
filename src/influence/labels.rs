//! Influence values of labels: each has entries of its own, and rows have entries of many labels.

use std::ops::Range;

use super::placer::{Memory, Placer};
use super::sums::Sums;
use crate::data::scores::Score;
use crate::influence::carry::Carry;
use crate::influence::counted_contest::{Entries, fit_one_index};
use crate::influence::few::{self, are_few};
use crate::influence::placements::{Contest, add_placements};
use crate::machine::workers::Workers;
use crate::measures::measure::Gradient;

/// The entries of a label, next to each other.
struct Together<'a, 'm, 's, T> {
    placer: &'a Placer<'m, 's, T>,
    scores: &'a [T],
    codes: &'a [u32],
    first: usize,
    positive: usize,
}

impl<T: Score, C: Carry> Contest<T, C> for Together<'_, '_, '_, T> {
    fn count(&self) -> usize {
        self.scores.len()
    }
    fn favoured(&self) -> usize {
        self.positive
    }
    #[inline(always)]
    fn score(&self, k: usize) -> T {
        self.scores[k]
    }
    #[inline(always)]
    fn is_favoured(&self, k: usize) -> bool {
        self.codes[k] % 2 == 1
    }
    #[inline(always)]
    fn carried(&self, k: usize) -> C {
        self.placer.carry(self.first + k, (self.codes[k] % 2) as usize)
    }
}

impl<T: Score> Placer<'_, '_, T> {
    /// A label, its positive entries against the negative ones.
    pub(super) fn take_label<C: Carry>(
        &self,
        label: usize,
        gradient: &Gradient,
        (workers, (room, scratch)): (&Workers, Memory<'_, T, C>),
        sums: &mut Sums,
    ) {
        let slope = (gradient.contrast)(2 * label + 1, 2 * label);
        let column = self.sample.scores.column(0);
        if let (true, Some(scores), Some(span)) =
            (self.widened, column.to_slice(), self.sample.classes.label_span(label))
        {
            return self.take_together(
                scores,
                (label, slope),
                span,
                (workers, (room, scratch)),
                sums,
            );
        }
        let sides = self.sample.sides_of_label(label, |row| self.carry::<C>(row, 0));
        let (classes, rows) = ((2 * label + 1, 2 * label), (sides, &mut scratch.column));
        let workers = (workers, &room.dealt);
        if !self.widened {
            self.take_two(classes, slope, 0.0, rows, workers, sums);
            return;
        }
        let mut own =
            Sums::nothing(self.setup.units.len(), self.sample.classes.count(), &room.values);
        let (_, sides) = self.take_two(classes, slope, 0.0, rows, workers, &mut own);
        for (side, class) in sides.iter().zip([classes.0, classes.1]) {
            let (times, centre) = (self.root_widening(class), own.centres[class]);
            for (_, row) in side {
                let value = own.values[row.place()] - row.mass() * centre;
                sums.values[row.place()] += times * value;
            }
        }
        sums.auc.append(&mut own.auc);
        room.values.give(own.values);
    }

    /// A label whose entries stand together, every one with a place of its own: what each of them moves is known
    /// by itself before it is added to what the row's other entries do.
    fn take_together<C: Carry>(
        &self,
        scores: &[T],
        (label, slope): (usize, f64),
        span: Range<usize>,
        (workers, (room, scratch)): (&Workers, Memory<'_, T, C>),
        sums: &mut Sums,
    ) {
        let classes = self.sample.classes;
        let (negative, positive) = (2 * label, 2 * label + 1);
        let (scores, codes) = (&scores[span.clone()], &classes.codes[span.clone()]);
        let times = [negative, positive].map(|class| self.root_widening(class));
        if self.setup.mass.is_empty() && fit_one_index(classes.size(positive)) {
            let sizes = [negative, positive].map(|class| classes.size(class));
            let (places, times) = (&self.places[span], times.map(|times| slope * times));
            let positives = &mut scratch.positives;
            find_positives(codes, sizes[1], positives);
            let entries = Entries { scores, positives, places, sizes, times };
            sums.auc.push(scratch.counted.add(&entries, &mut sums.values));
            return;
        }
        let masses = (self.masses[positive], &self.masses[negative..=positive]);
        // Positive entries look themselves up in vain: their slope is 0.
        let (slopes, reach) = ([slope, 0.0], 0.0);
        let mut own = room.values.take_zeros(self.setup.units.len());
        let carried = |k: usize| self.carry::<C>(span.start + k, (codes[k] % 2) as usize);
        let placed;
        let centres = if are_few(classes.size(positive)) {
            let favoured = &mut scratch.favoured;
            favoured.clear();
            let ones = (0..codes.len()).filter(|&k| codes[k] % 2 == 1);
            favoured.extend(ones.map(|k| (scores[k], carried(k))));
            let (others, slopes, apart) = (scores, &slopes[..], true);
            let rows = few::Contest { favoured, others, carried, masses, slopes, reach, apart };
            scratch.column.add(&rows, &mut own)
        } else {
            let (first, positive) = (span.start, classes.size(positive));
            let rows = Together { placer: self, scores, codes, first, positive };
            let workers = (workers, &room.dealt);
            placed = add_placements::<T, C, _>(&rows, masses, &slopes, reach, workers, &mut own);
            placed.as_ref()
        };
        let Some(centres) = centres else {
            unreachable!("nothing is within a reach of 0");
        };
        sums.auc.push(centres.won[0] / (masses.0 * masses.1[0]));
        let centres = [centres.others[0], centres.favoured];
        for row in (0..codes.len()).map(carried).filter(|row| row.mass() > 0.0) {
            let (side, place) = (row.side(), row.place());
            sums.values[place] += times[side] * (own[place] - row.mass() * centres[side]);
        }
        room.values.give(own);
    }

    fn root_widening(&self, class: usize) -> f64 {
        root_widening(self.sample.classes.size(class))
    }
}

/// Where the entries with an odd code stand, of which there are so many.
fn find_positives(codes: &[u32], count: usize, out: &mut Vec<u32>) {
    // No branch: which entries are positive cannot be guessed. The last one is written over.
    out.resize(count + 1, 0);
    let mut found = 0;
    for (k, &code) in codes.iter().enumerate() {
        out[found.min(count)] = k as u32;
        found += (code % 2) as usize;
    }
    out.truncate(count);
}

/// The root of n / (n - 1).
pub(super) fn root_widening(n: usize) -> f64 {
    (n as f64 / (n as f64 - 1.0)).sqrt()
}
