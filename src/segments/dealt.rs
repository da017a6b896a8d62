//! Rows in the order of their segments.

use std::ops::Range;

use ndarray::{Array2, ArrayView2, ArrayViewMut1, Axis, ShapeBuilder, s};

use crate::data::classes::Classes;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::weights::Weights;
use crate::error::{Error, Result};
use crate::machine::memory;
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

/// What is dealt at a time.
enum Part<'a, T> {
    Column(usize, ArrayViewMut1<'a, T>),
    Rows(&'a mut [u32]),
    Codes(&'a mut [u32]),
}

/// Puts what is given of each row in its place.
fn deal<X>(given: impl Iterator<Item = X>, place: &[u32], out: &mut [X]) {
    given.zip(place).for_each(|(x, &at)| out[at as usize] = x);
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
        let mut place: Vec<u32> = memory::zeroed(n);
        for (place, &key) in place.iter_mut().zip(keys) {
            let next = &mut next[key as usize];
            *place = *next;
            *next += 1;
        }
        let (mut rows, mut dealt_codes) = (memory::zeroed(n), memory::zeroed(n));
        let dealt = Array2::from_shape_vec((n, scores.ncols()).f(), memory::zeroed(scores.len()));
        let mut dealt = dealt.map_err(|error| Error::Shape(error.to_string()))?;
        let columns = dealt.axis_iter_mut(Axis(1)).enumerate();
        let mut parts: Vec<_> = columns.map(|(k, out)| Part::Column(k, out)).collect();
        parts.extend([Part::Rows(&mut rows), Part::Codes(&mut dealt_codes)]);
        workers.map_pieces(parts, |_, part| match part {
            Part::Rows(out) => deal(0..n as u32, &place, out),
            Part::Codes(out) => deal(codes.iter().copied(), &place, out),
            Part::Column(column, mut out) => {
                let given = scores.index_axis(Axis(1), column);
                let out =
                    out.as_slice_mut().unwrap_or_else(|| unreachable!("columns are contiguous"));
                deal(given.iter().copied(), &place, out);
            }
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
