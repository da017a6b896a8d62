//! Rows in the order of their segments.

use std::ops::Range;

use ndarray::{Array2, ArrayView2, Axis, ShapeBuilder, s};

use crate::data::classes::Classes;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::weights::Weights;
use crate::error::{Error, Result};
use crate::machine::workers::Workers;

/// Scores from which on a segment may be shared out among threads.
const LARGE: usize = 1 << 18;

/// Rows dealt by segment, in their own order within a segment.
pub struct Dealt<T> {
    scores: Array2<T>,
    codes: Vec<u32>,
    /// The number of each row among all.
    pub rows: Vec<u32>,
    /// Where segments begin, and the end of the last one.
    bounds: Vec<usize>,
    n_classes: usize,
}

impl<T: Score> Dealt<T> {
    /// Deals rows to segments by their `keys`, which are below `count`.
    pub fn new(
        scores: &ArrayView2<'_, T>,
        (codes, n_classes): (&[u32], usize),
        (keys, count): (&[u32], usize),
        workers: &Workers,
    ) -> Result<Self> {
        let n = keys.len();
        if codes.len() != n || scores.nrows() != n {
            return Err(Error::Shape(format!("{n} keys for {} rows", codes.len())));
        }
        if n > u32::MAX as usize {
            return Err(Error::TooManyRows(n));
        }
        let mut bounds = vec![0; count + 1];
        for &key in keys {
            let size = bounds.get_mut(key as usize + 1);
            *size.ok_or_else(|| Error::Shape(format!("key {key} is not below {count}")))? += 1;
        }
        for k in 0..count {
            bounds[k + 1] += bounds[k];
        }
        let mut next: Vec<u32> = bounds.iter().map(|&bound| bound as u32).collect();
        let mut place = vec![0_u32; n];
        let (mut rows, mut dealt_codes) = (vec![0_u32; n], vec![0_u32; n]);
        for (row, &key) in keys.iter().enumerate() {
            let at = &mut next[key as usize];
            (place[row], rows[*at as usize], dealt_codes[*at as usize]) =
                (*at, row as u32, codes[row]);
            *at += 1;
        }
        let columns = scores.ncols();
        let mut dealt = Array2::from_elem((n, columns).f(), T::default());
        let pieces = dealt.axis_iter_mut(Axis(1)).enumerate().collect();
        workers.map_pieces(pieces, |_, (column, mut out): (usize, _)| {
            let given = scores.index_axis(Axis(1), column);
            let out = out.as_slice_mut().unwrap_or_else(|| unreachable!("columns are contiguous"));
            given.iter().zip(&place).for_each(|(&score, &at)| out[at as usize] = score);
        });
        Ok(Self { scores: dealt, codes: dealt_codes, rows, bounds, n_classes })
    }

    /// How many segments there are.
    pub fn count(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Where the rows of a segment stand.
    pub fn span(&self, segment: usize) -> Range<usize> {
        self.bounds[segment]..self.bounds[segment + 1]
    }

    /// Does some work on the rows of a segment.
    pub fn with_sample<R>(
        &self,
        segment: usize,
        workers: &Workers,
        work: impl FnOnce(&Sample<'_, T>) -> Result<R>,
    ) -> Result<R> {
        let span = self.span(segment);
        let alone = Workers::inline();
        let workers = if span.len() * self.scores.ncols() > LARGE { workers } else { &alone };
        let classes =
            Classes::new(&self.codes[span.clone()], self.n_classes, &Weights::Unit, workers)?;
        let scores = self.scores.slice(s![span, ..]);
        match scores.ncols() {
            1 => {
                work(&Sample::single_column(scores.index_axis_move(Axis(1), 0), &classes, workers)?)
            }
            _ => work(&Sample::new(scores, &classes, workers)?),
        }
    }

    /// Does some work for each segment, the largest first; results come by segment.
    pub fn map<R: Send>(
        &self,
        workers: &Workers,
        work: impl Fn(usize) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        let mut order: Vec<usize> = (0..self.count()).collect();
        order.sort_by_key(|&segment| std::cmp::Reverse(self.span(segment).len()));
        let done = workers.map(order.len(), |k| work(order[k]));
        let mut found: Vec<Option<R>> = (0..self.count()).map(|_| None).collect();
        for (segment, result) in order.into_iter().zip(done) {
            found[segment] = Some(result?);
        }
        Ok(found.into_iter().flatten().collect())
    }
}
