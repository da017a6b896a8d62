//! Influence values of what is made of row values: each row moves the sum of its class by its own value.

use crate::influence::sorted::add_contrasts;
use crate::order::ordering::Ordering;

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
