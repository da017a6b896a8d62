//! Influence values by placements, ordering by ordering.

use std::sync::{Mutex, PoisonError};

use super::sums::{InTurn, Room, Scratch, Sums};
use crate::data::sample::Sample;
use crate::data::scores::{Score, any_nan, locate_nan, read_block};
use crate::data::setup::Setup;
use crate::error::{Error, Result};
use crate::influence::carry::Carry;
use crate::influence::few::are_few;
use crate::influence::labels::root_widening;
use crate::influence::number::Number;
use crate::influence::row_counts::RowCounts;
use crate::machine::memory::{self, Spare};
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::order::jobs::{Job, Jobs, Key};
use crate::order::ordering::RowPlaces;

/// Sums of orderings that are made side by side, at most, and the bytes they may take unless the scores take
/// more: as many for any number of threads. All but one may have to wait for their turn.
const MOST_PARTS: usize = 16;
const PARTS_BYTES: usize = 32 << 20;
/// Columns that are copied together where each has a number of its own: as many as share a cache line, and more.
const COLUMNS: usize = 16;

/// Places the rows of a sample, ordering by ordering.
pub(super) struct Placer<'a, 's, T> {
    pub sample: &'a Sample<'s, T>,
    pub setup: &'a Setup<'a>,
    /// The place of each row's unit.
    pub places: &'a [u32],
    pub jobs: &'a Jobs<'a, 's, T>,
    pub masses: &'a [f64],
    pub widened: bool,
    /// Whether numbers are of a class against all other rows, which count alike whatever their classes: side 0, and
    /// the class itself side 1.
    pub against_rest: bool,
    pub watch: &'a Watch,
}

/// The memory of all orderings, and of those that are made one after the other.
pub(super) type Memory<'a, T, C> = (&'a Room<T, C>, &'a mut Scratch<T, C>);

impl<T: Score> Placer<'_, '_, T> {
    /// How much each unit moves one number, before what its class is centred by and its mass moves.
    fn sums_of<C: Carry>(&self, number: &Number, room: &Room<T, C>) -> Result<Sums> {
        let is_touched = |job: &&Job| number.only().is_none_or(|only| only == job.favoured);
        let touched: Vec<&Job> = self.jobs.list.iter().filter(is_touched).collect();
        let (units, classes) = (self.setup.units.len(), self.sample.classes.count());
        let bytes = PARTS_BYTES.max(self.sample.scores.len() * size_of::<T>());
        let most = (bytes / (8 * units)).clamp(1, MOST_PARTS);
        let (jobs, parts) = (touched.len(), most.min(touched.len()));
        let piece = |part: usize| &touched[part * jobs / parts..(part + 1) * jobs / parts];
        let pieces: Vec<&[&Job]> = (0..parts).map(piece).collect();
        // Each is worked on by one thread; a single one by all, and large columns where too many threads would have
        // nothing to do at the end.
        let (alone, all) = (Workers::inline(), self.sample.workers);
        let is_large = |job: &&Job| matches!(job.key, Key::Column(_)) && !are_few(job.own);
        let uneven = 4 * parts.next_multiple_of(all.count()) > 5 * parts;
        let by_all = parts == 1 || uneven && touched.iter().all(is_large);
        let (workers, at_once) = if by_all { (all, 1) } else { (&alone, parts) };
        let sum = Mutex::new(InTurn::default());
        let taken = all.map_at_most(at_once, parts, |k| {
            let mut sums = Sums::nothing(units, classes, &room.values);
            let one = std::slice::from_mut(&mut sums);
            self.take::<C>(pieces[k], &[number], (workers, room), one)?;
            let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
            sum.take(k, sums, &room.values);
            Ok(())
        });
        taken.into_iter().collect::<Result<()>>()?;
        let sum = sum.into_inner().unwrap_or_else(PoisonError::into_inner).sum;
        Ok(sum.unwrap_or_else(|| Sums::nothing(units, classes, &room.values)))
    }

    /// How much each unit moves each of some numbers, all of it: a row of all units each. Numbers that have an ordering
    /// each are made side by side if they are many, their columns copied together; few one after the other, each by all
    /// threads.
    pub fn values_of_each<C: Carry>(&self, numbers: &[Number]) -> Result<(Vec<f64>, Vec<Sums>)> {
        let (units, room) = (self.setup.units.len(), Room::<T, C>::default());
        // A class without rows has a number but no ordering.
        let job_of = |number: &Number| {
            let class = number.only()?;
            Some(self.jobs.list.iter().find(|job| job.favoured == class))
        };
        let found: Option<Vec<Option<&Job>>> = numbers.iter().map(job_of).collect();
        let Some(jobs) = found.filter(|jobs| jobs.len() >= COLUMNS) else {
            if let [number] = numbers {
                let mut sums = self.sums_of::<C>(number, &room)?;
                return Ok((std::mem::take(&mut sums.values), vec![sums]));
            }
            let mut values: Vec<f64> = memory::zeroed(numbers.len() * units);
            let each = numbers.iter().zip(values.chunks_mut(units)).map(|(number, values)| {
                let mut sums = self.sums_of::<C>(number, &room)?;
                values.copy_from_slice(&sums.values);
                room.values.give(std::mem::take(&mut sums.values));
                Ok(sums)
            });
            let sums = each.collect::<Result<Vec<_>>>()?;
            return Ok((values, sums));
        };
        let classes = self.sample.classes.count();
        let alone = Workers::inline();
        let mut values: Vec<f64> = memory::zeroed(numbers.len() * units);
        let pieces: Vec<&mut [f64]> = values.chunks_mut(COLUMNS * units).collect();
        let taken = self.sample.workers.map_pieces(pieces, |k, values| {
            let piece = k * COLUMNS..((k + 1) * COLUMNS).min(jobs.len());
            let rows = values.chunks_mut(units).zip(&numbers[piece.clone()]).zip(&jobs[piece]);
            let (mut given, mut out) = (Vec::new(), Vec::new());
            for ((values, number), job) in rows {
                out.push((values, job.is_some()));
                given.extend(job.map(|job| (job, number)));
            }
            let (jobs, numbers): (Vec<&Job>, Vec<&Number>) = given.into_iter().unzip();
            let nothing = || Sums::nothing(units, classes, &room.values);
            let mut sums: Vec<Sums> = numbers.iter().map(|_| nothing()).collect();
            if !jobs.is_empty() {
                self.take::<C>(&jobs, &numbers, (&alone, &room), &mut sums)?;
            }
            let mut sums = sums.into_iter();
            let each = out.into_iter().map(|(values, is_there)| {
                let Some(mut sums) = is_there.then(|| sums.next()).flatten() else {
                    return Sums::nothing(0, classes, &Spare::default());
                };
                values.copy_from_slice(&sums.values);
                room.values.give(std::mem::take(&mut sums.values));
                sums
            });
            Ok(each.collect::<Vec<_>>())
        });
        let sums = taken.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten();
        Ok((values, sums.collect()))
    }

    /// As [`Self::values_of_each`], of placements that are kept as counts; `None` if a number is made of others.
    pub fn values_of_counts(
        &self,
        numbers: &[Number],
        counts: &RowCounts,
    ) -> Option<(Vec<f64>, Vec<Sums>)> {
        let [Number::OfAucs(gradient)] = numbers else { return None };
        let units = self.setup.units.len();
        let mut sums = counts.sums(self.sample, (self.jobs, gradient), self.places, units);
        Some((std::mem::take(&mut sums.values), vec![sums]))
    }

    /// Takes off what rows of each class are centred by, adds what their mass moves of a number, and centres the values
    /// in strata.
    pub fn settle(&self, number: &Number, centres: &[f64], values: &mut [f64]) {
        let setup = self.setup;
        let between = if self.widened { root_widening(setup.units.len()) } else { 1.0 };
        // Where classes keep their mass, that is the same for all units of a stratum. Against the rest, rows are taken
        // in as rows of the rest: what the mass of their class moves is in it.
        let slopes = if setup.fixed || self.against_rest { &[][..] } else { number.mass() };
        let of =
            |(class, &centre)| (centre, slopes.get(class).map_or(0.0, |slope| between * slope));
        let by_class: Vec<(f64, f64)> = centres.iter().enumerate().map(of).collect();
        if by_class.iter().any(|by_class| *by_class != (0.0, 0.0)) {
            let rows = self.sample.classes.codes.iter().zip(&setup.place_of_row[..]);
            let add = |(&code, &place): (&u32, &u32), mass: f64, values: &mut [f64]| {
                let (centre, slope) = by_class[code as usize];
                let value = &mut values[place as usize];
                *value = (*value - mass * centre) + slope * mass;
            };
            match setup.mass.is_empty() {
                true => rows.for_each(|row| add(row, 1.0, values)),
                // Rows of weight zero have no place.
                false => (rows.zip(&setup.mass[..]).filter(|(_, mass)| **mass > 0.0))
                    .for_each(|(row, &mass)| add(row, mass, values)),
            }
        }
        for (_, places) in setup.units.strata() {
            let values = &mut values[places];
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            values.iter_mut().for_each(|value| *value -= mean);
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
                (Key::Pooled, _) => {
                    let slope = (gradient.contrast)(job.favoured, job.others[0]);
                    self.take_pooled(slope, (workers, (room, &mut scratch)), sums)?;
                }
                (Key::Rows(value), _) => self.take_row_values((job, value), gradient, sums)?,
                _ => self.take_sorted(job, number, sums)?,
            }
        }
        room.columns.give(buffer);
        room.scratch.give(scratch);
        Ok(())
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
