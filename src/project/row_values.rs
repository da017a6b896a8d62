//! What a row is worth by its own scores alone: whether it is said to be of its class, or how often.
//!
//! A mean of such values depends on no order of rows. Scores are compared as they are: only equal ones tie.

use crate::data::sample::Sample;
use crate::data::scores::{Score, reject_nan};
use crate::error::{Error, Result};
use crate::tails::beta::Beta;

/// Rows that one task looks at.
const CHUNK: usize = 1 << 14;

/// The value of a row a of class i with the scores p.
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
        let (scores, codes) = (&sample.scores, sample.classes.codes);
        reject_nan(scores, scores.ncols() == 1)?;
        let last = scores.ncols() - 1;
        let thresholds = match self {
            Self::Thresholds { a, b } => Beta::new(a, b),
            _ => Beta::new(1.0, 1.0),
        };
        let value = |row: usize| -> Result<f64> {
            let (p, i) = (scores.row(row), codes[row] as usize);
            Ok(match self {
                Self::Greatest => {
                    let above = p.iter().any(|x| *x > p[i]);
                    let equal = p.iter().filter(|x| **x == p[i]).count();
                    if above { 0.0 } else { 1.0 / equal as f64 }
                }
                Self::Against if i == j => 0.0,
                Self::Against if p[i] == p[j] => 0.5,
                Self::Against => f64::from(u8::from(p[i] > p[j])),
                Self::Thresholds { .. } => {
                    let s = p[last].to_f64();
                    if !(0.0..=1.0).contains(&s) {
                        return Err(outside(row, last, s));
                    }
                    let share = thresholds.below(s);
                    if i == 1 { share } else { 1.0 - share }
                }
            })
        };
        let n = scores.nrows();
        let found = sample.workers.map(n.div_ceil(CHUNK), |k| {
            (k * CHUNK..n.min((k + 1) * CHUNK)).map(value).collect::<Result<Vec<f64>>>()
        });
        Ok(found.into_iter().collect::<Result<Vec<_>>>()?.concat())
    }
}

fn outside(row: usize, column: usize, score: f64) -> Error {
    let place = if column == 0 { format!("{row}") } else { format!("{row}, {column}") };
    Error::Domain(format!(
        "y_score[{place}] is {score:?}, but thresholds of a Beta distribution lie in [0, 1]; pass scores \
         that do, as probabilities, or a share of the rows with screened="
    ))
}
