//! DeLong for every measure: the influence values of whole measures, and the variances of single pairs.
//!
//! A measure's influence values, one for each unit (a row, or a group of rows), are centred within strata;
//! variances and covariances of measures, also of several models scored on the same rows, are then
//!
//! ```text
//! Cov(f, g) = sum over strata of  n / (n - 1)  sum over units of  l_f l_g
//! ```
//!
//! With classes for strata and rows for units this is the multi-sample U-statistic's variance, and for one
//! AUC that of DeLong, DeLong & Clarke-Pearson (1988); with groups for units it is the cluster
//! variance G / (G - 1) sum l^2 (Obuchowski 1997).

pub mod gathered;
mod pairs;
pub mod placements;
pub mod sorted;
mod sums;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ndarray::Array2;

pub use self::pairs::pair_variances;
use self::sums::{InTurn, Moved, Room};
use crate::data::sample::Sample;
use crate::data::scores::{Score, any_nan, locate_nan, read_block};
use crate::data::setup::Setup;
use crate::data::units::Groups;
use crate::data::units::Scheme;
use crate::error::{Error, Result};
use crate::influence::gathered::{add_masses, pairs_of, slopes};
use crate::influence::placements::{Carry, Counted, Rows as Contest, Weighed, add_placements};
use crate::influence::sorted::add_contrasts;
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::measures::measure::Statistic;
use crate::measures::measure::{Gradient, Point};
use crate::order::jobs::{Job, Jobs, Key, Projected};
use crate::order::ordering::Rows;

/// Sums of orderings that are made side by side, at most, and the bytes they may take unless the scores take
/// more: as many for any number of threads. All but one may have to wait for their turn.
const MOST_PARTS: usize = 16;
const PARTS_BYTES: usize = 32 << 20;

/// Influence values, by place.
pub struct Influence {
    /// For each statistic a row for each of its numbers, a column for each unit; no rows where it is not
    /// a function of AUCs.
    pub values: Vec<Array2<f64>>,
    /// Where strata begin, and the end of the last one.
    pub bounds: Vec<usize>,
    /// The measures themselves, where they came along.
    pub estimates: Vec<Option<f64>>,
}

/// Influence values of some statistics.
pub fn influence<T: Score>(
    sample: &Sample<'_, T>,
    groups: Option<&Groups<'_>>,
    stratified: bool,
    statistics: &[Arc<dyn Statistic>],
    watch: &Watch,
) -> Result<Influence> {
    let setup = Setup::new(sample.classes, groups, Scheme::Multinomial, stratified)?;
    let masses = sample.classes.masses();
    let (mut values, mut estimates) = (Vec::new(), Vec::new());
    for statistic in statistics {
        let wanted = [statistic.wanted()];
        let jobs = Jobs::new(sample, &wanted)?;
        let known = if statistic.needs_point() { pairs_of(sample, &wanted[0])? } else { None };
        let auc = |i: usize, j: usize| known.as_ref().map_or(f64::NAN, |pairs| pairs.auc[[i, j]]);
        let point = Point { auc: &auc, masses: &masses, present: &setup.present };
        let gradients = statistic.gradients(&point);
        let mut numbers = Vec::new();
        let mover = Mover { sample, setup: &setup, jobs: &jobs, masses: &masses, watch };
        let mut found = HashMap::new();
        for gradient in &gradients {
            let moved = match setup.mass.is_empty() {
                true => mover.moved::<Counted>(gradient)?,
                false => mover.moved::<Weighed>(gradient)?,
            };
            // The first ones need not be copied, and mostly there are no others.
            match numbers.is_empty() {
                true => numbers = moved.values,
                false => numbers.extend(moved.values),
            }
            found = moved.auc;
        }
        // Real weights would be summed in another order here than for the measure itself.
        let exact = setup.mass.is_empty() && gradients.len() == 1;
        let auc = |i: usize, j: usize| found.get(&(i, j)).copied().unwrap_or(f64::NAN);
        let point = Point { auc: &auc, masses: &masses, present: &setup.present };
        let complete = found.len() == jobs.list.iter().map(|job| job.others.len()).sum::<usize>();
        estimates.push(if exact && complete { statistic.value(&point) } else { None });
        let shape = (gradients.len(), setup.units.len());
        let numbers = Array2::from_shape_vec(shape, numbers);
        values.push(numbers.unwrap_or_else(|_| unreachable!("a row of all units each")));
    }
    Ok(Influence { values, bounds: setup.units.bounds.clone(), estimates })
}

struct Mover<'a, 's, T> {
    sample: &'a Sample<'s, T>,
    setup: &'a Setup<'a>,
    jobs: &'a Jobs<'a, 's, T>,
    masses: &'a [f64],
    watch: &'a Watch,
}

/// All rows in one column, a class favoured.
struct Column<'a, 'm, 's, T> {
    mover: &'a Mover<'m, 's, T>,
    scores: &'a [T],
    favoured: usize,
}

impl<T: Score, C: Carry> Contest<T, C> for Column<'_, '_, '_, T> {
    fn count(&self) -> usize {
        self.scores.len()
    }
    fn favoured(&self) -> usize {
        self.mover.sample.classes.size(self.favoured)
    }
    #[inline(always)]
    fn score(&self, k: usize) -> T {
        self.scores[k]
    }
    #[inline(always)]
    fn is_favoured(&self, k: usize) -> bool {
        self.mover.sample.classes.codes[k] as usize == self.favoured
    }
    #[inline(always)]
    fn carried(&self, k: usize) -> C {
        self.mover.carry(k, self.mover.sample.classes.codes[k] as usize)
    }
}

/// The rows of two classes, the first one favoured.
struct Two<T, C> {
    sides: [Vec<(T, C)>; 2],
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

impl<T: Score> Mover<'_, '_, T> {
    /// How much each unit moves one number.
    fn moved<C: Carry>(&self, gradient: &Gradient) -> Result<Moved> {
        let is_touched = |job: &&Job| gradient.only.is_none_or(|only| only == job.favoured);
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
            let mut moved = Moved::nothing(units, classes, &room.values);
            self.take::<C>(pieces[k], gradient, (workers, &room), &mut moved)?;
            let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
            sum.take(k, moved, &room.values);
            Ok(())
        });
        taken.into_iter().collect::<Result<()>>()?;
        let sum = sum.into_inner().unwrap_or_else(PoisonError::into_inner).sum;
        let Moved { mut values, centres, auc } =
            sum.unwrap_or_else(|| Moved::nothing(units, 0, &room.values));
        self.centre(&centres, &mut values);
        add_masses(self.setup, gradient, &mut values);
        for (_, places) in self.setup.units.strata() {
            let values = &mut values[places];
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            values.iter_mut().for_each(|value| *value -= mean);
        }
        Ok(Moved { values, centres, auc })
    }

    /// Takes off what rows of each class are centred by.
    fn centre(&self, centres: &[f64], values: &mut [f64]) {
        let (setup, classes) = (self.setup, self.sample.classes);
        for (class, centre) in centres.iter().enumerate() {
            for &row in classes.rows(class) {
                let mass = setup.mass.get(row as usize).copied().unwrap_or(1.0);
                values[setup.place_of_row[row as usize] as usize] -= mass * centre;
            }
        }
    }

    #[inline(always)]
    fn carry<C: Carry>(&self, row: usize, group: usize) -> C {
        let mass = self.setup.mass.get(row).copied().unwrap_or(1.0);
        C::new(self.setup.place_of_row[row], group as u32, mass)
    }

    /// Takes in some orderings; their columns are copied together.
    fn take<C: Carry>(
        &self,
        jobs: &[&Job],
        gradient: &Gradient,
        (workers, room): (&Workers, &Room<T, C>),
        moved: &mut Moved,
    ) -> Result<()> {
        let column_of = |job: &Job| match job.key {
            Key::Single(k) | Key::Column(k) => Some(k),
            Key::Pooled | Key::Pair(..) => None,
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
        for job in jobs {
            if self.watch.is_stopped() {
                return Err(Error::Interrupted);
            }
            match (job.key, column_of(job)) {
                (_, Some(k)) => {
                    let column = &block[(k - first) * n..][..n];
                    self.take_column::<C>(job, column, gradient, (workers, room), moved);
                }
                (Key::Pair(i, j, number), _) => {
                    let slope = (gradient.contrast)(i, j);
                    let taken = self.take_pair((i, j), number, slope, (workers, room), moved)?;
                    if !taken {
                        self.take_sorted(job, gradient, moved)?;
                    }
                }
                _ => self.take_sorted(job, gradient, moved)?,
            }
        }
        room.columns.give(buffer);
        Ok(())
    }

    /// A column, its favoured class against all others.
    fn take_column<C: Carry>(
        &self,
        job: &Job,
        column: &[T],
        gradient: &Gradient,
        (workers, room): (&Workers, &Room<T, C>),
        moved: &mut Moved,
    ) {
        let classes = self.sample.classes;
        let slopes = slopes(job, classes.count(), gradient);
        let rows = Column { mover: self, scores: column, favoured: job.favoured };
        let masses = (self.masses[job.favoured], self.masses);
        // Columns are compared as they are: only equal scores tie.
        let (workers, values) = ((workers, &room.dealt), &mut moved.values);
        if let Some(centres) =
            add_placements::<T, C, _>(&rows, masses, &slopes, 0.0, workers, values)
        {
            moved.centres[job.favoured] += centres.favoured;
            moved.auc.extend(job.others.iter().map(|&j| ((job.favoured, j), centres.auc[j])));
            moved.centres.iter_mut().zip(centres.others).for_each(|(sum, more)| *sum += more);
        }
    }

    /// A projection of two classes; false if rounding may have parted rows that tie.
    fn take_pair<C: Carry>(
        &self,
        (i, j): (usize, usize),
        number: usize,
        slope: f64,
        (workers, room): (&Workers, &Room<T, C>),
        moved: &mut Moved,
    ) -> Result<bool> {
        let carried = |row: u32, _| self.carry::<C>(row as usize, 0);
        let spare = [room.projected.take(), room.projected.take()];
        let Projected { sides, reach } = self.jobs.project(i, j, number, carried, spare)?;
        let (rows, workers) = (Two { sides }, (workers, &room.projected));
        let values = &mut moved.values;
        let masses = (self.masses[i], &self.masses[j..=j]);
        let centres = add_placements(&rows, masses, &[slope], reach, workers, values);
        rows.sides.into_iter().for_each(|side| room.projected.give(side));
        let Some(centres) = centres else {
            return Ok(false);
        };
        moved.centres[i] += centres.favoured;
        moved.centres[j] += centres.others[0];
        moved.auc.insert((i, j), centres.auc[0]);
        Ok(true)
    }

    /// Any ordering, by sorting it.
    fn take_sorted(&self, job: &Job, gradient: &Gradient, moved: &mut Moved) -> Result<()> {
        let setup = self.setup;
        let rows = Rows { place: &setup.place_of_row, mass: &setup.mass, watch: self.watch };
        for ordering in self.jobs.orderings(std::slice::from_ref(job), &rows)? {
            let slopes = slopes(job, ordering.groups, gradient);
            add_contrasts(&ordering, &slopes, |_| 1.0, &mut moved.values);
        }
        Ok(())
    }
}
