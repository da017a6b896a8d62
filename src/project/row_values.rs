//! What a row is worth by its own scores alone: whether it is said to be of its class, or how often.
//!
//! A mean of such values depends on no order of rows. Scores are compared as they are: only equal ones tie.

use std::ops::Range;

use crate::data::sample::Sample;
use crate::data::scores::{Score, read_block, reject_nan};
use crate::error::{Error, Result};
use crate::tails::beta::Beta;

/// Rows that one task looks at.
const CHUNK: usize = 1 << 13;

/// The value of a row of class i with the scores p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowValue {
    /// 1 / m where p_i is one of the m greatest of the row's scores, else 0.
    Greatest,
    /// One value against each other class j: 1 where p_i > p_j, 1/2 where they are equal, else 0.
    Against,
    /// With thresholds t of Beta(a, b), and rows said to be of class 1 where s >= t for the only score s or the
    /// second of two: how often the row is said to be of its own class, P(t <= s) or P(t > s).
    Thresholds {
        /// The first shape of the Beta distribution.
        a: f64,
        /// The second one.
        b: f64,
    },
}

impl RowValue {
    /// The value of each row; where there is one against each other class, that against class `j`, and 0 for the
    /// rows of class j itself.
    pub fn of_rows<T: Score>(self, sample: &Sample<'_, T>, j: usize) -> Result<Vec<f64>> {
        Ok(self.in_chunks(sample, j, |_, values| values.to_vec())?.concat())
    }

    /// What is made of the values of some rows at a time, in the order of rows.
    pub fn in_chunks<T: Score, R: Send>(
        self,
        sample: &Sample<'_, T>,
        j: usize,
        make: impl Fn(Range<usize>, &[f64]) -> R + Sync,
    ) -> Result<Vec<R>> {
        let (scores, codes) = (&sample.scores, sample.classes.codes);
        // All scores are looked at once, although there may be values against each of many classes.
        if self != Self::Against || sample.classes.present_classes().first() == Some(&j) {
            reject_nan(scores, scores.ncols() == 1, sample.workers)?;
        }
        let n = scores.nrows();
        let found = sample.workers.map(n.div_ceil(CHUNK), |k| {
            let rows = k * CHUNK..n.min((k + 1) * CHUNK);
            let mut values = vec![0.0; rows.len()];
            let columns = match self {
                Self::Greatest => 0..scores.ncols(),
                Self::Against => j..j + 1,
                Self::Thresholds { .. } => scores.ncols() - 1..scores.ncols(),
            };
            let mut buffer = Vec::new();
            let block = read_block(scores, rows.clone(), columns, &mut buffer);
            let codes = &codes[rows.clone()];
            match self {
                Self::Greatest => greatest(block, codes, &mut values),
                Self::Against => {
                    let own = rows.clone().zip(codes).map(|(a, &i)| scores[[a, i as usize]]);
                    against(own, block, codes, j, &mut values);
                }
                Self::Thresholds { a, b } => {
                    let place = (rows.start, scores.ncols() - 1);
                    at_thresholds(block, codes, &Beta::new(a, b), place, &mut values)?;
                }
            }
            Ok(make(rows, &values))
        });
        found.into_iter().collect()
    }
}

/// `block` has the columns of all classes one after the other.
fn greatest<T: Score>(block: &[T], codes: &[u32], values: &mut [f64]) {
    let n = codes.len();
    // How many scores are as great as the row's own, and whether any is greater.
    let mut equal = vec![0_u32; n];
    let mut above = vec![false; n];
    let own: Vec<T> = codes.iter().enumerate().map(|(a, &i)| block[i as usize * n + a]).collect();
    for column in block.chunks_exact(n) {
        for (((p, own), equal), above) in column.iter().zip(&own).zip(&mut equal).zip(&mut above) {
            *equal += u32::from(p == own);
            *above |= p > own;
        }
    }
    for ((value, equal), above) in values.iter_mut().zip(equal).zip(above) {
        *value = if above { 0.0 } else { 1.0 / f64::from(equal) };
    }
}

/// `own` are the scores of the rows' own classes, `others` those of class j.
fn against<T: Score>(
    own: impl Iterator<Item = T>,
    others: &[T],
    codes: &[u32],
    j: usize,
    values: &mut [f64],
) {
    for (((value, &i), own), &other) in values.iter_mut().zip(codes).zip(own).zip(others) {
        if i as usize != j {
            *value = 0.5 * f64::from(u8::from(own > other) + u8::from(own >= other));
        }
    }
}

/// `place`: the number of the first row, and of the column.
fn at_thresholds<T: Score>(
    scores: &[T],
    codes: &[u32],
    thresholds: &Beta,
    (first, column): (usize, usize),
    values: &mut [f64],
) -> Result<()> {
    for (a, ((value, &i), s)) in values.iter_mut().zip(codes).zip(scores).enumerate() {
        let s = s.to_f64();
        if !(0.0..=1.0).contains(&s) {
            return Err(outside(first + a, column, s));
        }
        let share = thresholds.below(s);
        *value = if i == 1 { share } else { 1.0 - share };
    }
    Ok(())
}

fn outside(row: usize, column: usize, score: f64) -> Error {
    let place = if column == 0 { format!("{row}") } else { format!("{row}, {column}") };
    Error::Domain(format!(
        "y_score[{place}] is {score:?}, but thresholds of a Beta distribution lie in [0, 1]; pass scores \
         that do, as probabilities, or a share of the rows with screened="
    ))
}
