//! Rows with many labels as entries: what one row says of one label.
//!
//! An entry has a score, a class (2l for a negative, 2l + 1 for a positive of label l) and its row. Entries stand
//! one label after the other, so that the scores of a label are next to each other; labels that are missing
//! have none.

use std::ops::Range;

use ndarray::{ArrayView1, ArrayView2, s};

use crate::data::scores::Score;
use crate::error::{Error, Result};
use crate::machine::lanes::{Kernel, launch};
use crate::machine::memory;
use crate::machine::workers::Workers;

/// Rows copied at a stretch: those of some columns stay in the cache until the next one is copied.
const STRETCH: usize = 1 << 8;
/// Rows that one thread copies, at least.
const ROWS: usize = 1 << 12;

/// Whether a row has a label: a number that is 0 or 1, or missing.
pub trait Indicator: Copy + Default + Send + Sync + 'static {
    /// What it says.
    fn said(self) -> Said;
    /// As a double.
    fn number(self) -> f64;
}

/// What a row says of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// It does not have it.
    No = 0,
    /// It has it.
    Yes = 1,
    /// That is not known.
    Nothing = 2,
    /// What is neither 0 nor 1.
    Other = 3,
}

macro_rules! impl_indicator {
    ($($t:ty),*) => {$(
        impl Indicator for $t {
            #[inline(always)]
            #[allow(clippy::eq_op, reason = "a NaN is no equal of itself; whole numbers are")]
            fn said(self) -> Said {
                if self == 0 as $t {
                    Said::No
                } else if self == 1 as $t {
                    Said::Yes
                } else if self != self {
                    Said::Nothing
                } else {
                    Said::Other
                }
            }
            #[allow(clippy::cast_lossless, reason = "for messages alone")]
            fn number(self) -> f64 {
                self as f64
            }
        }
    )*};
}
impl_indicator!(f64, i64, u8);

/// Entries, one label after the other.
#[derive(Debug, Default)]
pub struct Entries<T> {
    /// The score of each.
    pub scores: Vec<T>,
    /// The class of each.
    pub codes: Vec<u32>,
    /// The row of each.
    pub rows: Vec<u32>,
    /// How many each class has.
    pub sizes: Vec<usize>,
}

impl<T: Score> Entries<T> {
    /// Reads labels and scores, a row and a column each. Scores of missing labels are not looked at.
    pub fn new<Y: Indicator>(
        labels: &ArrayView2<'_, Y>,
        scores: &ArrayView2<'_, T>,
        workers: &Workers,
    ) -> Result<Self> {
        let (n, columns) = labels.dim();
        if scores.dim() != (n, columns) {
            return Err(Error::Shape("labels and scores differ in shape".into()));
        }
        if n > u32::MAX as usize || n.saturating_mul(columns) > u32::MAX as usize {
            return Err(Error::TooManyRows(n.saturating_mul(columns)));
        }
        let parts = workers.count().min(n.div_ceil(ROWS)).max(1);
        let bounds: Vec<usize> = (0..=parts).map(|part| part * n / parts).collect();
        // As if nothing were missing: what is leaves gaps behind, to be closed.
        let (mut all, mut codes, mut rows) =
            (memory::zeroed(n * columns), memory::zeroed(n * columns), memory::zeroed(n * columns));
        let pieces = (cut(&mut all, &bounds).into_iter())
            .zip(cut(&mut codes, &bounds))
            .zip(cut(&mut rows, &bounds))
            .zip(bounds.windows(2))
            .map(|(((scores, codes), rows), ends)| Piece {
                of: ends[0]..ends[1],
                scores,
                codes,
                rows,
            })
            .collect();
        let filled = workers.map_pieces(pieces, |_, piece| piece.fill(labels, scores));
        let any = |is: fn(&Counts) -> bool| filled.iter().flatten().any(is);
        if any(|counts| counts.wrong) {
            let wrong = labels.indexed_iter().find(|(_, y)| y.said() == Said::Other);
            let ((row, column), value) = wrong.map_or(((0, 0), 0.0), |(at, y)| (at, y.number()));
            return Err(Error::NotALabel { row, column, value });
        }
        if any(|counts| counts.nan) {
            return Err(nan_of_entry(labels, scores));
        }
        let mut found = Self { scores: all, codes, rows, sizes: Vec::new() };
        found.close_gaps(&bounds, &filled);
        found.sizes = (0..columns).flat_map(|column| sizes_of(column, &filled)).collect();
        Ok(found)
    }

    /// Moves what has fewer entries than rows together: labels one after the other, each part by part.
    fn close_gaps(&mut self, bounds: &[usize], filled: &[Vec<Counts>]) {
        let (n, columns) = (bounds[filled.len()], filled[0].len());
        let mut end = 0;
        for column in 0..columns {
            for (first, counts) in bounds.iter().zip(filled) {
                let from = column * n + first..column * n + first + counts[column].all;
                end += from.len();
                if from.end != end {
                    let to = end - from.len();
                    self.scores.copy_within(from.clone(), to);
                    self.codes.copy_within(from.clone(), to);
                    self.rows.copy_within(from, to);
                }
            }
        }
        self.scores.truncate(end);
        self.codes.truncate(end);
        self.rows.truncate(end);
    }
}

/// How many negative and how many positive entries a label has in all parts.
fn sizes_of(column: usize, filled: &[Vec<Counts>]) -> [usize; 2] {
    let sum = |of: fn(&Counts) -> usize| filled.iter().map(|counts| of(&counts[column])).sum();
    [sum(|counts| counts.all - counts.yes), sum(|counts| counts.yes)]
}

/// The rows of each part in every column, of which `buffer` has one after the other.
fn cut<'a, E>(buffer: &'a mut [E], bounds: &[usize]) -> Vec<Vec<&'a mut [E]>> {
    let mut parts: Vec<Vec<&mut [E]>> = bounds[1..].iter().map(|_| Vec::new()).collect();
    for mut column in buffer.chunks_mut(bounds[bounds.len() - 1].max(1)) {
        for (part, ends) in parts.iter_mut().zip(bounds.windows(2)) {
            let (own, rest) = column.split_at_mut(ends[1] - ends[0]);
            part.push(own);
            column = rest;
        }
    }
    parts
}

/// What was found of a label in some rows.
#[derive(Clone, Copy, Default)]
struct Counts {
    /// Its entries, and the positive ones.
    all: usize,
    yes: usize,
    /// Whether something is no label, or the score of an entry NaN.
    wrong: bool,
    nan: bool,
}

/// Some rows, and where their entries of each label go.
struct Piece<'a, T> {
    of: Range<usize>,
    scores: Vec<&'a mut [T]>,
    codes: Vec<&'a mut [u32]>,
    rows: Vec<&'a mut [u32]>,
}

impl<T: Score> Piece<'_, T> {
    /// Copies the entries of each label to where it begins.
    fn fill<Y: Indicator>(
        mut self,
        labels: &ArrayView2<'_, Y>,
        scores: &ArrayView2<'_, T>,
    ) -> Vec<Counts> {
        let mut counts = vec![Counts::default(); labels.ncols()];
        for first in self.of.clone().step_by(STRETCH) {
            let some = first..(first + STRETCH).min(self.of.end);
            for (column, counts) in counts.iter_mut().enumerate() {
                let said = labels.slice(s![some.clone(), column]);
                let scored = scores.slice(s![some.clone(), column]);
                let out = counts.all..counts.all + some.len();
                let place = (
                    &mut self.scores[column][out.clone()],
                    &mut self.codes[column][out.clone()],
                    &mut self.rows[column][out],
                );
                let (first, class) = (first as u32, 2 * column as u32);
                counts.add(launch(Copying { said, scored, first, class, place }));
            }
        }
        counts
    }
}

impl Counts {
    fn add(&mut self, more: Self) {
        self.all += more.all;
        self.yes += more.yes;
        self.wrong |= more.wrong;
        self.nan |= more.nan;
    }
}

/// Copies the entries of some rows in one column.
struct Copying<'a, Y, T> {
    said: ArrayView1<'a, Y>,
    scored: ArrayView1<'a, T>,
    first: u32,
    class: u32,
    place: (&'a mut [T], &'a mut [u32], &'a mut [u32]),
}

impl<Y: Indicator, T: Score> Kernel for Copying<'_, Y, T> {
    type Output = Counts;

    #[inline(always)]
    fn run(self) -> Counts {
        let Self { said, scored, first, class, place: (scores, codes, rows) } = self;
        let len = said.len();
        let (scores, codes, rows) = (&mut scores[..len], &mut codes[..len], &mut rows[..len]);
        let (mut yes, mut known, mut nan) = (0u32, 0u32, false);
        // No branches: mostly nothing is missing, and then this is all there is to do.
        for k in 0..len {
            let said = said[k].said();
            yes += u32::from(said == Said::Yes);
            known += u32::from(said == Said::Yes) + u32::from(said == Said::No);
            nan |= scored[k].is_nan();
            scores[k] = scored[k];
            codes[k] = class + u32::from(said == Said::Yes);
            rows[k] = first + k as u32;
        }
        let (mut all, mut wrong) = (len, false);
        if known as usize != len {
            (all, nan) = (0, false);
            for k in 0..len {
                let what = said[k].said();
                wrong |= what == Said::Other;
                if what == Said::Nothing {
                    continue;
                }
                nan |= scored[k].is_nan();
                scores[all] = scored[k];
                (codes[all], rows[all]) = (codes[k], rows[k]);
                all += 1;
            }
        }
        Counts { all, yes: yes as usize, wrong, nan }
    }
}

/// The error for the first NaN among the scores of entries.
fn nan_of_entry<Y: Indicator, T: Score>(
    labels: &ArrayView2<'_, Y>,
    scores: &ArrayView2<'_, T>,
) -> Error {
    let nan = |&((row, column), y): &((usize, usize), &Y)| {
        y.said() != Said::Nothing && scores[[row, column]].is_nan()
    };
    let (row, column) = labels.indexed_iter().find(nan).map_or((0, 0), |(at, _)| at);
    Error::NanScore { row, column: Some(column) }
}

#[cfg(test)]
mod tests {
    use ndarray::arr2;

    use super::*;

    #[test]
    fn missing_labels_have_no_entries() {
        let labels = arr2(&[[1.0, f64::NAN], [0.0, 1.0], [f64::NAN, 0.0]]);
        let scores = arr2(&[[0.1, f64::NAN], [0.2, 0.3], [0.4, 0.5]]);
        let found = Entries::new(&labels.view(), &scores.view(), &Workers::inline()).unwrap();
        assert_eq!(found.scores, [0.1, 0.2, 0.3, 0.5]);
        assert_eq!(found.codes, [1, 0, 3, 2]);
        assert_eq!(found.rows, [0, 1, 1, 2]);
        assert_eq!(found.sizes, [1, 1, 1, 1]);
    }

    #[test]
    fn faults_are_found_where_they_are() {
        let labels = arr2(&[[0i64, 1], [1, 2]]);
        let scores = arr2(&[[0.1f32, 0.2], [0.3, 0.4]]);
        let workers = Workers::inline();
        let error = Entries::new(&labels.view(), &scores.view(), &workers).unwrap_err();
        assert_eq!(error, Error::NotALabel { row: 1, column: 1, value: 2.0 });
        let labels = arr2(&[[0u8, 1], [1, 0]]);
        let scores = arr2(&[[0.1f32, 0.2], [f32::NAN, 0.4]]);
        let error = Entries::new(&labels.view(), &scores.view(), &workers).unwrap_err();
        assert_eq!(error, Error::NanScore { row: 1, column: Some(0) });
    }
}
