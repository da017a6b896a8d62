//! The hypervolume under the manifold of nominal classes.

mod count;
mod doubtful;
mod rings;
mod rows;

use std::sync::Arc;

use self::count::count;
use self::rings::{MOST_CLASSES, gain, share};
use self::rows::{ClassRows, by_class};
use crate::data::table::Table;
use crate::error::{Error, Result};
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::measures::measure::{
    ByRow, Derivative, Masses, Measure, Moved, OfRows, Outcome, Point, Shared,
};
use crate::measures::options::Options;
use crate::order::wanted::{Orderings, Wanted};

/// HUM: the share of tuples of one row from each class whose own assignment, each row to its class, has the greatest
/// total score of all assignments; 1 / m where m assignments share it (Mossman 1999; Li & Fine 2008).
///
/// Tuples count the product of their rows' weights. O(n^(K-1) log n) for n rows a class.
#[derive(Clone, Copy)]
pub struct Hum {
    unit_roundoff: f64,
}

/// `unit_roundoff`: that of the scores as given; 0 if only equal totals tie.
pub(super) fn make(options: &mut Options) -> Result<Shared> {
    Ok(Arc::new(Hum { unit_roundoff: options.number("unit_roundoff")? }))
}

impl Measure for Hum {
    fn wanted(&self) -> Wanted {
        Orderings::Nothing.into()
    }
    fn counts_pairs(&self) -> bool {
        false
    }
    fn on_rows(&self, rows: &dyn Table) -> Option<Result<Box<dyn OfRows>>> {
        let ready = by_class(rows, self.unit_roundoff).map(|classes| Ready { classes });
        Some(ready.map(|ready| Box::new(ready) as Box<dyn OfRows>))
    }
    fn room(&self) -> usize {
        1
    }
    fn take(&self, _: &Outcome<'_>, _: &Masses<'_>, _: &mut [f64]) {}
    fn finish(&self, _: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        out.copy_from_slice(room);
    }
    fn derivative(&self, _: &Point<'_>) -> Derivative {
        Derivative::OfRows(Box::new(*self))
    }
}

/// HUM of some rows.
struct Ready {
    classes: Vec<ClassRows>,
}

impl Ready {
    fn weights(&self, weights: &[f64], lanes: usize) -> Vec<Vec<f64>> {
        self.classes.iter().map(|rows| rows.weights(weights, lanes)).collect()
    }
}

impl OfRows for Ready {
    fn values(&self, weights: &[f64], lanes: usize, how: (&Workers, &Watch)) -> Result<Vec<f64>> {
        let weights = self.weights(weights, lanes);
        let right = count(&self.classes, &weights, lanes, false, how)?.total;
        let share = |(lane, right): (usize, f64)| {
            let sum = |weights: &Vec<f64>| weights[lane..].iter().step_by(lanes).sum::<f64>();
            let all: f64 = weights.iter().map(sum).product();
            if all > 0.0 { (right / all).min(1.0) } else { f64::NAN }
        };
        Ok(right.into_iter().enumerate().map(share).collect())
    }
}

/// HUM is a U-statistic: a row of class i moves it by w (P - HUM) / W_i, P being the share of right tuples among
/// those with this row.
impl ByRow for Hum {
    fn moved(&self, rows: &dyn Table, weights: &[f64], watch: &Watch) -> Result<Moved> {
        let ready = Ready { classes: by_class(rows, self.unit_roundoff)? };
        let each = ready.weights(weights, 1);
        let right = count(&ready.classes, &each, 1, true, (rows.workers(), watch))?;
        let sums: Vec<f64> = each.iter().map(|weights| weights.iter().sum()).collect();
        let all: f64 = sums.iter().product();
        let hum = right.total[0] / all;
        let mut moved = vec![0.0; weights.len()];
        for ((class, with_row), sum) in ready.classes.iter().zip(&right.with_row).zip(&sums) {
            for (ends, with_row) in class.bounds.windows(2).zip(with_row) {
                for &row in &class.members[ends[0] as usize..ends[1] as usize] {
                    let share = with_row / (all / sum);
                    moved[row as usize] = weights[row as usize] * (share - hum) / sum;
                }
            }
        }
        Ok(Moved { by_row: vec![moved], values: None })
    }
}

/// The share of each of some tuples, one row of each class that has any, in order of classes.
pub fn shares(
    rows: &dyn Table,
    tuples: &[u32],
    unit_roundoff: f64,
    watch: &Watch,
) -> Result<Vec<f64>> {
    const CHUNK: usize = 1 << 12;
    let columns = rows::columns(rows)?;
    let present = rows.classes().present_classes();
    let n = present.len();
    rows::check_count(n)?;
    let last = rows.classes().codes.len() as u32;
    if !tuples.len().is_multiple_of(n) || tuples.iter().any(|&row| row >= last) {
        return Err(Error::Shape(format!("tuples name {n} rows each, by their numbers")));
    }
    let chunks: Vec<&[u32]> = tuples.chunks(CHUNK * n).collect();
    let found = rows.workers().map(chunks.len(), |k| {
        let mut low = [[0.0; MOST_CLASSES]; MOST_CLASSES];
        let mut high = low;
        let share = |tuple: &[u32]| {
            for (i, &row) in tuple.iter().enumerate() {
                let own = columns[present[i]][row as usize];
                for (j, &other) in present.iter().enumerate() {
                    let other = columns[other][row as usize];
                    (low[i][j], high[i][j]) = gain(own, other, unit_roundoff);
                }
            }
            share(n, &low, &high)
        };
        match watch.is_stopped() {
            true => Err(Error::Interrupted),
            false => Ok(chunks[k].chunks_exact(n).map(share).collect::<Vec<_>>()),
        }
    });
    Ok(found.into_iter().collect::<Result<Vec<_>>>()?.concat())
}
