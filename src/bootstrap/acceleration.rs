//! Influence values of a run's statistics, gathered while its orderings are in memory.

use std::sync::Arc;

use crate::bootstrap::jobs::{Job, Key};
use crate::bootstrap::setup::Setup;
use crate::bootstrap::statistic::{Statistic, Wanted};
use crate::error::Result;
use crate::influence::{Gradient, Moments, Point, add_contrasts, moments};
use crate::measures::auc_mu::separation;
use crate::measures::hand_till::conditional;
use crate::measures::pairs::Pairs;
use crate::ordering::Ordering;
use crate::projection::Partition;
use crate::sample::Sample;
use crate::scores::Score;
use crate::workers::Workers;

/// Sums kept side by side, at most, and the bytes they may take.
const MOST_PARTS: usize = 8;
const PARTS_BYTES: usize = 32 << 20;

/// Influence values of every number of every statistic.
pub struct Influences<'a> {
    setup: &'a Setup,
    statistics: Vec<Numbers>,
    classes: usize,
}

/// The numbers of one statistic.
struct Numbers {
    gradients: Vec<Gradient>,
    /// For each gradient, the values so far of each part of the orderings, by place; empty before its
    /// first ordering.
    values: Vec<Vec<Vec<f64>>>,
    moments: Vec<Option<Moments>>,
    /// Whether each pair of classes is a number of its own, and both ways count half each.
    pairs: Option<bool>,
}

impl<'a> Influences<'a> {
    /// Prepares for orderings to come.
    pub fn new<T: Score>(
        sample: &Sample<'_, T>,
        setup: &'a Setup,
        statistics: &[Arc<dyn Statistic>],
    ) -> Result<Self> {
        let masses = sample.classes.masses();
        let numbers = |statistic: &Arc<dyn Statistic>| -> Result<Numbers> {
            let known =
                if statistic.needs_point() { pairs_of(sample, &statistic.wanted())? } else { None };
            let auc =
                |i: usize, j: usize| known.as_ref().map_or(f64::NAN, |pairs| pairs.auc[[i, j]]);
            let point = Point { auc: &auc, masses: &masses, present: &setup.present };
            let gradients = statistic.gradients(&point);
            Ok(Numbers {
                values: gradients.iter().map(|_| Vec::new()).collect(),
                gradients,
                moments: vec![None; statistic.width()],
                pairs: statistic.symmetric_pairs(),
            })
        };
        let statistics = statistics.iter().map(numbers).collect::<Result<_>>()?;
        Ok(Self { setup, statistics, classes: masses.len() })
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
        let most = (PARTS_BYTES / (8 * units)).clamp(1, MOST_PARTS.min(total));
        let part_of = |k: usize| (first + k) * most / total;
        for (user, numbers) in self.statistics.iter_mut().enumerate() {
            let Numbers { gradients, values, moments, .. } = numbers;
            for ((gradient, values), moments) in gradients.iter().zip(values).zip(moments) {
                let touched: Vec<usize> = (0..orderings.len())
                    .filter(|&k| {
                        let job = orderings[k].0;
                        job.users.contains(&user)
                            && gradient.only.is_none_or(|only| only == job.favoured)
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
                        let (job, ordering) = orderings[k];
                        let rows = |place: usize| self.setup.rows(place);
                        add_contrasts(ordering, &slopes(job, ordering, gradient), rows, values);
                    }
                });
                if gradient.only.is_some() {
                    *moments = Some(finish(self.setup, gradient, values));
                    *values = Vec::new();
                }
            }
        }
        self.take_pairs(orderings);
    }

    /// Pairs of classes: each from one ordering, or from the orderings of both its classes.
    fn take_pairs(&mut self, orderings: &[(&Job, &Ordering)]) {
        let mut values = Vec::new();
        for (user, numbers) in self.statistics.iter_mut().enumerate() {
            let Some(symmetric) = numbers.pairs else {
                continue;
            };
            let mine = || orderings.iter().filter(|(job, _)| job.users.contains(&user));
            for &(job, ordering) in mine() {
                let i = job.favoured;
                for &j in &job.others {
                    let turned = match symmetric {
                        false => None,
                        true if j < i => continue,
                        true => match mine().find(|(job, _)| job.favoured == j) {
                            Some((_, turned)) => Some(turned),
                            None => continue, // in another pass: unknown
                        },
                    };
                    let projected = matches!(job.key, Key::Pair(..));
                    values.clear();
                    values.resize(self.setup.units.len(), 0.0);
                    let share = if symmetric { 0.5 } else { 1.0 };
                    let other = if projected { 0 } else { j };
                    let rows = |place: usize| self.setup.rows(place);
                    add_contrasts(&ordering.only(other), &[share, share], rows, &mut values);
                    if let Some(turned) = turned {
                        add_contrasts(&turned.only(i), &[share, share], rows, &mut values);
                    }
                    let found = Some(moments(&values, &self.setup.units, rows));
                    numbers.moments[i * self.classes + j] = found;
                    if symmetric || projected {
                        numbers.moments[j * self.classes + i] = found;
                    }
                }
            }
        }
    }

    /// The moments of every number of every statistic; `None` where they are not known.
    pub fn finish(mut self) -> Vec<Vec<Option<Moments>>> {
        for numbers in &mut self.statistics {
            for (k, gradient) in numbers.gradients.iter().enumerate() {
                let values = &mut numbers.values[k];
                if numbers.moments[k].is_none() && !values.is_empty() {
                    numbers.moments[k] = Some(finish(self.setup, gradient, values));
                }
            }
        }
        self.statistics.into_iter().map(|numbers| numbers.moments).collect()
    }
}

/// Adds what the masses of classes do, and sums up.
fn finish(setup: &Setup, gradient: &Gradient, parts: &[Vec<f64>]) -> Moments {
    let mut values = vec![0.0; setup.units.len()];
    for part in parts {
        values.iter_mut().zip(part).for_each(|(value, more)| *value += more);
    }
    // Where classes keep their mass, this part is the same for all units of a stratum.
    for (class, places) in setup.class_places.iter().enumerate() {
        let Some(&slope) = gradient.mass.get(class) else {
            break;
        };
        let masses = &setup.class_mass[class];
        for (k, &place) in places.iter().enumerate() {
            let mass = masses.get(k).copied().unwrap_or(1.0) * setup.rows(place as usize);
            values[place as usize] += slope * mass;
        }
    }
    moments(&values, &setup.units, |place| setup.rows(place))
}

/// What the AUC against each group counts in a number.
fn slopes(job: &Job, ordering: &Ordering, gradient: &Gradient) -> Vec<f64> {
    let mut slopes = vec![0.0; ordering.groups];
    for &j in &job.others {
        let group = if matches!(job.key, Key::Pair(..)) { 0 } else { j };
        slopes[group] = (gradient.contrast)(job.favoured, j);
    }
    slopes
}

/// The AUCs of all pairs of classes on the sample itself.
fn pairs_of<T: Score>(sample: &Sample<'_, T>, wanted: &Wanted) -> Result<Option<Pairs>> {
    match wanted {
        Wanted::Columns => conditional(sample).map(Some),
        Wanted::Pairs { partition, unit_roundoff } => {
            let partition =
                partition.as_ref().map_or(Partition::Argmax, |a| Partition::Costs(a.view()));
            separation(sample, &partition, *unit_roundoff).map(Some)
        }
        Wanted::SingleColumn | Wanted::Pooled => Ok(None),
    }
}
