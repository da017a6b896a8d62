//! Influence values by placements, ordering by ordering.

use std::sync::{Mutex, PoisonError};

use super::sums::{InTurn, Room, Scratch, Sums};
use crate::data::sample::Sample;
use crate::data::scores::{Score, any_nan, locate_nan, read_block};
use crate::data::setup::Setup;
use crate::error::{Error, Result};
use crate::influence::carry::Carry;
use crate::influence::few::{self, Few, are_few};
use crate::influence::gathered::add_masses;
use crate::influence::labels::root_widening;
use crate::influence::number::{Number, slopes};
use crate::influence::placements::{Contest, add_placements};
use crate::machine::memory::Spare;
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::measures::measure::Gradient;
use crate::order::jobs::{Job, Jobs, Key};
use crate::order::ordering::RowPlaces;
use crate::order::projected::ProjectedPair;

/// Sums of orderings that are made side by side, at most, and the bytes they may take unless the scores take
/// more: as many for any number of threads. All but one may have to wait for their turn.
const MOST_PARTS: usize = 16;
const PARTS_BYTES: usize = 32 << 20;
/// Columns that are copied together where each has a number of its own: as many as share a cache line, and more.
const COLUMNS: usize = 16;
/// Numbers whose values are kept by themselves before they are put together.
pub(super) const NUMBERS: usize = 4 * COLUMNS;

/// Places the rows of a sample, ordering by ordering.
pub(super) struct Placer<'a, 's, T> {
    pub sample: &'a Sample<'s, T>,
    pub setup: &'a Setup<'a>,
    /// The place of each row's unit.
    pub places: &'a [u32],
    pub jobs: &'a Jobs<'a, 's, T>,
    pub masses: &'a [f64],
    pub widened: bool,
    pub watch: &'a Watch,
}

/// The memory of all orderings, and of those that are made one after the other.
pub(super) type Memory<'a, T, C> = (&'a Room<T, C>, &'a mut Scratch<T, C>);

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
        self.placer.carry(k, self.placer.sample.classes.codes[k] as usize)
    }
    fn given(&self) -> usize {
        self.placer.sample.scores.len() * size_of::<T>()
    }
}

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
    /// How much each unit moves one number, before what class masses move and before values are centred in strata.
    pub fn sums_of<C: Carry>(&self, number: &Number) -> Result<Sums> {
        let is_touched = |job: &&Job| number.only().is_none_or(|only| only == job.favoured);
        let touched: Vec<&Job> = self.jobs.list.iter().filter(is_touched).collect();
        let (units, classes) = (self.setup.units.len(), self.sample.classes.count());
        let bytes = PARTS_BYTES.max(self.sample.scores.len() * size_of::<T>());
        let most = (bytes / (8 * units)).clamp(1, MOST_PARTS);
        let (jobs, parts) = (touched.len(), most.min(touched.len()));
        let piece = |part: usize| &touched[part * jobs / parts..(part + 1) * jobs / parts];
        let pieces: Vec<&[&Job]> = (0..parts).map(piece).collect();
        // One ordering is worked on by all threads, several by one each.
        let alone = Workers::inline();
        let workers = if pieces.len() > 1 { &alone } else { self.sample.workers };
        let (room, sum) = (Room::<T, C>::default(), Mutex::new(InTurn::default()));
        let taken = self.sample.workers.map(pieces.len(), |k| {
            let mut sums = Sums::nothing(units, classes, &room.values);
            let one = std::slice::from_mut(&mut sums);
            self.take::<C>(pieces[k], &[number], (workers, &room), one)?;
            let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
            sum.take(k, sums, &room.values);
            Ok(())
        });
        taken.into_iter().collect::<Result<()>>()?;
        let sum = sum.into_inner().unwrap_or_else(PoisonError::into_inner).sum;
        let Sums { mut values, centres, auc, rest } =
            sum.unwrap_or_else(|| Sums::nothing(units, 0, &room.values));
        self.centre(&centres, &mut values);
        Ok(Sums { values, centres, auc, rest })
    }

    /// The same for each of some numbers. Many that have an ordering each are made side by side, their columns copied
    /// together; few one after the other, each by all threads.
    pub fn sums_of_each<C: Carry>(&self, numbers: &[Number]) -> Result<Vec<Sums>> {
        let job_of = |number: &Number| {
            let class = number.only()?;
            self.jobs.list.iter().find(|job| job.favoured == class)
        };
        let found: Option<Vec<&Job>> = numbers.iter().map(job_of).collect();
        let Some(jobs) = found.filter(|jobs| jobs.len() >= COLUMNS) else {
            return numbers.iter().map(|number| self.sums_of::<C>(number)).collect();
        };
        let (units, classes) = (self.setup.units.len(), self.sample.classes.count());
        let (alone, room) = (Workers::inline(), Room::<T, C>::default());
        let pieces = jobs.len().div_ceil(COLUMNS);
        let taken = self.sample.workers.map(pieces, |k| {
            let piece = k * COLUMNS..((k + 1) * COLUMNS).min(jobs.len());
            let numbers: Vec<&Number> = numbers[piece.clone()].iter().collect();
            let nothing = || Sums::nothing(units, classes, &room.values);
            let mut sums: Vec<Sums> = numbers.iter().map(|_| nothing()).collect();
            self.take::<C>(&jobs[piece], &numbers, (&alone, &room), &mut sums)?;
            for sums in &mut sums {
                self.centre(&sums.centres, &mut sums.values);
            }
            Ok(sums)
        });
        Ok(taken.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// Adds what class masses move of a number to what orderings do, and centres the values in strata.
    pub fn settle(&self, number: &Number, values: &mut [f64]) {
        let between = if self.widened { root_widening(self.setup.units.len()) } else { 1.0 };
        add_masses(self.setup, number, between, values);
        for (_, places) in self.setup.units.strata() {
            let values = &mut values[places];
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            values.iter_mut().for_each(|value| *value -= mean);
        }
    }

    /// Takes off what rows of each class are centred by.
    fn centre(&self, centres: &[f64], values: &mut [f64]) {
        let (setup, classes) = (self.setup, self.sample.classes);
        for (class, centre) in centres.iter().enumerate().filter(|(_, centre)| **centre != 0.0) {
            for &row in classes.rows(class) {
                let mass = setup.mass.get(row as usize).copied().unwrap_or(1.0);
                values[setup.place_of_row[row as usize] as usize] -= mass * centre;
            }
        }
    }

    #[inline(always)]
    pub fn carry<C: Carry>(&self, row: usize, side: usize) -> C {
        let mass = self.setup.mass.get(row).copied().unwrap_or(1.0);
        C::new(self.places[row], side as u32, mass)
    }

    /// Takes in some orderings, each for a number of its own or all for one; their columns are copied together.
    fn take<C: Carry>(
        &self,
        jobs: &[&Job],
        numbers: &[&Number],
        (workers, room): (&Workers, &Room<T, C>),
        sums: &mut [Sums],
    ) -> Result<()> {
        let last = numbers.len() - 1;
        if numbers.iter().any(|number| !matches!(number, Number::OfAucs(_))) {
            let mut each = jobs.iter().enumerate().map(|(k, job)| (k.min(last), job));
            return each.try_for_each(|(k, job)| self.take_sorted(job, numbers[k], &mut sums[k]));
        }
        let column_of = |job: &Job| match job.key {
            Key::Single(k) | Key::Column(k) => Some(k),
            Key::Ordered(_) | Key::Pooled | Key::Pair(..) | Key::Rows(_) | Key::Label(_) => None,
        };
        let columns: Option<Vec<usize>> = jobs.iter().map(|job| column_of(job)).collect();
        let scores = &self.sample.scores;
        let n = scores.nrows();
        let first =
            columns.as_ref().map_or(0, |columns| columns.iter().copied().min().unwrap_or(0));
        let mut buffer = Vec::new();
        let block = match &columns {
            Some(columns) if !columns.is_empty() => {
                let last = columns.iter().copied().max().unwrap_or(first);
                if scores.ncols() > 1 {
                    buffer = room.columns.take_any(n * (last + 1 - first));
                }
                let block = read_block(scores, 0..n, first..last + 1, &mut buffer);
                if any_nan(block) {
                    return Err(locate_nan(scores, scores.ncols() == 1));
                }
                block
            }
            _ => &[],
        };
        let mut scratch = room.scratch.take();
        for (k, job) in jobs.iter().enumerate() {
            if self.watch.is_stopped() {
                return Err(Error::Interrupted);
            }
            let (number, sums) = (numbers[k.min(last)], &mut sums[k.min(last)]);
            let Number::OfAucs(gradient) = number else {
                unreachable!("others are sorted");
            };
            match (job.key, column_of(job)) {
                (_, Some(k)) => {
                    let column = &block[(k - first) * n..][..n];
                    let memory = (room, &mut scratch);
                    self.take_column::<C>(job, column, gradient, (workers, memory), sums);
                }
                (Key::Pair(i, j, partition), _) => {
                    let slope = (gradient.contrast)(i, j);
                    let memory = (room, &mut scratch);
                    if !self.take_pair((i, j), partition, slope, (workers, memory), sums)? {
                        self.take_sorted(job, number, sums)?;
                    }
                }
                (Key::Label(label), _) => {
                    self.take_label(label, gradient, (workers, (room, &mut scratch)), sums);
                }
                _ => self.take_sorted(job, number, sums)?,
            }
        }
        room.columns.give(buffer);
        room.scratch.give(scratch);
        Ok(())
    }

    /// A column, its favoured class against all others.
    fn take_column<C: Carry>(
        &self,
        job: &Job,
        column: &[T],
        gradient: &Gradient,
        (workers, (room, scratch)): (&Workers, Memory<'_, T, C>),
        sums: &mut Sums,
    ) {
        let classes = self.sample.classes;
        let slopes = slopes(job, classes.count(), gradient);
        let masses = (self.masses[job.favoured], self.masses);
        // Columns are compared as they are: only equal scores tie.
        let reach = 0.0;
        let values = &mut sums.values;
        let placed;
        let centres = if are_few(classes.size(job.favoured)) {
            let Scratch { favoured, column: few, .. } = scratch;
            self.favoured_rows(job.favoured, column, favoured);
            let carried = |k: usize| self.carry::<C>(k, classes.codes[k] as usize);
            let slopes = &slopes[..];
            let apart = self.setup.units.len() == classes.len();
            let others = column;
            let rows = few::Contest { favoured, others, carried, masses, slopes, reach, apart };
            few.add(&rows, values)
        } else {
            let rows = Column { placer: self, scores: column, favoured: job.favoured };
            let workers = (workers, &room.dealt);
            placed = add_placements::<T, C, _>(&rows, masses, &slopes, reach, workers, values);
            placed.as_ref()
        };
        let Some(centres) = centres else {
            unreachable!("nothing is within a reach of 0");
        };
        sums.centres[job.favoured] += centres.favoured;
        let (own, mass) = (self.masses[job.favoured], |&j: &usize| self.masses[j]);
        let others = job.others.iter();
        sums.auc.extend(others.clone().map(|&j| centres.won[j] / (own * mass(&j))));
        let won: f64 = others.clone().map(|&j| centres.won[j]).sum();
        sums.rest.push(won / (own * others.map(mass).sum::<f64>()));
        sums.centres.iter_mut().zip(&centres.others).for_each(|(sum, more)| *sum += more);
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

    /// A projection of two classes; false if rounding may have parted rows that tie.
    pub fn take_pair<C: Carry>(
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
    pub fn take_two<S: Score, C: Carry>(
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

    /// Any ordering, by sorting it.
    pub fn take_sorted(&self, job: &Job, number: &Number, sums: &mut Sums) -> Result<()> {
        if self.watch.is_stopped() {
            return Err(Error::Interrupted);
        }
        let setup = self.setup;
        let (place, mass) = (&setup.place_of_row[..], &setup.mass[..]);
        let rows = RowPlaces { place, mass, all_ties: number.all_ties(), watch: self.watch };
        for ordering in self.jobs.orderings(std::slice::from_ref(job), &rows)? {
            let auc = number.add((job, &ordering), |_| 1.0, &mut sums.values);
            let others = job.others.iter().filter(|_| !auc.is_empty());
            sums.auc.extend(others.map(|&j| auc[job.side_of(j)]));
        }
        Ok(())
    }
}
