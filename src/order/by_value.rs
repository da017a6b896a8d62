//! Rows with a value each, for means of values: class by class, and those of one value together.
//!
//! Where many rows have the same value, replicates need only count how many of them they draw.

use crate::data::classes::Classes;
use crate::error::Result;
use crate::order::ordering::{Ordering, RowPlaces, check_sides};

/// Rows of one value are told apart if they are fewer: to count them would save nothing.
pub(super) const LEAST_TIED: usize = 64;

impl Ordering {
    /// The rows of positive weight, class by class and by their values, which are given row by row.
    pub fn by_value(
        values: &[f64],
        classes: &Classes<'_>,
        favoured: usize,
        rows: &RowPlaces<'_>,
    ) -> Result<Self> {
        check_sides(classes.count())?;
        let value = |row: &u32| values[*row as usize];
        let mut order: Vec<u32> = Vec::with_capacity(classes.len());
        let mut side: Vec<u16> = Vec::with_capacity(classes.len());
        for class in 0..classes.count() {
            let own = classes.rows(class);
            let first = order.len();
            order.extend(own);
            // Few values are sorted fast; rows of one value stay in their order.
            order[first..].sort_by(|a, b| value(a).total_cmp(&value(b)));
            side.extend(std::iter::repeat_n(class as u16, own.len()));
        }
        let mut ties = Vec::new();
        let (mut first, alike) =
            (0, |a: usize, b: usize| side[a] == side[b] && value(&order[a]) == value(&order[b]));
        for end in 1..=order.len() {
            if end == order.len() || !alike(first, end) {
                if end - first >= LEAST_TIED {
                    ties.push((first as u32, end as u32));
                }
                first = end;
            }
        }
        let of = |known: &[u32]| order.iter().map(|&row| known[row as usize]).collect();
        Ok(Self {
            favoured,
            sides: classes.count(),
            place: if rows.place.is_empty() { Box::default() } else { of(rows.place) },
            mass: match rows.mass.is_empty() {
                true => Box::default(),
                false => order.iter().map(|&row| rows.mass[row as usize]).collect(),
            },
            values: order.iter().map(value).collect(),
            side: side.into(),
            ties: ties.into(),
            all_ties: Box::default(),
        })
    }
}
