//! What a measure's steps along an ordering make of the sample itself.

use std::ops::ControlFlow;
use std::sync::Arc;

use ndarray::Axis;

use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::weights::Weights;
use crate::error::{Error, Result};
use crate::machine::watch::Watch;
use crate::measures::measure::Measure;
use crate::order::class_groups::visit_classes;
use crate::order::jobs::{Job, Jobs, Key};
use crate::order::ordering::{Ordering, RowPlaces};
use crate::order::tie_groups::visit_tie_groups;
use crate::order::wanted::Wanted;
use crate::walk::steps::{Start, Tied, Totals, Walk};

/// What a measure's steps make of each ordering; `None` if it takes no steps.
#[expect(clippy::type_complexity, reason = "favoured class, the others, and the steps' numbers")]
pub fn stepped<T: Score>(
    sample: &Sample<'_, T>,
    measure: &dyn Measure,
    wanted: &Wanted,
    watch: &Watch,
) -> Result<Option<Vec<(usize, Arc<[usize]>, Vec<f64>)>>> {
    let Some(start) = measure.steps() else {
        return Ok(None);
    };
    let kinds = [wanted.clone()];
    let jobs = Jobs::new(sample, &kinds)?;
    if let ([Job { key: Key::Single(column), favoured: 1, others, .. }], Weights::Unit) =
        (&jobs.list[..], sample.weights)
        && sample.classes.count() == 2
    {
        let steps = along_column(sample, *column, &start, watch)?;
        return Ok(Some(vec![(1, others.clone(), steps)]));
    }
    if let ([Job { key: Key::Ordered(column), favoured, others, .. }], Weights::Unit) =
        (&jobs.list[..], sample.weights)
    {
        let steps = along_marker(sample, *column, &start, watch)?;
        return Ok(Some(vec![(*favoured, others.clone(), steps)]));
    }
    let mass = sample.weights.reals();
    // Nothing is resampled, so rows need no places.
    let rows = RowPlaces { place: &[], mass, all_ties: wanted.all_ties, watch };
    let together = jobs.together(&jobs.list);
    let walked = sample.workers.map(together.len(), |k| {
        let orderings = jobs.orderings(together[k], &rows)?;
        if watch.is_stopped() {
            return Err(Error::Interrupted);
        }
        let walked = together[k].iter().zip(&orderings);
        Ok(walked
            .map(|(job, ordering)| (job.favoured, job.others.clone(), along(ordering, &start)))
            .collect::<Vec<_>>())
    });
    Ok(Some(walked.into_iter().collect::<Result<Vec<_>>>()?.concat()))
}

/// What steps make of an ordering.
pub(super) fn along(ordering: &Ordering, start: &Start<'_>) -> Vec<f64> {
    let weight = |row: usize| ordering.mass.get(row).copied().unwrap_or(1.0);
    let mut totals = vec![0.0; ordering.sides];
    for (row, &side) in ordering.side.iter().enumerate().rev() {
        totals[usize::from(side)] += weight(row); // as steps meet them, highest score first
    }
    let totals = Totals { lanes: 1, favoured: ordering.favoured, values: &totals };
    let mut walk = Walk::new(ordering, start(&totals), 1);
    let _ = walk.take(0..ordering.side.len(), |row, sums| sums[0] += weight(row));
    walk.finish()
}

/// What steps make of a column of two classes, every row of weight one: the same as [`along`] its ordering.
fn along_column<T: Score>(
    sample: &Sample<'_, T>,
    column: usize,
    start: &Start<'_>,
    watch: &Watch,
) -> Result<Vec<f64>> {
    let Sample { scores, classes, workers, .. } = sample;
    let totals = [0, 1].map(|class| classes.size(class) as f64);
    let mut steps = start(&Totals { lanes: 1, favoured: 1, values: &totals });
    let (up, joins) = (steps.goes_up(), steps.joins_favoured());
    let by_side = steps.by_side();
    let visit = |groups: &[(u32, u32)]| {
        if let Some(flow) = steps.counted(groups) {
            return flow;
        }
        let mut step = |own: u32, others: u32| {
            let holds_favoured = own > 0;
            let (own, others) = ([f64::from(own)], [f64::from(others)]);
            let counted = others[0];
            let sides = [others[0], own[0]];
            let (others, sides) =
                if by_side { (&[][..], &sides[..]) } else { (&others[..], &[][..]) };
            let sample = if by_side { sides } else { &[own[0], counted][..] };
            steps.step(&Tied { own: &own, others, sides, sample, holds_favoured })
        };
        // Others alone may come together: no steps can tell. Almost always there is one row, of a class that
        // cannot be guessed, so nothing branches on that.
        groups.iter().try_for_each(|&(own, others)| match joins || others > 0 || own <= 1 {
            true => step(own, others),
            false => (0..own).try_for_each(|_| step(1, 0)),
        })
    };
    visit_tie_groups(scores.index_axis(Axis(1), column), classes, (workers, watch), up, visit)
        .map_err(|error| error.in_column(scores.ncols(), column))?;
    let mut out = vec![0.0; steps.width()];
    steps.finish(&mut out);
    Ok(out)
}

/// What steps up a column make of all classes, every row of weight one: the same as [`along`] its ordering.
fn along_marker<T: Score>(
    sample: &Sample<'_, T>,
    column: usize,
    start: &Start<'_>,
    watch: &Watch,
) -> Result<Vec<f64>> {
    let Sample { scores, classes, workers, .. } = sample;
    let favoured = classes.count() - 1;
    let totals: Vec<f64> = (0..=favoured).map(|class| classes.size(class) as f64).collect();
    let mut steps = start(&Totals { lanes: 1, favoured, values: &totals });
    let mut sides = vec![0.0; classes.count()];
    // The only class met of a score so far, and whether there are others.
    let (mut only, mut several) = (None, false);
    let visit = |class: usize, ends: bool| {
        sides[class] += 1.0;
        several |= only.is_some_and(|only| only != class);
        only = Some(class);
        if !ends {
            return ControlFlow::Continue(());
        }
        let alone = if several { None } else { steps.alone(class, &sides[class..=class]) };
        let flow = alone.unwrap_or_else(|| {
            let own = &sides[favoured..];
            let holds_favoured = own[0] > 0.0;
            let (sides, sample) = (&sides[..], &sides[..]);
            steps.step(&Tied { own, others: &[], sides, sample, holds_favoured })
        });
        match several {
            true => sides.fill(0.0),
            false => sides[class] = 0.0,
        }
        (only, several) = (None, false);
        flow
    };
    visit_classes(scores.index_axis(Axis(1), column), classes, (workers, watch), visit)
        .map_err(|error| error.in_column(scores.ncols(), column))?;
    let mut out = vec![0.0; steps.width()];
    steps.finish(&mut out);
    Ok(out)
}
