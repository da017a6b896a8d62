//! Influence values of a run's measures, gathered while its orderings are in memory.

use ndarray::Axis;

use crate::data::classes::Classes;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::setup::Setup;
use crate::error::Result;
use crate::influence::by_rows::by_unit;
use crate::influence::number::Number;
use crate::influence::sorted::{Moments, add_contrasts, moments};
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::measures::measure::{Derivative, Point, Shared};
use crate::measures::value::Counted;
use crate::order::jobs::{Job, Key};
use crate::order::ordering::{Ordering, RowPlaces};
use crate::order::wanted::Orderings;

/// Sums kept side by side, at most, and the bytes they may take.
const MOST_PARTS: usize = 8;
const PARTS_BYTES: usize = 32 << 20;

/// Parts that are summed side by side.
fn parts(units: usize, orderings: usize) -> usize {
    (PARTS_BYTES / (8 * units)).clamp(1, orderings.clamp(1, MOST_PARTS))
}

/// Bytes that influence values take until all of so many orderings are seen.
pub fn bytes_kept(setup: &Setup<'_>, measures: &[Shared], orderings: usize) -> usize {
    let units = setup.units.len();
    let (mut kept, mut at_once) = (0, 0);
    for measure in measures {
        let derivative = derivative_anywhere(setup, measure);
        if matches!(derivative, Derivative::OfPairs { .. }) {
            at_once = at_once.max(8 * units);
        }
        if matches!(derivative, Derivative::OfRows(_)) {
            // Its values of each row, the rows in order and what is kept of each while they are walked.
            at_once = at_once.max(8 * units * (measure.width() + 6));
        }
        let of_ties = matches!(derivative, Derivative::OfTies(_));
        let numbers = Number::all(derivative);
        let alone = numbers.iter().filter(|number| number.only().is_some()).count();
        let parts = parts(units, orderings);
        let sums = 8 * units * parts;
        kept += (numbers.len() - alone) * sums;
        at_once = at_once.max(if alone > 0 { sums } else { 0 });
        // Tie groups of each row, what they weigh and move, and the ends of their pieces.
        at_once = at_once.max(if of_ties { 80 * units * parts } else { 0 });
    }
    kept + at_once
}

/// Bytes that each thread needs for the pairs of classes by their columns ([`Influences::column_pairs`]).
pub fn bytes_after(classes: &Classes<'_>, setup: &Setup<'_>, measures: &[Shared]) -> usize {
    let by_column = |measure: &Shared| {
        let of_pairs = matches!(derivative_anywhere(setup, measure), Derivative::OfPairs { .. });
        of_pairs && measure.wanted().orderings == Orderings::Columns
    };
    if !measures.iter().any(by_column) {
        return 0;
    }
    let mut sizes: Vec<usize> = (0..classes.count()).map(|class| classes.size(class)).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    // Scores twice with their rows, and their ordering.
    let rows: usize = sizes.iter().take(2).sum();
    8 * setup.units.len() + 56 * rows
}

/// The derivative of a measure wherever it is; which of its numbers it has does not depend on where.
fn derivative_anywhere(setup: &Setup<'_>, measure: &Shared) -> Derivative {
    let masses = vec![1.0; setup.class_mass.len()];
    let auc = |_: usize, _: usize| 0.5;
    measure.derivative(&Point { auc: &auc, masses: &masses, present: &setup.present })
}

/// Influence values of every number of every measure.
pub struct Influences<'a> {
    setup: &'a Setup<'a>,
    measures: Vec<Numbers>,
    classes: usize,
}

/// The numbers of one measure.
struct Numbers {
    numbers: Vec<Number>,
    /// For each of them, the values so far of each part of the orderings, by place; empty before its
    /// first ordering.
    values: Vec<Vec<Vec<f64>>>,
    moments: Vec<Option<Moments>>,
    /// Whether each pair of classes is a number of its own, and both ways count half each.
    pairs: Option<bool>,
    /// Whether it looks at columns.
    columns: bool,
}

fn ordering_is_of_pair(job: &Job) -> bool {
    matches!(job.key, Key::Pair(..) | Key::Single(_))
}

impl<'a> Influences<'a> {
    /// Prepares for orderings to come.
    pub fn new<T: Score>(
        sample: &Sample<'_, T>,
        setup: &'a Setup<'a>,
        measures: &[Shared],
        watch: &Watch,
    ) -> Result<Self> {
        let masses = sample.classes.masses();
        let mut counted = Counted::default();
        let numbers = |measure: &Shared| -> Result<Numbers> {
            let wanted = measure.wanted().orderings;
            let aucs = match measure.needs_point(!setup.fixed) {
                true => Some(counted.of(sample, &wanted)?),
                false => None,
            };
            let auc = |i: usize, j: usize| aucs.map_or(f64::NAN, |aucs| aucs.auc(i, j));
            let point = Point { auc: &auc, masses: &masses, present: &setup.present };
            let derivative = measure.derivative(&point);
            let mut found = vec![None; measure.width()];
            let pairs = match &derivative {
                Derivative::OfPairs { symmetric } => Some(*symmetric),
                Derivative::OfRows(by_row) => {
                    let rows = |place: usize| setup.rows(place);
                    let (each, _) = by_unit(sample, setup, by_row.as_ref(), watch)?;
                    for (found, values) in found.iter_mut().zip(each) {
                        *found = Some(moments(&values, &setup.units, rows));
                    }
                    None
                }
                _ => None,
            };
            let numbers = Number::all(derivative);
            Ok(Numbers {
                values: numbers.iter().map(|_| Vec::new()).collect(),
                numbers,
                moments: found,
                pairs,
                columns: wanted == Orderings::Columns,
            })
        };
        let measures = measures.iter().map(numbers).collect::<Result<_>>()?;
        Ok(Self { setup, measures, classes: masses.len() })
    }

    /// Takes in orderings, of which the first is number `first` of all `total`.
    ///
    /// Parts of all orderings are summed side by side, and at the end in their order. How many parts
    /// there are depends on the data alone, so that the sums do too.
    pub fn take(
        &mut self,
        orderings: &[(&Job, &Ordering)],
        first: usize,
        total: usize,
        workers: &Workers,
    ) {
        let units = self.setup.units.len();
        let most = parts(units, total);
        let part_of = |k: usize| (first + k) * most / total;
        for (user, numbers) in self.measures.iter_mut().enumerate() {
            let Numbers { numbers, values, moments, .. } = numbers;
            for ((number, values), moments) in numbers.iter().zip(values).zip(moments) {
                let touched: Vec<usize> = (0..orderings.len())
                    .filter(|&k| {
                        let job = orderings[k].0;
                        job.users.contains(&user)
                            && number.only().is_none_or(|only| only == job.favoured)
                    })
                    .collect();
                if touched.is_empty() {
                    continue;
                }
                values.resize(most, Vec::new());
                let pieces: Vec<(&[usize], &mut Vec<f64>)> = touched
                    .chunk_by(|&a, &b| part_of(a) == part_of(b))
                    .zip(values[part_of(touched[0])..].iter_mut())
                    .collect();
                workers.map_pieces(pieces, |_, (part, values)| {
                    values.resize(units, 0.0);
                    for &k in part {
                        let rows = |place: usize| self.setup.rows(place);
                        number.add(orderings[k], rows, values);
                    }
                });
                if number.only().is_some() {
                    *moments = Some(finish(self.setup, number, std::mem::take(values)));
                }
            }
        }
        self.take_pairs(orderings);
    }

    /// Pairs of classes, each by its own projection.
    fn take_pairs(&mut self, orderings: &[(&Job, &Ordering)]) {
        let rows = |place: usize| self.setup.rows(place);
        for (user, numbers) in self.measures.iter_mut().enumerate() {
            let mine = orderings.iter().filter(|(job, _)| {
                numbers.pairs.is_some() && ordering_is_of_pair(job) && job.users.contains(&user)
            });
            for (job, ordering) in mine {
                let mut values = vec![0.0; self.setup.units.len()];
                add_contrasts(ordering, &[1.0, 1.0], rows, &mut values);
                let found = Some(moments(&values, &self.setup.units, rows));
                let (i, j) = (job.favoured, job.others[0]);
                numbers.moments[i * self.classes + j] = found;
                numbers.moments[j * self.classes + i] = found;
            }
        }
    }

    /// Pairs of classes by their columns: A(i|j), or A(i,j), for which both columns count half.
    /// On no more threads than `most`.
    pub fn column_pairs<T: Score>(&mut self, sample: &Sample<'_, T>, most: usize, watch: &Watch) {
        let (setup, classes) = (self.setup, sample.classes);
        let (place, mass) = (&setup.place_of_row[..], &setup.mass[..]);
        let sorted = RowPlaces { place, mass, all_ties: false, watch };
        let rows = |place: usize| setup.rows(place);
        for numbers in self.measures.iter_mut().filter(|numbers| numbers.columns) {
            let Some(symmetric) = numbers.pairs else {
                continue;
            };
            let present = setup.present.iter();
            let pairs: Vec<(usize, usize)> = present
                .flat_map(|&i| setup.present.iter().map(move |&j| (i, j)))
                .filter(|&(i, j)| if symmetric { i < j } else { i != j })
                .collect();
            let found = sample.workers.map_at_most(most, pairs.len(), |k| {
                if watch.is_stopped() {
                    return None;
                }
                let (i, j) = pairs[k];
                let mut values = vec![0.0; setup.units.len()];
                let mut add = |i: usize, j: usize, share: f64| {
                    let column = sample.scores.index_axis(Axis(1), i);
                    let ordering = Ordering::of_two(column, classes, i, j, &sorted);
                    add_contrasts(&ordering, &[share, share], rows, &mut values);
                };
                if symmetric {
                    add(i, j, 0.5);
                    add(j, i, 0.5);
                } else {
                    add(i, j, 1.0);
                }
                Some(moments(&values, &setup.units, rows))
            });
            for (&(i, j), found) in pairs.iter().zip(found) {
                numbers.moments[i * self.classes + j] = found;
                if symmetric {
                    numbers.moments[j * self.classes + i] = found;
                }
            }
        }
    }

    /// The moments of every number of every measure; `None` where they are not known.
    pub fn finish(mut self) -> Vec<Vec<Option<Moments>>> {
        for numbers in &mut self.measures {
            for (k, number) in numbers.numbers.iter().enumerate() {
                let values = &mut numbers.values[k];
                if numbers.moments[k].is_none() && !values.is_empty() {
                    numbers.moments[k] = Some(finish(self.setup, number, std::mem::take(values)));
                }
            }
        }
        self.measures.into_iter().map(|numbers| numbers.moments).collect()
    }
}

/// Adds what the masses of classes do, and sums up.
fn finish(setup: &Setup<'_>, number: &Number, parts: Vec<Vec<f64>>) -> Moments {
    let mut parts = parts.into_iter().filter(|part| !part.is_empty());
    let mut values = parts.next().unwrap_or_else(|| vec![0.0; setup.units.len()]);
    for part in parts {
        values.iter_mut().zip(part).for_each(|(value, more)| *value += more);
    }
    add_masses(setup, number, &mut values);
    moments(&values, &setup.units, |place| setup.rows(place))
}

/// Adds how the masses of classes move a number. Where classes keep their mass that is the same for all
/// units of a stratum, and left out.
fn add_masses(setup: &Setup<'_>, number: &Number, values: &mut [f64]) {
    for (class, (&slope, masses)) in number.mass().iter().zip(&setup.class_mass).enumerate() {
        for (k, place) in setup.places(class).enumerate() {
            let mass = masses.get(k).copied().unwrap_or(1.0) * setup.rows(place);
            values[place] += slope * mass;
        }
    }
}
