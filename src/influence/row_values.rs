//! Influence values of what is made of row values: each row moves the sum of its class by its own value.

use super::placer::Placer;
use super::sums::Sums;
use crate::data::scores::Score;
use crate::error::Result;
use crate::influence::number::slopes;
use crate::influence::sorted::add_contrasts;
use crate::measures::measure::Gradient;
use crate::measures::row_sums::sums_of;
use crate::order::jobs::Job;
use crate::order::ordering::Ordering;
use crate::project::row_values::RowValue;

/// Adds to `out`, by place, the influence of each row on what an ordering tells, side j counted `slopes[j]` times:
/// AUCs of the favoured side ([`add_contrasts`]), or sums of row values. Returns the AUCs; NaN for sums.
pub fn add_ordering(
    ordering: &Ordering,
    slopes: &[f64],
    rows: impl Fn(usize) -> f64,
    out: &mut [f64],
) -> Vec<f64> {
    if ordering.values.is_empty() {
        return add_contrasts(ordering, slopes, rows, out);
    }
    for (row, (&side, value)) in ordering.side.iter().zip(&ordering.values).enumerate() {
        let place = ordering.place[row] as usize;
        let mass = ordering.mass.get(row).copied().unwrap_or(1.0) * rows(place);
        out[place] += mass * slopes[usize::from(side)] * value;
    }
    vec![f64::NAN; ordering.sides]
}

impl<T: Score> Placer<'_, '_, T> {
    /// What rows are worth, which need not be sorted for it; the sums of it come along.
    pub(super) fn take_row_values(
        &self,
        (job, value): (&Job, RowValue),
        gradient: &Gradient,
        sums: &mut Sums,
    ) -> Result<()> {
        let codes = self.sample.classes.codes;
        let slopes = slopes(job, self.sample.classes.count(), gradient);
        let (found, parts) =
            sums_of(self.sample, value, (job.favoured, &job.others), <[f64]>::to_vec)?;
        sums.rows.push(found);
        let mut first = 0;
        for values in parts {
            let rows = first..first + values.len();
            first = rows.end;
            let (codes, places) = (&codes[rows.clone()], &self.places[rows.clone()]);
            let moved = values.iter().zip(codes).map(|(value, &i)| slopes[i as usize] * value);
            // Rows of weight zero move nothing, wherever their place is said to be.
            match self.setup.mass.get(rows) {
                None => (places.iter().zip(moved))
                    .for_each(|(&place, moved)| sums.values[place as usize] += moved),
                Some(masses) => {
                    (places.iter().zip(moved).zip(masses)).for_each(|((&place, moved), mass)| {
                        sums.values[place as usize] += mass * moved
                    })
                }
            }
        }
        Ok(())
    }
}
