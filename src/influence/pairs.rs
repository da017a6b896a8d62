//! The variances of single pairs of classes.

use ndarray::{Array2, Axis};

use super::placer::{Memory, Placer};
use super::sums::{Room, Scratch, Sums};
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::setup::Setup;
use crate::data::units::{Groups, Scheme};
use crate::error::{Error, Result};
use crate::influence::carry::{Carry, Counted, Weighed};
use crate::influence::number::Number;
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::measures::measure::{Derivative, Gradient, Measure, Point};
use crate::order::jobs::{Jobs, Key};
use crate::order::wanted::Orderings;

/// The variance of the AUC of every pair of classes, for a measure of pairs: of A(i|j) by column i, of A(i,j)
/// where both are averaged, or of S(i,j) by projection. NaN on the diagonal, for absent classes, and where a stratum of a pair has a
/// single unit.
pub fn pair_variances<T: Score>(
    sample: &Sample<'_, T>,
    groups: Option<&Groups<'_>>,
    stratified: bool,
    measure: &dyn Measure,
    watch: &Watch,
) -> Result<Array2<f64>> {
    let setup = Setup::new(sample.classes, groups, Scheme::Multinomial, stratified)?;
    let masses = sample.classes.masses();
    let unknown = Point { auc: &|_, _| f64::NAN, masses: &masses, present: &setup.present };
    let Derivative::OfPairs { symmetric } = measure.derivative(&unknown) else {
        return Err(Error::Domain("a measure of pairs of classes is wanted".into()));
    };
    let wanted = [measure.wanted()];
    let jobs = Jobs::new(sample, &wanted)?;
    let places = &setup.place_of_row[..];
    let placer = Placer {
        sample,
        setup: &setup,
        places,
        jobs: &jobs,
        masses: &masses,
        widened: false,
        against_rest: false,
        watch,
    };
    let by_column = wanted[0].orderings == Orderings::Columns;
    let present = setup.present.iter();
    let pairs: Vec<(usize, usize)> = present
        .flat_map(|&i| setup.present.iter().map(move |&j| (i, j)))
        .filter(|&(i, j)| if by_column && !symmetric { i != j } else { i < j })
        .collect();
    let found = match setup.mass.is_empty() {
        true => placer.variances::<Counted>(&pairs, by_column, symmetric)?,
        false => placer.variances::<Weighed>(&pairs, by_column, symmetric)?,
    };
    let count = sample.classes.count();
    let mut out = Array2::from_elem((count, count), f64::NAN);
    for ((i, j), variance) in pairs.into_iter().zip(found) {
        out[[i, j]] = variance;
        if !by_column || symmetric {
            out[[j, i]] = variance;
        }
    }
    Ok(out)
}

impl<T: Score> Placer<'_, '_, T> {
    fn variances<C: Carry>(
        &self,
        pairs: &[(usize, usize)],
        by_column: bool,
        symmetric: bool,
    ) -> Result<Vec<f64>> {
        let (workers, room) = (self.sample.workers, Room::<T, C>::default());
        let (units, count) = (self.setup.units.len(), self.sample.classes.count());
        let chunks: Vec<_> =
            pairs.chunks(pairs.len().div_ceil(4 * workers.count()).max(1)).collect();
        let found = workers.map(chunks.len(), |k| {
            let mut sums = Sums::nothing(units, count, &room.values);
            let mut scratch = Scratch::default();
            let variance = |&(i, j): &(usize, usize)| {
                let ways: &[(usize, usize, f64)] = match (by_column, symmetric) {
                    (true, true) => &[(i, j, 0.5), (j, i, 0.5)],
                    _ => &[(i, j, 1.0)],
                };
                self.pair_variance(ways, by_column, (&room, &mut scratch), &mut sums)
            };
            let found = chunks[k].iter().map(variance).collect::<Result<Vec<f64>>>();
            room.values.give(sums.values);
            found
        });
        Ok(found.into_iter().collect::<Result<Vec<_>>>()?.concat())
    }

    /// The variance of a mean of AUCs of two classes, favoured first; leaves zeros behind.
    fn pair_variance<C: Carry>(
        &self,
        ways: &[(usize, usize, f64)],
        by_column: bool,
        (room, scratch): Memory<'_, T, C>,
        sums: &mut Sums,
    ) -> Result<f64> {
        if self.watch.is_stopped() {
            return Err(Error::Interrupted);
        }
        let (setup, classes) = (self.setup, self.sample.classes);
        let alone = Workers::inline();
        for &(i, j, share) in ways {
            // Two classes by projection may be told by one column, that of class 1.
            let single = self.jobs.list.iter().find_map(|job| match job.key {
                Key::Single(column) => Some(column),
                _ => None,
            });
            if by_column || single.is_some() {
                let (i, j) = if single.is_some() { (1, 0) } else { (i, j) };
                let column = self.sample.scores.index_axis(Axis(1), single.unwrap_or(i));
                let side = |class: usize| {
                    let rows = classes.rows(class).iter().map(|&row| row as usize);
                    rows.map(|row| (column[row], self.carry::<C>(row, 0))).collect()
                };
                let (sides, alone) = ([side(i), side(j)], (&alone, &room.dealt));
                self.take_two((i, j), share, 0.0, (sides, &mut scratch.column), alone, sums);
            } else if !self.take_pair((i, j), 0, share, (&alone, (room, scratch)), sums)? {
                let job = self.jobs.list.iter().find(|job| job.key == Key::Pair(i, j, 0));
                let number = Number::OfAucs(Gradient {
                    only: None,
                    contrast: Box::new(|_, _| 1.0),
                    mass: Vec::new(),
                });
                job.map_or(Ok(()), |job| self.take_sorted(job, &number, sums))?;
            }
        }
        sums.auc.clear();
        let (i, j, _) = ways[0];
        let places = |class: usize| {
            let rows = classes.rows(class).iter().map(|&row| row as usize);
            rows.map(|row| (row, setup.place_of_row[row] as usize))
        };
        for class in [i, j] {
            let centre = std::mem::take(&mut sums.centres[class]);
            for (row, place) in places(class) {
                let mass = setup.mass.get(row).copied().unwrap_or(1.0);
                sums.values[place] -= mass * centre;
            }
        }
        // The values of a stratum add up to zero, so squares need no centring.
        let mut squares = std::collections::BTreeMap::new();
        for (_, place) in [i, j].into_iter().flat_map(places) {
            let value = std::mem::take(&mut sums.values[place]);
            *squares.entry(setup.units.stratum(place as u32)).or_insert(0.0) += value * value;
        }
        let size =
            |stratum: usize| (setup.units.bounds[stratum + 1] - setup.units.bounds[stratum]) as f64;
        Ok(squares.into_iter().map(|(s, sum)| sum * size(s) / (size(s) - 1.0)).sum())
    }
}
