//! The rows of each class with what they gain by other classes; equal rows are one.

use super::rings::{MOST_CLASSES, gain};
use crate::data::table::Table;
use crate::error::{Error, Result};

/// The distinct rows of one class.
pub struct ClassRows {
    /// The class, as a column.
    pub class: usize,
    /// The rows of the table that are each of them: those of the k-th at `bounds[k]..bounds[k + 1]`.
    pub members: Vec<u32>,
    /// Where they begin, and the end of the last.
    pub bounds: Vec<u32>,
    /// What the k-th gains at least and at most by the class of number j, at `k classes + j`.
    pub low: Vec<f64>,
    /// At most.
    pub high: Vec<f64>,
}

impl ClassRows {
    /// How many distinct rows.
    pub fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// The weights of distinct rows, lane by lane, given those of all rows of the table.
    pub fn weights(&self, weights: &[f64], lanes: usize) -> Vec<f64> {
        let mut out = vec![0.0; self.len() * lanes];
        for (ends, out) in self.bounds.windows(2).zip(out.chunks_exact_mut(lanes)) {
            for &row in &self.members[ends[0] as usize..ends[1] as usize] {
                let weights = &weights[row as usize * lanes..][..lanes];
                out.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            }
        }
        out
    }
}

/// The scores of all columns, checked.
pub fn columns(table: &dyn Table) -> Result<Vec<Vec<f64>>> {
    let columns: Vec<Vec<f64>> = (0..table.columns()).map(|k| table.column(k)).collect();
    let wrong = |x: f64| x.is_nan() || x.abs() > f64::MAX / (8 * MOST_CLASSES) as f64;
    let found = columns.iter().enumerate().filter_map(|(column, scores)| {
        scores.iter().position(|&x| wrong(x)).map(|row| (row, column))
    });
    match found.min() {
        None => Ok(columns),
        Some((row, column)) if columns[column][row].is_nan() => {
            Err(Error::NanScore { row, column: Some(column) })
        }
        Some((row, column)) => Err(Error::Domain(format!(
            "y_score[{row}, {column}] is {:?}; hum adds up scores, which must be finite and not as large as \
             float64 can be: make them finite, or divide all by one constant",
            columns[column][row]
        ))),
    }
}

/// The distinct rows of every class that has rows, fewest first.
pub fn by_class(table: &dyn Table, unit_roundoff: f64) -> Result<Vec<ClassRows>> {
    let columns = columns(table)?;
    let present = table.classes().present_classes();
    check_count(present.len())?;
    let score = |row: u32, column: usize| columns[column][row as usize] + 0.0; // -0.0 is 0.0
    let distinct = |&class: &usize| {
        let mut members = table.classes().rows(class).to_vec();
        let order = |a: u32, b: u32| {
            let by = |&column: &usize| score(a, column).total_cmp(&score(b, column));
            present.iter().map(by).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
        };
        members.sort_by(|&a, &b| order(a, b));
        let mut bounds = vec![0];
        for equal in members.chunk_by(|&a, &b| order(a, b).is_eq()) {
            bounds.push(bounds[bounds.len() - 1] + equal.len() as u32);
        }
        ClassRows { class, members, bounds, low: Vec::new(), high: Vec::new() }
    };
    let mut classes: Vec<ClassRows> = present.iter().map(distinct).collect();
    classes.sort_by_key(ClassRows::len);
    let order: Vec<usize> = classes.iter().map(|rows| rows.class).collect();
    for rows in &mut classes {
        for &first in &rows.bounds[..rows.bounds.len() - 1] {
            let row = rows.members[first as usize];
            for &other in &order {
                let (low, high) = gain(score(row, rows.class), score(row, other), unit_roundoff);
                rows.low.push(low);
                rows.high.push(high);
            }
        }
    }
    Ok(classes)
}

/// Fails if there are too many classes.
pub fn check_count(classes: usize) -> Result<()> {
    if classes > MOST_CLASSES {
        return Err(Error::Domain(format!(
            "hum compares assignments of {classes} classes; it is for {MOST_CLASSES} at most: pdi has no such limit"
        )));
    }
    Ok(())
}
