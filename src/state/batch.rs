//! Rows of a batch, some at a time: both passes read them so, each cache line once.

use std::ops::Range;

use super::scores::Scores;
use crate::data::scores::Score;

/// Rows that are worked on together; with ten columns of scores they stay in the second cache. Columns that a power of
/// two of bytes lies between would share few of its places.
pub const STRETCH: usize = 63 << 6;

/// Scores that are checked and then counted at once: they stay in the third cache, so that memory is read once.
pub const AT_ONCE: usize = 1 << 19;

/// Stretches of a batch that are taken one after the other; none where it is small enough to be taken whole.
pub fn portions(rows: usize, width: usize) -> Option<impl Iterator<Item = Range<usize>>> {
    let step = (AT_ONCE / width.max(1)).max(STRETCH);
    let portion = move |start: usize| start..rows.min(start + step);
    (rows > step).then(|| (0..rows).step_by(step).map(portion))
}

/// Hands over some columns of so many rows at a time; copied into `buffer` where they do not lie so.
pub fn by_stretch<T: Score>(
    scores: &Scores<'_, T>,
    columns: Range<usize>,
    stretch: usize,
    buffer: &mut Vec<T>,
    mut take: impl FnMut(Range<usize>, &[&[T]]),
) {
    let all = scores.dim().0;
    for start in (0..all).step_by(stretch) {
        let rows = start..all.min(start + stretch);
        take(rows.clone(), &scores.block(rows, columns.clone(), buffer));
    }
}

/// The rows of a stretch by class, in the order they came in.
#[derive(Default)]
pub struct ByClass {
    rows: Vec<u32>,
    ends: Vec<usize>,
}

impl ByClass {
    /// Sorts the rows of a stretch by their classes.
    pub fn sort(&mut self, codes: &[u32], classes: usize) {
        self.ends.clear();
        self.ends.resize(classes + 1, 0);
        for &code in codes {
            self.ends[code as usize + 1] += 1;
        }
        for class in 0..classes {
            self.ends[class + 1] += self.ends[class];
        }
        self.rows.resize(codes.len(), 0);
        let mut next = self.ends.clone();
        for (row, &code) in codes.iter().enumerate() {
            let at = &mut next[code as usize];
            self.rows[*at] = row as u32;
            *at += 1;
        }
    }

    /// The rows of a class, numbered within the stretch.
    pub fn of(&self, class: usize) -> &[u32] {
        &self.rows[self.ends[class]..self.ends[class + 1]]
    }
}
