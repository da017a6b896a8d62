//! Rows in the order of one score, for replicates that only weigh them anew.
//!
//! Resampling changes what rows count, never their order: so rows are sorted once, and a replicate is
//! one walk over them. Rows of one score form a *tie group*; where it holds favoured and other
//! rows, the favoured ones come first in it.

use crate::data::classes::Classes;
use crate::data::scores::{Score, locate_nan};
use crate::error::{Error, Result};
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::order::sorter::{Builder, Keys};
use crate::project::ties::{self, Projected, Rule};
use ndarray::{ArrayView1, ArrayView2, Axis};

/// The most sides an ordering tells apart.
const MOST_SIDES: usize = u16::MAX as usize;

/// What is to be known of the rows of an ordering.
pub struct RowPlaces<'a> {
    /// The place of each row's unit; empty if nobody asks for places.
    pub place: &'a [u32],
    /// The sample weight of each row; empty if all count one.
    pub mass: &'a [f64],
    /// Whether ties of favoured rows alone are marked too.
    pub all_ties: bool,
    /// Whether sorting is to be given up; what it gives then means nothing.
    pub watch: &'a Watch,
}

/// Sorted rows.
#[derive(Clone, Debug, Default)]
pub struct Ordering {
    /// The side whose rows should score highest.
    pub favoured: usize,
    /// How many sides.
    pub sides: usize,
    /// The place of each row's unit, lowest score first; empty if nobody asked for places.
    pub place: Box<[u32]>,
    /// The side of each row.
    pub side: Box<[u16]>,
    /// The sample weight of each row; empty if all count one.
    pub mass: Box<[f64]>,
    /// First row and end of each tie group that holds favoured and other rows; where no side is favoured over the
    /// others, of each that holds rows of several.
    pub ties: Box<[(u32, u32)]>,
    /// The same with those of favoured rows alone, where they are wanted; else empty.
    pub all_ties: Box<[(u32, u32)]>,
    /// The value of each row, where rows are in order of these ([`super::by_value`]): then tie groups are the
    /// large ones of one side and one value. Else empty.
    pub values: Box<[f64]>,
}

impl Ordering {
    /// The order of one column's scores, all rows of positive weight. Where no class is favoured over the others
    /// (`None`), every tie of several classes is marked.
    pub fn of_column<T: Score>(
        scores: ArrayView1<'_, T>,
        classes: &Classes<'_>,
        favoured: Option<usize>,
        rows: &RowPlaces<'_>,
        workers: &Workers,
    ) -> Result<Self> {
        check_sides(classes.count())?;
        if scores.iter().any(|x| x.is_nan()) {
            return Err(locate_nan(&scores.insert_axis(Axis(1)), true));
        }
        let keys = Keys {
            count: scores.len(),
            score: |row: u32| scores[row as usize],
            row: |row: u32| row,
            side: |row: u32| classes.codes[row as usize] as u16,
        };
        Ok(keys.sorted(classes, favoured, classes.count(), rows, workers))
    }

    /// The order of all columns' scores together: side 1 are the scores in the column of the row's
    /// own class, side 0 the others (micro average).
    pub fn pooled<T: Score>(
        scores: &ArrayView2<'_, T>,
        classes: &Classes<'_>,
        rows: &RowPlaces<'_>,
        workers: &Workers,
    ) -> Result<Self> {
        let columns = scores.ncols() as u32;
        if scores.len() > u32::MAX as usize {
            return Err(Error::TooManyRows(scores.len()));
        }
        if scores.iter().any(|x| x.is_nan()) {
            return Err(locate_nan(scores, false));
        }
        let keys = Keys {
            count: scores.len(),
            score: |k: u32| scores[[(k / columns) as usize, (k % columns) as usize]],
            row: |k: u32| k / columns,
            side: |k: u32| u16::from(classes.codes[(k / columns) as usize] == k % columns),
        };
        Ok(keys.sorted(classes, Some(1), 2, rows, workers))
    }

    /// The order of projected scores of two classes; side 1 is the favoured one. `magnitudes` gives
    /// the scale of each row's rounding error, in the order given, and is asked only if `reach` (see
    /// [`ties::reach`]) leaves doubt.
    pub fn projected(
        projections: &[(f64, (u32, bool))],
        magnitudes: impl FnOnce() -> Vec<f64>,
        rule: Rule,
        reach: f64,
        rows: &RowPlaces<'_>,
    ) -> Self {
        let len = projections.len();
        let mut mass = vec![0.0; if rows.mass.is_empty() { 0 } else { len }];
        let mut place = vec![0; if rows.place.is_empty() { 0 } else { len }];
        let mut side = vec![0; len];
        let mut builder = Builder::new(rows, Some(1), &mut place, &mut side, &mut mass);
        let mut sorted = projections.to_vec();
        sorted.sort_unstable_by(|a, b| a.0.order(&b.0).then(a.1.0.cmp(&b.1.0)));
        let near =
            |pair: &[(f64, (u32, bool))]| pair[0].0 != pair[1].0 && pair[1].0 - pair[0].0 <= reach;
        if sorted.windows(2).any(near) {
            drop(sorted);
            let projected = projections.iter().zip(magnitudes());
            let mut projected: Vec<Projected<u32>> = projected
                .map(|(&(score, (row, favoured)), magnitude)| Projected {
                    score,
                    magnitude,
                    row,
                    favoured,
                })
                .collect();
            ties::tie_groups(&mut projected, rule, |side| {
                side.sort_unstable_by_key(|row| row.row);
                builder.add(side.iter().map(|row| (row.row, u16::from(row.favoured))));
            });
        } else {
            for ties in sorted.chunk_by(|a, b| a.0 == b.0) {
                builder.add(ties.iter().map(|&(_, (row, favoured))| (row, u16::from(favoured))));
            }
        }
        let (ties, all_ties) = (builder.ties.into(), builder.all_ties.into());
        let (place, side, mass) = (place.into(), side.into(), mass.into());
        let values = Box::default();
        Self { favoured: 1, sides: 2, place, side, mass, ties, all_ties, values }
    }

    /// The order of one column's scores, rows of a favoured class (side 1) and one other (0) alone.
    pub fn of_two<T: Score>(
        scores: ArrayView1<'_, T>,
        classes: &Classes<'_>,
        favoured: usize,
        other: usize,
        rows: &RowPlaces<'_>,
    ) -> Self {
        let side = |class: usize, own: bool| {
            let rows = classes.rows(class).iter();
            rows.map(move |&row| (scores[row as usize].to_f64(), (row, own)))
        };
        let both: Vec<_> = side(favoured, true).chain(side(other, false)).collect();
        Self::projected(&both, Vec::new, Rule::EXACT, -1.0, rows)
    }

    /// The AUC of the favoured side against the only other one, rows of weight one.
    pub fn auc_of_two(&self) -> f64 {
        // As in `walk`: pairs lost on the way up, ties among them, which are half lost.
        let (mut met, mut lost) = (0u64, 0u64);
        for &side in &self.side {
            let own = u64::from(usize::from(side) == self.favoured);
            met += own;
            lost += (1 - own) * met;
        }
        let mut tied = 0;
        for &(first, end) in &self.ties {
            let side = &self.side[first as usize..end as usize];
            let own = side.iter().filter(|&&g| usize::from(g) == self.favoured).count();
            tied += (own * (side.len() - own)) as u64;
        }
        let all = met * (self.side.len() as u64 - met);
        (2 * all - (2 * lost - tied)) as f64 / (2 * all) as f64
    }
}

/// Fails if there are more classes than an ordering can tell apart.
pub(super) fn check_sides(classes: usize) -> Result<()> {
    if classes > MOST_SIDES {
        return Err(Error::Domain(format!(
            "{classes} classes; an ordering of rows tells at most {MOST_SIDES} apart"
        )));
    }
    Ok(())
}
